import { css } from 'lit';

export const textPositionsStyle = css`
  .sentence {
    margin: 0 0 1.2rem;
  }
  .text-fault {
    margin: 0 0 0.6rem;
    color: var(--warning);
  }
  .chips-name {
    margin: 0 0 0.4rem;
    font-size: 0.8125rem;
    color: var(--faint);
  }
  .chips {
    list-style: none;
    display: flex;
    flex-wrap: wrap;
    gap: 0.35rem;
    margin: 0;
    padding: 0;
  }
  .chip {
    display: grid;
    justify-items: center;
    min-width: 2.4rem;
    padding: 0.15rem 0.5rem;
    overflow-wrap: anywhere;
  }
  .chip bdi {
    font: 1rem/1.4 var(--serif);
  }
  .chip-gate {
    font-size: 0.75rem;
    color: var(--faint);
  }
  .chip[aria-pressed='true'] {
    border: 2px solid var(--warning);
    padding: calc(0.15rem - 1px) calc(0.5rem - 1px);
  }
  .chip[aria-pressed='true'] .chip-gate {
    color: var(--warning);
  }
  .chip.is-query {
    color: var(--query);
  }
  .chip.is-later {
    color: var(--faint);
  }
  .ruler-line {
    stroke: var(--faint);
    shape-rendering: crispEdges;
  }
  .fan {
    fill: none;
    stroke: var(--faint);
    stroke-opacity: 0.55;
    stroke-width: 1;
  }
  .ruler .dot,
  .dot {
    fill: var(--faint);
  }
  .is-changed .dot,
  .dot.is-changed {
    fill: var(--paper);
    stroke: var(--warning);
    stroke-width: 2;
  }
  .is-key .dot,
  .dot.is-key {
    fill: var(--key);
  }
  .is-query .dot,
  .dot.is-query {
    fill: var(--query);
  }
  .is-key .fan {
    stroke: var(--key);
    stroke-opacity: 1;
    stroke-width: 2;
  }
  .is-query .fan {
    stroke: var(--query);
    stroke-opacity: 1;
  }
  .stretch {
    stroke: var(--warning);
    stroke-width: 3;
  }
  svg :is(.stretch-name, .ruler .ruler-name) {
    paint-order: stroke;
    stroke: var(--paper);
    stroke-width: 4px;
  }
  svg .stretch-name:not([fill]) {
    fill: var(--warning);
    font-weight: 600;
  }
  svg .token:not([fill]),
  svg .ruler-name:not([fill]) {
    fill: var(--ink);
  }
  svg .token.is-key:not([fill]) {
    fill: var(--key);
    font-weight: 600;
  }
  svg .token.is-query:not([fill]) {
    fill: var(--query);
    font-weight: 600;
  }
  svg .ruler-name {
    font-weight: 600;
  }
  svg .unit {
    font-weight: 400;
    fill: var(--faint);
  }
  svg .key-value:not([fill]) {
    fill: var(--key);
    font-weight: 600;
    paint-order: stroke;
    stroke: var(--paper);
    stroke-width: 4px;
  }
  .sum {
    margin-top: 1.4rem;
  }
  .sum-formula {
    margin: 0.6rem 0;
    max-width: 46rem;
    font-size: 0.875rem;
  }
  .sum-parts {
    list-style: none;
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 0.5rem;
    margin: 0;
    padding: 0;
    font-size: 0.875rem;
  }
  .sum-parts li {
    display: flex;
    align-items: end;
    gap: 0.5rem;
  }
  .sum-parts .part {
    display: grid;
    justify-items: center;
  }
  .sum-parts bdi,
  .sum-parts .part > span {
    color: var(--faint);
    font-size: 0.8125rem;
  }
  .sum-parts .is-changed data {
    color: var(--warning);
  }
  .sum-parts .total data {
    font-weight: 600;
    color: var(--key);
  }
  .range {
    stroke: var(--rule);
    stroke-width: 2;
  }
  .dot.with {
    fill: var(--position);
  }
  .dot.without {
    fill: none;
    stroke: var(--faint);
    stroke-width: 1.5;
  }
  svg .row-name:not([fill]) {
    fill: var(--ink);
  }
  svg .row-name.is-marked:not([fill]) {
    fill: var(--warning);
  }
  svg .shade-name:not([fill]) {
    fill: var(--ink);
    font-weight: 600;
  }
  .shade {
    fill: var(--raised);
  }
  .scheme-note {
    margin: 0 0 1rem;
    max-width: 46rem;
    font-size: 0.875rem;
    color: var(--faint);
  }
  @media print {
    .sentence {
      display: none;
    }
  }
`;

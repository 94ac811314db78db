import { css } from 'lit';

export const runningStyle = css`
  .parts { color: light-dark(#c92a1e, #ff7361); }
  .longrope { color: light-dark(#4f6272, #9fb4c6); }
  .wrong { color: var(--warning); }
  .error {
    stroke: var(--warning);
    stroke-width: 2;
  }
  .band.wrong { fill-opacity: 0.4; }
  svg .product {
    font-size: 1.0625rem;
    font-weight: 600;
  }
  .diluted {
    margin-bottom: 1.25rem;
  }
  svg :is(.row-title, .share):not([fill]) {
    fill: currentColor;
  }
  .share {
    font-weight: 600;
  }
  .fitting {
    fill: currentColor;
  }
  .diluted .other {
    fill: var(--faint);
  }
  .diluted .more {
    fill: var(--rule);
  }
  .base {
    stroke: var(--faint);
  }
  .blank {
    fill: var(--paper);
  }
  .stored path {
    fill: none;
    stroke: var(--faint);
    stroke-width: 1.25;
  }
  .stored path.wrong {
    stroke: currentColor;
    stroke-width: 1.75;
  }
  .stored circle {
    fill: var(--faint);
  }
  .stored circle.held {
    fill: var(--position);
  }
  svg .held:not([fill]) {
    fill: var(--position);
  }
  .chain {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem 0.7rem;
    align-items: baseline;
    margin: 0.9rem 0 0;
    font-size: 0.875rem;
  }
  .chain b {
    font-size: 1.0625rem;
  }
  .resolver {
    margin: 1rem 0 0;
    padding: 0;
    list-style: none;
    counter-reset: rule;
  }
  .resolver li {
    counter-increment: rule;
    padding: 0.45rem 0.8rem;
    border-left: 3px solid var(--rule);
    color: var(--faint);
    overflow-wrap: anywhere;
  }
  .resolver li::before {
    content: counter(rule) '. ';
  }
  .resolver li[aria-current] {
    border-left-color: var(--ink);
    color: var(--ink);
  }
`;

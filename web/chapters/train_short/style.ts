import { css } from 'lit';

export const shortStyle = css`
  .is-none { color: var(--faint); }
  .is-sinusoidal { color: var(--value); }
  .is-learned { color: light-dark(#7a4a2b, #d2a17f); }
  .is-rope { color: var(--position); }
  .is-alibi { color: var(--query); }
  .is-t5 { color: light-dark(#6b7a00, #c6d64a); }
  .is-kerple { color: var(--key); }
  .is-fox { color: light-dark(#c92a1e, #ff4f3a); }
  .is-cope { color: light-dark(#3f51b5, #9fa8ff); }
  .line.dashed { stroke-dasharray: 6 3; }
  .line.dotted { stroke-dasharray: 2 3; }
  .line.long { stroke-dasharray: 11 4; }
  .line.live-line {
    stroke-width: 3.25;
    stroke-dasharray: none;
  }
  .line.other {
    stroke-width: 1.5;
    stroke-dasharray: 1 4;
  }
  .limit {
    stroke-width: 1;
  }
  .dot {
    fill: currentColor;
  }
  .dot.is-live {
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  .dot.is-other {
    fill: var(--paper);
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  .joint {
    stroke: var(--faint);
    stroke-dasharray: 2 3;
  }
  .range {
    stroke: currentColor;
    stroke-width: 2;
  }
  svg :is(.row-name, .dot-value):not([fill]) {
    fill: var(--ink);
  }
  .dot-value {
    paint-order: stroke;
    stroke: var(--paper);
    stroke-width: 4px;
  }
  .head-maps {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 0.8rem 16px;
  }
  .head-map p {
    margin: 0.6rem 0 0.2rem;
    font-size: 0.8125rem;
    color: var(--faint);
  }
  .head-map .is-best {
    color: var(--ink);
    font-weight: 600;
  }
  .is-wrong { color: var(--warning); }
  svg .wrong-name:not([fill]) {
    fill: var(--warning);
  }
  .wrong-area {
    fill: color-mix(in oklab, var(--warning) 12%, transparent);
  }
  /* Not on screen until the reader has guessed; the values say it, and so does paper. */
  @media screen {
    figure:not(.with-values)
      .is-unguessed
      :is(
        .plot :is(.line, .dots, .band, .cursor *, .line-name):not(.is-sinusoidal),
        .line:has(+ .unknown)
      ) {
      visibility: hidden;
    }
    figure:not(.with-values) .unknown {
      visibility: visible;
    }
  }
  @media print {
    .drawing:has(.is-unguessed) .finding {
      display: none;
    }
  }
  svg .unknown {
    visibility: hidden;
    font-weight: 700;
  }
  .charts > :first-child {
    position: relative;
  }
  .is-unguessed .show {
    position: absolute;
    top: 38%;
    right: 2%;
    width: max-content;
    max-width: min(22rem, 54%);
    translate: 0 -50%;
    background: var(--paper);
  }
  .input-strip {
    margin: 0 0 1rem;
    font-size: 0.875rem;
  }
  .input-strip p {
    margin: 0.2rem 0;
  }
  .input-strip svg {
    display: block;
    margin-top: 0.3rem;
  }
  .input-strip svg text { font-size: 0.6875rem; }
  .input-strip .put { fill: var(--faint); }
  .input-strip .query { fill: var(--ink); font-weight: 600; }
  .input-strip .is-right { fill: var(--ink); }
  .input-strip .is-wrong { fill: var(--paper); font-weight: 600; }
  .input-strip .query-box { fill: var(--raised); stroke: var(--rule); }
  .input-strip .error { fill: var(--warning); }
  .example {
    margin: 0 0 0.8rem;
    font: 1rem/1.5 var(--serif);
  }
  .setting {
    margin: 0 0 1rem;
    max-width: 46rem;
    font-size: 0.875rem;
    color: var(--faint);
  }
  .schemes {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1.6rem;
    margin: 0 0 0.8rem;
    padding: 0;
    border: 0;
  }
  .schemes legend {
    font-size: 0.875rem;
  }
  .schemes > div {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }
  .schemes > div svg {
    flex: none;
  }
  .live {
    margin: 0.6rem 0 0;
  }
  .live-buttons {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.8rem;
    font-size: 0.875rem;
  }
  .live-buttons span {
    color: var(--faint);
  }
  .live-rows {
    list-style: none;
    margin: 0.6rem 0 0;
    padding: 0;
    font-size: 0.8125rem;
  }
  .live-progress {
    display: flex;
    gap: 0 1rem;
    align-items: center;
    min-height: 1.5rem;
    margin: 0.3rem 0 0;
    font-size: 0.8125rem;
    color: var(--faint);
  }
  .live-progress progress {
    flex: none;
    width: min(12rem, 30%);
  }
  .about {
    margin-top: 0.5rem;
    font-size: 0.875rem;
  }
  .about[open] summary {
    margin-bottom: 0.5rem;
  }
  .charts {
    display: grid;
    gap: 1.25rem 32px;
  }
  .charts[data-wide] {
    grid-template-columns: auto auto;
    justify-content: space-between;
    gap: 0;
  }
  .charts .plot {
    margin: 0;
  }
  .charts + .plot {
    margin-top: 1.25rem;
  }
  .scrolling {
    margin-top: 1rem;
    overflow-x: auto;
    border-top: 1px solid var(--rule);
  }
  .scrolling table {
    border-collapse: collapse;
    font-size: 0.8125rem;
    width: 100%;
  }
  .scrolling td,
  .scrolling th {
    padding: 0.3rem 1.1rem 0.3rem 0;
    white-space: nowrap;
    text-align: right;
    border-bottom: 1px solid var(--rule);
  }
  .scrolling th:first-child {
    text-align: left;
  }
  .scrolling th {
    position: static;
    font-weight: 400;
  }
  .scrolling thead th {
    color: var(--faint);
  }
  @media print {
    .live {
      display: none;
    }
  }
`;

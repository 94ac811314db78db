import { css } from 'lit';

export const shortStyle = css`
  .is-none { color: var(--faint); }
  .is-sinusoidal { color: var(--value); }
  .is-learned { color: light-dark(#7a4a2b, #d2a17f); }
  .is-rope { color: var(--position); }
  .is-alibi { color: var(--query); }
  .is-t5 { color: light-dark(#6b7a00, #c6d64a); }
  .is-kerple { color: var(--key); }
  .is-fox { color: light-dark(#c92a1e, #ff7361); }
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
  .dot.is-fresh {
    fill: var(--paper);
    stroke: var(--faint);
    stroke-width: 1.5;
  }
  .range {
    stroke: currentColor;
    stroke-width: 2;
  }
  svg .row-name:not([fill]) {
    fill: var(--ink);
  }
  .head-maps {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-end;
    gap: 0.8rem 16px;
  }
  .head-map p {
    margin: 0 0 0.2rem;
    font-size: 0.8125rem;
    color: var(--faint);
  }
  .head-map .is-best {
    color: var(--ink);
    font-weight: 600;
  }
  .head-pixels {
    position: relative;
  }
  .head-pixels svg {
    display: block;
    position: relative;
  }
  .head-maps + .setting {
    margin-top: 0.5rem;
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
    margin: 0 0 1.2rem;
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
  .live-rows li {
    display: grid;
    grid-template-columns: 11rem minmax(4rem, 16rem) minmax(0, 1fr);
    gap: 0 1rem;
    align-items: center;
    min-height: 1.5rem;
  }
  .live-status {
    color: var(--faint);
  }
  .charts {
    display: grid;
    gap: 1.25rem 32px;
  }
  .charts[data-wide] {
    grid-template-columns: 1fr 1fr;
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
  @container (width < 640px) {
    .live-rows li {
      grid-template-columns: 8.5rem minmax(0, 1fr);
    }
    .live-status {
      grid-column: 1 / -1;
      margin-bottom: 0.3rem;
    }
  }
  @media print {
    .live {
      display: none;
    }
  }
`;

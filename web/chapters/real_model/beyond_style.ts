import { css } from 'lit';
import { moreStyle } from './style.ts';

export const beyondStyle = css`
  ${moreStyle}
  .is-direct { color: var(--ink); }
  .is-window { color: var(--key); }
  .is-rerope { color: var(--value); }
  .is-pi { color: var(--position); }
  .is-ntk { color: var(--query); }
  .is-by-parts { color: light-dark(#6b7a00, #c6d64a); }
  .is-yarn { color: light-dark(#c92a1e, #ff7361); }
  .is-log-n { color: var(--faint); }
  .line.is-direct { stroke-width: 2.5; }
  .line:is(.is-rerope, .is-by-parts) { stroke-dasharray: 6 3; }
  .line.is-log-n { stroke-dasharray: 2 3; }
  .line.is-pi { stroke-dasharray: 11 4; }
  .setting {
    margin: 0.6rem 0 0;
    max-width: 46rem;
    font-size: 0.875rem;
    color: var(--faint);
  }
  .methods {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1.6rem;
    margin: 0 0 0.8rem;
    padding: 0;
    border: 0;
  }
  .methods legend {
    font-size: 0.875rem;
  }
  .methods > div {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }
  .methods > div svg {
    flex: none;
  }
  .scrolling {
    margin-top: 1rem;
    overflow-x: auto;
    border-top: 1px solid var(--rule);
  }
  .scrolling table {
    width: 100%;
    border-collapse: collapse;
    font-size: 0.8125rem;
  }
  .scrolling td,
  .scrolling th {
    padding: 0.3rem 1.1rem 0.3rem 0;
    border-bottom: 1px solid var(--rule);
    position: static;
    font-weight: 400;
    text-align: right;
    white-space: nowrap;
  }
  .scrolling th:first-child {
    text-align: left;
  }
  .scrolling thead th {
    color: var(--faint);
  }
`;

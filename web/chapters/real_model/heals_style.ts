import { css } from 'lit';

export const healsStyle = css`
  .is-pi { color: var(--position); }
  .is-ntk { color: var(--key); }
  .line.is-ntk { stroke-dasharray: 6 3; }
  .line.live-line {
    color: var(--ink);
    stroke-width: 3.25;
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
  .live {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.8rem;
    margin: 1rem 0;
    font-size: 0.875rem;
  }
  .live span {
    color: var(--faint);
  }
  .stories {
    margin: 0 0 1rem;
    max-width: 46rem;
  }
  .stories dt {
    font-size: 0.8125rem;
    color: var(--faint);
  }
  .stories dd {
    margin: 0.1rem 0 0.8rem;
    min-height: 5.25em;
    font: 1.0625rem/1.75 var(--serif);
    /* A space at the end of a line would hang out of the box with pre-wrap. */
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  @media print {
    .live {
      display: none;
    }
  }
`;

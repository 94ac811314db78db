import { css } from 'lit';
import { lessonRowStyle } from './lesson_row_style.ts';

export const healsStyle = css`
  ${lessonRowStyle}
  .is-pi { color: var(--position); }
  .is-ntk { color: var(--key); }
  .is-yarn { color: var(--query); }
  .is-direct { color: var(--ink); }
  .line.is-ntk { stroke-dasharray: 6 3; }
  .line.is-yarn { stroke-dasharray: 10 3; }
  .line.is-direct { stroke-dasharray: 1.5 3; stroke-linecap: round; }
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
    min-height: 4.8em;
    font: 1.0625rem/1.6 var(--serif);
    /* A space at the end of a line would hang out of the box with pre-wrap. */
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
`;

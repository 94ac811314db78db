import { css } from 'lit';

/** The row of a training, and its line in a chart. */
export const lessonRowStyle = css`
  .line.live-line {
    color: var(--ink);
    stroke-width: 3.25;
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
  @media print {
    .live {
      display: none;
    }
  }
`;

/** The look of pairs drawn in their circles, and of a row of them as buttons. */
import { css } from 'lit';

export const pairCircleStyle = css`
  .pair-buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    margin: 1rem 0 1.2rem;
  }
  .pair-button {
    border: 0;
    /* Room for the line, which no colors that the reader forces on the page may draw. */
    padding: 0 0 2px;
    line-height: 0;
  }
  .pair-button.is-chosen {
    border-bottom: 2px solid var(--ink);
    padding: 0;
  }
  .outline {
    fill: none;
    stroke: var(--rule);
  }
  .tick {
    stroke: var(--faint);
  }
  .vector {
    stroke: currentColor;
    stroke-width: 2.25;
    stroke-linecap: round;
  }
  .tip {
    fill: currentColor;
  }
`;

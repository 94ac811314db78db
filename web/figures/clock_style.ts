/** The look of clocks: the pairs of a vector, each as a hand that turns. */
import { css } from 'lit';

export const clockStyle = css`
  .clocks {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    margin: 1rem 0 1.2rem;
  }
  .clock {
    border: 0;
    /* Room for the line, which no colours that the reader forces on the page may draw. */
    padding: 0 0 2px;
    line-height: 0;
  }
  .clock.is-chosen {
    border-bottom: 2px solid var(--ink);
    padding: 0;
  }
  .face {
    fill: none;
    stroke: var(--rule);
  }
  .noon {
    stroke: var(--faint);
  }
  .hand {
    stroke: currentColor;
    stroke-width: 2.25;
    stroke-linecap: round;
  }
  .tip {
    fill: currentColor;
  }
`;

import { css } from 'lit';

export const axesStyle = css`
  .token {
    fill: var(--raised);
    stroke: var(--rule);
  }
  .token.is-at {
    stroke: var(--ink);
    stroke-width: 2;
  }
  svg .number:not([fill]) {
    font-weight: 600;
  }
  svg .number.t:not([fill]),
  .pair.t {
    fill: var(--position);
  }
  svg .number.h:not([fill]),
  .pair.h {
    fill: var(--query);
  }
  svg .number.w:not([fill]),
  .pair.w {
    fill: var(--key);
  }
  .pair.all {
    fill: var(--ink);
  }
  .lane {
    stroke: var(--rule);
  }
`;

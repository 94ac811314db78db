import { css } from 'lit';

export const biasStyle = css`
  .band {
    fill: var(--rule);
    fill-opacity: 0.35;
  }
  .band.is-chosen {
    fill: var(--position);
    fill-opacity: 0.3;
  }
  .bar {
    fill: var(--key);
    fill-opacity: 0.45;
  }
  .bar.is-chosen {
    fill: var(--position);
    fill-opacity: 1;
  }
  .query-mark {
    fill: var(--query);
  }
  .lead {
    margin: 1.4rem 0 0.2rem;
  }
  .window {
    fill: none;
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  .window-halo {
    fill: none;
    stroke: var(--paper);
    stroke-width: 3.5;
  }
  .row-mark {
    fill: none;
    stroke: var(--position);
    stroke-width: 2;
  }
`;

import { css } from 'lit';

/** Bars of a stack of layers, and the list of their kinds. */
export const layerStackStyle = css`
  .layer.is-base-0 {
    fill: var(--position);
    fill-opacity: 0.85;
  }
  .layer.is-base-1 {
    fill: var(--query);
    fill-opacity: 0.85;
  }
  .layer.is-unrotated {
    fill: var(--paper);
    stroke: var(--faint);
    stroke-width: 1;
  }
  .layer.is-recurrent {
    fill: var(--faint);
    fill-opacity: 0.5;
  }
  .layer.is-biased {
    fill: var(--value);
    fill-opacity: 0.85;
  }
  .edge {
    fill: none;
    stroke: var(--ink);
    stroke-width: 3;
  }
  .scaled {
    fill: none;
    stroke: var(--paper);
    stroke-width: 1.5;
    stroke-dasharray: 3 3;
  }
  .warm {
    fill: var(--warning);
  }
  .mark {
    fill: none;
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  svg .is-at:not([fill]) {
    fill: var(--ink);
    font-weight: 600;
  }
  .kinds {
    list-style: none;
    margin: 0.8rem 0 0;
    padding: 0;
    display: grid;
    gap: 0.35rem;
    font-size: 0.875rem;
  }
  .kinds li {
    display: grid;
    grid-template-columns: 40px minmax(0, 1fr);
    gap: 0.6rem;
    align-items: baseline;
  }
`;

import { css } from 'lit';
import { pairCircleStyle } from '../../figures/pair_circle_style.ts';

export const sinusoidStyle = css`
  ${pairCircleStyle}
  .pair-buttons {
    margin-bottom: 1.4rem;
    /* The number of a pair stands nearer to its clocks than to the pair below. */
    row-gap: 1rem;
  }
  .pair-button {
    padding: 0;
  }
  .pair-button.is-chosen {
    border-bottom: 0;
    outline: 1.5px solid var(--ink);
  }
  .vector {
    stroke-width: 2;
  }
  /* Seen around the other hand where both coincide. */
  .vector.position {
    stroke-width: 4;
  }
  .tip.position {
    r: 5px;
  }
  .wavelength {
    stroke: var(--ink);
    stroke-width: 2;
    stroke-dasharray: 5 4;
  }
  .wavelength-halo {
    stroke: var(--paper);
    stroke-width: 4;
  }
  svg .wavelength-label:not([fill]) {
    fill: var(--ink);
  }
  .plate {
    flood-color: var(--paper);
  }
  .mirror {
    fill: none;
    stroke: var(--ink);
    stroke-width: 1.75;
  }
  .chosen {
    fill: var(--position);
  }
  .column {
    display: grid;
    grid-template-columns: minmax(0, 15rem) minmax(0, 1fr);
    gap: 0.5rem 2rem;
    align-items: center;
    margin: 0.6rem 0 0.4rem;
  }
  .column .readout {
    margin: 0;
  }
  .ruler path {
    fill: none;
    stroke: var(--faint);
  }
  .line.wide {
    stroke-width: 7;
    stroke-opacity: 0.35;
  }
  .middle {
    stroke: var(--rule);
  }
  .spiral {
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
  }
  .hands {
    display: flex;
    gap: 1.4rem;
    margin: 0.8rem 0 -0.4rem;
    font-size: 0.8125rem;
  }
  .wedge {
    fill: var(--position);
    fill-opacity: 0.3;
  }
  svg .angle:not([fill]) {
    fill: var(--ink);
    font-weight: 600;
  }
  .block {
    fill: none;
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  .terms {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, max-content));
    gap: 0 20px;
    margin-top: 0.8rem;
  }
  .terms .term {
    display: grid;
    grid-template-rows: subgrid;
    grid-row: span 3;
    font-size: 0.875rem;
  }
  .term h4 {
    margin: 0;
    font-size: 1em;
    font-weight: 600;
  }
  .term p {
    margin: 0.2rem 0 0;
  }
  .terms .term p {
    color: var(--faint);
  }
  .diagonal {
    fill: none;
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  .split {
    margin-block: 1rem;
  }
  .split table {
    border-collapse: collapse;
  }
  .split th,
  .split td {
    padding: 0.3rem 1.5rem 0.3rem 0;
    border-bottom: 1px solid var(--rule);
    font-weight: 400;
    text-align: start;
    vertical-align: bottom;
    white-space: nowrap;
  }
  .split thead th {
    color: var(--faint);
    max-width: 13rem;
    white-space: normal;
  }
  .split tfoot * {
    font-weight: 600;
  }
  .lead {
    margin: 0.4rem 0 0.8rem;
  }
  .equation .result {
    display: flex;
    align-items: center;
    gap: 0.9rem;
  }
  .equation {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.9rem;
    margin-bottom: 1.5rem;
  }
  .equation table {
    border-inline: 1px solid currentColor;
  }
  .equation caption {
    font-family: var(--serif);
    padding-bottom: 0.2rem;
  }
  .equation td {
    padding: 0.1rem 0.6rem;
  }
  @container (width < 640px) {
    .split {
      font-size: 0.75rem;
    }
    .split th,
    .split td {
      padding-right: 0.5rem;
    }
    .split th {
      white-space: normal;
      word-break: keep-all;
    }
    .split thead th + th {
      width: 1px;
    }
    .column {
      grid-template-columns: 1fr;
    }
    .column .readout {
      min-height: 4.5em;
    }
  }
`;

import { css } from 'lit';

export const inputStyle = css`
  .refusal {
    margin: 0.2rem 0 0;
    font-size: 0.9375rem;
    color: var(--warning);
    overflow-wrap: anywhere;
  }
  .refusal:empty {
    display: none;
  }
  .missing {
    fill: none;
    stroke: var(--warning);
    stroke-dasharray: 5 4;
  }
  svg .missing-label:not([fill]) {
    fill: var(--warning);
  }
  .reach {
    stroke: var(--position);
    stroke-width: 2.5;
    fill: none;
  }
  .bar {
    fill: var(--position);
  }
  .bar.without {
    fill: var(--faint);
  }
  .legend .band {
    fill-opacity: 1;
  }
  .orders {
    margin: 0 0 0.5rem;
  }
  .plot + .orders {
    margin-top: 1.2rem;
  }
  svg .word:not([fill]) {
    font: var(--word, 1.0625rem) var(--serif);
    fill: var(--ink);
  }
  .states {
    --word: 0.9375rem;
  }
  .part {
    fill: var(--ink);
  }
  .part.is-position {
    fill: var(--position);
  }
  .part.is-rest {
    fill: var(--faint);
  }
  .part.is-negative {
    fill-opacity: 0.45;
  }
  .part-all {
    fill: none;
    stroke: var(--rule);
  }
  .part-zero {
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  .part-rule {
    stroke: var(--rule);
  }
  svg :is(.part-value, .way):not([fill]) {
    fill: var(--ink);
  }
  svg .way:not([fill]) {
    font-weight: 600;
  }
  .values-only .maps {
    margin-top: 1.2rem;
  }
  .maps {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 16px;
  }
  .maps h4 {
    font: 600 0.9375rem/1.4 var(--sans);
    margin: 0 0 0.3rem;
  }
  .cell {
    margin: 1.2rem 0 0;
    font-size: 0.9375rem;
    font-variant-numeric: tabular-nums;
  }
  .cell caption {
    text-align: left;
    padding-bottom: 0.4rem;
  }
  .cell th {
    position: static;
    font-weight: 400;
    color: var(--faint);
    white-space: normal;
    vertical-align: bottom;
  }
  .cell th[scope='row'] {
    text-align: left;
    padding-left: 0;
    border: 0;
    color: var(--ink);
    white-space: nowrap;
  }
  @container (width < 640px) {
    .cell {
      font-size: 0.7rem;
    }
    .cell th,
    .cell td {
      padding-inline: 0 0.3rem;
      word-break: keep-all;
    }
    .cell th[scope='row'] {
      white-space: normal;
    }
    .cell th[scope='col'] {
      width: 1px;
    }
  }
  @container (width < 800px) {
    .maps {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;

import { css } from 'lit';

export const ropesStyle = css`
  :host {
    --strand-0: light-dark(#b07a34, #d9a65c);
    --strand-1: light-dark(#8f5f22, #b98443);
    --strand-2: light-dark(#cf9d58, #efc78b);
  }
  .casing,
  .strand {
    stroke-linejoin: round;
  }
  .casing {
    stroke: var(--paper);
    stroke-width: 6.5;
  }
  .strand {
    stroke-width: 4.5;
  }
  .strand-0 { stroke: var(--strand-0); }
  .strand-1 { stroke: var(--strand-1); }
  .strand-2 { stroke: var(--strand-2); }
  .back { stroke-opacity: 0.75; }
  .knot {
    fill: var(--position);
  }
  .first-wrong {
    fill: var(--warning);
  }
  .knot-line {
    stroke: var(--position);
    stroke-dasharray: 2 3;
  }
  svg .knot-label:not([fill]) {
    fill: var(--position);
  }
  svg .name:not([fill]) {
    fill: var(--ink);
    font-weight: 600;
    font-size: 0.9375rem;
  }
  svg .about:not([fill]) {
    fill: var(--faint);
    font-weight: 400;
    font-size: 0.8125rem;
  }
  svg .verdict:not([fill]) {
    fill: var(--faint);
  }
  svg .verdict.is-wrong:not([fill]) {
    fill: var(--warning);
  }
  /* The ropes are of an earlier word until those of the present one are computed. */
  figure[aria-busy='true'] :is(.verdict, .finding) {
    visibility: hidden;
  }
  figure[aria-busy='true'] .plot {
    opacity: 0.45;
  }
  svg .letter:not([fill]) {
    font-family: ui-monospace, 'Liberation Mono', Menlo, Consolas, monospace;
    font-size: inherit;
    fill: var(--ink);
  }
  svg .letter.is-given:not([fill]) {
    fill: var(--faint);
  }
  svg .letter.is-wrong:not([fill]) {
    fill: var(--warning);
    font-weight: 700;
  }
  .lens {
    fill: none;
    stroke: var(--faint);
    stroke-width: 0.75;
  }
  svg .lens-label:not([fill]) {
    fill: var(--faint);
    font-size: 0.75rem;
    paint-order: stroke;
    stroke: var(--paper);
    stroke-width: 6px;
  }
  .legend .is-right {
    color: var(--ink);
  }
  .legend .is-wrong {
    color: var(--warning);
    font-weight: 700;
  }
  /* On a phone, ropes are seen on the first screen. */
  @container (width < 640px) {
    .question,
    .question:lang(zh) {
      font-size: 1.0625rem;
      margin-bottom: 0.7rem;
    }
  }
  .ask,
  .buttons {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 0.6rem 0.75rem;
    font-size: 0.875rem;
  }
  .ask {
    margin-bottom: 0.6rem;
  }
  .ask .text-field {
    flex: 1 1 9rem;
    max-width: 14rem;
  }
  .ask input {
    box-sizing: border-box;
    width: 100%;
    font: 1.3125rem/1.3 var(--serif);
    color: var(--ink);
    background: none;
    border: 0;
    border-bottom: 2px solid var(--ink);
    border-radius: 0;
    padding: 0.1rem 0;
  }
  .main {
    color: var(--paper);
    background: var(--ink);
    border-color: var(--ink);
  }
  .which {
    border: 0;
    margin: 0;
    padding: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 0 1rem;
  }
  .which legend {
    float: left;
    line-height: 1.9rem;
    margin-right: 1rem;
  }
  .legends {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 1.5rem;
    margin-bottom: 0.4rem;
    color: var(--faint);
  }
  .legends .legend {
    margin: 0;
  }
  .note {
    margin: 0 0 0.6rem;
    font-size: 0.875rem;
    color: var(--faint);
  }
`;

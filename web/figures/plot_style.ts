/** Axes, lines, maps, legends, and the results below a drawing. */
import { css } from 'lit';

export const plotStyle = css`
  .plot {
    position: relative;
  }
  /* The name of an axis is never taken for the end of what stands above. */
  .plot + .plot,
  rw-play + .plot {
    margin-top: 1.25rem;
  }
  .plot svg {
    display: block;
    position: relative;
    overflow: visible;
  }
  svg text {
    font: 0.8125rem var(--sans);
    font-variant-numeric: tabular-nums;
  }
  svg text:not([fill]) {
    fill: var(--faint);
  }
  svg .axis-label:not([fill]) {
    fill: var(--ink);
  }
  .axis line {
    stroke: var(--faint);
    stroke-width: 1;
    shape-rendering: crispEdges;
  }
  .grid line {
    stroke: var(--rule);
    stroke-width: 1;
    stroke-opacity: 0.6;
    shape-rendering: crispEdges;
  }
  .grid .zero {
    stroke: var(--faint);
    stroke-opacity: 0.8;
  }
  .line {
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linejoin: round;
    stroke-linecap: round;
  }
  .band {
    fill: currentColor;
    fill-opacity: 0.16;
  }
  .plain { color: var(--ink); }
  .faint { color: var(--faint); }
  .line.faint { stroke-width: 1.25; }
  .line.bold { stroke-width: 2.25; }
  .line.strong { stroke-width: 3; }
  .line.dashed { stroke-dasharray: 5 4; stroke-linecap: butt; }
  .dots circle { fill: currentColor; }
  .dots.bold circle {
    r: 5px;
    stroke: var(--paper);
    stroke-width: 1.5;
  }
  .limit {
    stroke: var(--ink);
    stroke-width: 1.25;
    stroke-dasharray: 5 4;
  }
  svg .limit-label:not([fill]) {
    fill: var(--ink);
    paint-order: stroke;
    stroke: var(--paper);
    stroke-width: 4px;
  }
  svg .line-name:not([fill]) {
    fill: currentColor;
    font-weight: 600;
    paint-order: stroke;
    stroke: var(--paper);
    stroke-width: 4px;
  }
  .pointer {
    fill: transparent;
    cursor: crosshair;
    touch-action: pan-y;
  }
  .cursor line {
    stroke: var(--faint);
    stroke-dasharray: 2 3;
  }
  .cursor circle {
    fill: var(--paper);
    stroke: currentColor;
    stroke-width: 2;
  }
  svg .cursor text:not([fill]) {
    fill: currentColor;
    font-weight: 600;
    paint-order: stroke;
    stroke: var(--paper);
    stroke-width: 4px;
  }
  .cross rect {
    fill: none;
    stroke: var(--ink);
    stroke-width: 1;
  }
  .legend {
    list-style: none;
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1.4rem;
    margin: 0.2rem 0 0 var(--start);
    padding: 0;
    font-size: 0.8125rem;
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }
  .legend svg {
    flex: none;
  }
  .finding {
    margin: 0.7rem 0 0;
    font-weight: 600;
    text-wrap: pretty;
    overflow-wrap: anywhere;
    max-width: 46rem;
  }
  /* Their place is beside the values. */
  figure:not(.with-values) .values-only {
    display: none;
  }
  .numbers {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr));
    gap: 0.9rem 2rem;
    margin: 1.2rem 0 0;
    padding: 0.9rem 0 0;
    border-top: 1px solid var(--rule);
  }
  /* Six stand in two rows of three, not five and one. */
  .numbers:has(> :nth-child(6):last-child) {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
  }
  .numbers > div {
    display: flex;
    flex-direction: column;
    justify-content: space-between;
  }
  .numbers dt {
    font-size: 0.8125rem;
    color: var(--faint);
    line-height: 1.35;
  }
  .numbers dd {
    margin: 0.1rem 0 0;
    font-size: 1.0625rem;
  }
  .readout {
    min-height: 1.5em;
    margin: 0.5rem 0 0;
    font-size: 0.875rem;
  }
  @container (width < 640px) {
    .legend {
      margin-left: 0;
    }
  }
  @media (forced-colors: active) {
    .segments input:checked + span,
    button[aria-pressed='true']:not(.pair-button) {
      outline: 2px solid Highlight;
    }
  }
`;

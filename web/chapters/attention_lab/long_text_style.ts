import { css } from 'lit';

export const longTextStyle = css`
  .long {
    container-type: inline-size;
    display: grid;
    gap: 1.1rem;
  }
  .long .controls {
    margin: 0;
  }
  .long p,
  .long dl,
  .long dd {
    margin: 0;
  }
  .long-bench {
    display: grid;
    gap: 1.1rem 2rem;
    min-width: 0;
  }
  .long-stage {
    min-width: 0;
  }
  .long-heading {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.4rem 1.5rem;
    margin-bottom: 0.3rem;
  }
  .long-legend {
    position: relative;
    display: block;
    line-height: 0;
  }
  .long-legend svg {
    position: relative;
    display: block;
  }
  .long-tick {
    stroke: var(--faint);
  }
  .long-even {
    stroke: var(--ink);
    fill: var(--ink);
  }
  rw-weight-map {
    contain: content;
    display: block;
    background: var(--paper);
    outline-offset: 3px;
  }
  /* As large as the map will be, until it is drawn in the next frame. */
  .map-stack {
    position: relative;
    aspect-ratio: 1;
    max-height: 792px;
  }
  .map-stack canvas {
    display: block;
    max-width: 100%;
    user-select: none;
    -webkit-user-select: none;
  }
  .map-stack .edges {
    position: absolute;
    inset: 0 auto auto 0;
    cursor: crosshair;
  }
  .map-fault {
    color: var(--warning);
  }
  rw-weight-map .faint {
    color: var(--faint);
  }
  rw-weight-map .ink {
    color: var(--ink);
  }
  .map-tools {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4rem;
    margin: 0.6rem 0 0 64px;
  }
  .map-tools button {
    min-width: 2.2rem;
    min-height: 2.2rem;
  }
  .map-where {
    contain: strict;
    flex: 1 1 22rem;
    height: 1.5em;
    white-space: nowrap;
    margin-left: 0.6rem;
    font-size: 0.875rem;
  }
  .map-progress {
    height: 3px;
    margin: 0.35rem 0 0 64px;
  }
  .long .finding {
    display: grid;
  }
  .long .finding::before {
    content: attr(data-room);
    visibility: hidden;
  }
  .long .finding > *,
  .long .finding::before {
    grid-area: 1 / 1;
  }
  .long-axes {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1.5rem;
    padding: 0.3rem 0 0 64px;
    font-size: 0.875rem;
  }
  .long-blank,
  .long-hint,
  .long-note,
  .long-around {
    color: var(--faint);
  }
  .long-hint {
    padding: 0.2rem 0 0 64px;
    font-size: 0.8125rem;
  }
  .long-side {
    display: grid;
    align-content: start;
    gap: 1.1rem;
    min-width: 0;
  }
  .long-focus {
    display: grid;
    align-content: start;
    gap: 0.8rem;
  }
  .long-name {
    font-size: 0.8125rem;
  }
  .long-passage {
    overflow-wrap: anywhere;
    font: 1.0625rem/1.5 var(--serif);
  }
  .long-passage .long-name {
    font-family: var(--sans);
  }
  .long-passage mark {
    background: none;
    font-weight: 700;
    border-bottom: 2px solid currentColor;
  }
  .long-sum > div {
    display: flex;
    justify-content: space-between;
    gap: 1rem;
    padding: 0.22rem 0;
    border-bottom: 1px solid var(--rule);
  }
  .long-sum dd {
    white-space: nowrap;
  }
  .long-sum .is-bias {
    color: var(--position);
  }
  .long-sum .is-weight,
  .long-sum .is-square {
    font-weight: 600;
  }
  .long-totals .numbers {
    grid-template-columns: minmax(0, 1fr);
    gap: 0.5rem;
    margin: 0;
  }
  .long-totals .numbers div {
    flex-direction: row;
    align-items: baseline;
    gap: 1rem;
  }
  .long-totals .numbers dd {
    margin: 0;
  }
  .long-text summary {
    cursor: pointer;
    padding: 0.35rem 0;
  }
  .long-fault {
    color: var(--warning);
  }
  @container (max-width: 30rem) {
    .map-tools,
    .map-progress,
    .long-axes,
    .long-hint {
      margin-left: 0;
      padding-left: 0;
    }
    .map-where {
      margin-left: 0;
      height: 3em;
      white-space: normal;
    }
  }
  @container (min-width: 52rem) {
    .long-bench {
      grid-template-columns: minmax(0, 1fr) minmax(15rem, 19rem);
    }
    .long-side {
      padding-top: 4.5rem;
    }
    .long-focus {
      min-height: 17rem;
    }
  }
`;

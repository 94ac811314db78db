import { css } from 'lit';
import { pairCircleStyle } from '../../figures/pair_circle_style.ts';

export const wavesStyle = css`
  ${pairCircleStyle}
  .seen {
    fill: var(--rule);
    fill-opacity: 0.55;
  }
  .token {
    fill: var(--position);
  }
  .token.is-beyond {
    fill: var(--paper);
    stroke: var(--position);
    stroke-width: 1.5;
  }
  .chosen {
    fill: none;
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  .step path {
    fill: none;
    stroke: var(--faint);
  }
  .here {
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  svg .bit {
    font-size: 0.75rem;
  }
  .knobs {
    display: flex;
    gap: 0.4rem;
    margin: 0.8rem 0 1.6rem;
    padding: 0;
    list-style: none;
  }
  .knobs li {
    flex: 1;
    min-width: 0;
    text-align: center;
    font-size: 0.8125rem;
    line-height: 1.45;
  }
  .knobs svg {
    display: block;
    margin-inline: auto;
  }
  .knobs .digit {
    display: block;
    font-size: 1.25rem;
  }
  .knobs .diameter {
    stroke: var(--rule);
  }
  .knobs .vector {
    stroke: var(--faint);
    stroke-width: 1.5;
    stroke-linecap: butt;
  }
  .knobs .drop {
    stroke-dasharray: 2 3;
  }
  .sine {
    stroke: var(--position);
    stroke-width: 3;
    stroke-linecap: round;
  }
  .refusal {
    margin: 0.4rem 0;
    min-height: 1.5em;
    font-size: 0.875rem;
    color: var(--warning);
    overflow-wrap: anywhere;
  }
  .cube {
    stroke: var(--rule);
    stroke-width: 1;
  }
  .cube.axis {
    fill: none;
    stroke: var(--faint);
  }
  .halo {
    fill: none;
    stroke: var(--paper);
    stroke-width: 5;
  }
  .heading {
    fill: none;
    stroke: var(--ink);
    stroke-width: 1.75;
  }
  .thread {
    fill: none;
    stroke-width: 2.25;
    stroke-linecap: round;
  }
  svg .limit-label:not([fill]) {
    fill: var(--faint);
    stroke: none;
  }
  .bound {
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-dasharray: 6 4;
  }
  .meeting {
    fill: none;
    stroke: var(--ink);
    stroke-width: 1.75;
  }
  .leader {
    stroke: var(--faint);
    stroke-dasharray: 2 3;
  }
  .space {
    touch-action: pan-y;
    cursor: grab;
    user-select: none;
  }
  .space:active {
    cursor: grabbing;
  }
  @container (width < 640px) {
    .knobs li {
      font-size: 0.6875rem;
    }
  }
`;

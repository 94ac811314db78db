import { css } from 'lit';
import { pairCircleStyle } from '../../figures/pair_circle_style.ts';

export const axesStyle = css`
  ${pairCircleStyle}
  .sky {
    fill: var(--raised);
  }
  .hill {
    fill: var(--faint);
    fill-opacity: 0.18;
  }
  .ball {
    fill: var(--faint);
    fill-opacity: 0.35;
  }
  .token {
    fill: none;
    stroke: var(--rule);
  }
  .token.is-at {
    stroke: var(--ink);
    stroke-width: 2.5;
  }
  svg .number:not([fill]) {
    fill: var(--ink);
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
    fill: var(--faint);
  }
  svg .letter:not([fill]) {
    fill: var(--paper);
    font-weight: 600;
  }
  svg .order:not([fill]) {
    fill: var(--ink);
  }
  .fastest {
    fill: none;
    stroke: var(--ink);
    stroke-width: 2.5;
  }
  line.fastest {
    stroke-width: 1;
  }
  .vector {
    stroke-width: 2;
  }
  .before {
    stroke: var(--faint);
  }
  .after {
    stroke: var(--key);
  }
  .position-of {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1rem;
    margin: 0.4rem 0 0.8rem;
  }
  .position-of .t {
    color: var(--position);
  }
  .position-of .h {
    color: var(--query);
  }
  .position-of .w {
    color: var(--key);
  }
`;

import { css } from 'lit';
import { pairCircleStyle } from '../../figures/pair_circle_style.ts';
import { wordLineStyle } from '../../figures/word_line.ts';

export const rotationStyle = css`
  ${pairCircleStyle}
  ${wordLineStyle}
  .ring {
    fill: none;
    stroke: var(--ink);
    stroke-width: 1.75;
  }
  .ghost {
    opacity: 0.4;
  }
  .between {
    fill: currentColor;
    fill-opacity: 0.22;
    stroke: currentColor;
    stroke-width: 1.25;
  }
  .before {
    fill: none;
    stroke: currentColor;
    stroke-width: 3;
  }
  .clock {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 2rem;
  }
  .clock .vector {
    stroke-width: 3;
  }
  svg .hand-name:not([fill]) {
    font: italic 1.125rem var(--latin), serif;
    fill: currentColor;
  }
  .kept :is(th, td) {
    position: static;
    padding: 0.3rem 0.6rem;
    border: 0;
    font-size: 1.0625rem;
  }
  .kept th {
    font-size: 0.875rem;
    font-weight: 400;
    color: var(--faint);
  }
  .kept th[scope='row'] {
    text-align: start;
    padding-left: 0;
  }
  .kept tbody td:last-child {
    font-weight: 600;
  }
  @container (width < 30rem) {
    .kept {
      width: min(100%, 18rem);
    }
    .kept :is(th, td) {
      padding-inline: 0.15rem;
      font-size: 0.875rem;
    }
    .kept th {
      font-size: 0.8125rem;
    }
  }
  @container (width < 19rem) {
    .kept :is(th, td) {
      padding-inline: 0.1rem;
      font-size: 0.75rem;
    }
  }
  .sum {
    margin: 0;
    font: 1.0625rem/1.6 var(--serif);
  }
  .sum .is-chosen {
    color: var(--position);
    font-weight: 600;
    border-bottom: 2px solid var(--position);
  }
  .presets {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    margin: 0 0 1rem;
    font-size: 0.875rem;
  }
  .presets button[aria-pressed='true'] {
    color: var(--paper);
    background: var(--ink);
    border-color: var(--ink);
  }
  .length {
    stroke: var(--ink);
    stroke-width: 1.5;
    stroke-dasharray: 5 4;
  }
  svg .length-label:not([fill]) {
    fill: var(--ink);
    paint-order: stroke;
    stroke: var(--paper);
    stroke-width: 4px;
  }
  .slow {
    fill: var(--position);
    fill-opacity: 0.1;
  }
  .sector {
    fill: currentColor;
    fill-opacity: 0.8;
  }
  .sector.faint {
    fill-opacity: 0.4;
  }
  .outline.strong {
    stroke: var(--faint);
    stroke-width: 2;
  }
  .lead {
    margin: 1.6rem 0 0.4rem;
  }
  .entry {
    fill: none;
    stroke: var(--rule);
  }
  .mine {
    fill: var(--position);
    fill-opacity: 0.14;
  }
  svg .entry-text:not([fill]) {
    fill: var(--ink);
  }
  .arc {
    fill: none;
    stroke: var(--faint);
    stroke-width: 1.25;
  }
  .arc.is-chosen {
    stroke: var(--position);
    stroke-width: 2.5;
  }
  .spot {
    fill: transparent;
    cursor: pointer;
  }
`;

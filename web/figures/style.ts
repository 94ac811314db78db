/** The look of every figure: shared by all, adopted by each shadow root. */
import { css, unsafeCSS, type CSSResult } from 'lit';
import palette from '../palette.css?inline';
import shared from '../style/shared.css?inline';
import { controlStyle } from './control_style.ts';
import { plotStyle } from './plot_style.ts';

/** Of a caption beside the drawing, in CSS pixels, and from which width of a figure it is there. */
export const margin = { width: 240, gap: 40, from: 900 };

const frame = css`
  :host {
    --rw-rem: var(--ropewalk-rem, 16px);
    /* What moves inside a figure costs the rest of a long page nothing. */
    contain: layout style;
    display: block;
    min-width: 0;
    max-width: 100%;
    /* Shows nothing: tells the script which color-scheme the browser uses (surroundings.ts). */
    column-rule-color: Canvas;
  }
  /* And what moves around it costs the figure nothing; where focus rings may reach out. */
  @supports (overflow-clip-margin: 1rem) {
    :host {
      contain: layout style paint;
      overflow-clip-margin: 1rem;
    }
  }
  :host([hidden]) {
    display: none;
  }
  /* As high as the box that it is given; without one, as its content. */
  :host([fit]) {
    height: 100%;
    overflow: hidden;
  }
  :host([theme]) {
    background: var(--paper);
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  /* Nothing that a page says about its own text reaches in, but whether it is dark. */
  :host > :not(slot, .waiting),
  :where(.waiting > :not(slot)) {
    all: initial;
    color-scheme: inherit;
    visibility: inherit;
    /* These two are no part of "all". */
    direction: ltr;
    unicode-bidi: isolate;
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
    display: block;
    font: 0.9375rem/1.5 var(--sans);
    font-variant-numeric: tabular-nums lining-nums;
    color: var(--ink);
  }
  /* The background of the page is not what its color-scheme says. */
  [data-scheme='light']:not(.waiting),
  .waiting[data-scheme='light'] > :not(slot) {
    color-scheme: light;
  }
  [data-scheme='dark']:not(.waiting),
  .waiting[data-scheme='dark'] > :not(slot) {
    color-scheme: dark;
  }
  /*
   * Styles follow the width of the column, as drawings do, and never that of the window. A figure
   * whose width is that of its content, as in a float or a flex row, is as wide as a text.
   */
  :host > :is(figure, .panel) {
    container-type: inline-size;
    contain-intrinsic-inline-size: 46rem;
    margin: 0;
  }
  /* The page keeps free what the figure will take, so that nothing moves when it draws. */
  :host > .waiting {
    min-height: var(--reserved, 0);
  }
  /* It did so until the script ran: see snippets.ts. */
  ::slotted(svg[width='0']) {
    display: none;
  }
  /* Drawings measure the column that they have. */
  .body {
    container-type: inline-size;
  }
  figcaption {
    font: 1rem/1.6 var(--serif);
    color: var(--ink);
    margin: 0.9rem 0 0;
    max-width: 46rem;
    text-wrap: pretty;
  }
  :host > .beside {
    display: grid;
    grid-template-columns: minmax(0, 1fr) ${margin.width}px;
    column-gap: ${margin.gap}px;
  }
  .beside > * {
    grid-column: 1;
  }
  .beside > :is(.question, .table) {
    grid-column: 1 / -1;
  }
  .beside > figcaption {
    grid-column: 2;
    margin: 0;
    font-size: 0.9375rem;
  }
  .drawing {
    background: var(--paper);
    position: relative;
    min-height: 8rem;
  }
  .without-readout :is(.finding, .numbers, .readout) {
    display: none;
  }
  .progress {
    height: 3px;
    margin-top: 0.25rem;
  }
  progress {
    box-sizing: border-box;
    display: block;
    width: 100%;
    height: 3px;
    accent-color: var(--ink);
  }
  .messages p {
    margin: 0 0 0.8rem;
    padding-left: 0.75rem;
    border-left: 3px solid var(--warning);
    color: var(--warning);
    overflow-wrap: anywhere;
    max-width: 46rem;
  }
  .query { color: var(--query); }
  .key { color: var(--key); }
  .value { color: var(--value); }
  .position { color: var(--position); }
  :focus-visible {
    outline: 2px solid var(--ink);
    outline-offset: 2px;
  }
  /*
   * Nobody moves a control on paper, whatever a figure's own style says of it. A button that is a
   * drawing stays, and the name of a switch that is on, with its line: it may be that of a curve.
   */
  @media print {
    :host {
      break-inside: avoid;
    }
    :host > figure {
      min-height: 0 !important;
    }
    .controls,
    .actions,
    .progress,
    .table,
    .control:not(.switch:has(:checked)),
    svg:has(+ .switch input:not(:checked)),
    button:not(:has(svg:not([data-sign]), rw-pixels)),
    input,
    .panel > :not(.messages) {
      display: none !important;
    }
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;

const remValue = /(-?[\d.]+)rem\b/g;
/** Of the text of a figure, which container queries measure in: its font above. */
const textSize = 0.9375;

/**
 * In a figure 1rem is --ropewalk-rem, or 16px: the root of another page has any font size, often
 * 62.5%. Styles say rem all the same, as those of the page do.
 */
export const ownRem = ({ cssText }: CSSResult): CSSResult =>
  unsafeCSS(
    cssText
      .replaceAll(/@container[^{]*/g, (query) =>
        query.replaceAll(remValue, (_, size: string) => `${Number(size) / textSize}em`),
      )
      .replaceAll(remValue, 'calc($1 * var(--rw-rem))'),
  );

export const figureStyle = [unsafeCSS(palette + shared), frame, controlStyle, plotStyle].map(
  ownRem,
);

/**
 * A figure with the attribute `fit` is scaled to its box, as in a frame of a given height or on a
 * slide. A column that is wider than the box makes most figures lower: the figure is laid out in
 * the narrowest one in which it is as flat as the box, and scaled down from there.
 */
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** What this controller uses of a figure's element. */
export interface Fitted extends ReactiveControllerHost, HTMLElement {
  /** Of the column, in whole CSS pixels. */
  width: number;
}

/** In wider columns labels are too small to read: there the figure is scaled down as it is. */
const widest = 3;
/** How much the column grows per trial, and which share of it is exact enough. */
const growth = 1.25;
const tolerance = 0.05;

export class Fit implements ReactiveController {
  #element: Fitted;
  #figure: HTMLElement | undefined;
  #box = { width: 0, height: 0 };
  /** The widest column that was too high, and the narrowest one that was not. */
  #tooHigh = 0;
  #flat = Infinity;

  #boxSize = new ResizeObserver(() => this.#restart());
  #figureSize = new ResizeObserver(() => this.#settle());

  constructor(element: Fitted) {
    this.#element = element;
    element.addController(this);
  }

  hostConnected() {
    this.#boxSize.observe(this.#element);
  }

  hostDisconnected() {
    this.#boxSize.disconnect();
    this.#figureSize.disconnect();
    this.#figure = undefined;
  }

  hostUpdated() {
    const figure = this.#isOn ? this.#element.shadowRoot!.querySelector('figure') : null;
    if (figure !== (this.#figure ?? null)) this.#follow(figure ?? undefined);
    this.#settle();
  }

  get #isOn(): boolean {
    return this.#element.hasAttribute('fit');
  }

  /** The element renders another figure when it draws first, and none is scaled without `fit`. */
  #follow(figure: HTMLElement | undefined) {
    this.#figureSize.disconnect();
    this.#figure?.removeAttribute('style');
    this.#figure = figure;
    if (figure) this.#figureSize.observe(figure);
    if (figure) this.#restart();
    else this.#element.width = Math.floor(this.#element.clientWidth);
  }

  #restart() {
    const { clientWidth: width, clientHeight: height } = this.#element;
    // Hidden for a while, a figure keeps its drawing.
    if (!this.#figure || width === 0) return;
    this.#box = { width, height };
    this.#tooHigh = 0;
    this.#flat = Infinity;
    this.#lay(width);
  }

  #lay(column: number) {
    this.#element.width = column;
    this.#figure!.style.width = `${column}px`;
    this.#scale();
  }

  /** Fits what is laid out into the box, whatever the search for a better column finds. */
  #scale() {
    const { style, offsetHeight } = this.#figure!;
    const { width, height } = this.#box;
    const column = this.#element.width;
    const scale = Math.min(1, width / column, height / offsetHeight);
    const left = (width - column * scale) / 2;
    style.transformOrigin = '0 0';
    style.transform = scale === 1 ? '' : `translateX(${left}px) scale(${scale})`;
  }

  /** One step of the search, after the figure was drawn for its column or has another height. */
  #settle() {
    if (!this.#figure || this.#figure.matches('.waiting')) return;
    const { width, height } = this.#box;
    const column = this.#element.width;
    if (width === 0 || height === 0 || column === 0) return;
    const isFlat = this.#figure.offsetHeight * width <= height * column;
    if (isFlat) this.#flat = Math.min(this.#flat, column);
    else this.#tooHigh = Math.max(this.#tooHigh, column);
    // What was flat enough has grown: its text has another line.
    if (this.#flat <= this.#tooHigh) this.#flat = Infinity;
    const next = this.#next(column);
    if (next === column) this.#scale();
    else this.#lay(next);
  }

  /** The column to try after this one; the same one when the search is over. */
  #next(column: number): number {
    const limit = Math.ceil(widest * this.#box.width);
    if (this.#flat === Infinity) return Math.min(limit, Math.ceil(column * growth));
    const isExact = this.#flat - this.#tooHigh <= tolerance * this.#flat;
    if (isExact || this.#flat === this.#box.width) return this.#flat;
    return Math.floor((this.#tooHigh + this.#flat) / 2);
  }
}

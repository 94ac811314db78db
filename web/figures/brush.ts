/**
 * One pair of frequencies in every figure of the page: touch it in one, see it in all.
 *
 * A figure takes part with a range control named `pair` that counts pairs from 0 and says
 * `brush: true`. The element does the rest. A pair chosen in one figure is chosen in the others;
 * the pair under the pointer, from `view.brush(pair)`, is every figure's `view.brushed` for as
 * long as it is there, so a drawing shows `view.brushed ?? settings.pair`.
 *
 * Figures of different widths agree on the exponent 2i/d: with the same base, the same wavelength.
 */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Controls, Settings } from './figure.ts';

interface Touch {
  exponent: number | undefined;
  isChosen: boolean;
  /** Undefined, where a figure only catches up. */
  by: Brush | undefined;
}

/** What a figure's element lends to its brush. */
export interface Brushed extends ReactiveControllerHost {
  /** How many pairs the figure has now; undefined while it takes no part. */
  pairCount(): number | undefined;
  choosePair(pair: number): void;
}

const brushes = new Set<Brush>();
/** What the others have not received yet: the last choice, and where the pointer was last. */
const pending = new Map<'chosen' | 'pointed', Touch>();
let lastChosen: number | undefined;

/** How many pairs a figure with these settings has, if it takes part. */
export function pairsOf({ pair }: Controls, settings: Settings): number | undefined {
  if (pair?.kind !== 'range' || !pair.brush) return undefined;
  return (pair.limit?.(settings) ?? pair.max) + 1;
}

export class Brush implements ReactiveController {
  /** Here or in another figure. */
  pair: number | undefined;
  #element: Brushed;

  constructor(element: Brushed) {
    this.#element = element;
    element.addController(this);
  }

  hostConnected() {
    brushes.add(this);
  }

  hostDisconnected() {
    brushes.delete(this);
  }

  /** The pair under the pointer, or the last one of a drawing with fewer. */
  pairIn(controls: Controls, settings: Settings): number | undefined {
    const count = pairsOf(controls, settings) ?? Infinity;
    return this.pair === undefined ? undefined : Math.min(this.pair, count - 1);
  }

  /** A figure that loads late joins in with what was chosen before. */
  catchUp() {
    if (lastChosen !== undefined)
      this.#receive({ exponent: lastChosen, isChosen: true, by: undefined });
  }

  /** The pointer is on that pair, or has left. */
  point(pair: number | undefined) {
    if (pair === this.pair) return;
    this.pair = pair;
    this.#element.requestUpdate();
    this.#send(pair, false);
  }

  chose(pair: number) {
    this.#send(pair, true);
  }

  #send(pair: number | undefined, isChosen: boolean) {
    const count = this.#element.pairCount();
    if (count === undefined) return;
    const exponent = pair === undefined ? undefined : pair / count;
    if (isChosen) lastChosen = exponent;
    // Later, so that the figure that is being dragged does not wait for the others.
    if (pending.size === 0) setTimeout(Brush.#spread);
    pending.set(isChosen ? 'chosen' : 'pointed', { exponent, isChosen, by: this });
  }

  static #spread() {
    const touches = [...pending.values()];
    pending.clear();
    for (const touch of touches) for (const brush of brushes) brush.#receive(touch);
  }

  #receive({ exponent, isChosen, by }: Touch) {
    const count = this.#element.pairCount();
    if (by === this || count === undefined) return;
    const pair =
      exponent === undefined ? undefined : Math.min(count - 1, Math.round(exponent * count));
    if (isChosen && pair !== undefined) this.#element.choosePair(pair);
    else if (pair !== this.pair) {
      this.pair = pair;
      this.#element.requestUpdate();
    }
  }
}

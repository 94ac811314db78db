/**
 * Brushing and linking: all figures of the page highlight the same dimension pair.
 *
 * A figure is linked when it has a range control named `pair` that counts from 0, with
 * `brush: true`. A pair chosen in one figure is chosen in the others. A drawing reports the pair
 * under the pointer with `view.brush(pair)`; until the pointer leaves, this pair is `view.brushed`
 * in every figure. So a drawing shows `view.brushed ?? settings.pair`.
 *
 * Figures with different head dimensions d share the exponent 2i/d. With the same base this is the
 * same wavelength.
 */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Controls, Settings } from './figure.ts';

interface PairSelection {
  exponent: number | undefined;
  isChosen: boolean;
  /** Undefined when a figure that loaded late receives the last choice. */
  sender: Brush | undefined;
}

/** What a brush uses of its figure's element. */
export interface BrushHost extends ReactiveControllerHost {
  /** The current number of pairs; undefined while the figure is not linked. */
  pairCount(): number | undefined;
  choosePair(pair: number): void;
}

const brushes = new Set<Brush>();
/** Not yet sent to the other figures: the last chosen pair and the last pair under the pointer. */
const pending = new Map<'chosen' | 'pointed', PairSelection>();
let lastChosen: number | undefined;

/** Returns the number of pairs at these settings; undefined when the figure is not linked. */
export function pairCountOf({ pair }: Controls, settings: Settings): number | undefined {
  if (pair?.kind !== 'range' || !pair.brush) return undefined;
  return (pair.limit?.(settings) ?? pair.max) + 1;
}

export class Brush implements ReactiveController {
  /** The pair under the pointer, in this figure or in another one. */
  pair: number | undefined;
  #element: BrushHost;

  constructor(element: BrushHost) {
    this.#element = element;
    element.addController(this);
  }

  hostConnected() {
    brushes.add(this);
  }

  hostDisconnected() {
    brushes.delete(this);
  }

  /** Returns the pair under the pointer, lowered to the last pair when the figure has fewer. */
  pairIn(controls: Controls, settings: Settings): number | undefined {
    const count = pairCountOf(controls, settings) ?? Infinity;
    return this.pair === undefined ? undefined : Math.min(this.pair, count - 1);
  }

  /** Applies the pair that was chosen before this figure was loaded. */
  applyLastChoice() {
    if (lastChosen !== undefined)
      this.#receive({ exponent: lastChosen, isChosen: true, sender: undefined });
  }

  /** Reports the pair under the pointer; undefined when the pointer has left. */
  pointAt(pair: number | undefined) {
    if (pair === this.pair) return;
    this.pair = pair;
    this.#element.requestUpdate();
    this.#send(pair, false);
  }

  /** Reports that the reader chose a pair in this figure. */
  choose(pair: number) {
    this.#send(pair, true);
  }

  #send(pair: number | undefined, isChosen: boolean) {
    const count = this.#element.pairCount();
    if (count === undefined) return;
    const exponent = pair === undefined ? undefined : pair / count;
    if (isChosen) lastChosen = exponent;
    // In a later task, so that the figure that is being dragged does not wait for the others.
    if (pending.size === 0) setTimeout(Brush.#sendPending);
    pending.set(isChosen ? 'chosen' : 'pointed', { exponent, isChosen, sender: this });
  }

  static #sendPending() {
    const selections = [...pending.values()];
    pending.clear();
    for (const selection of selections) for (const brush of brushes) brush.#receive(selection);
  }

  #receive({ exponent, isChosen, sender }: PairSelection) {
    const count = this.#element.pairCount();
    if (sender === this || count === undefined) return;
    const pair =
      exponent === undefined ? undefined : Math.min(count - 1, Math.round(exponent * count));
    if (isChosen && pair !== undefined) this.#element.choosePair(pair);
    else if (pair !== this.pair) {
      this.pair = pair;
      this.#element.requestUpdate();
    }
  }
}

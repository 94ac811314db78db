/** The pairs of a vector side by side, each as a button that chooses it for the figure. */
import { html, type TemplateResult } from 'lit';
import type { View } from './figure.ts';

type PairView = Pick<View<{ pair: number }, unknown, unknown>, 'settings' | 'brushed' | 'brush'> & {
  set(changes: { pair: number }): void;
};

/** The pair to show: the one under the pointer in any figure, or else the chosen one. */
export const shownPair = ({ brushed, settings }: Pick<PairView, 'brushed' | 'settings'>): number =>
  brushed ?? settings.pair;

/** Between two buttons: the style sheet's 0.25rem at any root size up to 24 px. */
const gap = 6;

/** Returns the width of each of `across` buttons in a row. */
export const buttonSize = (width: number, across: number, largest: number): number =>
  Math.min(largest, Math.floor((width - gap * (across - 1)) / across));

export interface PairButton {
  pair: number;
  label: string;
  drawing: TemplateResult;
}

export function pairButtons(
  view: PairView,
  label: string,
  buttons: readonly PairButton[],
): TemplateResult {
  return html`<div class="pair-buttons" role="group" aria-label=${label}>
    ${buttons.map(
      ({ pair, label, drawing }) => html`<button
        type="button"
        class="pair-button ${pair === shownPair(view) ? 'is-chosen' : ''}"
        aria-pressed=${pair === view.settings.pair}
        @pointerenter=${() => view.brush(pair)}
        @pointerleave=${() => view.brush(undefined)}
        @click=${() => view.set({ pair })}
      >
        ${drawing}<span class="visually-hidden">${label}</span>
      </button>`,
    )}
  </div>`;
}

/** Draws a figure with its finding, but only when something that the drawing shows has changed. */
import { html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { withinLimits } from '../state.ts';
import type { AnyFigure, Controls, Settings, View } from './figure.ts';

/**
 * Returns the settings to draw with: `computed`, from which the data was computed, with the values
 * that `display` controls have in `current`. Values above their limit are lowered to it.
 */
export function drawnSettings(controls: Controls, computed: Settings, current: Settings): Settings {
  const display = Object.entries(current).filter(([key]) => controls[key]?.display);
  return withinLimits(controls, { ...computed, ...Object.fromEntries(display) });
}

/**
 * Returns the drawing, from a cache when nothing that it shows has changed. During a drag a control
 * moves before its new data arrives. Drawing the old data again in between would take as long as
 * drawing the new data.
 * @param shown the settings that the controls show, which may be newer than `view.settings`
 * @param revision changes when the data has changed by itself
 */
export function drawing(
  figure: AnyFigure,
  view: View<never, unknown, unknown>,
  shown: Settings,
  revision: number,
): unknown {
  const { settings, data, focus, language, theme, width, still, brushed } = view;
  const ownControls = Object.keys(figure.controls)
    .filter((key) => figure.controls[key]!.place === 'drawing')
    .map((key) => shown[key]);
  return guard(
    [
      figure,
      settings,
      data,
      revision,
      focus,
      language,
      theme,
      width,
      still,
      brushed,
      ...ownControls,
    ],
    () => html`${figure.draw(view)}
      ${figure.hasOwnFinding ? nothing : html`<p class="finding">${figure.describe(view)}</p>`}`,
  );
}

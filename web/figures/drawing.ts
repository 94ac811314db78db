/** A figure's drawing, made anew only where something that it shows has changed. */
import { guard } from 'lit/directives/guard.js';
import { withinLimits } from '../state.ts';
import type { AnyFigure, Controls, Settings, View } from './figure.ts';

/**
 * The settings of a drawing: what its numbers were computed from, and what changes the drawing
 * alone as it is now, within the limits of those numbers.
 */
export function drawnSettings(controls: Controls, computed: Settings, now: Settings): Settings {
  const display = Object.entries(now).filter(([key]) => controls[key]?.display);
  return withinLimits(controls, { ...computed, ...Object.fromEntries(display) });
}

/**
 * A drag moves a control first and brings new numbers later: drawing the old numbers once more in
 * between would take as long as drawing the new ones. `shown` are the settings that the controls
 * show by now.
 */
export function drawing(
  figure: AnyFigure,
  view: View<never, unknown, unknown>,
  shown: Settings,
): unknown {
  const { settings, data, focus, language, theme, width, still, brushed } = view;
  const ownControls = Object.keys(figure.controls)
    .filter((key) => figure.controls[key]!.place === 'drawing')
    .map((key) => shown[key]);
  return guard(
    [figure, settings, data, focus, language, theme, width, still, brushed, ...ownControls],
    () => figure.draw(view),
  );
}

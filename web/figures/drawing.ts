/** A figure's drawing, made anew only where something that it shows has changed. */
import { guard } from 'lit/directives/guard.js';
import type { Settings } from '../state.ts';
import type { AnyFigure, View } from './figure.ts';

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

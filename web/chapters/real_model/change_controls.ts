/** The controls that change the positions of a model. */
import { html, nothing, type TemplateResult } from 'lit';
import { choice, range } from '../../figures/shared_controls.ts';
import type { View } from '../../figures/figure.ts';
import { changeWords } from './change_text.ts';
import type { Kind } from './changes.ts';

export const changeControls = {
  change: choice(changeWords.change, changeWords.kinds, 'trained', { place: 'drawing' }),
  firstPosition: range(
    changeWords.firstPosition,
    { default: 0, min: 0, max: 2000 },
    { symbol: 'p₀', hue: 'position', place: 'drawing' },
  ),
  base: range(
    changeWords.base,
    { default: 10_000, min: 10, max: 10_000_000, step: 'log' },
    { symbol: 'b', place: 'drawing' },
  ),
  factor: range(
    changeWords.factor,
    { default: 1, min: 1, max: 8, step: 0.25 },
    { symbol: 's', place: 'drawing' },
  ),
} as const;

export interface ChangeControlSettings {
  change: Kind;
  firstPosition: number;
  base: number;
  factor: number;
}

type ChangeView = Pick<
  View<ChangeControlSettings, unknown, never>,
  'settings' | 'language' | 'control'
>;

/** The choice, and below it the sliders, which only a rotation has. */
export function drawChangeControls(
  view: ChangeView,
  ownBase: number,
  more: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const { settings, language, control } = view;
  const { firstPosition, base, factor } = settings;
  const isMoved = firstPosition !== 0 || base !== ownBase || factor !== 1;
  const rotates = settings.change !== 'none' && settings.change !== 'alibi';
  return html`<div class="controls">${control('change')}</div>
    <details class="more" ?open=${isMoved} ?hidden=${!rotates}>
      <summary>${changeWords.more[language]}</summary>
      <div class="controls">
        ${control('firstPosition')} ${control('base')} ${control('factor')} ${more}
      </div>
    </details>`;
}

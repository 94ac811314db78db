/** The two schemes above the maps, and in numbers what changes from one to the other. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Language } from '../../languages.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { compareText } from './compare_text.ts';
import type { LabData, LabView } from './lab_controls.ts';
import { schemeText } from './scheme_text.ts';

/** Both menus, what the schemes do, and what the second changes. */
export function drawSchemes(view: LabView): TemplateResult {
  const { control, settings, language } = view;
  const t = compareText[language];
  const isComparing = settings.compare !== 'off';
  const note = (name: 'A' | 'B', scheme: LabView['settings']['scheme']) =>
    html`<p class="lab-note">
      ${isComparing ? html`<b>${name}</b> ` : nothing}${schemeText[scheme].note[language]}
    </p>`;
  const without = () => view.set({ compare: 'none' });
  return html`<div class="lab-schemes">
    <div>${control('scheme')} ${note('A', settings.scheme)}</div>
    <div>
      ${control('compare')}
      ${
        settings.compare !== 'off'
          ? note('B', settings.compare)
          : settings.scheme === 'none'
            ? nothing
            : html`<p class="lab-note">
              <button type="button" class="lab-example lab-without" @click=${without}>${t.without}</button>
            </p>`
      }
    </div>
  </div>`;
}

/**
 * The change of the weights as a sentence around its two numbers, the mean first in any language.
 */
function changeIn({ request, shown, positions, compared }: LabData, language: Language) {
  if (!compared) return undefined;
  const t = compareText[language];
  const { mean, largest } = compared;
  const named = (place: number) => t.token(request.tokens[shown.order[place]!]!, positions[place]!);
  const pair = t.pair(named(largest.row), named(largest.column));
  const [before, between, after] = t.changed('\u0000', '\u0000', pair).split('\u0000');
  return { before, between, after, mean, change: largest.change };
}

const signed = (value: number) => (value > 0 ? `+${fixed(value, 4)}` : fixed(value, 4));

/** What the second scheme changes, for those who cannot see the maps. */
export function comparedIn(data: LabData, language: Language): string {
  const found = changeIn(data, language);
  if (!found) return '';
  const { before, between, after, mean, change } = found;
  if (change === 0) return compareText[language].same;
  return `${before}${rounded(mean)}${between}${signed(change)}${after}`;
}

export function drawChangeOfWeights({ data, language }: LabView): TemplateResult {
  const found = changeIn(data, language);
  if (!found) return html``;
  const { before, between, after, mean, change } = found;
  const sentence =
    change === 0
      ? compareText[language].same
      : html`${before}<data data-number="mean-change" value=${mean}>${rounded(mean)}</data>${between}<data
          data-number="largest-change"
          value=${change}
          >${signed(change)}</data
        >${after}`;
  return html`<p class="lab-changed" role="status">${sentence}</p>`;
}

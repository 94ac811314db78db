/** How far back the same token is, by distance and by rulers that depend on the text. */
import { html, nothing, type TemplateResult } from 'lit';
import { defineFigure } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { fixed } from '../../plots/number.ts';
import { rulers, type textRulers } from './jobs.ts';
import { controls, keyOf, mostAdding, shownRulers, type RulerView } from './ruler_controls.ts';
import { words } from './ruler_text.ts';
import { drawRulers } from './ruler_view.ts';
import { sentenceOf, shortened, tokenChips } from './sentence.ts';
import { textPositionsStyle } from './style.ts';

/** What is summed between key and query, in the order of the text. */
function partsOf({ data }: RulerView, ruler: (typeof textRulers)[number], key: number) {
  const { query, measured, tokens } = data;
  const places =
    ruler === 'repo'
      ? [query, key]
      : Array.from({ length: query + 1 }, (_, place) => place).slice(
          ruler === 'cope' ? key : key + 1,
        );
  return places.map((place) => ({
    place,
    token: tokens[place]!,
    value: measured[ruler].terms[place]!,
  }));
}

/** The sum behind one distance: a formula, and a number per token. */
function drawSum(view: RulerView): TemplateResult {
  const { data, settings, say, control } = view;
  const { ruler } = settings;
  if (ruler === 'none')
    return html`<div class="sum">${control('others')} ${control('ruler')}</div>`;
  const key = keyOf(view);
  const parts = partsOf(view, ruler, key);
  const total = data.measured[ruler].distances[key]!;
  const sign = (at: number) => (at === 0 ? '' : ruler === 'repo' ? '−' : '+');
  return html`<div class="sum">
    ${control('others')} ${control('ruler')}
    <p class="sum-formula">${say.formulas[ruler]}</p>
    <ol class="sum-parts" aria-label=${say.sum}>
      ${parts.map(
        ({ place, token, value }, at) => html`<li
          class="${data.sentence.places.includes(place) ? 'is-changed' : ''}"
        >
          ${sign(at) ? html`<span class="sign">${sign(at)}</span>` : nothing}
          <span class="part"><bdi>${token}</bdi><data value=${value}>${bracketed(value, at)}</data></span>
        </li>`,
      )}
      <li class="total">
        <span class="sign">=</span>
        <span class="part"><span>${say.total}</span><data data-number="sum" value=${total}>${fixed(total, 2)}</data></span>
      </li>
    </ol>
  </div>`;
}

/** A negative number after a sign stands in brackets. */
const bracketed = (value: number, at: number) =>
  at > 0 && value < 0 ? `(${fixed(value, 2)})` : fixed(value, 2);

function draw(view: RulerView): TemplateResult {
  const { data, settings, language, say } = view;
  const { sentence, gates, measured } = data;
  const key = keyOf(view);
  const distance = (ruler: (typeof rulers)[number]) =>
    ruler === 'plain'
      ? fixed(measured.plain.distances[key]!, 0)
      : `${fixed(measured[ruler].distances[key]!, 2)} ${say.units[ruler]}`;
  const label = (ruler: (typeof rulers)[number]) =>
    say.distance(words.rulers[ruler][language], shortened(data.tokens[key]!));
  return html`${tokenChips({ sentence, settings, language, gates, set: view.set })}
    ${drawRulers(view, describe(view))}
    ${numbers(
      Object.fromEntries(
        shownRulers(view).map((ruler) => [ruler, [label(ruler), distance(ruler)]]),
      ),
    )}
    ${drawSum(view)}`;
}

function describe(view: RulerView): string {
  const { data, language, say } = view;
  const key = keyOf(view);
  const { query, tokens, measured } = data;
  if (key === query) return say.itself(tokens[key]!);
  const most = mostAdding(view, key);
  const others = shownRulers(view).slice(2);
  return [
    say.describe(
      tokens[key]!,
      query - key,
      fixed(measured.fox.distances[key]!, 1),
      tokens[most]!,
      fixed(measured.fox.terms[most]!, 1),
    ),
    ...(others.length > 0
      ? [
          say.others(
            others.map((ruler) => [
              words.rulers[ruler][language],
              fixed(measured[ruler].distances[key]!, 1),
            ]),
          ),
        ]
      : []),
  ].join(language === 'en' ? ' ' : '');
}

export default defineFigure({
  claims: [],
  isWide: true,
  text: words.strings,
  controls,
  tries: words.tries,
  async compute(settings, engine, language) {
    const sentence = sentenceOf(settings, language);
    const { tokens, query, gateLogits } = sentence;
    const found = await engine.movingRuler({ tokens, query, gateLogits, seed: settings.seed });
    return { ...found, sentence };
  },
  draw,
  describe,
  table: ({ data, language, say }: RulerView) => {
    return {
      columns: [
        say.place,
        say.token,
        say.gate,
        ...rulers.map((ruler) => words.rulers[ruler][language]),
      ],
      rows: data.measured.plain.distances.map((_, place) => [
        place + 1,
        data.tokens[place]!,
        data.gates[place]!,
        ...rulers.map((ruler) => data.measured[ruler].distances[place]!),
      ]),
    };
  },
  styles: textPositionsStyle,
});

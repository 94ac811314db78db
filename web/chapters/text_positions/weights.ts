/** What a query attends to with a scheme that reads the text, and without it. */
import { html, type TemplateResult } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { dotPlot } from '../../plots/dot_plot.ts';
import { fixed } from '../../plots/number.ts';
import type { LabRequest, LabResult } from '../../toy/forward.ts';
import { lab, type TextScheme } from '../../schemes/text.ts';
import { range } from '../../figures/shared_controls.ts';
import { sentenceWords } from './sentence_text.ts';
import {
  mostTokens,
  sentenceControls,
  sentenceOf,
  shortened,
  tokenChips,
  tokenCount,
  type Sentence,
} from './sentence.ts';
import { textPositionsStyle } from './style.ts';
import { groups, withoutGates, words } from './weights_text.ts';

const controls = defineControls(
  {
    scheme: {
      kind: 'choice',
      label: words.scheme,
      hue: 'position',
      default: 'fox',
      look: 'menu',
      options: groups.flatMap(({ name, schemes }) =>
        schemes.map((value) => ({ value, label: lab[value].name, group: name })),
      ),
    },
    ...sentenceControls,
    // A word that attends to others, too.
    query: range(sentenceWords.query, { default: 8, min: 1, max: mostTokens }, { hue: 'query' }),
  },
  { query: ({ text }) => tokenCount(text) },
);

interface Weights {
  sentence: Sentence;
  /** Weights of the query, one per token up to it. */
  with: number[];
  without: number[];
}

type WeightsView = ViewOf<typeof controls, typeof words.strings, Weights>;

/** The toy model of the lab; the first of eight heads has the steepest slope, 1/2. */
const model = {
  heads: 8,
  head: 0,
  headDim: 16,
  likeness: 0.5,
  causal: true,
  offset: 0,
  shuffle: 0,
};

/** The row of the query, of keys up to it. */
function rowOf({ shown, compared }: LabResult, query: number) {
  const first = query * shown.order.length;
  const row = (weights: Float32Array) => [...weights.slice(first, first + query + 1)];
  return { without: row(shown.weights), with: row(compared!.pass.weights) };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The last token before the query whose gate is changed, or −1. */
const closed = ({ data }: WeightsView) =>
  data.sentence.places.findLast((place) => place < data.sentence.query) ?? -1;

/** The weight on all tokens before that one. */
const behind = (weights: readonly number[], place: number) => sum(weights.slice(0, place));

/** The same in percent, with the scheme and without. */
const sharesBehind = ({ data }: WeightsView, place: number): [string, string] => [
  fixed(100 * behind(data.with, place), 0),
  fixed(100 * behind(data.without, place), 0),
];

function chart(view: WeightsView): TemplateResult {
  const { data, width, say } = view;
  const { tokens, places, query } = data.sentence;
  const name = (place: number) => shortened(tokens[place]!);
  const largest = Math.max(...data.with, ...data.without);
  const place = closed(view);
  const shaded = Math.max(0, place);
  return dotPlot({
    width,
    rows: data.with.map((value, place) => ({
      name: place === query && width >= 560 ? say.query(name(place)) : name(place),
      value,
      low: Math.min(value, data.without[place]!),
      high: Math.max(value, data.without[place]!),
      look: 'with',
      others: [{ value: data.without[place]!, look: 'without' }],
      isMarked: places.includes(place),
    })),
    shaded,
    shadedName: place > 0 ? say.shaded(shortened(tokens[place]!), sharesBehind(view, place)) : '',
    x: { domain: [0, Math.max(0.1, largest * 1.04)], label: say.weight },
    label: describe(view),
  });
}

function legend({ settings, language, say }: WeightsView): TemplateResult {
  const entry = (look: string, name: string) => html`<li>
    <svg width="12" height="12" aria-hidden="true"><circle class="dot ${look}" cx="6" cy="6" r="4" /></svg>${name}
  </li>`;
  return html`<ul class="legend">
    ${entry('with', lab[settings.scheme].name[language])}
    ${entry('without', say.without)}
  </ul>`;
}

function draw(view: WeightsView): TemplateResult {
  const { data, settings, language, say } = view;
  const { sentence } = data;
  const { scheme } = settings;
  const name = lab[scheme].name[language];
  const place = closed(view);
  return html`<p class="scheme-note">${lab[scheme].note[language]}${withoutGates.has(scheme) ? ` ${say.noGates}` : ''}</p>
    ${tokenChips({ sentence, settings, language, set: view.set })}
    ${legend(view)} ${chart(view)}
    ${numbers({
      sum: [say.sum(name), fixed(sum(data.with), 3)],
      ...(place >= 0 && {
        'behind-with': [
          say.behind(shortened(sentence.tokens[place]!), name),
          fixed(behind(data.with, place), 3),
        ],
        'behind-without': [
          say.behind(shortened(sentence.tokens[place]!), say.without),
          fixed(behind(data.without, place), 3),
        ],
      }),
    })}
`;
}

function describe(view: WeightsView): string {
  const { data, settings, language, say } = view;
  const { tokens, query } = data.sentence;
  const place = closed(view);
  if (place > 0)
    return say.describeBehind(
      lab[settings.scheme].name[language],
      tokens[query]!,
      tokens[place]!,
      ...sharesBehind(view, place),
    );
  const strongest = (weights: readonly number[]) => weights.indexOf(Math.max(...weights));
  const [a, b] = [strongest(data.with), strongest(data.without)];
  return say.describe(
    lab[settings.scheme].name[language],
    tokens[query]!,
    [tokens[a]!, fixed(data.with[a]!, 2)],
    [tokens[b]!, fixed(data.without[b]!, 2)],
  );
}

export default defineFigure({
  claims: [],
  text: words.strings,
  controls,
  tries: words.tries,
  async compute(settings, engine, language): Promise<Weights> {
    const sentence = sentenceOf(settings, language);
    const { tokens, gateLogits, query } = sentence;
    const compare: TextScheme = settings.scheme;
    const request: LabRequest = {
      ...model,
      tokens,
      gateLogits,
      seed: settings.seed,
      scheme: 'none',
      compare,
    };
    return { sentence, ...rowOf(await engine.runLab(request), query) };
  },
  draw,
  describe,
  table: ({ data, settings, language, say }: WeightsView) => {
    return {
      columns: [say.place, say.token, lab[settings.scheme].name[language], say.without],
      rows: data.with.map((weight, place) => [
        place + 1,
        data.sentence.tokens[place]!,
        weight,
        data.without[place]!,
      ]),
    };
  },
  styles: textPositionsStyle,
});

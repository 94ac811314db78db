/** The figure `attention-lab`: a sentence of the reader's through one layer of attention. */
import { defineFigure, type SettingsOf, type Table, type View } from '../../figures/figure.ts';
import type { Words } from '../../languages.ts';
import { rounded } from '../../plots/number.ts';
import type { Answers } from '../../worker/client.ts';
import type { LabAnswer } from './forward.ts';
import { compareText } from './compare_text.ts';
import { comparedIn } from './compare_view.ts';
import { drawLab } from './lab_view.ts';
import { labStyle } from './lab_style.ts';
import { questionOf, type Refused } from './question.ts';
import { placeNames, schemeText } from './scheme_text.ts';
import { schemeNames, schemeOf } from './schemes.ts';
import { examples, text, viewNames, type LabText } from './text.ts';

const words = (pick: (labText: LabText) => string): Words => ({
  en: pick(text.en),
  zh: pick(text.zh),
});

const schemeOptions = schemeNames.map((value) => ({
  value,
  label: schemeText[value].name,
  group: placeNames[schemeOf(value).place],
}));

export const controls = {
  text: {
    kind: 'text',
    label: words((t) => t.sentence),
    default: { en: examples.dog, zh: examples.pepper },
    // Longer texts can be read, but no link carries them: servers refuse long addresses.
    maxLength: 1500,
    place: 'drawing',
  },
  scheme: {
    kind: 'choice',
    label: words((t) => t.scheme),
    hue: 'position',
    default: 'none',
    look: 'menu',
    options: schemeOptions,
    place: 'drawing',
  },
  compare: {
    kind: 'choice',
    label: words((t) => t.compare.label),
    hue: 'position',
    default: 'off',
    look: 'menu',
    options: [{ value: 'off', label: words((t) => t.compare.off) }, ...schemeOptions],
    place: 'drawing',
  },
  difference: {
    kind: 'switch',
    label: words((t) => t.compare.difference),
    default: false,
    display: true,
    place: 'drawing',
  },
  causal: { kind: 'switch', label: words((t) => t.causal), default: false, place: 'drawing' },
  offset: {
    kind: 'range',
    label: words((t) => t.offset),
    hue: 'position',
    default: 0,
    min: 0,
    max: 1_000_000,
    place: 'drawing',
  },
  heads: {
    kind: 'range',
    label: words((t) => t.heads),
    symbol: 'H',
    default: 4,
    min: 1,
    max: 8,
    place: 'drawing',
  },
  dim: {
    kind: 'choice',
    label: words((t) => t.headDim),
    symbol: 'd',
    default: '16',
    options: ['8', '16', '32', '64'].map((value) => ({ value, label: { en: value, zh: value } })),
    place: 'drawing',
  },
  likeness: {
    kind: 'range',
    label: words((t) => t.likeness),
    default: 0.5,
    min: 0,
    max: 1,
    step: 0.1,
    place: 'drawing',
  },
  seed: {
    kind: 'range',
    label: words((t) => t.seed),
    default: 1,
    min: 1,
    max: 999,
    place: 'drawing',
  },
  head: {
    kind: 'range',
    label: words((t) => t.head),
    default: 1,
    min: 1,
    max: 8,
    limit: (settings: Record<string, unknown>) => settings.heads as number,
    place: 'drawing',
  },
  shuffle: {
    kind: 'range',
    label: words((t) => t.shuffle),
    default: 0,
    min: 0,
    max: 999,
    place: 'drawing',
  },
  view: {
    kind: 'choice',
    label: words((t) => t.view),
    default: 'weights',
    options: viewNames.map((value) => ({ value, label: words((t) => t.views[value]) })),
    display: true,
    place: 'drawing',
  },
} as const;

export type LabSettings = SettingsOf<typeof controls>;

/** A pair that the reader points at: a token of the sentence, and a key or a dimension. */
export interface LabFocus {
  token: number;
  other: number;
}

export type LabData = LabAnswer & Refused;

export type LabView = View<LabSettings, LabData, LabFocus>;

/**
 * The last text that could be read, per figure: it stays on show while the next one is repaired.
 */
const lastTokens = new WeakMap<Answers, string[]>();

export default defineFigure<typeof controls, LabData, LabFocus>({
  name: 'attention-lab',
  claims: ['C01', 'C13', 'C14', 'C18', 'C19', 'C20', 'C27', 'C28', 'C29', 'C31', 'C32'],
  text: {
    en: { title: 'The attention lab', question: text.en.question, caption: text.en.caption },
    zh: { title: '注意力实验室', question: text.zh.question, caption: text.zh.caption },
  },
  controls,
  async compute(settings, engine) {
    const before = lastTokens.get(engine) ?? examples.dog.split(' ');
    const { question, refused } = questionOf(settings, before);
    const answer = await engine.lab(question);
    lastTokens.set(engine, question.tokens);
    return { ...answer, ...refused };
  },
  draw: drawLab,
  describe({ data, settings, language }) {
    const t = text[language];
    const { tokens, head } = data.question;
    const { weights, order } = data.shown;
    const strongest = weights.reduce(
      (best, weight, at) => (weight > weights[best]! ? at : best),
      0,
    );
    const token = (place: number) => tokens[order[place]!]!;
    const row = Math.floor(strongest / tokens.length);
    return [
      t.describe(
        t.tokens(tokens.length),
        schemeText[settings.scheme].name[language],
        head + 1,
        t.viewTitles[settings.view],
      ),
      t.strongest(token(row), token(strongest % tokens.length), rounded(weights[strongest]!)),
      comparedIn(data, language),
    ].join(' ');
  },
  table: tableOf,
  styles: labStyle,
});

/** Vectors as one row per token; everything between two tokens as one row per pair. */
function tableOf({ data, settings, language }: LabView): Table {
  const t = text[language];
  const { tokens } = data.question;
  const { order, input, output, scores, content, bias, biased, weights, entropy } = data.shown;
  const label = (place: number) => [tokens[order[place]!]!, data.positions[place]!];
  if (settings.view === 'input' || settings.view === 'output') {
    const values = settings.view === 'input' ? input : output;
    const width = values.length / order.length;
    return {
      columns: [
        t.table.token,
        t.table.position,
        ...Array.from({ length: width }, (_, d) => String(d)),
      ],
      rows: order.map((_, place) => [
        ...label(place),
        ...Array.from(values.subarray(place * width, (place + 1) * width), short),
      ]),
    };
  }
  const pairs = Array.from(weights, (_, pair) => pair);
  const { query, queryPosition, key, keyPosition } = t.table;
  const names = ['content', 'scores', 'bias', 'biased', 'weights'] as const;
  const other = data.compared?.pass;
  const own = names.map((name) => t.views[name]);
  const others = other ? names.map((name) => compareText[language].named('B', t.views[name])) : [];
  return {
    columns: [query, queryPosition, key, keyPosition, ...own, t.table.entropy, ...others],
    rows: pairs.map((pair) => [
      ...label(Math.floor(pair / order.length)),
      ...label(pair % order.length),
      ...[content, scores, bias, biased, weights].map((step) => short(step?.[pair] ?? 0)),
      short(entropy[Math.floor(pair / order.length)]!),
      ...(other ? names.map((name) => short(other[name]?.[pair] ?? 0)) : []),
    ]),
  };
}

/** A float32 in as many decimal digits as tell it apart. */
const short = (value: number) => Number(value.toPrecision(9));

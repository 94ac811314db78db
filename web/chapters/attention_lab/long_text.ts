/** The figure `long-text`: attention over up to 4,096 tokens, as a map to zoom into. */
import { defineFigure, type SettingsOf, type Table, type View } from '../../figures/figure.ts';
import type { Language, Words } from '../../languages.ts';
import { rounded } from '../../plots/number.ts';
import type { Engine } from '../../worker/client.ts';
import { coarsest, type Measure } from './long_text_grid.ts';
import type { LongTextCell, LongTextQuestion } from './long_text_jobs.ts';
import { WeightMap, type Square } from './long_text_map.ts';
import { longSchemeNames, longSchemes } from './long_text_schemes.ts';
import { longTextStyle } from './long_text_style.ts';
import { longTextText, said, type LongTextWords } from './long_text_text.ts';
import { drawLongText } from './long_text_view.ts';
import type { TextFault } from './tokens.ts';
import { edges, leastSpan, within } from './weight_map_sight.ts';

const words = (pick: (words: LongTextWords) => string): Words => ({
  en: pick(said.en),
  zh: pick(said.zh),
});

/** Cells per side; a multiple of what the coarsest texel stands for. */
const longest = 4096;
const lengthStep = 2 ** coarsest;

const lengthOf = (settings: Record<string, unknown>) => settings['length'] as number;
const position = (label: Words) => ({
  kind: 'range' as const,
  label,
  default: 0,
  min: 0,
  max: longest - 1,
  limit: (settings: Record<string, unknown>) => lengthOf(settings) - 1,
  display: true as const,
  place: 'drawing' as const,
});

export const controls = {
  scheme: {
    kind: 'choice',
    label: words((t) => t.scheme),
    hue: 'position',
    default: 'none',
    options: longSchemeNames.map((value) => ({ value, label: words((t) => t.schemes[value]) })),
    place: 'drawing',
  },
  length: {
    kind: 'range',
    label: words((t) => t.length),
    symbol: 'N',
    default: longest,
    min: lengthStep,
    max: longest,
    step: lengthStep,
    place: 'drawing',
  },
  head: {
    kind: 'range',
    label: words((t) => t.head),
    default: 8,
    min: 1,
    max: 8,
    place: 'drawing',
  },
  causal: { kind: 'switch', label: words((t) => t.causal), default: true, place: 'drawing' },
  measure: {
    kind: 'choice',
    label: words((t) => t.measure),
    default: 'mean',
    options: (['mean', 'max'] as const).map((value) => ({
      value,
      label: words((t) => t.measures[value]),
    })),
    display: true,
    place: 'drawing',
  },
  likeness: {
    kind: 'range',
    label: words((t) => t.likeness),
    default: 1,
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
  text: {
    kind: 'text',
    label: words((t) => t.ownText),
    default: '',
    // Longer texts can be read, but no link carries them: servers refuse long addresses.
    maxLength: 1500,
    place: 'drawing',
  },
  zoom: {
    kind: 'range',
    label: words((t) => t.zoom),
    default: 1,
    min: 1,
    max: longest / leastSpan,
    step: 'log',
    limit: (settings: Record<string, unknown>) => lengthOf(settings) / leastSpan,
    display: true,
    place: 'drawing',
  },
  row: position(words((t) => t.middleRow)),
  column: position(words((t) => t.middleColumn)),
} as const;

/** The square that the reader points at, and the sum behind it once that has come. */
export interface LongTextFocus extends Square {
  cell?: LongTextCell;
}

export interface LongTextData {
  map: WeightMap;
  /** Tokens of the text itself, before it begins anew. */
  count: number;
  isOwn: boolean;
  fault: TextFault | undefined;
}

export type LongTextView = View<SettingsOf<typeof controls>, LongTextData, LongTextFocus>;

/** Texts to begin with: a chapter and a story, each in the language of its page. */
const chapters: Record<Language, () => Promise<{ default: string }>> = {
  en: () => import('./down_the_rabbit_hole.txt?raw'),
  zh: () => import('./kong_yiji.txt?raw'),
};

/**
 * The last text that could be read, per figure: it stays on show while the next one is repaired.
 */
const lastTexts = new WeakMap<Engine, string>();

export default defineFigure<typeof controls, LongTextData, LongTextFocus>({
  name: 'long-text',
  claims: ['C01', 'C18', 'C19', 'C20', 'C24'],
  text: longTextText,
  controls,
  async compute({ text: own, scheme, length, head, seed, likeness, causal }, engine, language) {
    const { default: chapter } = await chapters[language]();
    const isOwn = own.trim() !== '';
    const asked = { scheme, length, head: head - 1, seed, likeness, causal };
    const question: LongTextQuestion = { ...asked, text: isOwn ? own : chapter };
    let reading = await engine.longText(question);
    const { fault } = reading;
    if (fault) {
      question.text = lastTexts.get(engine) ?? chapter;
      reading = await engine.longText(question);
    } else lastTexts.set(engine, question.text);
    const { tokens = [], count = 0 } = reading.tokens ? reading : {};
    const sees = { causal, window: longSchemes[scheme].window ?? Infinity };
    const map = new WeightMap(engine, question, tokens, sees);
    return { map, count, isOwn: question.text !== chapter, fault };
  },
  draw: drawLongText,
  describe,
  table: tableOf,
  styles: longTextStyle,
});

export function describe({ data: { map }, settings, language }: LongTextView): string {
  const t = said[language];
  const { totals, length } = map;
  const what = t.describe(length, t.schemes[settings.scheme], settings.head, settings.causal);
  if (!totals) return what;
  return t.sentences(what, t.describeTotals(totals.medianDistance, rounded(totals.attended)));
}

/** More squares to a side than this are joined into larger ones. */
const tableSide = 64;

/** What is in view in at most 64 × 64 squares, strongest first. */
function tableOf({ data: { map }, settings, language }: LongTextView): Table {
  const t = said[language].table;
  const { length, tokens } = map;
  const measure: Measure = settings.measure;
  const { x, y, span } = within(
    { x: settings.column + 0.5, y: settings.row + 0.5, span: length / settings.zoom },
    length,
  );
  const side = sideOf(span);
  const places = (middle: number) => {
    const [first, last] = edges(middle, span, length);
    const count = Math.floor(last / side) - Math.floor(first / side) + 1;
    return Array.from({ length: count }, (_, i) => (Math.floor(first / side) + i) * side);
  };
  const columns = places(x);
  const rows = places(y)
    .flatMap((row) => columns.map((column) => ({ row, column, side })))
    .map((square) => ({ ...square, value: map.value(square, measure) ?? NaN }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => b.value - a.value);
  const named = (at: number) => [tokens[at]!, at, at + side - 1];
  return {
    columns: [t.query, t.queryFrom, t.queryTo, t.key, t.keyFrom, t.keyTo, t[measure]],
    rows: rows.map(({ row, column, value }) => [
      ...named(row),
      ...named(column),
      Number(value.toPrecision(9)),
    ]),
  };
}

/** Cells to a side that one line of the table stands for. */
function sideOf(span: number): number {
  return 2 ** Math.min(coarsest, Math.max(0, Math.ceil(Math.log2(span / tableSide))));
}

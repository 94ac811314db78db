/** The figure `long-text`: attention over up to 4,096 tokens, as a map to zoom into. */
import { defineFigure, type Table } from '../../figures/figure.ts';
import type { Language } from '../../languages.ts';
import { coarsest, type Measure } from '../../maps/weight_map_pieces.ts';
import { edges, within } from '../../maps/weight_map_sight.ts';
import {
  controls,
  type LongTextData,
  type LongTextFocus,
  type LongTextView,
} from './long_text_controls.ts';
import type { LongTextRequest } from './long_text_jobs.ts';
import { LongTextMap } from './long_text_map.ts';
import { longSchemes } from './long_text_schemes.ts';
import { longTextStyle } from './long_text_style.ts';
import { strings, tries } from './long_text_text.ts';
import { describe, drawLongText } from './long_text_view.ts';

/** The default text of each language: a chapter and a story. */
const defaultTexts: Record<Language, () => Promise<{ default: string }>> = {
  en: () => import('./down_the_rabbit_hole.txt?raw'),
  zh: () => import('./kong_yiji.txt?raw'),
};

/**
 * The last valid text of each figure: it stays shown while the reader's text has an error.
 */
const lastTexts = new WeakMap<object, string>();

export default defineFigure<typeof controls, typeof strings, LongTextData, LongTextFocus>({
  claims: ['C01', 'C18', 'C19', 'C20', 'C24'],
  text: strings,
  controls,
  tries,
  async compute({ text: own, scheme, length, head, seed, likeness, causal }, engine, language) {
    const { default: defaultText } = await defaultTexts[language]();
    const isOwn = own.trim() !== '';
    const options = { scheme, length, head: head - 1, seed, likeness, causal };
    const request: LongTextRequest = { ...options, text: isOwn ? own : defaultText };
    let reading = await engine.longText(request);
    const { fault } = reading;
    if (fault) {
      request.text = lastTexts.get(engine) ?? defaultText;
      reading = await engine.longText(request);
    } else lastTexts.set(engine, request.text);
    const { tokens = [], count = 0 } = reading.tokens ? reading : {};
    const visible = { causal, window: longSchemes[scheme].window ?? Infinity };
    const map = new LongTextMap(engine, request, tokens, visible, count);
    return { map, count, isOwn: request.text !== defaultText, fault };
  },
  hasOwnFinding: true,
  isWide: true,
  draw: drawLongText,
  describe,
  table: tableOf,
  styles: longTextStyle,
});

/** The largest number of squares per side of the table. */
const tableSide = 64;

/** Returns the visible part of the map as at most 64 × 64 squares, strongest first. */
function tableOf({ data: { map }, settings, say }: LongTextView): Table {
  const t = say.table;
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

/** Returns the side of the square, in cells, that one row of the table sums up. */
function sideOf(span: number): number {
  return 2 ** Math.min(coarsest, Math.max(0, Math.ceil(Math.log2(span / tableSide))));
}

/** The controls of the long text, and the types of its settings and its data. */
import { defineControls, type ViewOf } from '../../figures/figure.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import type { Words } from '../../languages.ts';
import type { Square } from '../../maps/weight_map_data.ts';
import { coarsest } from '../../maps/weight_map_pieces.ts';
import { leastSpan } from '../../maps/weight_map_sight.ts';
import type { TextFault } from '../../toy/tokens.ts';
import type { LongTextCell } from './long_text_jobs.ts';
import type { LongTextMap } from './long_text_map.ts';
import { longSchemeNames } from './long_text_schemes.ts';
import { strings, type LongTextWords } from './long_text_text.ts';

const words = (pick: (words: LongTextWords) => string): Words => ({
  en: pick(strings.en),
  zh: pick(strings.zh),
});

/** Cells per side; a multiple of what the coarsest texel stands for. */
const longest = 4096;
const lengthStep = 2 ** coarsest;

const position = (label: Words) =>
  range(label, { default: 0, min: 0, max: longest - 1 }, { display: true, place: 'drawing' });

export const controls = defineControls(
  {
    scheme: {
      kind: 'choice',
      label: words((t) => t.scheme),
      hue: 'position',
      default: 'none',
      options: longSchemeNames.map((value) => ({ value, label: words((t) => t.schemes[value]) })),
      place: 'drawing',
    },
    length: range(
      words((t) => t.length),
      { default: longest, min: lengthStep, max: longest, step: lengthStep },
      { symbol: 'N', place: 'drawing' },
    ),
    head: range(
      words((t) => t.head),
      { default: 8, min: 1, max: 8 },
      { place: 'drawing' },
    ),
    causal: { kind: 'switch', label: words((t) => t.causal), default: true, place: 'drawing' },
    measure: choice(
      words((t) => t.measure),
      { mean: words((t) => t.measures.mean), max: words((t) => t.measures.max) },
      'mean',
      { display: true, place: 'drawing' },
    ),
    likeness: range(
      words((t) => t.likeness),
      { default: 1, min: 0, max: 1, step: 0.1 },
      { place: 'drawing' },
    ),
    seed: range(
      words((t) => t.seed),
      { default: 1, min: 1, max: 999 },
      { place: 'drawing' },
    ),
    text: {
      kind: 'text',
      label: words((t) => t.ownText),
      default: '',
      // Longer texts can be read, but no link carries them: servers reject long addresses.
      maxLength: 1500,
      place: 'drawing',
    },
    zoom: range(
      words((t) => t.zoom),
      { default: 1, min: 1, max: longest / leastSpan, step: 'log' },
      { display: true, place: 'drawing' },
    ),
    row: position(words((t) => t.middleRow)),
    column: position(words((t) => t.middleColumn)),
  },
  {
    zoom: ({ length }) => length / leastSpan,
    row: ({ length }) => length - 1,
    column: ({ length }) => length - 1,
  },
);

/** The square that the reader points at, and the sum behind it once that has come. */
export interface LongTextFocus extends Square {
  cell?: LongTextCell;
}

export interface LongTextData {
  map: LongTextMap;
  /** Tokens of the text itself, before it begins anew. */
  count: number;
  isOwn: boolean;
  fault: TextFault | undefined;
}

export type LongTextView = ViewOf<typeof controls, typeof strings, LongTextData, LongTextFocus>;

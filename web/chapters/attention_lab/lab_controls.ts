/** The controls of the lab, and the types of its settings and its data. */
import {
  defineControls,
  type Settings,
  type SettingsOf,
  type ViewOf,
} from '../../figures/figure.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import type { Words } from '../../languages.ts';
import { defaultsOf } from '../../state.ts';
import type { LabResult } from '../../toy/forward.ts';
import { schemeNames, schemeOf } from '../../toy/schemes.ts';
import type { TextFault } from '../../toy/tokens.ts';
import { hiddenIn, modeFor, modeNames, shows, type ModeName } from './lab_modes.ts';
import { placeNames, schemeText } from './scheme_text.ts';
import { examples, text, viewNames, type LabText } from './text.ts';
import { labLlama, type Trained } from './trained.ts';

const words = (pick: (labText: LabText) => string): Words => ({
  en: pick(text.en),
  zh: pick(text.zh),
});

/** Heads of the models with trained weights. */
const headsOf = { trained: 4, llama: labLlama.heads };

const schemeOptions = schemeNames.map((value) => ({
  value,
  label: schemeText[value].name,
  group: placeNames[schemeOf(value).place],
}));

export const controls = defineControls(
  {
    mode: {
      kind: 'choice',
      label: words((t) => t.mode),
      default: 'basic',
      options: modeNames.map((value) => ({ value, label: words((t) => t.modes[value]) })),
      display: true,
      place: 'drawing',
    },
    text: {
      kind: 'text',
      label: words((t) => t.sentence),
      default: { en: examples.dog, zh: examples.pepper },
      // Longer texts can be read, but no link carries them: servers reject long addresses.
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
    weights: choice(
      words((t) => t.weights),
      {
        random: words((t) => t.trained.options.random),
        trained: words((t) => t.trained.options.trained),
        llama: words((t) => t.trained.options.llama),
      },
      'random',
      { place: 'drawing' },
    ),
    layer: choice(
      words((t) => t.trained.layer),
      { 1: words((t) => t.trained.layers[1]), 2: words((t) => t.trained.layers[2]) },
      '2',
      { place: 'drawing' },
    ),
    llamaLayer: range(
      words((t) => t.trained.layer),
      { default: 2, min: 1, max: labLlama.layers },
      { place: 'drawing' },
    ),
    causal: { kind: 'switch', label: words((t) => t.causal), default: false, place: 'drawing' },
    offset: range(
      words((t) => t.offset),
      { default: 0, min: 0, max: 1_000_000 },
      { hue: 'position', place: 'drawing' },
    ),
    heads: range(
      words((t) => t.heads),
      { default: 4, min: 1, max: 8 },
      { symbol: 'H', place: 'drawing' },
    ),
    dim: {
      kind: 'choice',
      label: words((t) => t.headDim),
      symbol: 'd',
      default: '16',
      options: ['8', '16', '32', '64'].map((value) => ({ value, label: { en: value, zh: value } })),
      place: 'drawing',
    },
    likeness: range(
      words((t) => t.likeness),
      { default: 0.5, min: 0, max: 1, step: 0.1 },
      { place: 'drawing' },
    ),
    seed: range(
      words((t) => t.seed),
      { default: 1, min: 1, max: 999 },
      { place: 'drawing' },
    ),
    head: range(
      words((t) => t.head),
      { default: 1, min: 1, max: 8 },
      { place: 'drawing' },
    ),
    shuffle: range(
      words((t) => t.shuffle),
      { default: 0, min: 0, max: 999 },
      { place: 'drawing' },
    ),
    view: {
      kind: 'choice',
      label: words((t) => t.view),
      default: 'weights',
      options: viewNames.map((value) => ({ value, label: words((t) => t.views[value]) })),
      display: true,
      place: 'drawing',
    },
  },
  { head: ({ heads, weights }) => (weights === 'random' ? heads : headsOf[weights]) },
);

export type LabSettings = SettingsOf<typeof controls>;

/** Of all but the text, which no mode hides: the same in both languages. */
const defaults: Settings = defaultsOf(controls, 'en');

/** A link, an attribute or a script that changes a control opens the mode that has it. */
export function withMode(settings: LabSettings): LabSettings {
  const needed = modeFor(settings, defaults);
  return shows(settings.mode, needed) ? settings : { ...settings, mode: needed };
}

/** What a mode does not show goes back to its default; two schemes need a second one. */
export function entering(mode: ModeName, { scheme, compare }: LabSettings): Partial<LabSettings> {
  const reset = Object.fromEntries(hiddenIn(mode).map((key) => [key, defaults[key]!]));
  const isAlone = mode === 'compare' && compare === 'off';
  const other = scheme === 'none' ? 'rope-half-split' : 'none';
  return { mode, ...reset, ...(isAlone && { compare: other }) };
}

/** Before the reader points at a cell of the basic lab: rows are to be seen first. */
export const noKey = -1;

/** A pair that the reader points at: a token of the sentence, and a key or a dimension. */
export interface LabFocus {
  token: number;
  other: number;
  /** Where a token is now that the reader has moved, for those who cannot see it. */
  moved?: string;
}

/** The settings that the drawing does not follow. */
export interface NotShown {
  /** Why the text in the field is not the one shown, where it breaks a rule. */
  fault: TextFault | undefined;
  /** The requested first position, where a table of positions ends before the text. */
  requestedOffset: number | undefined;
}

export type LabData = LabResult &
  NotShown & {
    trained: Trained | undefined;
    /** Milliseconds from the request to its result. */
    elapsed: number;
  };

export type LabView = ViewOf<typeof controls, typeof text, LabData, LabFocus>;

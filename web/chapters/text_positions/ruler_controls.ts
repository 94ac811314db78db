/** The controls of the ruler that moves, and the types of its settings and its data. */
import { defineControls, type ViewOf } from '../../figures/figure.ts';
import { range } from '../../figures/shared_controls.ts';
import { textRulers, type MovingRuler, type Ruler } from './jobs.ts';
import { words } from './ruler_text.ts';
import { sentenceControls, tokenCount, type Sentence } from './sentence.ts';

export const controls = defineControls(
  {
    ...sentenceControls,
    others: {
      kind: 'switch',
      label: words.others,
      default: false,
      display: true,
      place: 'drawing',
    },
    key: range(words.key, { default: 2, min: 1, max: 24 }, { hue: 'key', display: true }),
    ruler: {
      kind: 'choice',
      label: words.ruler,
      hue: 'position',
      default: 'none',
      options: [
        { value: 'none', label: words.noSum },
        ...textRulers.map((value) => ({ value, label: words.rulers[value] })),
      ],
      display: true,
      place: 'drawing',
    },
  },
  {
    query: ({ text }) => tokenCount(text),
    key: ({ text, query }) => Math.min(query, tokenCount(text)),
  },
);

export interface RulerData extends MovingRuler {
  sentence: Sentence;
}

export type RulerView = ViewOf<typeof controls, typeof words.strings, RulerData, number>;

/** FoX, all with the switch, and the one whose sum is shown. */
export const shownRulers = ({ settings }: RulerView): Ruler[] => [
  'plain',
  ...textRulers.filter((ruler) => ruler === 'fox' || settings.others || ruler === settings.ruler),
];

/** The token after the key that adds most to the distance of FoX. */
export function mostAdding({ data }: Pick<RulerView, 'data'>, key: number): number {
  const terms = data.measured.fox.terms.slice(key + 1);
  return key + 1 + terms.indexOf(Math.max(...terms));
}

/** The key whose distance is in words and digits: under the pointer, or chosen. */
export const keyOf = ({ data, settings, focus }: RulerView): number =>
  Math.min(focus ?? settings.key - 1, data.query);

/** Without position a word scores the same with its copy at any distance. */
import { html } from 'lit';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { lineChart, type Point } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { farthest, type SameWord } from './jobs.ts';
import { sameWordText, words } from './same_word_text.ts';

const controls = defineControls({
  distance: {
    kind: 'range',
    label: words.distance,
    symbol: 'm − n',
    hue: 'position',
    default: 12,
    min: 0,
    max: farthest,
    display: true,
  },
  scheme: {
    kind: 'choice',
    label: words.scheme,
    default: 'sinusoidal',
    options: [
      { value: 'sinusoidal', label: words.sinusoidal },
      { value: 'rope-interleaved', label: words.rope },
      { value: 'alibi', label: words.alibi },
    ],
  },
  seed: { kind: 'range', label: words.seed, default: 1, min: 0, max: 99 },
});

type WordView = View<SettingsOf<typeof controls>, SameWord, number>;

const spread = (scores: readonly number[]) => Math.max(...scores) - Math.min(...scores);

function chart(view: WordView) {
  const { data, settings, language, width, focus } = view;
  const strings = words.strings[language];
  const both = [...data.without, ...data.with];
  const [low, high] = [Math.min(...both), Math.max(...both)];
  const room = Math.max(0.5, (high - low) * 0.12);
  const points = (scores: readonly number[]) => scores.map((score, k): Point => [k, score]);
  return lineChart({
    width,
    height: 300,
    x: { domain: [0, farthest], label: strings.distance },
    y: { domain: [low - room, high + room], label: strings.score },
    series: [
      { name: strings.with, points: points(data.with), look: 'position' },
      { name: strings.without, points: points(data.without), look: 'plain dashed' },
    ],
    label: describe(view),
    cursor: focus ?? settings.distance,
    onCursor: (at) => view.setFocus(at === undefined ? undefined : Math.round(at)),
    onPick: (at) => view.set({ distance: Math.round(at) }),
  });
}

function results({ data, settings, language, focus }: WordView) {
  const strings = words.strings[language];
  const at = focus ?? settings.distance;
  return numbers([
    { id: 'without', label: strings.here(at, strings.without), value: fixed(data.without[at]!, 4) },
    { id: 'with', label: strings.here(at, strings.with), value: fixed(data.with[at]!, 4) },
    {
      id: 'spread-without',
      label: strings.spread.without,
      value: rounded(spread(data.without), 2),
    },
    { id: 'spread-with', label: strings.spread.with, value: fixed(spread(data.with), 4) },
  ]);
}

function describe({ data, language }: WordView): string {
  return words.strings[language].describe(
    rounded(spread(data.without), 2),
    fixed(spread(data.with), 2),
  );
}

export default defineFigure({
  claims: ['C01'],
  text: sameWordText,
  controls,
  compute: ({ scheme, seed }, engine, language) =>
    engine.sameWord({ word: words.word[language], scheme, seed }),
  draw: (view: WordView) => html`${chart(view)} ${results(view)}`,
  describe,
  table: ({ data, language }: WordView) => {
    const strings = words.strings[language];
    return {
      columns: [strings.distance, strings.without, strings.with],
      rows: data.without.map((score, k) => [k, score, data.with[k]!]),
    };
  },
});

/** The mean of the partial sums against distance, and a score under its bound. */
import { html } from 'lit';
import { baseControl } from '../../figures/base_control.ts';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { lineChart, type Point } from '../../plots/line_chart.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import { decayText, words } from './decay_text.ts';
import { usualBase, type Decay } from './jobs.ts';
import { rotationStyle } from './style.ts';

const controls = defineControls(
  {
    base: baseControl(100, 1e7),
    dim: {
      kind: 'range',
      label: words.dim,
      symbol: 'd',
      default: 128,
      min: 4,
      max: 256,
      step: 2,
      follows: 'dim',
    },
    range: { kind: 'range', label: words.range, default: 256, min: 32, max: 2048, step: 32 },
    offset: {
      kind: 'range',
      label: words.offset,
      symbol: 'Δ',
      hue: 'position',
      default: 50,
      min: 0,
      max: 2048,
      display: true,
    },
    vectors: {
      kind: 'choice',
      label: words.vectors,
      default: 'random',
      options: [
        { value: 'random', label: words.random },
        { value: 'ones', label: words.ones },
      ],
    },
    seed: { kind: 'range', label: words.seed, default: 1, min: 1, max: 999 },
  },
  {
    offset: ({ range }) => range,
  },
);

/** The distance under the pointer. */
type DecayView = View<SettingsOf<typeof controls>, Decay, number>;

const offsetOf = ({ focus, settings }: DecayView) =>
  Math.min(settings.range, Math.max(0, Math.round(focus ?? settings.offset)));

const pointsOf = (values: Float64Array) => Array.from(values, (value, at): Point => [at, value]);
const pointing = (view: DecayView) => ({
  cursor: offsetOf(view),
  onCursor: view.setFocus,
  onPick: (offset: number) => view.set({ offset: Math.round(offset) }),
});

function meanChart(view: DecayView) {
  const { settings, data, language, width } = view;
  const { base, range, dim } = settings;
  const strings = words.strings[language];
  const usual = {
    name: strings.usual(whole(usualBase)),
    points: pointsOf(data.usual),
    look: 'faint',
  };
  return lineChart({
    width,
    height: 280,
    x: { domain: [0, range], label: strings.offsetAxis },
    y: { domain: [0, ((dim / 2 + 1) / 2) * 1.03], label: strings.meanAxis },
    series: [
      { name: strings.yours(whole(base)), points: pointsOf(data.mean), look: 'position bold' },
      ...(base === usualBase ? [] : [usual]),
    ],
    label: describe(view),
    ...pointing(view),
  });
}

function boundChart(view: DecayView) {
  const { settings, data, language, width } = view;
  const strings = words.strings[language];
  const { score, magnitude, bound } = data;
  const top = Math.max(...bound);
  // What is smaller than this share of the bound runs along the frame's edge: no spikes to nothing.
  const least = top * 1e-4;
  const sizes = (values: Float64Array) =>
    pointsOf(values.map((value) => Math.max(Math.abs(value), least)));
  return lineChart({
    width,
    height: 300,
    x: { domain: [0, settings.range], label: strings.offsetAxis },
    y: { domain: [least, top * 1.5], label: strings.sizeAxis, scale: 'log' },
    series: [
      { name: strings.bound, points: pointsOf(bound), look: 'plain dashed' },
      { name: strings.magnitude, points: sizes(magnitude), look: 'plain' },
      { name: strings.score, points: sizes(score), look: 'query' },
    ],
    label: describe(view),
    digits: 1,
    ...pointing(view),
  });
}

function results(view: DecayView) {
  const { settings, data, language } = view;
  const { range } = settings;
  const strings = words.strings[language];
  const offset = offsetOf(view);
  const climbs = data.mean.filter((value, at) => at > 0 && value > data.mean[at - 1]!).length;
  const shares = data.magnitude.map((value, at) => value / data.bound[at]!);
  return numbers([
    { id: 'mean', label: strings.mean(offset), value: fixed(data.mean[offset]!, 4) },
    { id: 'climbs', label: strings.climbs(range), value: String(climbs) },
    { id: 'score', label: strings.scoreAt(offset), value: fixed(data.score[offset]!, 4) },
    { id: 'bound', label: strings.boundAt(offset), value: rounded(data.bound[offset]!, 5) },
    {
      id: 'closest',
      label: strings.closest(range),
      value: `${fixed(100 * Math.max(...shares), 1)} %`,
    },
  ]);
}

function describe({ settings, data, language }: DecayView): string {
  const { range } = settings;
  return words.strings[language].describe(
    fixed(data.mean[0]!, 2),
    range,
    fixed(data.mean[range]!, 2),
  );
}

export default defineFigure({
  claims: ['C24'],
  text: decayText,
  controls,
  compute: ({ dim, base, range, vectors, seed }, engine) =>
    engine.rotaryDecayCurves({ dim, base, range, vectors, seed }),
  draw: (view: DecayView) => html`${meanChart(view)} ${boundChart(view)} ${results(view)}`,
  describe,
  table: ({ data, language }: DecayView) => {
    const strings = words.strings[language];
    return {
      columns: ['Δ', strings.meanAxis, strings.scoreColumn, strings.magnitude, strings.bound],
      rows: Array.from(data.mean, (value, at) => [
        at,
        value,
        data.score[at]!,
        data.magnitude[at]!,
        data.bound[at]!,
      ]),
    };
  },
  styles: rotationStyle,
});

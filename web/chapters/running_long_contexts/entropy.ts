/** The entropy of attention against the number of keys, with and without log-n. */
import { html, svg } from 'lit';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { nameBeside } from '../../plots/axis.ts';
import { lineChart, type Point } from '../../plots/line_chart.ts';
import { fixed } from '../../plots/number.ts';
import { entropyText, words } from './entropy_text.ts';
import type { Entropies } from './jobs.ts';
import { runningStyle } from './style.ts';

const controls = defineControls({
  sharpness: {
    kind: 'range',
    label: words.sharpness,
    symbol: 'σ',
    default: 2.5,
    min: 0,
    max: 5,
    step: 0.1,
  },
  trained: {
    kind: 'range',
    label: words.trained,
    symbol: 'L₀',
    default: 512,
    min: 16,
    max: 4096,
    step: 'log',
  },
  seed: { kind: 'range', label: words.seed, default: 1, min: 1, max: 99 },
});

type EntropyView = View<SettingsOf<typeof controls>, Entropies, number>;

function chart(view: EntropyView) {
  const { data, settings, language, width, focus } = view;
  const strings = words.strings[language];
  const trained = Math.round(settings.trained);
  const curve = (values: number[]) => values.map((value, k): Point => [data.lengths[k]!, value]);
  const last = data.lengths.at(-1)!;
  return lineChart({
    width,
    height: Math.round(Math.min(400, Math.max(280, width * 0.42))),
    x: { domain: [data.lengths[0]!, last], label: strings.lengthAxis, scale: 'log' },
    y: { domain: [0, Math.log(last) * 1.03], label: strings.entropyAxis },
    series: [
      { name: strings.scaled, points: curve(data.scaled), look: 'position bold' },
      { name: strings.plain, points: curve(data.plain), look: 'plain bold' },
      { name: strings.uniform, points: curve(data.lengths.map(Math.log)), look: 'faint dashed' },
    ],
    label: describe(view),
    cursor: focus ?? trained,
    onCursor: view.setFocus,
    below: ({ x, top, bottom, ...frame }) => svg`
      <line class="limit" x1=${x(trained)} x2=${x(trained)} y1=${top} y2=${bottom} />
      ${nameBeside('L₀', { x: x(trained), y: bottom - 6 }, frame)}`,
  });
}

const growth = (values: number[]) => values.at(-1)! - values[5]!;

function draw(view: EntropyView) {
  const { data, language } = view;
  const strings = words.strings[language];
  const [from, to] = [data.lengths[5]!, data.lengths.at(-1)!];
  return html`${chart(view)}
    ${numbers([
      { id: 'plain', label: strings.growth(from, to), value: fixed(growth(data.plain), 4) },
      { id: 'scaled', label: strings.growthScaled, value: fixed(growth(data.scaled), 4) },
      { id: 'factor', label: strings.factor(to), value: fixed(data.factors.at(-1)!, 6) },
    ])}`;
}

function describe({ data, language }: EntropyView): string {
  return words.strings[language].describe(
    data.lengths.at(-1)!,
    fixed(data.plain.at(-1)!, 2),
    fixed(data.scaled.at(-1)!, 2),
  );
}

export default defineFigure({
  claims: ['C27'],
  text: entropyText,
  controls,
  compute: ({ sharpness, trained, seed }, engine) =>
    engine.logNEntropy({ sharpness, originalLength: Math.round(trained), seed }),
  draw,
  describe,
  table: ({ data, language }: EntropyView) => {
    const strings = words.strings[language];
    return {
      columns: ['n', strings.plain, strings.scaled, strings.factorColumn],
      rows: data.lengths.map((n, k) => [n, data.plain[k]!, data.scaled[k]!, data.factors[k]!]),
    };
  },
  styles: runningStyle,
});

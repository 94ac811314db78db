/** Keys rotated as they came, under a base that has moved on since. */
import { html, svg } from 'lit';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { nameBeside } from '../../plots/axis.ts';
import { lineChart, type Point } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import '../../components/play.ts';
import { cacheText, words } from './cache_text.ts';
import type { StaleCache } from './jobs.ts';
import { runningStyle } from './style.ts';

const longest = 16384;

const controls = defineControls({
  length: {
    kind: 'range',
    label: words.length,
    symbol: 'L',
    hue: 'query',
    default: 4096,
    min: 64,
    max: longest,
    step: 64,
  },
  trained: {
    kind: 'range',
    label: words.trained,
    symbol: 'L₀',
    default: 2048,
    min: 64,
    max: longest,
    step: 64,
    follows: 'originalLength',
  },
  factor: {
    kind: 'range',
    label: words.factor,
    symbol: 's',
    default: 2,
    min: 1,
    max: 16,
    step: 0.5,
    follows: 'factor',
  },
  raw: { kind: 'switch', label: words.raw, default: false, display: true },
});

type CacheView = View<SettingsOf<typeof controls>, StaleCache, number>;

const used = ({ data, settings }: CacheView) => (settings.raw ? data.consistent : data.cached);

/** Index of the key under the pointer, by default the one that is most wrong. */
function keyOf(view: CacheView): number {
  const { data, focus } = view;
  if (focus === undefined) return worstOf(data);
  const distances = data.keys.map((key) => Math.abs(key - focus));
  return distances.indexOf(Math.min(...distances));
}

function worstOf({ cached, consistent }: StaleCache): number {
  const errors = cached.map((score, k) => Math.abs(score - consistent[k]!));
  return errors.indexOf(Math.max(...errors));
}

function chart(view: CacheView) {
  const { data, settings, language, width } = view;
  const strings = words.strings[language];
  const points = (values: number[]) => values.map((value, k): Point => [data.keys[k]!, value]);
  const every = [...data.consistent, ...data.cached];
  return lineChart({
    width,
    height: Math.round(Math.min(400, Math.max(280, width * 0.42))),
    x: { domain: [0, settings.length - 1], label: strings.keyAxis },
    y: { domain: [Math.min(0, ...every), Math.max(1, ...every)], label: strings.scoreAxis },
    series: [
      {
        name: settings.raw ? strings.rawKeys : strings.cached,
        points: points(used(view)),
        look: 'key bold',
      },
      { name: strings.consistent, points: points(data.consistent), look: 'faint dashed' },
    ],
    label: describe(view),
    cursor: data.keys[keyOf(view)],
    onCursor: view.setFocus,
    below: ({ x, top, bottom, left, right }) =>
      settings.trained >= settings.length || x(settings.trained) > right
        ? svg``
        : svg`<line class="limit" x1=${x(settings.trained)} x2=${x(settings.trained)}
            y1=${top} y2=${bottom} />
          ${nameBeside('L₀', { x: x(settings.trained), y: top + 12 }, { left, right })}`,
  });
}

function draw(view: CacheView) {
  const { data, language } = view;
  const strings = words.strings[language];
  const at = keyOf(view);
  const key = data.keys[at]!;
  const shown = used(view);
  const worst = Math.max(...shown.map((score, k) => Math.abs(score - data.consistent[k]!)));
  return html`<rw-play .label=${strings.play} @tick=${() => view.set({ length: next(view) })}></rw-play>
    ${chart(view)}
    ${numbers([
      { id: 'consistent', label: strings.right(key), value: fixed(data.consistent[at]!, 6) },
      { id: 'shown', label: strings.shown(key), value: fixed(shown[at]!, 6) },
      { id: 'base-then', label: strings.baseThen(key), value: rounded(data.bases[at]!, 7) },
      { id: 'base-now', label: strings.baseNow, value: rounded(data.bases.at(-1)!, 7) },
      { id: 'worst', label: strings.worst, value: fixed(worst, 6) },
    ])}`;
}

/** Decoding goes on, and begins again at the training length. */
const next = ({ settings }: CacheView) =>
  settings.length >= longest ? settings.trained : Math.min(longest, settings.length + 64);

function describe(view: CacheView): string {
  const { data, settings, language } = view;
  const at = worstOf(data);
  return words.strings[language].describe(
    settings.length,
    data.keys[at]!,
    fixed(data.cached[at]!, 3),
    fixed(data.consistent[at]!, 3),
  );
}

export default defineFigure({
  claims: ['C29'],
  text: cacheText,
  controls,
  compute: ({ length, trained, factor }, engine) =>
    engine.staleCache({ dim: 128, base: 10000, length, originalLength: trained, factor }),
  draw,
  describe,
  table: ({ data, language }: CacheView) => {
    const strings = words.strings[language];
    return {
      columns: [strings.keyAxis, strings.consistent, strings.cached, strings.baseColumn],
      rows: data.keys.map((key, k) => [key, data.consistent[k]!, data.cached[k]!, data.bases[k]!]),
    };
  },
  styles: runningStyle,
});

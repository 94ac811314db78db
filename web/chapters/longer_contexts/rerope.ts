/** The relative positions that ReRoPE and Leaky ReRoPE give to distances. */
import { html, svg } from 'lit';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { nameBeside, textWidth } from '../../plots/axis.ts';
import { lineChart, type Point } from '../../plots/line_chart.ts';
import { rounded } from '../../plots/number.ts';
import { reropeText, words } from './rerope_text.ts';
import type { RelativeMap } from './jobs.ts';
import { longerStyle } from './style.ts';

const controls = defineControls(
  {
    window: {
      kind: 'range',
      label: words.window,
      symbol: 'w',
      hue: 'key',
      default: 16,
      min: 1,
      max: 512,
    },
    factor: {
      kind: 'range',
      label: words.factor,
      symbol: 'c',
      hue: 'position',
      default: 8,
      min: 1,
      max: 64,
    },
    trained: {
      kind: 'range',
      label: words.trained,
      symbol: 'L₀',
      default: 32,
      min: 2,
      max: 512,
      display: true,
    },
    length: { kind: 'range', label: words.length, symbol: 'L', default: 96, min: 8, max: 2048 },
    distance: {
      kind: 'range',
      label: words.distance,
      default: 40,
      min: 0,
      max: 2047,
      display: true,
    },
  },
  {
    distance: ({ length }) => length - 1,
  },
);

type MapView = View<SettingsOf<typeof controls>, RelativeMap, number>;

const distanceOf = ({ focus, settings }: MapView) =>
  Math.min(settings.length - 1, Math.max(0, Math.round(focus ?? settings.distance)));

function chart(view: MapView) {
  const { data, settings, language, width } = view;
  const strings = words.strings[language];
  const { length, trained } = settings;
  const curve = (map: number[]) => map.map((position, distance): Point => [distance, position]);
  return lineChart({
    width,
    height: Math.round(Math.min(430, Math.max(280, width * 0.45))),
    x: { domain: [0, length - 1], label: strings.distanceAxis },
    y: { domain: [0, Math.max(trained, length - 1) * 1.02], label: strings.relativeAxis },
    series: [
      { name: strings.leaky, points: curve(data.leaky), look: 'position bold' },
      { name: strings.rerope, points: curve(data.rerope), look: 'key dashed' },
      { name: strings.rope, points: curve(data.rope), look: 'faint' },
    ],
    label: describe(view),
    cursor: distanceOf(view),
    onCursor: view.setFocus,
    onPick: (distance) => view.set({ distance: Math.round(distance) }),
    below: ({ x, y, left, right, top, bottom }) => svg`
      <rect class="unseen" x=${left} width=${right - left} y=${top}
        height=${Math.max(0, y(trained - 1) - top)} />
      <line class="limit" x1=${left} x2=${right} y1=${y(trained - 1)} y2=${y(trained - 1)} />
      ${limitName(
        strings.limit,
        { left, right, top },
        { x: x(settings.window), y: y(trained - 1) },
      )}
      ${
        settings.window < length
          ? svg`<line class="limit" x1=${x(settings.window)} x2=${x(settings.window)}
              y1=${y(settings.window)} y2=${bottom} />
            ${nameBeside('w', { x: x(settings.window), y: bottom - 6 }, { left, right })}`
          : null
      }`,
  });
}

/** Beside the line of the window, whose own name stands at its left end, and inside the frame. */
function limitName(
  name: string,
  { left, right, top }: Record<'left' | 'right' | 'top', number>,
  { x, y }: Record<'x' | 'y', number>,
) {
  const isFree = x > left + 12 + textWidth(name);
  const down = y - 20 < top ? 17 : -6;
  return isFree
    ? svg`<text class="limit-label" x=${left + 6} y=${y + down}>${name}</text>`
    : svg`<text class="limit-label" x=${right - 6} y=${y + down} text-anchor="end">${name}</text>`;
}

function draw(view: MapView) {
  const { data, settings, language } = view;
  const strings = words.strings[language];
  const distance = distanceOf(view);
  const scores = (settings.length * (settings.length + 1)) / 2;
  const last = settings.trained - 1;
  const beyond = (map: number[]) => map.filter((position) => position > last).length;
  return html`${chart(view)}
    ${numbers([
      { id: 'leaky', label: strings.leakyAt(distance), value: rounded(data.leaky[distance]!, 6) },
      {
        id: 'rerope',
        label: strings.reropeAt(distance),
        value: rounded(data.rerope[distance]!, 6),
      },
      { id: 'largest', label: strings.largest, value: rounded(data.leaky.at(-1)!, 6) },
      {
        id: 'beyond',
        label: strings.beyond,
        value: strings.counts(beyond(data.rope), beyond(data.leaky), beyond(data.rerope)),
      },
      { id: 'scores', label: strings.scores, value: strings.twice(scores, 2 * scores) },
    ])}`;
}

function describe({ settings, data, language }: MapView): string {
  const { window, factor, length } = settings;
  return words.strings[language].describe(window, factor, length, rounded(data.leaky.at(-1)!, 4));
}

export default defineFigure({
  claims: ['C31'],
  text: reropeText,
  controls,
  compute: ({ window, factor, length }, engine) => engine.relativeMap({ window, factor, length }),
  draw,
  describe,
  table: ({ data, language }: MapView) => {
    const strings = words.strings[language];
    return {
      columns: [strings.distanceAxis, strings.rope, strings.leaky, strings.rerope],
      rows: data.rope.map((rope, k) => [k, rope, data.leaky[k]!, data.rerope[k]!]),
    };
  },
  styles: longerStyle,
});

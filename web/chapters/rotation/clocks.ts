/** Queries and keys rotated by position; the score depends on the difference. */
import { html } from 'lit';
import { baseControl } from '../../figures/base_control.ts';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { buttonSize, pairButtons, shownPair } from '../../figures/pair_buttons.ts';
import { lineChart, type Point } from '../../plots/line_chart.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import { angleBetween, pairCircle, type Vector } from '../../plots/pair_circle.ts';
import '../../components/play.ts';
import { clocksText, words } from './clocks_text.ts';
import { offsets, farthest, type ScoreByOffset } from './jobs.ts';
import { rotationStyle } from './style.ts';

const largestShift = 100000;

const controls = defineControls(
  {
    query: {
      kind: 'range',
      label: words.query,
      symbol: 'm',
      hue: 'query',
      default: 12,
      min: 0,
      max: farthest,
    },
    key: {
      kind: 'range',
      label: words.key,
      symbol: 'n',
      hue: 'key',
      default: 9,
      min: 0,
      max: farthest,
    },
    shift: {
      kind: 'range',
      label: words.shift,
      hue: 'position',
      default: 100,
      min: 0,
      max: largestShift,
    },
    pair: {
      kind: 'range',
      label: words.pair,
      symbol: 'i',
      default: 1,
      min: 0,
      max: 15,
      display: true,
      brush: true,
    },
    dim: { kind: 'range', label: words.dim, symbol: 'd', default: 16, min: 4, max: 32, step: 2 },
    base: baseControl(100, 1e7),
    seed: { kind: 'range', label: words.seed, default: 484, min: 1, max: 999 },
  },
  {
    pair: ({ dim }) => dim / 2 - 1,
  },
);

type ClocksView = View<SettingsOf<typeof controls>, ScoreByOffset, number>;

/** One pair of a vector, as shares of the length `longest`. */
function pairOf(x: Float32Array, pair: number, longest: number): Vector {
  return { x: x[2 * pair]! / longest, y: x[2 * pair + 1]! / longest };
}

/** The part of a pair in the score at an offset; computed where neither word of ours stands. */
const partAt = ({ data }: ClocksView, pair: number, offset: number) =>
  data.parts[(offset + farthest) * data.frequencies.length + pair]!;

const largestCircle = 132;

/** The pairs of query and key before and after their rotation, and their parts in the score. */
function pairs(view: ClocksView) {
  const { data, language, width } = view;
  const strings = words.strings[language];
  const count = data.frequencies.length;
  const across = Math.min(count, Math.max(4, Math.floor(width / 118)));
  const size = buttonSize(width, across, largestCircle);
  const lengths = Array.from({ length: count }, (_, i) =>
    Math.max(...[data.q, data.k].map((x) => Math.hypot(x[2 * i]!, x[2 * i + 1]!))),
  );
  const longest = Math.max(...lengths);
  const partOf = (i: number) =>
    data.rotatedQ[2 * i]! * data.rotatedK[2 * i]! +
    data.rotatedQ[2 * i + 1]! * data.rotatedK[2 * i + 1]!;
  const largest = Math.max(
    ...lengths.map(
      (_, i) =>
        Math.abs(data.q[2 * i]! * data.k[2 * i]!) +
        Math.abs(data.q[2 * i + 1]! * data.k[2 * i + 1]!),
    ),
    1e-9,
  );
  const buttons = lengths.map((_, pair) => {
    const moved = (before: Float32Array, after: Float32Array): Moved => ({
      before: pairOf(before, pair, longest),
      after: pairOf(after, pair, longest),
    });
    const query = moved(data.q, data.rotatedQ);
    const key = moved(data.k, data.rotatedK);
    const part = Math.max(-1, Math.min(1, partOf(pair) / largest));
    const angle = fixed(angleBetween(key.after, query.after), 3);
    return {
      pair,
      label: strings.clock(pair, angle, fixed(partOf(pair), 3)),
      drawing: drawPair(size, query, key, part, `i = ${pair}`),
    };
  });
  return pairButtons(view, describe(view), buttons);
}

interface Moved {
  before: Vector;
  after: Vector;
}

/** `part`: the share of the pair in the score, -1 ... 1, as a bar below the circle. */
function drawPair(size: number, query: Moved, key: Moved, part: number, label: string) {
  const circle = pairCircle(size, 7);
  const { middle, radius } = circle;
  const height = size + 30;
  const bar = part * radius;
  const angle = angleBetween(key.after, query.after);
  return html`<svg width=${size} height=${height} viewBox="0 0 ${size} ${height}" aria-hidden="true">
    ${circle.outline()}
    ${circle.arrow(key.before, 'key ghost')} ${circle.arrow(query.before, 'query ghost')}
    ${circle.sector(key.after, angle, 0.42, 'between position')}
    ${circle.arrow(key.after, 'key')} ${circle.arrow(query.after, 'query')}
    <line class="tick" x1=${middle} x2=${middle} y1=${size} y2=${size + 9} />
    <rect class="part" x=${middle + Math.min(0, bar)} y=${size + 1} width=${Math.abs(bar)}
      height="7" />
    <text x=${middle} y=${size + 24} text-anchor="middle">${label}</text>
  </svg>`;
}

function chart(view: ClocksView) {
  const { settings, data, language, width } = view;
  const strings = words.strings[language];
  const count = data.frequencies.length;
  const total = offsets.map((offset, row): Point => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += data.parts[row * count + i]!;
    return [offset, sum];
  });
  const pair = shownPair(view);
  const limit = Math.max(...total.map(([, value]) => Math.abs(value))) * 1.12;
  const offset = settings.query - settings.key;
  return lineChart({
    width,
    height: 270,
    x: { domain: [-farthest, farthest], label: strings.offsetAxis },
    y: { domain: [-limit, limit], label: strings.scoreAxis },
    series: [
      { name: strings.score, points: total, look: 'plain' },
      {
        name: strings.part(pair),
        points: offsets.map((at): Point => [at, partAt(view, pair, at)]),
        look: 'position',
      },
    ],
    label: describe(view),
    cursor: view.focus ?? offset,
    digits: 4,
    onCursor: (at) => view.setFocus(at === undefined ? undefined : Math.round(at)),
    onPick: (at) => {
      const key = Math.min(farthest, Math.max(0, settings.query - Math.round(at)));
      view.set({ key, query: Math.min(farthest, Math.max(0, key + Math.round(at))) });
    },
  });
}

function results(view: ClocksView) {
  const { settings, data, language } = view;
  const { query: m, key: n, shift } = settings;
  const strings = words.strings[language];
  const pair = shownPair(view);
  const { placed, moved, exchanged } = data.score;
  return numbers([
    { id: 'placed', label: strings.placed(whole(m), whole(n)), value: fixed(placed, 5) },
    {
      id: 'moved',
      label: strings.moved(whole(m + shift), whole(n + shift)),
      value: fixed(moved, 5),
    },
    { id: 'exchanged', label: strings.exchanged(whole(n), whole(m)), value: fixed(exchanged, 5) },
    { id: 'angle', label: strings.angle(pair), value: fixed((m - n) * data.frequencies[pair]!, 4) },
    { id: 'part', label: strings.pairPart(pair), value: fixed(partAt(view, pair, m - n), 4) },
    {
      id: 'norms',
      label: strings.norms,
      value: `${fixed(data.norms.before, 5)}, ${fixed(data.norms.after, 5)}`,
    },
    { id: 'zero', label: strings.zero, value: rounded(data.zeroError, 2) },
    { id: 'back', label: strings.back, value: rounded(data.backError, 2) },
  ]);
}

function describe({ settings, data, language }: ClocksView): string {
  const { query, key, shift } = settings;
  const at = (position: number) => whole(position + shift);
  const score = fixed(data.score.moved, 3);
  return words.strings[language].describe(data.frequencies.length, at(query), at(key), score);
}

export default defineFigure({
  claims: ['C20', 'C21', 'C23'],
  text: clocksText,
  controls,
  compute: ({ dim, base, query, key, shift, seed }, engine) =>
    engine.rotaryClocks({ dim, base, query, key, shift, seed }),
  draw: (view: ClocksView) => html`
    <rw-play
      .label=${words.strings[view.language].play}
      @tick=${() => view.set({ shift: (view.settings.shift + 1) % (largestShift + 1) })}
    ></rw-play>
    ${pairs(view)} ${chart(view)} ${results(view)}`,
  describe,
  table: (view: ClocksView) => {
    const { settings, data, language } = view;
    const offset = settings.query - settings.key;
    return {
      columns: words.strings[language].columns,
      rows: Array.from(data.frequencies, (frequency, i) => [
        i,
        frequency,
        ...data.rotatedQ.subarray(2 * i, 2 * i + 2),
        ...data.rotatedK.subarray(2 * i, 2 * i + 2),
        partAt(view, i, offset),
      ]),
    };
  },
  styles: rotationStyle,
});

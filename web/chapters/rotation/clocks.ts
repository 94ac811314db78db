/** Queries and keys rotated by position; the score depends on the difference. */
import { html } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls, type ViewOf } from '../../figures/figure.ts';
import { buttonSize, pairButtons, shownPair } from '../../figures/pair_buttons.ts';
import { baseRange, pairRange, range } from '../../figures/shared_controls.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import { angleBetween, pairCircle, type Vector } from '../../plots/pair_circle.ts';
import '../../components/play.ts';
import { words } from './clocks_text.ts';
import { offsets, farthest, type ScoreByOffset } from './jobs.ts';
import { rotationStyle } from './style.ts';

const largestShift = 100000;

const controls = defineControls({
  shift: range(words.shift, { default: 100, min: 0, max: largestShift }, { hue: 'position' }),
  query: range(words.query, { default: 12, min: 0, max: farthest }, { symbol: 'm', hue: 'query' }),
  key: range(words.key, { default: 9, min: 0, max: farthest }, { symbol: 'n', hue: 'key' }),
  pair: pairRange(words.pair, { default: 1, max: 15 }),
  dim: range(words.dim, { default: 16, min: 4, max: 32, step: 2 }, { symbol: 'd' }),
  base: baseRange(100, 1e7),
  seed: range(words.seed, { default: 484, min: 1, max: 999 }),
});

type ClocksView = ViewOf<typeof controls, typeof words.strings, ScoreByOffset, number>;

/** One pair of a vector, as shares of the length `longest`. */
function pairOf(x: Float32Array, pair: number, longest: number): Vector {
  return { x: x[2 * pair]! / longest, y: x[2 * pair + 1]! / longest };
}

/** The part of a pair in the score at an offset; computed where neither word of ours stands. */
const partAt = ({ data }: ClocksView, pair: number, offset: number) =>
  data.parts[(offset + farthest) * data.frequencies.length + pair]!;

const largestCircle = 132;

/** The pairs of query and key before and after their rotation, and their parts in the score. */
function pairs(view: ClocksView, label: string) {
  const { data, say, width } = view;
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
      label: say.clock(pair, angle, fixed(partOf(pair), 3)),
      drawing: drawPair(size, query, key, part, `i = ${pair}`),
    };
  });
  return pairButtons(view, label, buttons);
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

/** The score at each offset: the sum of its parts. */
function totals({ parts, frequencies: { length: count } }: ScoreByOffset): number[] {
  return offsets.map((_, row) => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += parts[row * count + i]!;
    return sum;
  });
}

export default chartFigure({
  claims: ['C20', 'C21', 'C23'],
  text: words.strings,
  styles: rotationStyle,
  controls,
  compute: ({ dim, base, query, key, shift, seed }, engine) =>
    engine.rotaryClocks({ dim, base, query, key, shift, seed }),
  show(view) {
    const { data, settings, set, say } = view;
    const { query: m, key: n, shift } = settings;
    const { frequencies, norms, score } = data;
    const pair = shownPair(view);
    const total = totals(data);
    const limit = Math.max(...total.map(Math.abs)) * 1.12;
    const moved = [whole(m + shift), whole(n + shift)] as const;
    const scores = [fixed(score.placed, 2), fixed(score.moved, 2)] as const;
    const description = say.describe(whole(m), whole(n), whole(shift), ...scores);
    return {
      description,
      charts: [
        {
          before: html`<rw-play
              .label=${say.play}
              @tick=${() => set({ shift: (shift + 1) % (largestShift + 1) })}
            ></rw-play>
            ${pairs(view, description)}`,
          height: 270,
          x: { values: offsets, label: say.offsetAxis },
          y: { domain: [-limit, limit], label: say.scoreAxis },
          series: [
            { name: say.score, values: total, look: 'plain' },
            {
              name: say.part(pair),
              values: offsets.map((at) => partAt(view, pair, at)),
              look: 'position',
            },
          ],
          cursor: m - n,
          digits: 4,
          onPick: (at) => {
            const key = Math.min(farthest, Math.max(0, m - Math.round(at)));
            set({ key, query: Math.min(farthest, Math.max(0, key + Math.round(at))) });
          },
        },
      ],
      numbers: {
        placed: [say.placed(whole(m), whole(n)), fixed(score.placed, 5)],
        moved: [say.moved(...moved), fixed(score.moved, 5)],
        exchanged: [say.exchanged(whole(n), whole(m)), fixed(score.exchanged, 5)],
        angle: [say.angle(pair), fixed((m - n) * frequencies[pair]!, 4)],
        part: [say.pairPart(pair), fixed(partAt(view, pair, m - n), 4)],
        norms: [say.norms, `${fixed(norms.before, 5)}, ${fixed(norms.after, 5)}`],
        zero: [say.zero, rounded(data.zeroError, 2)],
        back: [say.back, rounded(data.backError, 2)],
      },
      table: {
        columns: say.columns,
        rows: Array.from(frequencies, (frequency, i) => [
          i,
          frequency,
          ...data.rotatedQ.subarray(2 * i, 2 * i + 2),
          ...data.rotatedK.subarray(2 * i, 2 * i + 2),
          partAt(view, i, m - n),
        ]),
      },
    };
  },
});

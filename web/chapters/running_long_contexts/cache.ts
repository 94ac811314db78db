/** Keys rotated as they came, under a base that has moved on since. */
import { html, nothing, svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { modelRange, range } from '../../figures/shared_controls.ts';
import { bandBetween, limitAtX, nameIn, type Frame } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import '../../components/play.ts';
import { words } from './cache_text.ts';
import type { StaleCache } from './jobs.ts';
import { runningStyle } from './style.ts';

const longest = 16384;

/** Index where two lines are farthest apart. */
function widestOf(some: readonly number[], others: readonly number[]): number {
  const gaps = some.map((score, k) => Math.abs(score - others[k]!));
  return gaps.indexOf(Math.max(...gaps));
}

/** Index of the key nearest to a position. */
function keyAt({ keys }: StaleCache, position: number): number {
  const distances = keys.map((key) => Math.abs(key - position));
  return distances.indexOf(Math.min(...distances));
}

/** Of each key and its neighbors: single scores leap by the rotation of the fastest pairs. */
const neighbors = 4;
const smoothed = (scores: readonly number[]) =>
  scores.map((_, k) => {
    // As many on both sides, so that the ends stay where they are.
    const reach = Math.min(neighbors, k, scores.length - 1 - k);
    const near = scores.slice(k - reach, k + reach + 1);
    return near.reduce((sum, score) => sum + score) / near.length;
  });

/** The scores around one key, and what lies between them. */
function error(frame: Frame, key: number, scores: readonly [number, number]) {
  const [from, to] = scores.map(frame.y) as [number, number];
  if (Math.abs(from - to) < 12) return nothing;
  const x = frame.x(key);
  const isLeft = x + 60 > frame.right;
  const place = { x: x + (isLeft ? -10 : 10), anchor: isLeft ? 'end' : 'start' } as const;
  return svg`<line class="error" x1=${x} x2=${x} y1=${from} y2=${to} />
    ${scores.map((score, k) => {
      const isLower = score === Math.min(...scores);
      const y = Math.min(frame.bottom - 6, [from, to][k]! + (isLower ? 13 : 0));
      return nameIn(frame, fixed(score, 2), { ...place, y });
    })}`;
}

/** Decoding goes on, and begins again at the training length. */
const next = ({ length, trained }: Record<'length' | 'trained', number>) =>
  length >= longest ? trained : Math.min(longest, length + 64);

export default chartFigure({
  claims: ['C29'],
  text: words.strings,
  tries: words.tries,
  styles: runningStyle,
  controls: {
    length: range(
      words.length,
      { default: 4096, min: 64, max: longest, step: 64 },
      { symbol: 'L', hue: 'query' },
    ),
    raw: { kind: 'switch', label: words.raw, default: false, display: true },
    trained: modelRange('originalLength', words.trained, {
      default: 2048,
      min: 64,
      max: longest,
      step: 64,
    }),
    factor: modelRange('factor', words.factor, { default: 2, min: 1, max: 16 }),
  },
  compute: ({ length, trained, factor }, engine) =>
    engine.staleCache({ dim: 128, base: 10000, length, originalLength: trained, factor }),
  show({ data, settings, focus, set, setFocus, say }) {
    const { length, trained, raw } = settings;
    const { keys, consistent, cached, bases } = data;
    const shown = raw ? consistent : cached;
    const [right, old] = [smoothed(consistent), smoothed(cached)];
    const drawn = raw ? right : old;
    const worst = widestOf(old, right);
    const at = focus === undefined ? worst : keyAt(data, focus);
    const key = keys[at]!;
    const largest = Math.max(...shown.map((score, k) => Math.abs(score - consistent[k]!)));
    const worstScores = [drawn[worst]!, right[worst]!] as const;
    const every = [...right, ...old];
    const [drawnText, rightText] = worstScores.map((score) => fixed(score, 2)) as [string, string];
    return {
      description:
        drawnText === rightText
          ? say.same(length, raw)
          : say.differ(keys[worst]!, drawnText, rightText),
      charts: [
        {
          before: html`<rw-play .label=${say.play} @tick=${() => set({ length: next(settings) })}></rw-play>`,
          height: { share: 0.42, min: 280, max: 400 },
          x: { domain: [0, length - 1], values: keys, label: say.keyAxis },
          y: { domain: [Math.min(0, ...every), Math.max(1, ...every)], label: say.scoreAxis },
          series: [
            { name: '', points: [], band: bandBetween(keys, drawn, right), look: 'wrong' },
            {
              name: raw ? say.rawKeys : say.cached,
              values: drawn,
              look: 'key bold',
              named: { x: 0.9 * length },
            },
            {
              name: say.consistent,
              values: right,
              look: 'plain dashed',
              named: { x: 0.78 * length, side: 'below' },
            },
            ...worstScores.map((score, k) => ({
              name: '',
              points: [[keys[worst]!, score] as const],
              look: k === 0 ? 'key bold' : 'plain bold',
              dots: true,
            })),
          ],
          cursor: focus === undefined ? undefined : key,
          onCursor: setFocus,
          below: (frame) =>
            svg`${
              trained >= length || frame.x(trained) > frame.right
                ? nothing
                : limitAtX(frame, trained, say.limit, frame.top + 12)
            }${error(frame, keys[worst]!, worstScores)}`,
        },
      ],
      numbers: {
        consistent: [say.right(key), fixed(consistent[at]!, 6)],
        shown: [say.shown(key), fixed(shown[at]!, 6)],
        'base-then': [say.baseThen(key), rounded(bases[at]!, 7)],
        'base-now': [say.baseNow, rounded(bases.at(-1)!, 7)],
        worst: [say.worst, fixed(largest, 6)],
      },
      table: [
        [say.keyAxis, keys],
        [say.consistent, consistent],
        [say.cached, cached],
        [say.baseColumn, bases],
      ],
    };
  },
});

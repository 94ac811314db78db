/** Keys rotated as they came, under a base that has moved on since. */
import { html, svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { modelRange, range } from '../../figures/shared_controls.ts';
import { limitAtX, type Range } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import '../../components/play.ts';
import { words } from './cache_text.ts';
import type { StaleCache } from './jobs.ts';
import { runningStyle } from './style.ts';

const longest = 16384;

/** Index of the key that is most wrong. */
function worstOf({ cached, consistent }: StaleCache): number {
  const errors = cached.map((score, k) => Math.abs(score - consistent[k]!));
  return errors.indexOf(Math.max(...errors));
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
    const worst = worstOf(data);
    const at = focus === undefined ? worst : keyAt(data, focus);
    const key = keys[at]!;
    const largest = Math.max(...shown.map((score, k) => Math.abs(score - consistent[k]!)));
    const [right, drawn] = [smoothed(consistent), smoothed(shown)];
    const every = [...right, ...smoothed(cached)];
    const errors = keys.map((at, k): Range => {
      const ends = [drawn[k]!, right[k]!] as const;
      return [at, Math.min(...ends), Math.max(...ends)];
    });
    const errorOf = (k: number) => Math.abs(shown[k]! - consistent[k]!);
    const mean = keys.reduce((sum, _, k) => sum + errorOf(k), 0) / keys.length;
    return {
      description: say.describe(
        length,
        [keys[worst]!, fixed(shown[worst]!, 3), fixed(consistent[worst]!, 3)],
        fixed(mean, 2),
      ),
      charts: [
        {
          before: html`<rw-play .label=${say.play} @tick=${() => set({ length: next(settings) })}></rw-play>`,
          height: { share: 0.42, min: 280, max: 400 },
          x: { domain: [0, length - 1], values: keys, label: say.keyAxis },
          y: { domain: [Math.min(0, ...every), Math.max(1, ...every)], label: say.scoreAxis },
          series: [
            { name: '', points: [], band: errors, look: 'wrong' },
            {
              name: raw ? say.rawKeys : say.cached,
              values: drawn,
              look: 'key bold',
              named: { x: 0.78 * length },
            },
            {
              name: say.consistent,
              values: right,
              look: 'plain dashed',
              named: { x: 0.78 * length, side: 'below' },
            },
          ],
          cursor: focus === undefined ? undefined : key,
          onCursor: setFocus,
          below: (frame) =>
            trained >= length || frame.x(trained) > frame.right
              ? svg``
              : limitAtX(frame, trained, 'L₀', frame.bottom - 6),
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

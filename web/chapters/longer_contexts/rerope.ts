/** The relative positions that ReRoPE and Leaky ReRoPE give to distances. */
import { svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls } from '../../figures/figure.ts';
import { range } from '../../figures/shared_controls.ts';
import { nameBeside, textWidth } from '../../plots/axis.ts';
import { boxOf, type Frame } from '../../plots/line_chart.ts';
import { rounded } from '../../plots/number.ts';
import { words } from './rerope_text.ts';
import { longerStyle } from './style.ts';

type Lengths = Record<'window' | 'trained' | 'length', number>;

/** Beside the line of the window, whose own name stands at its left end, and inside the frame. */
function limitPlace(name: string, frame: Frame, { window, trained }: Lengths) {
  const { left, right, top } = frame;
  const isFree = frame.x(window) > left + 12 + textWidth(name);
  const y = frame.y(trained - 1);
  const down = y - 20 < top ? 17 : -6;
  return isFree
    ? ({ x: left + 6, y: y + down, anchor: 'start' } as const)
    : ({ x: right - 6, y: y + down, anchor: 'end' } as const);
}

/** The relative positions that training saw, and the window. */
function limits(frame: Frame, lengths: Lengths, say: { limit: string; unseen: string }) {
  const { left, right, top, bottom } = frame;
  const { window, trained, length } = lengths;
  const [x, y] = [frame.x(window), frame.y(trained - 1)];
  const name = limitPlace(say.limit, frame, lengths);
  return svg`
    <rect class="unseen" x=${left} width=${right - left} y=${top} height=${Math.max(0, y - top)} />
    <line class="limit" x1=${left} x2=${right} y1=${y} y2=${y} />
    <text class="limit-label" x=${name.x} y=${name.y} text-anchor=${name.anchor}>${say.limit}</text>
    ${
      y - top < 50
        ? null
        : svg`<text class="unseen-name" x=${left + 10} y=${top + 20}>${say.unseen}</text>`
    }
    ${
      window < length
        ? svg`<line class="limit" x1=${x} x2=${x} y1=${frame.y(window)} y2=${bottom} />
          ${nameBeside('w', { x, y: bottom - 6 }, frame)}`
        : null
    }`;
}

export default chartFigure({
  claims: ['C31'],
  text: words.strings,
  tries: words.tries,
  styles: longerStyle,
  controls: defineControls(
    {
      window: range(words.window, { default: 16, min: 1, max: 512 }, { symbol: 'w', hue: 'key' }),
      factor: range(
        words.factor,
        { default: 8, min: 1, max: 64 },
        { symbol: 'c', hue: 'position' },
      ),
      trained: range(
        words.trained,
        { default: 32, min: 2, max: 512 },
        { symbol: 'L₀', display: true },
      ),
      length: range(words.length, { default: 96, min: 8, max: 2048 }, { symbol: 'L' }),
      distance: range(words.distance, { default: 40, min: 0, max: 2047 }, { display: true }),
    },
    { distance: ({ length }) => length - 1 },
  ),
  cursor: 'distance',
  compute: ({ window, factor, length }, engine) => engine.relativeMap({ window, factor, length }),
  show({ data, settings, cursor: distance, say }) {
    const { length, trained } = settings;
    const { rope, leaky, rerope } = data;
    const scores = (length * (length + 1)) / 2;
    const beyond = (map: number[]) => map.filter((position) => position > trained - 1).length;
    return {
      description: say.describe({
        trained,
        length,
        beyond: [rope, leaky, rerope].map(beyond),
        ends: [leaky, rerope].map((map) => rounded(map.at(-1)!, 4)),
      }),
      charts: [
        {
          height: { share: 0.45, min: 280, max: 430 },
          x: { domain: [0, length - 1], label: say.distanceAxis },
          y: { domain: [0, Math.max(trained, length - 1) * 1.02], label: say.relativeAxis },
          series: [
            { name: say.leaky, values: leaky, look: 'position bold', named: { x: 0.56 * length } },
            {
              name: say.rerope,
              values: rerope,
              look: 'key bold',
              named: { x: length, side: 'below' },
            },
            {
              name: say.rope,
              values: rope,
              look: 'plain',
              named: { x: 0.7 * length, side: 'below' },
            },
          ],
          below: (frame) => limits(frame, settings, say),
          written(frame) {
            const { x, y, anchor } = limitPlace(say.limit, frame, settings);
            return [
              boxOf(say.limit, x, y, anchor),
              boxOf(say.unseen, frame.left + 10, frame.top + 20),
              boxOf('w', frame.x(settings.window) + 6, frame.bottom - 6),
            ];
          },
        },
      ],
      numbers: {
        leaky: [say.leakyAt(distance), rounded(leaky[distance]!, 6)],
        rerope: [say.reropeAt(distance), rounded(rerope[distance]!, 6)],
        largest: [say.largest, rounded(leaky.at(-1)!, 6)],
        beyond: [say.beyond, say.counts(beyond(rope), beyond(leaky), beyond(rerope))],
        scores: [say.scores, say.twice(scores, 2 * scores)],
      },
      table: [
        [say.distanceAxis, rope.map((_, k) => k)],
        [say.rope, rope],
        [say.leaky, leaky],
        [say.rerope, rerope],
      ],
    };
  },
});

/** The relative positions that ReRoPE and Leaky ReRoPE give to distances. */
import { svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls } from '../../figures/figure.ts';
import { range } from '../../figures/shared_controls.ts';
import { textWidth } from '../../plots/axis.ts';
import { nameBeside, nameIn, type Frame } from '../../plots/line_chart.ts';
import { rounded } from '../../plots/number.ts';
import { words } from './rerope_text.ts';
import { longerStyle } from './style.ts';

type Lengths = Record<'window' | 'trained' | 'length', number>;

/** The name of the limit, left or right of the line of RoPE; without words where it has no room. */
function limitName(name: string, frame: Frame, trained: number) {
  const { x, y, left, right, top } = frame;
  const isBelow = y(trained - 1) - 20 < top;
  // Where the line passes at the height of the name.
  const passed = (20 / (y(0) - y(1))) * (isBelow ? -1 : 1);
  const [from, to] = [x(trained - 1), x(trained - 1 + passed)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  const isLeft = from > left + 12 + textWidth(name);
  const text = isLeft || to < right - 12 - textWidth(name) ? name : 'L₀ − 1';
  const at = y(trained - 1) + (isBelow ? 17 : -6);
  return isLeft
    ? nameIn(frame, text, { x: left + 6, y: at })
    : nameIn(frame, text, { x: right - 6, y: at, anchor: 'end' });
}

/** The relative positions that training saw, and the window. */
function limits(frame: Frame, lengths: Lengths, say: { limit: string; unseen: string }) {
  const { left, right, top, bottom } = frame;
  const { window, trained, length } = lengths;
  const [x, y] = [frame.x(window), frame.y(trained - 1)];
  return svg`
    <rect class="unseen" x=${left} width=${right - left} y=${top} height=${Math.max(0, y - top)} />
    <line class="limit" x1=${left} x2=${right} y1=${y} y2=${y} />
    ${limitName(say.limit, frame, trained)}
    ${y - top < 50 ? null : nameIn(frame, say.unseen, { x: left + 10, y: top + 20 }, 'unseen-name')}
    ${
      window < length
        ? svg`<line class="limit" x1=${x} x2=${x} y1=${frame.y(window)} y2=${bottom} />
          ${nameBeside(frame, 'w', x, bottom - 6)}`
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
              named: { x: 0.86 * length, side: 'below' },
            },
            {
              name: say.rope,
              values: rope,
              look: 'plain',
              named: { x: 0.7 * length, side: 'below' },
            },
          ],
          digits: 2,
          below: (frame) => limits(frame, settings, say),
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

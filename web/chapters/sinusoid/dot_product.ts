/** The dot product of two position vectors against their offset. */
import { svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls } from '../../figures/figure.ts';
import { baseRange, modelRange, range } from '../../figures/shared_controls.ts';
import type { Frame } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { words } from './dot_product_text.ts';
import { horizon, referencePosition } from './jobs.ts';
import { sinusoidStyle } from './style.ts';

/** Steps of the right side on which the curve climbs although the distance grows. */
function risesOf(reference: readonly number[], range: number): number[] {
  const right = reference.slice(range);
  return right.flatMap((value, offset) =>
    offset > 0 && value > right[offset - 1]! ? [offset] : [],
  );
}

/** Marks the middle, and the two places at one distance, which have one value. */
const marks = ({ x, y, top, bottom }: Frame, offset: number, value: number) => svg`
  <line class="middle" x1=${x(0)} x2=${x(0)} y1=${top} y2=${bottom} />
  ${[offset, -offset].map(
    (at) => svg`<circle class="mirror" cx=${x(at)} cy=${y(value)} r="7" />`,
  )}`;

export default chartFigure({
  claims: ['C09', 'C10', 'C11'],
  text: words.strings,
  tries: words.tries,
  styles: sinusoidStyle,
  controls: defineControls(
    {
      offset: range(
        words.offset,
        { default: 10, min: -1000, max: 1000 },
        { symbol: 'Δ', hue: 'position', display: true },
      ),
      position: range(
        words.position,
        { default: 100, min: 0, max: 2000 },
        { symbol: 'm', hue: 'query' },
      ),
      dim: modelRange('dim', words.dim, { default: 128, min: 4, max: 512 }),
      base: baseRange(2, 1e6),
      range: range(words.range, { default: 100, min: 10, max: 1000, step: 10 }),
    },
    { offset: ({ range }) => range },
  ),
  cursor: 'offset',
  compute: ({ dim, base, position, range }, engine) =>
    engine.dotCurves({ dim, base, position, range }),
  show({ data, settings, cursor, say }) {
    const { range, dim, position } = settings;
    const { offsets, reference, moved } = data;
    const offset = Math.max(-range, cursor);
    const at = (delta: number) => fixed(reference[delta + range]!, 4);
    const rises = risesOf(reference, range);
    const [upper, lower] = [data.upper, data.lower].map((side) =>
      offsets.map((each) => side[Math.abs(each)]!),
    ) as [number[], number[]];
    const names = [say.reference(referencePosition), say.moved(position)] as const;
    return {
      description: say.describe(position, dim / 2, range, fixed(reference[2 * range]!, 2)),
      charts: [
        {
          height: { share: 0.45, min: 280, max: 430 },
          x: { values: offsets, label: say.offsetAxis },
          y: {
            domain: [Math.min(0, ...reference) * 1.05, (dim / 2) * 1.03],
            label: say.dotAxis,
          },
          series: [
            { name: names[0], values: reference, look: 'faint wide' },
            { name: names[1], values: moved, look: 'position bold' },
            { name: say.upper, values: upper, look: 'plain dashed' },
          ],
          cursor: offset,
          below: (frame) => marks(frame, offset, reference[offset + range]!),
        },
      ],
      numbers: {
        dot: [say.dot(offset), at(offset)],
        mirror: [say.dot(-offset), at(-offset)],
        difference: [
          say.difference(position, referencePosition),
          rounded(data.largestDifference, 2),
        ],
        rises: [say.rises(range, rises[0]), String(rises.length)],
        envelope: [
          say.envelope(Math.abs(offset), horizon),
          fixed(data.upper[Math.abs(offset)]!, 4),
        ],
      },
      table: [
        ['Δ', offsets],
        [names[0], reference],
        // Before position 0 there is none.
        [names[1], moved.map((value) => (Number.isNaN(value) ? '' : value))],
        [say.upper, upper],
        [say.lower, lower],
      ],
    };
  },
});

/** The dot product of two position vectors against their offset. */
import { html, svg } from 'lit';
import { baseControl } from '../../figures/base_control.ts';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { lineChart, type Point, type Series } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { dotProductText, words } from './dot_product_text.ts';
import { horizon, referencePosition, type DotCurves } from './jobs.ts';
import { sinusoidStyle } from './style.ts';

const controls = defineControls(
  {
    dim: {
      kind: 'range',
      label: words.dim,
      symbol: 'd',
      default: 128,
      min: 4,
      max: 512,
      step: 2,
      follows: 'dim',
    },
    base: baseControl(2, 1e6),
    position: {
      kind: 'range',
      label: words.position,
      symbol: 'm',
      hue: 'query',
      default: 60,
      min: 0,
      max: 2000,
    },
    range: { kind: 'range', label: words.range, default: 100, min: 10, max: 1000, step: 10 },
    offset: {
      kind: 'range',
      label: words.offset,
      symbol: 'Δ',
      hue: 'position',
      default: 10,
      min: -1000,
      max: 1000,
      display: true,
    },
  },
  {
    offset: ({ range }) => range,
  },
);

/** The offset under the pointer. */
type DotView = View<SettingsOf<typeof controls>, DotCurves, number>;

function offsetOf({ focus, settings }: DotView): number {
  const wanted = Math.round(focus ?? settings.offset);
  return Math.min(settings.range, Math.max(-settings.range, wanted));
}

/** Steps of the right side on which the curve climbs although the distance grows. */
function risesOf(reference: readonly number[], range: number): number[] {
  const right = reference.slice(range);
  return right.flatMap((value, offset) =>
    offset > 0 && value > right[offset - 1]! ? [offset] : [],
  );
}

/** Steps that follow each other, as one stretch from its first to its last distance. */
function climbsOf(rises: readonly number[]): [from: number, to: number][] {
  const climbs: [number, number][] = [];
  for (const to of rises) {
    const last = climbs.at(-1);
    if (last?.[1] === to - 1) last[1] = to;
    else climbs.push([to - 1, to]);
  }
  return climbs;
}

function seriesOf({ settings, data, language }: DotView): Series[] {
  const { position } = settings;
  const strings = words.strings[language];
  const curve = (values: readonly number[]) =>
    data.offsets.map((offset, k): Point => [offset, values[k]!]);
  const bothSides = (values: readonly number[]) =>
    data.offsets.map((offset): Point => [offset, values[Math.abs(offset)]!]);
  return [
    {
      name: strings.reference(referencePosition),
      points: curve(data.reference),
      look: 'faint wide',
    },
    { name: strings.moved(position), points: curve(data.moved), look: 'position bold' },
    { name: strings.upper, points: bothSides(data.upper), look: 'plain dashed' },
    { name: strings.lower, points: bothSides(data.lower), look: 'faint dashed' },
  ];
}

function chart(view: DotView) {
  const { settings, data, language, width } = view;
  const { range, dim } = settings;
  const strings = words.strings[language];
  const series = seriesOf(view);
  const least = Math.min(0, ...data.reference);
  return lineChart({
    width,
    height: Math.round(Math.min(430, Math.max(280, width * 0.45))),
    x: { domain: [-range, range], label: strings.offsetAxis },
    y: { domain: [least * 1.05, (dim / 2) * 1.03], label: strings.dotAxis },
    series,
    label: describe(view),
    cursor: offsetOf(view),
    onCursor: view.setFocus,
    onPick: (offset) => view.set({ offset: Math.round(offset) }),
    below: ({ x, top, bottom }) => svg`
      ${climbsOf(risesOf(data.reference, range)).map(([from, to]) =>
        [from, -to].map(
          (start) =>
            svg`<rect class="climb" x=${x(start)} y=${top}
              width=${x(to) - x(from)} height=${bottom - top} />`,
        ),
      )}
      <line class="middle" x1=${x(0)} x2=${x(0)} y1=${top} y2=${bottom} />`,
  });
}

function results(view: DotView) {
  const { settings, data, language } = view;
  const { range } = settings;
  const strings = words.strings[language];
  const offset = offsetOf(view);
  const at = (delta: number) => data.reference[delta + range]!;
  const rises = risesOf(data.reference, range);
  return numbers([
    { id: 'dot', label: strings.dot(offset), value: fixed(at(offset), 4) },
    { id: 'mirror', label: strings.dot(-offset), value: fixed(at(-offset), 4) },
    {
      id: 'difference',
      label: strings.difference(settings.position, referencePosition),
      value: rounded(data.largestDifference, 2),
    },
    { id: 'rises', label: strings.rises(range, rises[0]), value: String(rises.length) },
    {
      id: 'envelope',
      label: strings.envelope(Math.abs(offset), horizon),
      value: fixed(data.upper[Math.abs(offset)]!, 4),
    },
  ]);
}

function describe({ settings, data, language }: DotView): string {
  const { range, dim } = settings;
  return words.strings[language].describe(dim / 2, range, fixed(data.reference[2 * range]!, 2));
}

export default defineFigure({
  claims: ['C09', 'C10', 'C11'],
  text: dotProductText,
  controls,
  compute: ({ dim, base, position, range }, engine) =>
    engine.dotCurves({ dim, base, position, range }),
  draw: (view: DotView) => html`${chart(view)} ${results(view)}`,
  describe,
  table: ({ settings, data, language }: DotView) => {
    const strings = words.strings[language];
    return {
      columns: [
        'Δ',
        strings.reference(referencePosition),
        strings.moved(settings.position),
        strings.upper,
        strings.lower,
      ],
      rows: data.offsets.map((offset, k) => {
        const distance = Math.abs(offset);
        return [
          offset,
          data.reference[k]!,
          // Before position 0 there is none.
          Number.isNaN(data.moved[k]!) ? '' : data.moved[k]!,
          data.upper[distance]!,
          data.lower[distance]!,
        ];
      }),
    };
  },
  styles: sinusoidStyle,
});

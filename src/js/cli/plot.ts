/** Arrays as drawings: lines where there is one axis, maps of colors where there are more. */
import type { Picture } from './png.js';
import { UsageError, type Axis, type Outcome } from './rules.js';
import { ink, line, rule, text, type Mark, type Point, type Sheet } from './sheet.js';
import type { WritableTensor } from '../formats/file_tensor.js';
import { elementCount, placeOf, shapeText } from '../runtime/tensor.js';

/** The page's scales, in steps of one twelfth: blue, paper, orange; and paper to dark blue. */
const signed =
  '123780 1a57a1 2378c2 599cd5 88bfe6 c1dbee f8f7f4 f4d7bd efb787 e28b5b d35e2c a83f24 7f211b';
const magnitudes =
  'faf7e8 e2edcc cce3af b5d892 8dc897 61b89a 20a89b 039098 007a94 00638f 094c7e 18356e 1c1e5d';
/** The page's hues of position, query, key and value. */
const hues = ['#99348c', '#0a6bb0', '#a85b00', '#0b7558'];

/** Largest number of cells per side of a map; longer axes are thinned. */
const mostCells = 640;
const mostCellsAcross = 1280;
const mostMaps = 256;
export const quiet = '#6d6a62';
const [left, top, gap] = [52, 80, 28];
/** A short axis beside a long one is stretched to this. */
const leastPixels = 160;
/** Room for a text that may be in any font. */
export const widthOf = (content: string) => 7.5 * content.length;

export const numberText = (value: number) => {
  const text = Number(value.toPrecision(3));
  return text !== 0 && Math.abs(text) < 1e-3 ? text.toExponential() : String(text);
};

function colorOf(scale: string): (share: number) => number[] {
  const stops = scale
    .split(' ')
    .map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  return (share) => {
    const place = share * (stops.length - 1);
    const stop = Math.min(Math.floor(place), stops.length - 2);
    return stops[stop]!.map((part, i) =>
      Math.round(part + (stops[stop + 1]![i]! - part) * (place - stop)),
    );
  };
}

/** About as many round numbers from low to high as fit. */
export function ticksOf(low: number, high: number, most: number): number[] {
  const rough = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * power >= rough * 0.999)! * power;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** Whole numbers of an axis, where `pixels` of them leave room for labels. */
const indices = (extent: number, pixels: number) =>
  ticksOf(0, extent - 1, Math.max(1, Math.min(extent - 1, pixels / 48))).filter(Number.isInteger);

interface Scale {
  low: number;
  high: number;
  /** 0 to 1 as red, green and blue. */
  color(share: number): number[];
}

/** Zero in the middle where there are both signs. */
function scaleOf(data: ArrayLike<number | bigint>): Scale {
  let [least, most] = [0, 0];
  for (let at = 0; at < data.length; at++) {
    const value = Number(data[at]);
    if (Number.isFinite(value)) [least, most] = [Math.min(least, value), Math.max(most, value)];
  }
  const high = Math.max(most, -least) || 1;
  const low = least < 0 ? -high : 0;
  return { low, high, color: colorOf(low < 0 ? signed : magnitudes) };
}

function mapOf(
  values: ArrayLike<number | bigint>,
  rows: number,
  columns: number,
  every: Point,
  { low, high, color }: Scale,
): Picture {
  const [height, width] = [Math.ceil(rows / every[1]), Math.ceil(columns / every[0])];
  const pixels = new Uint8Array(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const value = Number(
      values[Math.floor(i / width) * every[1] * columns + (i % width) * every[0]],
    );
    if (Number.isFinite(value)) pixels.set([...color((value - low) / (high - low)), 255], 4 * i);
  }
  return { width, height, pixels };
}

function legend({ low, high, color }: Scale, x: number, height: number): Mark[] {
  const shades = 128;
  const pixels = Uint8Array.from(
    Array.from({ length: shades }, (_, i) => [...color(1 - i / (shades - 1)), 255]).flat(),
  );
  const place = (value: number) => top + height * (1 - (value - low) / (high - low));
  const ends = low < 0 ? [high, 0, low] : [high, (high + low) / 2, low];
  return [
    {
      kind: 'cells',
      at: [x, top],
      size: [12, height],
      picture: { width: 1, height: shades, pixels },
    },
    ...ends.flatMap((value) => [
      line(
        [
          [x + 12, place(value)],
          [x + 16, place(value)],
        ],
        ink,
      ),
      text([x + 20, place(value) + 4], 'start', numberText(value)),
    ]),
  ];
}

const labelOf = (axis: Axis, i: number) => (typeof axis === 'string' ? `${axis} ${i}` : axis[i]!);
const nameOf = (axis: Axis) => (typeof axis === 'string' ? axis : axis.join(', '));

function maps(name: string, { data, shape }: WritableTensor, axes: readonly Axis[]): Sheet {
  const [rows, columns] = shape.slice(-2) as [number, number];
  const leading = shape.slice(0, -2);
  const count = elementCount(leading);
  const across = Math.ceil(Math.sqrt(count));
  const most = Math.min(mostCells, Math.floor(mostCellsAcross / across));
  const every = [columns, rows].map((extent) => Math.ceil(extent / most)) as [number, number];
  const shown = [columns, rows].map((extent, axis) => Math.ceil(extent / every[axis]!)) as [
    number,
    number,
  ];
  const square = Math.max(1, Math.min(24, Math.floor(mostCells / across / Math.max(...shown))));
  const cell = shown.map((extent) =>
    Math.max(square, Math.min(24, Math.floor(leastPixels / extent))),
  ) as [number, number];
  const [width, height] = [shown[0] * cell[0], shown[1] * cell[1]];
  const room = Math.max(width, 56) + gap;
  const scale = scaleOf(data);
  const panel = (i: number): Mark[] => {
    const [x, y] = [left + (i % across) * room, top + Math.floor(i / across) * (height + 2 * gap)];
    const middle = (axis: 0 | 1, index: number) =>
      (Math.floor(index / every[axis]) + 0.5) * cell[axis];
    const label = placeOf(i, leading)
      .map((index, axis) => labelOf(axes[axis]!, index))
      .join(', ');
    const frame: Point[] = [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
      [x, y],
    ];
    const values = data.subarray(i * rows * columns, (i + 1) * rows * columns);
    return [
      {
        kind: 'cells',
        at: [x, y],
        size: [width, height],
        picture: mapOf(values, rows, columns, every, scale),
      },
      line(frame, rule),
      ...(label ? [text([x, y - 8], 'start', label)] : []),
      ...(i % across > 0
        ? []
        : indices(rows, height).map((row) =>
            text([x - 8, y + middle(1, row) + 4], 'end', String(row)),
          )),
      ...(i + across < count
        ? []
        : indices(columns, width).map((column) =>
            text([x + middle(0, column), y + height + 18], 'middle', String(column)),
          )),
    ];
  };
  const bottom = top + Math.ceil(count / across) * (height + 2 * gap) - 2 * gap;
  const scaleAt = left + Math.min(count, across) * room;
  const bar = Math.max(96, Math.min(200, height));
  const title = `${name} ${shapeText(shape)}`;
  const [axis0, axis1] = axes
    .slice(-2)
    .map((axis, i) => `${nameOf(axis)}${every[1 - i]! > 1 ? ` (1 of ${every[1 - i]})` : ''}`);
  const way = `${axis0} down, ${axis1} across`;
  return {
    width: Math.max(scaleAt + 80, left + widthOf(way), left + widthOf(title)),
    height: Math.max(bottom, top + bar) + 40,
    title,
    description: `${way}; colors from ${numberText(scale.low)} to ${numberText(scale.high)}; what is not finite has none.`,
    marks: [
      text([left, 22], 'start', title),
      text([left, 40], 'start', way, quiet),
      ...Array.from({ length: count }, (_, i) => panel(i)).flat(),
      ...legend(scale, scaleAt, bar),
    ],
  };
}

/** Where a value stands on the vertical axis, and what is written beside it. */
function heightsOf(low: number, high: number) {
  if (low > 0 && high / low > 100) {
    const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
    const every = Math.ceil((to - from) / 8);
    const powers = Array.from({ length: to - from + 1 }, (_, i) => from + i).filter(
      (power) => (power - from) % every === 0,
    );
    const share = (value: number) => (Math.log10(value) - from) / (to - from);
    return { share, ticks: powers.map((power) => 10 ** power), says: ', logarithmic' };
  }
  const [from, to] = [Math.min(0, low), Math.max(0, high) || 1];
  return {
    share: (value: number) => (value - from) / (to - from),
    ticks: ticksOf(from, to, 6),
    says: '',
  };
}

function lines(arrays: [string, WritableTensor][], axis: Axis): Sheet {
  const count = arrays[0]![1].data.length;
  const [width, height] = [560, 280];
  const all = arrays
    .flatMap(([, { data }]) => Array.from(data as ArrayLike<number>, Number))
    .filter(Number.isFinite);
  const [low, high] = [
    all.reduce((a, b) => Math.min(a, b), Infinity),
    all.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  const { share, ticks, says } = heightsOf(low, high);
  const across = (i: number) => left + 12 + (count > 1 ? (i / (count - 1)) * width : 0);
  const down = (value: number) => top + height * (1 - share(value));
  const title = `${arrays.map(([name]) => name).join(', ')} ${shapeText([count])}`;
  const ends = arrays.map(([, { data }]) => down(Number(data[count - 1])));
  // Names are at the ends of their lines, stacked where lines end close together.
  const order = ends.map((_, i) => i).toSorted((a, b) => ends[a]! - ends[b]!);
  const names = order.reduce<Point[]>(
    (all, i) => [...all, [i, Math.max(ends[i]!, (all.at(-1)?.[1] ?? -Infinity) + 16)]],
    [],
  );
  const pathOf = (data: WritableTensor['data']) =>
    Array.from(
      data as ArrayLike<number>,
      (value, i) => [across(i), down(Number(value))] as const,
    ).filter(([, y]) => Number.isFinite(y));
  return {
    width: left + 12 + width + 96,
    height: top + height + 40,
    title,
    description: `By ${nameOf(axis)}${says}, from ${numberText(low)} to ${numberText(high)}.`,
    marks: [
      text([left, 22], 'start', title),
      text([left, 40], 'start', `by ${nameOf(axis)}${says}`, quiet),
      ...ticks.flatMap((value) => [
        line(
          [
            [left + 4, down(value)],
            [left + 12 + width, down(value)],
          ],
          rule,
        ),
        text([left, down(value) + 4], 'end', numberText(value)),
      ]),
      ...indices(count, width).map((i) =>
        text([across(i), top + height + 20], 'middle', String(i)),
      ),
      ...arrays.map(([, { data }], i) => line(pathOf(data), hues[i % hues.length]!, 2)),
      ...names.map(([i, y]) =>
        text([left + width + 20, y + 4], 'start', arrays[i]![0], hues[i % hues.length]!),
      ),
    ],
  };
}

/** The first array, or those that were chosen; lists of one length share a drawing. */
export function plotOf(format: string, { arrays, axes = {} }: Outcome, chosen: boolean): Sheet {
  const all = Object.entries(arrays);
  const [first] = all;
  const got = all.map(([name]) => name).join(',') || 'nothing';
  const invalid = (rule: string) =>
    new UsageError(`--return must name ${rule} for ${format}, got ${got}`);
  if (!first) throw invalid('one array');
  const [name, array] = first;
  const { shape } = array;
  if (shape.length === 0 || array.data.length === 0)
    throw invalid('an array with an axis and values');
  if (elementCount(shape.slice(0, -2)) > mostMaps)
    throw invalid(`an array of at most ${mostMaps} maps`);
  const named = axes[name] ?? shape.map((_, axis) => `axis ${axis}`);
  const own = named.slice(-shape.length);
  if (shape.length > 1 && (!chosen || all.length === 1)) return maps(name, array, own);
  const shown = chosen ? all : [first];
  if (shown.some(([, each]) => String(each.shape) !== String(shape)) || shape.length > 1)
    throw invalid('one array, or lists of one length,');
  return lines(shown, own[0]!);
}

/** Where the values of an axis stand, and which round ones are written. */
import { fixed } from './number.ts';

type Pair = readonly [number, number];

export interface Scale {
  /** The position of a value, in pixels. */
  (value: number): number;
  /** The value at a position. */
  invert(position: number): number;
  /** About `count` round values of the domain, in the order of the domain. */
  ticks(count: number): number[];
  /** Formats these values, with the decimals that their distance needs. */
  tickFormat(count: number): (value: number) => string;
}

/** The largest factor of a step below these quotients has them as geometric means. */
const steps = [
  [10, Math.sqrt(50)],
  [5, Math.sqrt(10)],
  [2, Math.sqrt(2)],
] as const;

/** The step between ticks: 1, 2 or 5 times a power of ten, by the factor and the exponent. */
function stepOf([low, high]: Pair, count: number): { factor: number; exponent: number } {
  const wanted = (high - low) / Math.max(1, count);
  const exponent = Math.floor(Math.log10(wanted));
  const quotient = wanted / 10 ** exponent;
  const [factor = 1] = steps.find(([, least]) => quotient >= least) ?? [];
  return factor === 10 ? { factor: 1, exponent: exponent + 1 } : { factor, exponent };
}

function linearTicks([from, to]: Pair, count: number): number[] {
  const [low, high] = from < to ? [from, to] : [to, from];
  if (!(high > low)) return [low];
  const { factor, exponent } = stepOf([low, high], count);
  // A power of ten below 1 is no exact float: dividing by its inverse rounds once.
  const power = 10 ** Math.abs(exponent);
  const at = (k: number) => (exponent < 0 ? (k * factor) / power : k * factor * power);
  const step = at(1);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, k) => at(first + k));
  return from < to ? ticks : ticks.reverse();
}

/** Equal differences are equal distances. */
export function scaleLinear(domain: Pair, [start, end]: Pair): Scale {
  const [low, high] = domain;
  const scale = (value: number) =>
    high === low ? (start + end) / 2 : start + ((value - low) / (high - low)) * (end - start);
  const decimals = (count: number) => {
    const { exponent } = stepOf([Math.min(low, high), Math.max(low, high)], count);
    return Number.isFinite(exponent) ? Math.max(0, -exponent) : 0;
  };
  return Object.assign(scale, {
    invert: (position: number) => low + ((position - start) / (end - start)) * (high - low),
    ticks: (count: number) => linearTicks(domain, count),
    tickFormat: (count: number) => (value: number) => fixed(value, decimals(count)),
  });
}

/** Equal ratios are equal distances; above 0 only. */
export function scaleLog([low, high]: Pair, range: Pair): Scale {
  const linear = scaleLinear([Math.log(low), Math.log(high)], range);
  return Object.assign((value: number) => linear(Math.log(value)), {
    invert: (position: number) => Math.exp(linear.invert(position)),
    /** Every digit times every power of ten. */
    ticks() {
      const exponents = [Math.floor(Math.log10(low)), Math.floor(Math.log10(high))] as const;
      const powers = Array.from(
        { length: exponents[1] - exponents[0] + 1 },
        (_, k) => k + exponents[0],
      );
      return powers
        .flatMap((power) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => Number(`${digit}e${power}`)))
        .filter((value) => value >= low && value <= high);
    },
    tickFormat: () => String,
  });
}

/** The place in a list that ascends by `at` of the item nearest to a value. */
export function nearest<Item>(items: readonly Item[], at: (item: Item) => number, value: number) {
  let [low, high] = [0, items.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(items[middle]!) < value) low = middle + 1;
    else high = middle;
  }
  const isCloser = low > 0 && value - at(items[low - 1]!) < at(items[low]!) - value;
  return isCloser ? low - 1 : low;
}

const rounded = (length: number) => Math.round(length * 1000) / 1000;
const pointed = ([x, y]: Pair) => `${rounded(x)},${rounded(y)}`;

/** Splits a list where `isDefined` is false. */
function runs<Item>(items: readonly Item[], isDefined: (item: Item) => boolean): Item[][] {
  const found: Item[][] = [[]];
  for (const item of items) {
    if (isDefined(item)) found.at(-1)!.push(item);
    else if (found.at(-1)!.length > 0) found.push([]);
  }
  return found.filter((run) => run.length > 0);
}

const joined = (points: readonly Pair[]) => points.map(pointed).join('L');

/** The path of a line through points in pixels; points that are not finite leave a gap. */
export const linePath = (points: readonly Pair[]): string =>
  runs(points, ([, y]) => Number.isFinite(y))
    // A point by itself is closed, so that round caps draw it.
    .map((run) => `M${joined(run)}${run.length === 1 ? 'Z' : ''}`)
    .join('');

/** The path of the area between two heights at each x. */
export const areaPath = (bands: readonly (readonly [x: number, low: number, high: number])[]) =>
  runs(bands, ([, low, high]) => Number.isFinite(low + high))
    .map((run) => {
      const above = run.map(([x, , high]): Pair => [x, high]);
      const below = run.map(([x, low]): Pair => [x, low]).reverse();
      return `M${joined([...above, ...below])}Z`;
    })
    .join('');

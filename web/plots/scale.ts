/** From values to pixels and back, round numbers on an axis, and paths through pixels. */
import { range, tickStep, ticks } from 'd3-array';
import type { Tick } from './axis.ts';
import { fixed } from './number.ts';

type Ends = readonly [from: number, to: number];

/** Position in pixels of a value. */
export interface Scale {
  (value: number): number;
  /** The value at a position. */
  invert(pixel: number): number;
}

/** Equal differences are equal distances. */
export const linearScale = (domain: Ends, pixels: Ends) => scale(domain, pixels, Number, Number);

/** Equal ratios are equal distances; for a domain above 0. */
export const logScale = (domain: Ends, pixels: Ends) => scale(domain, pixels, Math.log, Math.exp);

type Map = (value: number) => number;

function scale(domain: Ends, [start, end]: Ends, to: Map, back: Map): Scale {
  const [low, high] = [to(domain[0]), to(domain[1])];
  // A domain of one value lies in the middle.
  const share = (value: number) => (high === low ? 0.5 : (to(value) - low) / (high - low));
  const at = (value: number) => start + (end - start) * share(value);
  return Object.assign(at, {
    invert: (pixel: number) => back(low + ((high - low) * (pixel - start)) / (end - start)),
  });
}

/** About `count` round numbers within a domain, with the decimals that tell them apart. */
export function roundTicks([from, to]: Ends, count: number): Tick[] {
  const digits = Math.max(0, -Math.floor(Math.log10(Math.abs(tickStep(from, to, count)))));
  return ticks(from, to, count).map((value) => ({ value, text: fixed(value, digits) }));
}

/** The multiples of powers of ten within a domain, from 1 to 9 times each. */
export const decadeTicks = ([from, to]: Ends): number[] =>
  range(Math.floor(Math.log10(from)), Math.floor(Math.log10(to)) + 1)
    .flatMap((power) => range(1, 10).map((k) => Number(`${k}e${power}`)))
    .filter((value) => value >= from && value <= to);

type Pixel = readonly [x: number, y: number];

/** A line through points, broken where one is not finite; a point alone is a dot. */
export const linePath = (points: readonly Pixel[]): string =>
  runsOf(points, ([, y]) => Number.isFinite(y))
    .map((run) => `M${run.map(pair).join('L')}${run.length === 1 ? 'Z' : ''}`)
    .join('');

/** The area between two heights at each x, broken where one is not finite. */
export const bandPath = (bands: readonly (readonly [x: number, low: number, high: number])[]) =>
  runsOf(bands, ([, low, high]) => Number.isFinite(low + high))
    .map((run) => {
      const there = run.map(([x, low]) => pair([x, low]));
      const back = run.map(([x, , high]) => pair([x, high])).reverse();
      return `M${[...there, ...back].join('L')}Z`;
    })
    .join('');

const pair = ([x, y]: Pixel) => `${Number(x.toFixed(2))},${Number(y.toFixed(2))}`;

function runsOf<Item>(items: readonly Item[], isDrawn: (item: Item) => boolean): Item[][] {
  const runs: Item[][] = [[]];
  for (const item of items) {
    if (isDrawn(item)) runs.at(-1)!.push(item);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

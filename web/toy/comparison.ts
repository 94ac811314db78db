/** What changes when another scheme takes the place of the first: B - A, map by map. */
import type { MapName, Pass } from './pass.ts';

export interface Comparison {
  pass: Pass;
  /** As of the first scheme: max |weight(offset) - weight(0)|, over all heads. */
  offsetChange: number;
  /**
   * Over all cells of the chosen head: the mean of |B - A| of the weights, and where it is largest.
   */
  mean: number;
  largest: { row: number; column: number; change: number };
  /** Largest finite |B - A| of each map, for its colors. */
  limits: Record<MapName, number>;
}

const mapNames = ['input', 'content', 'scores', 'bias', 'biased', 'weights', 'output'] as const;

/** B - A; a map that a scheme does not have is zeros. */
export function difference(a: Pass, b: Pass, map: MapName, index: number): number {
  return (b[map]?.[index] ?? 0) - (a[map]?.[index] ?? 0);
}

export function changeOfWeights(a: Pass, b: Pass): Omit<Comparison, 'pass' | 'offsetChange'> {
  const count = a.order.length;
  let sum = 0;
  let at = 0;
  const change = (index: number) => difference(a, b, 'weights', index);
  for (let index = 0; index < count * count; index++) {
    sum += Math.abs(change(index));
    if (Math.abs(change(index)) > Math.abs(change(at))) at = index;
  }
  const largest = { row: Math.floor(at / count), column: at % count, change: change(at) };
  const maps = mapNames.map((name) => {
    const values = (a[name] ?? b[name])?.map((_, index) => difference(a, b, name, index));
    return [name, values] as const;
  });
  return { mean: sum / count ** 2, largest, limits: limitsOf(Object.fromEntries(maps)) };
}

type Maps = Partial<Record<MapName, Float32Array | undefined>>;

export function limitsOf(maps: Maps): Record<MapName, number> {
  const entries = mapNames.map((name) => [name, largestFinite(maps[name] ?? [])]);
  return Object.fromEntries(entries) as Record<MapName, number>;
}

/** Largest |value| that is finite; a masked score and the difference of two are not. */
export function largestFinite(values: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    if (size > largest && size !== Infinity) largest = size;
  }
  return largest;
}

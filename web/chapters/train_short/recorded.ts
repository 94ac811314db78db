/** What several recorded runs of one scheme have in common. */
import type { Point, Range } from '../../plots/line_chart.ts';
import type { RecordedRun } from '../../trained/recordings.ts';

export interface Spread {
  mean: number;
  /** Standard deviation with n − 1; NaN of one value. */
  deviation: number;
  low: number;
  high: number;
  count: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    mean,
    deviation: count > 1 ? Math.sqrt(squares / (count - 1)) : NaN,
    low: Math.min(...values),
    high: Math.max(...values),
    count,
  };
}

/** A line through the means of several lists of points over the same x, and their spread. */
export function joined(lists: readonly (readonly Point[])[]): { points: Point[]; band: Range[] } {
  const [first = []] = lists;
  const spreads = first.map(([x], i) => ({
    x,
    ...spreadOf(lists.flatMap((list) => (list[i] ? [list[i][1]] : []))),
  }));
  return {
    points: spreads.map(({ x, mean }) => [x, mean]),
    band: spreads.map(({ x, low, high }) => [x, low, high]),
  };
}

/** Bins of equal ratio: so many to a doubling of the place. */
const binsPerOctave = 6;

/**
 * Loss by place. The second half of a sequence is scored; a causal model has the same loss at a
 * place of every longer sequence, so the halves of all lengths follow on each other.
 */
export function byPlace(run: RecordedRun, evaluation: string): Point[] {
  const bins = new Map<number, { sum: number; count: number }>();
  const losses = (run.evaluations[evaluation] ?? []).flatMap(
    ({ places, lossByPlace = [] }) =>
      places ?? lossByPlace.map((loss, place): Point => [place, loss]),
  );
  for (const [place, loss] of losses) {
    if (!Number.isFinite(loss)) continue;
    const bin = Math.floor(binsPerOctave * Math.log2(place) + 1e-9);
    const { sum, count } = bins.get(bin) ?? { sum: 0, count: 0 };
    bins.set(bin, { sum: sum + loss, count: count + 1 });
  }
  return [...bins]
    .sort(([a], [b]) => a - b)
    .map(([bin, { sum, count }]) => [2 ** ((bin + 0.5) / binsPerOctave), sum / count]);
}

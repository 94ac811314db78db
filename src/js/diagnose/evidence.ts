/** Compares the arrays of a dump with the predictions of a model. */
import type { Functions } from '../ropewalk.js';
import type { Precision } from './dump.js';
import type { Model } from './model.js';
import type { Sequence } from './tables.js';
import type { Tensor } from '../runtime/tensor.js';

/** Where an array differs from a prediction. */
export interface Place {
  /** The name of the array. */
  array: string;
  /** Indices by axis: batch, head, row, position, pair, query, key, … */
  at: Record<string, number>;
}

/** How far an array is from a prediction. */
export interface Comparison {
  /** The largest |observed − predicted| / tolerance: up to 1 the prediction fits. */
  ratio: number;
  /** The largest |observed − predicted|. */
  error: number;
  /** The first value beyond its tolerance, else the one nearest to it. */
  at: number;
}

/**
 * Called with the values that are compared, which `at` counts.
 * @param tolerance the bound of each difference, 0 for what is not compared, where it is known
 */
export type Watch = (
  observed: ArrayLike<number>,
  predicted: ArrayLike<number>,
  tolerance?: (at: number) => number,
) => void;

/** Compared values along one axis: every `step`-th from `start` on. */
export interface Line {
  /** What x counts: pair, position, key, … */
  axis: string;
  start: number;
  step: number;
  x: ArrayLike<number>;
}

/** Scores beside the vectors before rotation that make them. */
export interface ScoreSides {
  /** [batch, heads, rows, width]; of them, the rotated part. */
  q: Tensor;
  k: Tensor;
  /** q · k of channels that are kept apart and not rotated. */
  others(head: number, query: number, key: number): number;
  observed: Tensor;
  queries: Sequence;
  keys: Sequence;
  /** The factor on q · k under a model. */
  scaleOf(model: Model): number;
  /** Rounding of a score, relative to the norms of its vectors. */
  relative: number;
}

/** Observed values, and their comparison with a model. */
export interface Evidence {
  layer: number | undefined;
  /** The arrays that take part, the observed one first. */
  arrays: string[];
  /** The model of this evidence by its configuration. */
  nominal: Model;
  /** Whether arrays of a reference are compared, not predictions of the model. */
  isReference?: true;
  /** Scores beside vectors before rotation, of which positions can be measured. */
  sides?: ScoreSides;
  /** @param limit a ratio beyond which the comparison may end early */
  compare(model: Model, limit?: number, watch?: Watch): Comparison;
  /** The same for a few of the rows: a lower bound of the ratio, where it is worth it. */
  compareSome?(model: Model, limit?: number): Comparison | undefined;
  placeOf(at: number): Place;
  /**
   * The line through a value.
   * @param length how many values there are
   */
  lineOf(at: number, length: number): Line;
}

/** 0, 1, 2, … */
export const counted = (count: number) => Array.from({ length: count }, (_, i) => i);

/** The row of `width` values that holds the value, such as the keys of one query. */
export const rowLine = (axis: string, width: number, at: number): Line => ({
  axis,
  start: at - (at % width),
  step: 1,
  x: counted(width),
});

/** Options of all evidence. */
export interface Context {
  rw: Functions;
  /** The format that the model computes in, by its configuration. */
  precision: Precision;
}

/** Nothing fits: the prediction has another shape, or cannot be made. */
export const mismatch: Comparison = { ratio: Infinity, error: Infinity, at: 0 };

/** Half the distance between neighbors at 1, times the roundings of a rotation. */
export const roundingOf = { f32: 2 ** -22, f16: 2 ** -10, bf16: 2 ** -7 } as const;

/**
 * Relative error of an angle in floats: the frequency's exponent, the power, and the product are
 * each rounded.
 */
export const angleRounding = 6e-7;

/**
 * Bounds for values that are rounded to the other neighboring number of a narrow format, because
 * they were computed slightly differently: the error, and the share of such values.
 */
export interface Flips {
  size(at: number): number;
  share: number;
}

/** Compares values one by one. `tolerance` is called with their index; 0 skips the value. */
export function compared(
  observed: ArrayLike<number>,
  predicted: ArrayLike<number>,
  tolerance: (at: number) => number,
  { flips, limit = Infinity }: { flips?: Flips | undefined; limit?: number | undefined } = {},
): Comparison {
  let [ratio, error, at, first] = [0, 0, 0, -1];
  let flipsLeft = flips ? 2 + flips.share * observed.length : 0;
  for (let i = 0; i < observed.length; i++) {
    const allowed = tolerance(i);
    if (allowed === 0) continue;
    // Also NaN in place of NaN, of which the difference is not 0.
    if (Object.is(observed[i], predicted[i])) continue;
    const difference = Math.abs(observed[i]! - predicted[i]!);
    const part = difference <= Infinity ? difference / allowed : Infinity;
    if (part > 1 && flips && difference <= flips.size(i) && flipsLeft-- > 0) continue;
    if (part > 1 && first < 0) first = i;
    if (part > ratio) {
      ratio = part;
      at = i;
      if (ratio > limit) return { ratio, error: difference, at };
    }
    if (!(difference <= error)) error = Number.isNaN(difference) ? Infinity : difference;
  }
  return { ratio, error, at: first < 0 ? at : first };
}

/** Whether the values are numbers of a narrower format. */
export function isExactlyIn(
  rw: Functions,
  values: ArrayLike<number>,
  format: 'f16' | 'bf16',
): boolean {
  const count = Math.min(values.length, 4096);
  // Scores of masked keys may be −∞, and frequencies without a value NaN.
  const some = Float64Array.from({ length: count }, (_, i) => values[i]!).filter(Number.isFinite);
  return rw.roundTo(some, format).every((value, i) => value === some[i]);
}

/**
 * The format to judge an array by. NumPy has no bfloat16, so an array of a bfloat16 model may be
 * stored in floats.
 */
export function precisionOf(
  { rw, precision }: Context,
  array: { format: Precision; data: ArrayLike<number> },
): Precision {
  if (array.format !== 'f32') return array.format;
  if (precision === 'f32' || !isExactlyIn(rw, array.data, precision)) return 'f32';
  return precision;
}

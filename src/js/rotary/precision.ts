/** Positions, frequencies, angles and scores rounded to narrow number formats. */
import { numbers, positionList } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { object, read, type Schema } from '../runtime/schema.js';
import { layoutOrHalves, type RotaryLayout } from './rotary.js';
import { frequencies, type RotaryFrequencies } from './frequencies.js';
import type { Positions } from '../runtime/tensor.js';

/** IEEE binary64, binary32, binary16, and bfloat16. */
export type NumberFormat = 'f64' | 'f32' | 'f16' | 'bf16';

/** The format of each stage, which computes in double and rounds once. Default 'f64'. */
export interface RotaryFormats {
  /** Positions. */
  position?: NumberFormat;
  /** Frequencies. */
  frequency?: NumberFormat;
  /** Products of both. */
  angle?: NumberFormat;
  /** cos and sin. */
  table?: NumberFormat;
  /** Queries and keys, before and after rotation. */
  vectors?: NumberFormat;
}

export interface RoundedRotaryTable {
  /** Row-major, one row per position and one column per pair. */
  angles: Float64Array;
  /** Cosines of the angles. */
  cos: Float64Array;
  /** Sines of the angles. */
  sin: Float64Array;
  /** That of each of the three. */
  shape: [positions: number, pairs: number];
}

/**
 * How the angle of a position and a pair is computed.
 *
 * - double-product: position × frequency in double, as this library does.
 * - float-product: both and their product in float (Hugging Face, vLLM).
 * - running-product: angle × base^(−2/dim) from pair to pair, in float (ggml).
 * - recurrence: (cos, sin) rotated by one step per position, in float, without trigonometry.
 */
export type AngleMethod = 'double-product' | 'float-product' | 'running-product' | 'recurrence';

export interface RoundedRotaryTableOptions {
  /** A count, or the positions themselves. */
  positions: Positions;
  /** The frequency of each pair. */
  frequencies: RotaryFrequencies;
  /** The format of each stage. */
  formats?: RotaryFormats;
}

export interface RoundedRotaryScoresOptions {
  /** One query of a head. */
  query: ArrayLike<number>;
  /** One key of a head. */
  key: ArrayLike<number>;
  /** Positions of the query. */
  positions: Positions;
  /** How far before the query the key stands. */
  distance: number;
  /** The frequency of each pair. */
  frequencies: RotaryFrequencies;
  /** Which values are a pair. Default 'half-split'. */
  layout?: RotaryLayout;
  /** The format of each stage. */
  formats?: RotaryFormats;
}

export interface RotaryAngleErrorsOptions {
  /** A count, or the positions themselves. */
  positions: Positions;
  /** The frequency of each pair. */
  frequencies: RotaryFrequencies;
  /** How the angle is formed. */
  method: AngleMethod;
}

const numberFormat = option.oneOf('f64', 'f32', 'f16', 'bf16');
const formatsSchema = {
  position: numberFormat.default('f64'),
  frequency: numberFormat.default('f64'),
  angle: numberFormat.default('f64'),
  table: numberFormat.default('f64'),
  vectors: numberFormat.default('f64'),
} satisfies Schema<RotaryFormats>;

const formats = object<RotaryFormats, typeof formatsSchema>(formatsSchema).default(
  read<RotaryFormats, typeof formatsSchema>('formats', undefined, formatsSchema),
);

const roundedTableSchema = {
  positions: option.positions,
  frequencies,
  formats,
} satisfies Schema<RoundedRotaryTableOptions>;

const roundedScoresSchema = {
  query: option.numbers,
  key: option.numbers,
  positions: option.positions,
  distance: option.finite,
  frequencies,
  layout: layoutOrHalves,
  formats,
} satisfies Schema<RoundedRotaryScoresOptions>;

const angleErrorsSchema = {
  positions: option.positions,
  frequencies,
  method: option.oneOf('double-product', 'float-product', 'running-product', 'recurrence'),
} satisfies Schema<RotaryAngleErrorsOptions>;

export const precision = (core: Core) => ({
  /**
   * The nearest numbers of a format, ties to even, rounded once from double: subnormals included,
   * beyond the largest number infinity.
   * @param values doubles
   * @returns as many doubles, each of which the format can hold
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see IEEE 754-2019, section 4.3.1
   */
  roundTo(values: ArrayLike<number>, format: NumberFormat): Float64Array {
    const kind = numberFormat.read('format', format);
    const list = numbers('values', values);
    core.sendDoubles([list]);
    return core.doubles(core.raw.roundedTo(list.length, kind));
  },

  /**
   * How many different positions are left in a format: bf16 names 385 of the first 512.
   * @param positions a count, or the positions themselves
   * @returns a count
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see transformers, pull request 29285 (what narrow formats did to rotary positions)
   */
  distinctPositions(positions: Positions, format: NumberFormat): number {
    const kind = numberFormat.read('format', format);
    const list = positionList('positions', option.positions.read('positions', positions));
    core.sendDoubles([list]);
    const rounded = core.doubles(core.raw.roundedTo(list.length, kind));
    // Rounding keeps the order, and a count is in order.
    if (typeof positions !== 'number') rounded.sort();
    let distinct = 1;
    for (let i = 1; i < rounded.length; i++) distinct += Number(rounded[i] !== rounded[i - 1]);
    return distinct;
  },

  /**
   * Angles, cosines and sines with each stage rounded to its format. What a format cannot hold is
   * infinite, as 65,520 and more in f16; an infinite angle has neither cosine nor sine, but NaN.
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see transformers, pull request 29285 (what narrow formats did to rotary positions)
   */
  roundedRotaryTable(settings: RoundedRotaryTableOptions): RoundedRotaryTable {
    const given = read('roundedRotaryTable options', settings, roundedTableSchema);
    const { inverseFrequencies } = given.frequencies;
    const { position, frequency, angle, table } = given.formats;
    const positions = positionList('positions', given.positions, 48 * inverseFrequencies.length);
    const cells = positions.length * inverseFrequencies.length;
    core.sendDoubles([positions, inverseFrequencies]);
    const packed = core.doubles(
      core.raw.roundedRotaryTable(
        positions.length,
        inverseFrequencies.length,
        position,
        frequency,
        angle,
        table,
      ),
    );
    return {
      angles: packed.slice(0, cells),
      cos: packed.slice(cells, 2 * cells),
      sin: packed.slice(2 * cells),
      shape: [positions.length, inverseFrequencies.length],
    };
  },

  /**
   * The score of a query at each position with a key `distance` before it, with each stage rounded.
   * Exact rotation gives the same number everywhere; how far these spread is what the formats cost.
   * Where a stage is beyond its format, as in roundedRotaryTable, the score is infinite or NaN.
   * @returns one score per position
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Wang et al. 2024, When Precision Meets Position (bfloat16 breaks the relative property)
   */
  roundedRotaryScores(settings: RoundedRotaryScoresOptions): Float64Array {
    const given = read('roundedRotaryScores options', settings, roundedScoresSchema);
    const { query, key, distance, layout } = given;
    const { inverseFrequencies } = given.frequencies;
    for (const name of ['query', 'key'] as const) {
      if (given[name].length === 2 * inverseFrequencies.length) continue;
      throw wrongValue(
        name,
        `must have two values per frequency, ${2 * inverseFrequencies.length}`,
        given[name].length,
      );
    }
    const positions = positionList('positions', given.positions, 48 * inverseFrequencies.length);
    const { position, frequency, angle, table, vectors } = given.formats;
    core.sendDoubles([query, key, positions, inverseFrequencies]);
    return core.doubles(
      core.raw.roundedRotaryScores(
        positions.length,
        inverseFrequencies.length,
        distance,
        layout,
        position,
        frequency,
        angle,
        table,
        vectors,
      ),
    );
  },

  /**
   * How far off the angles are that a method forms, in radians within half a turn, against the
   * exact product of position and frequency: row-major, one row per position and one column per
   * pair. A recurrence walks from 0 to the largest position and needs whole ones up to 2^24.
   * @returns errors of shape [positions, pairs]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see ggml, rope (running product); transformers and vLLM (product in float)
   */
  rotaryAngleErrors(settings: RotaryAngleErrorsOptions): {
    errors: Float64Array;
    shape: [positions: number, pairs: number];
  } {
    const given = read('rotaryAngleErrors options', settings, angleErrorsSchema);
    const { method } = given;
    const { inverseFrequencies } = given.frequencies;
    const positions = positionList('positions', given.positions, 16 * inverseFrequencies.length);
    const pairs = inverseFrequencies.length;
    // The core walks on from position to position, and from 0 again at each step back.
    const order = Uint32Array.from(positions.keys());
    if (method === 'recurrence') order.sort((a, b) => positions[a]! - positions[b]!);
    core.sendDoubles([Float64Array.from(order, (row) => positions[row]!), inverseFrequencies]);
    const walked = core.doubles(core.raw.rotaryAngleErrors(positions.length, pairs, method));
    const errors = new Float64Array(walked.length);
    order.forEach((row, i) => errors.set(walked.subarray(i * pairs, (i + 1) * pairs), row * pairs));
    return { errors, shape: [positions.length, pairs] };
  },
});

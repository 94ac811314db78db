/** Absolute positions: tables at the input. */
import {
  countOf,
  destination,
  fitting,
  positionList,
  type CheckedPositions,
} from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { Positions, Tensor } from '../runtime/tensor.js';

export interface IntegerPositionsOptions {
  /** A count, or the positions themselves. */
  positions: Positions;
}

const integerPositionsSchema = {
  positions: option.positions,
} satisfies Schema<IntegerPositionsOptions>;

export interface UnitIntervalOptions {
  /** A count, or the positions themselves, each from 0 to length − 1. */
  positions: Positions;
  /** How long the sequence is. Default: as many as there are positions. */
  length?: number;
}

const unitIntervalSchema = {
  positions: option.positions,
  length: option.whole.optional(),
} satisfies Schema<UnitIntervalOptions>;

export interface BinaryOptions {
  /** A count, or the positions themselves: whole numbers below 2^bits. */
  positions: Positions;
  /** Width of a position's vector, 1 to 53. */
  bits: number;
  /** Order of the bits. Default 'lowest-first'. */
  order?: 'lowest-first' | 'highest-first';
}

const binarySchema = {
  positions: option.positions,
  bits: option.whole,
  order: option.oneOf('lowest-first', 'highest-first').default('lowest-first'),
} satisfies Schema<BinaryOptions>;

export interface SineWavesOptions {
  /** A count, or the positions themselves (fractions allowed). */
  positions: Positions;
  /** Width of a position's vector: the number of sine waves. */
  dim: number;
  /**
   * Frequency of sine wave j: 2^−j ('halving', default), base^(−j/(dim−1)) ('dim-1') or
   * base^(−j/dim) ('dim').
   */
  spacing?: 'halving' | 'dim-1' | 'dim';
  /** Default 10000; without effect on 'halving'. */
  base?: number;
}

const sineWavesSchema = {
  positions: option.positions,
  dim: option.whole,
  spacing: option.oneOf('halving', 'dim-1', 'dim').default('halving'),
  base: option.positive.default(10000),
} satisfies Schema<SineWavesOptions>;

export interface SinusoidalOptions {
  /** A count, or the positions themselves (fractions allowed). */
  positions: Positions;
  /** Width of a position's vector. */
  dim: number;
  /** Default 10000: wavelengths run from 2π to 2π · base. */
  base?: number;
  /**
   * 'interleaved' (the paper; default): the two values of a pair are adjacent. 'half-split': all
   * first values, then all second values.
   */
  layout?: 'interleaved' | 'half-split';
  /**
   * Exponent 2i/dim (the paper; default), or i/(dim/2 − 1) as in tensor2tensor, fairseq and
   * Whisper.
   */
  spacing?: 'dim/2' | 'dim/2-1';
  /** Which of a pair comes first. Default 'sin-first'. */
  order?: 'sin-first' | 'cos-first';
  /** The position whose row is zero, as fairseq's padding_idx. Default: none. */
  paddingPosition?: number;
  /** Receives the result instead of a new array: positions × dim values. */
  into?: Float32Array;
}

export const pairLayout = option.oneOf('interleaved', 'half-split');

export const sinusoidalSchema = {
  positions: option.positions,
  dim: option.whole,
  base: option.positive.default(10000),
  layout: pairLayout.default('interleaved'),
  spacing: option.oneOf('dim/2', 'dim/2-1').default('dim/2'),
  order: option.oneOf('sin-first', 'cos-first').default('sin-first'),
  paddingPosition: option.finite.optional(),
  into: option.floats.optional(),
} satisfies Schema<SinusoidalOptions>;

export interface SinusoidalShiftOptions {
  /** Width of a position's vector; even. */
  dim: number;
  /** The offset by which the map moves a position. */
  offset: number;
  /** Default 10000. */
  base?: number;
}

const sinusoidalShiftSchema = {
  dim: option.even,
  offset: option.finite,
  base: option.positive.default(10000),
} satisfies Schema<SinusoidalShiftOptions>;

/**
 * The bytes per value of a table: while it computes a sinusoid, the core keeps the angles of up to
 * 64 steps (angle_sums.cpp).
 */
export const sinusoidBytes = (positions: number) => 24 + 8 * Math.min(positions, 64);

/**
 * Returns the positions of a table of `dim` columns; throws for too many before it makes a list.
 */
function tablePositions(positions: CheckedPositions, dim: number): Float64Array {
  fitting('a table of positions × dim', countOf(positions) * dim);
  return positionList('positions', positions);
}

export const absolute = (core: Core) => ({
  /**
   * Integer positions: a token at position m carries the number m. Unbounded.
   * @returns a tensor [positions, 1]; whole numbers are exact up to 2^24
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Kazemnejad 2019, Transformer Architecture: The Positional Encoding (why it is not enough)
   */
  integerPositions(settings: IntegerPositionsOptions): Tensor {
    const given = read('integerPositions options', settings, integerPositionsSchema);
    const positions = tablePositions(given.positions, 1);
    core.sendDoubles([positions]);
    return {
      data: core.floats(core.raw.integerPositions(positions.length)),
      shape: [positions.length, 1],
    };
  },

  /**
   * Positions scaled to [0, 1] by the length of their sequence: m / (length − 1), and 0 for
   * length 1. The distance between neighbors depends on the length.
   * @returns a tensor [positions, 1]
   * @throws TypeError, RangeError on a wrong kind or value, or a position outside the sequence
   * @see Kazemnejad 2019, Transformer Architecture: The Positional Encoding (why it is not enough)
   */
  unitInterval(settings: UnitIntervalOptions): Tensor {
    const given = read('unitInterval options', settings, unitIntervalSchema);
    const positions = tablePositions(given.positions, 1);
    core.sendDoubles([positions]);
    const length = given.length ?? positions.length;
    const data = core.floats(core.raw.unitInterval(positions.length, length));
    return { data, shape: [positions.length, 1] };
  },

  /**
   * Binary positions: the bits of each position as zeros and ones. Bounded and unique, but
   * neighbors may differ in every bit, and there is nothing between whole numbers.
   * @returns a tensor [positions, bits]
   * @throws TypeError, RangeError on a wrong kind or value, or a position that the bits cannot hold
   * @see Kazemnejad 2019, Transformer Architecture: The Positional Encoding (why it is not enough)
   */
  binary(settings: BinaryOptions): Tensor {
    const given = read('binary options', settings, binarySchema);
    const { bits, order } = given;
    const positions = tablePositions(given.positions, bits);
    core.sendDoubles([positions]);
    return {
      data: core.floats(core.raw.binary(positions.length, bits, order)),
      shape: [positions.length, bits],
    };
  },

  /**
   * Sine waves: p(m, j) = sin(m · w_j), one sine per dimension and no cosine, each slower than the
   * one before. Bounded and continuous; the product of two positions depends on the positions
   * themselves, not only on their distance.
   * @returns a tensor [positions, dim]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Kazemnejad 2019, Transformer Architecture: The Positional Encoding (bits as frequencies)
   */
  sineWaves(settings: SineWavesOptions): Tensor {
    const given = read('sineWaves options', settings, sineWavesSchema);
    const { dim, spacing, base } = given;
    const positions = tablePositions(given.positions, dim);
    fitting('dim', dim, 32);
    core.sendDoubles([positions]);
    const data = core.floats(core.raw.sineWaves(positions.length, dim, spacing, base));
    return { data, shape: [positions.length, dim] };
  },

  /**
   * Sinusoidal position vectors: PE(t, 2i) = sin(t · base^(−2i/dim)), PE(t, 2i+1) = cos of the
   * same.
   *
   * Angles are formed in double; every value is within 1e-7 of the exact one for |t| up to 2^24.
   * An odd dim ends with a pair's first value alone (spacing 'dim/2') or with a zero ('dim/2-1').
   * @returns a tensor [positions, dim], or `into` as one
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Vaswani et al. 2017, Attention Is All You Need, section 3.5
   */
  sinusoidal(settings: SinusoidalOptions): Tensor {
    const given = read('sinusoidal options', settings, sinusoidalSchema);
    const { dim, base, layout, spacing, order, paddingPosition: zeroAt = NaN } = given;
    const positions = tablePositions(given.positions, dim);
    fitting('dim', dim, sinusoidBytes(positions.length));
    const into = destination(given.into, positions.length * dim);
    core.sendDoubles([positions]);
    const table = core.raw.sinusoidal(positions.length, dim, base, layout, spacing, order, zeroAt);
    return { data: core.floats(table, into), shape: [positions.length, dim] };
  },

  /**
   * The linear map T with PE(t + offset) = T · PE(t) for every t: block-diagonal, one rotation by
   * offset · base^(−2i/dim) per pair (interleaved layout, sine first).
   * @returns a tensor [dim, dim]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Vaswani et al. 2017, section 3.5 ("can be represented as a linear function")
   */
  sinusoidalShift(settings: SinusoidalShiftOptions): Tensor {
    const { dim, offset, base } = read('sinusoidalShift options', settings, sinusoidalShiftSchema);
    fitting('a map of dim × dim', dim * dim);
    const data = core.floats(core.raw.sinusoidalShift(dim, offset, base));
    return { data, shape: [dim, dim] };
  },
});

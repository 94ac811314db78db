/** Angles that accumulate from token to token, by increments computed from the text. */
import { doubleTensor, fitting, tensor } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { type DoubleTensor, type Tensor } from '../runtime/tensor.js';
import type { RotaryTable } from './table.js';

export interface AccumulatedAnglesOptions {
  /** Pairs of each token's angles. Default: the last axis of the increments. */
  pairs?: number;
  /**
   * Multiplies the sums: one number per pair, or [heads × pairs]. Default 1; see
   * `angleTemperatures`.
   */
  temperature?: ArrayLike<number>;
  /**
   * 'inclusive' (default): up to the token itself (Selective RoPE). 'exclusive': up to the one
   * before (GRAPE-M). 'each': the increment of the token alone (Selective RoPE's skip_conv).
   */
  sum?: 'inclusive' | 'exclusive' | 'each';
  /** The state that an earlier piece of the sequence returned. Default 0. */
  start?: DoubleTensor;
}

const accumulatedSchema = {
  pairs: option.whole.optional(),
  temperature: option.numbers.optional(),
  sum: option.oneOf('inclusive', 'exclusive', 'each').default('inclusive'),
  start: option.doubles.optional(),
} satisfies Schema<AccumulatedAnglesOptions>;

/** Angles, and the state for the next piece of the sequence. */
export interface AccumulatedAngles {
  /** [..., length, pairs], in radians: attention's position 'angles', or `tableOfAngles`. */
  angles: DoubleTensor;
  /** [..., width]: the sums after the last token, to be the next piece's `start`. */
  state: DoubleTensor;
}

export interface AngleTemperatureOptions {
  /** Half of a head's width. */
  pairs: number;
  /** 'rope': max · base^(−i/pairs). 'rfa': tan(aᵢ/2), aᵢ from 0 to base · π, its last made max. */
  type: 'rope' | 'rfa';
  /** Default 500000 for 'rope', 0.9 for 'rfa'. */
  base?: number;
  /** Default 1. */
  max?: number;
}

const temperatureSchema = {
  pairs: option.whole,
  type: option.oneOf('rope', 'rfa'),
  base: option.positive.optional(),
  max: option.finite.default(1),
} satisfies Schema<AngleTemperatureOptions>;

export const accumulated = (core: Core) => ({
  /**
   * Sums of increments along the tokens, in double, times the temperature of each pair: the angles
   * of Selective RoPE and GRAPE-M.
   * @param increments [..., length, pairs], or [..., length, 1] for the same increment in all pairs
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Selective RoPE (openreview AQo1SEElNb), equation 8; Zhang et al. 2025, GRAPE, section 3
   */
  accumulatedAngles(
    increments: Tensor,
    settings: AccumulatedAnglesOptions = {},
  ): AccumulatedAngles {
    const given = read('accumulatedAngles options', settings, accumulatedSchema);
    const { data, shape } = tensor('increments', increments);
    if (shape.length < 2) throw wrongShape('increments', 'must be [..., length, pairs]', shape);
    const [length, width] = shape.slice(-2) as [number, number];
    const { pairs = width, temperature = new Float64Array(pairs).fill(1), sum } = given;
    const leading = shape.slice(0, -2);
    const heads = data.length / (length * width);
    const count = fitting('the angles', heads * length * pairs, 16);
    const start = given.start?.data;
    if (start && start.length !== heads * width)
      throw wrongValue('start.data', `must have ${heads * width} values`, start.length);
    core.send([data]);
    core.sendDoubles([temperature, start ?? new Float64Array(heads * width)]);
    const all = core.doubles(
      core.raw.accumulatedAngles(heads, length, width, pairs, temperature.length, sum),
    );
    return {
      angles: { data: all.slice(0, count), shape: [...leading, length, pairs] },
      state: { data: all.slice(count), shape: [...leading, width] },
    };
  },

  /**
   * The temperatures of Selective RoPE: one factor per pair on accumulated angles.
   * @returns one temperature per pair
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Selective RoPE (openreview AQo1SEElNb), section 4
   */
  angleTemperatures(settings: AngleTemperatureOptions): Float64Array {
    const given = read('angleTemperatures options', settings, temperatureSchema);
    const { pairs, type, base = type === 'rope' ? 500000 : 0.9, max } = given;
    fitting('the temperatures', pairs, 32);
    return core.doubles(core.raw.angleTemperatures(pairs, type, base, max));
  },

  /**
   * The rotary table of given angles, for `rotate`: one row per row, or per row of each head.
   * @param angles [..., length, pairs] in radians
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Su et al. 2021, RoFormer, equation 34
   */
  tableOfAngles(angles: DoubleTensor): RotaryTable {
    const { data, shape } = doubleTensor('angles', angles);
    fitting('the table', data.length, 32);
    core.sendDoubles([data]);
    const both = core.doubles(core.raw.tableOfAngles(data.length));
    return { cos: both.slice(0, data.length), sin: both.slice(data.length), shape };
  },
});

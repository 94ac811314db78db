/** Temperatures that depend on the position: one factor on the logits of each query. */
import { fitting, oneOf, positionList } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { Positions } from '../runtime/tensor.js';

/**
 * Factors on the logits of each query, which grow with its position p or the length.
 *
 * - log-n: 'length' ln n/ln L₀ for every row, n the whole length; 'position' ln(p + 1)/ln L₀, which
 *   is 0 for the first row; 'clipped' max(1, ln(p + 1)/ln L₀) (Su's rerope repository, Qwen).
 * - ssmax: scalable softmax, sₕ · ln(p + 1) + bₕ, p + 1 the number of keys that a causal row sees:
 *   [heads × positions] factors. Row 0 has the factor bₕ, which is harmless for its one key.
 * - llama4: 1 + scale · ln(1 + ⌊(p + offset)/floorLength⌋).
 */
export type LogitFactorOptions =
  | {
      type: 'log-n';
      form: 'length' | 'position' | 'clipped';
      /** L₀, the training length. */
      originalLength: number;
      /** n, for the form 'length'. Default: the number of positions. */
      length?: number;
    }
  | {
      type: 'ssmax';
      /** s: one per head. */
      scale: ArrayLike<number>;
      /** b: one per head. Default 0. */
      bias?: ArrayLike<number>;
    }
  | {
      type: 'llama4';
      /** Default 0.1. */
      scale?: number;
      /** Default 8192. */
      floorLength?: number;
      /** Default 1, as in Llama 4; 0 as in Ministral 3. */
      offset?: 0 | 1;
    };

type OfType<Type> = Extract<LogitFactorOptions, { type: Type }>;

const logNSchema = {
  type: option.type,
  form: option.oneOf('length', 'position', 'clipped'),
  originalLength: option.positive,
  length: option.whole.optional(),
} satisfies Schema<OfType<'log-n'>>;
const ssmaxSchema = {
  type: option.type,
  scale: option.numbers,
  bias: option.numbers.optional(),
} satisfies Schema<OfType<'ssmax'>>;
const llama4Schema = {
  type: option.type,
  scale: option.finite.default(0.1),
  floorLength: option.whole.default(8192),
  offset: option.oneOf(0, 1).default(1),
} satisfies Schema<OfType<'llama4'>>;

const what = (type: string) => `logitFactors options (type '${type}')`;

const factors = {
  'log-n'(core: Core, positions: Float64Array, settings: OfType<'log-n'>): Float64Array {
    const { form, originalLength, length } = read(what('log-n'), settings, logNSchema);
    const { length: count } = positions;
    core.sendDoubles([positions]);
    return core.doubles(core.raw.logN(count, originalLength, form, length ?? count));
  },
  ssmax(core: Core, positions: Float64Array, settings: OfType<'ssmax'>): Float64Array {
    const { scale, bias } = read(what('ssmax'), settings, ssmaxSchema);
    if (bias && bias.length !== scale.length)
      throw wrongValue('bias', `must have ${scale.length} values`, bias.length);
    fitting('the factors', scale.length * positions.length, 16);
    core.sendDoubles([positions, scale, ...(bias ? [bias] : [])]);
    const { length: heads } = scale;
    return core.doubles(core.raw.ssmaxFactors(positions.length, heads, bias !== undefined));
  },
  llama4(core: Core, positions: Float64Array, settings: OfType<'llama4'>): Float64Array {
    const { scale, floorLength, offset } = read(what('llama4'), settings, llama4Schema);
    core.sendDoubles([positions]);
    return core.doubles(core.raw.llama4Factors(positions.length, scale, floorLength, offset));
  },
};

export const logitFactors = (core: Core) => ({
  /**
   * Factors on the logits of each row before the softmax, for attention's `rowScale`.
   * @param positions a count, or the positions of the rows; at least 0
   * @returns one factor per position, and for 'ssmax' per head and position
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Su, kexue.fm/archives/8823 (log-n); Nakanishi 2025, Scalable-Softmax; Meta, Llama 4
   */
  logitFactors(positions: Positions, settings: LogitFactorOptions): Float64Array {
    const list = positionList('positions', option.positions.read('positions', positions), 16);
    const type = oneOf('type', settings?.type, Object.keys(factors) as (keyof typeof factors)[]);
    return factors[type](core, list, settings as never);
  },
});

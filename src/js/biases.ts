/** Biases: what is added to a score because of the distance between query and key. */
import { fitting, oneOf, options, wholeNumber } from './checks.js';
import { copied, type Core } from './core.js';
import type { Tensor } from './tensor.js';

/** The authors' slopes in their order, the same sorted, or 2^(−8h/H) for every H. */
export type SlopeConvention = 'published' | 'sorted' | 'naive';
/** 'causal' leaves keys after the query at 0, since a mask hides them; 'symmetric' uses |m − n|. */
export type AlibiDirection = 'causal' | 'symmetric';

export interface AlibiOptions {
  heads: number;
  queries: number;
  keys: number;
  /** Default 'causal'. */
  direction?: AlibiDirection;
  /** Default 'published'. */
  convention?: SlopeConvention;
}

export const slopeConventions = ['published', 'sorted', 'naive'] as const;
export const alibiDirections = ['causal', 'symmetric'] as const;

/**
 * A bias that knows only head and distance, as a table: heads × (queries + keys − 1), column
 * key − query + queries − 1. Attention reads its rows without ever building queries × keys values.
 */
export function alibiByOffset(
  core: Core,
  { heads, queries, keys, direction, convention }: Required<AlibiOptions>,
): Float32Array {
  fitting('a bias for heads × (queries + keys)', heads * (queries + keys));
  core.sendDoubles([copied(core.raw.alibiSlopes(heads, convention))]);
  return copied(core.raw.alibiByOffset(heads, queries, keys, direction));
}

/** The same as a full tensor [heads, queries, keys]. */
function expanded(byOffset: Float32Array, heads: number, queries: number, keys: number): Tensor {
  const data = new Float32Array(fitting('a bias of heads × queries × keys', heads * queries * keys));
  const offsets = queries + keys - 1;
  for (let h = 0; h < heads; h++) {
    for (let m = 0; m < queries; m++) {
      const first = h * offsets + queries - 1 - m;
      data.set(byOffset.subarray(first, first + keys), (h * queries + m) * keys);
    }
  }
  return { data, shape: [heads, queries, keys] };
}

export const biases = (core: Core) => ({
  /**
   * ALiBi's slopes, one positive number per head.
   *
   * For a power of two, 2^(−8h/heads). Otherwise 'published' takes the slopes of the power of two
   * below and then every other slope of the power of two above, as the authors' code does.
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Press, Smith, Lewis 2022, Train Short, Test Long, section 3
   */
  alibiSlopes(settings: { heads: number; convention?: SlopeConvention }): Float64Array {
    const given = options('alibiSlopes options', settings, ['heads', 'convention']);
    const convention = oneOf('convention', given.convention ?? 'published', slopeConventions);
    return copied(core.raw.alibiSlopes(fitting('heads', wholeNumber('heads', given.heads), 8), convention));
  },

  /**
   * ALiBi's bias −slope · |m − n| for query m and key n. Attention takes it as
   * `position: { type: 'alibi' }` without building this tensor.
   * @returns a tensor [heads, queries, keys]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Press, Smith, Lewis 2022, section 3
   */
  alibi(settings: AlibiOptions): Tensor {
    const given = options('alibi options', settings, ['heads', 'queries', 'keys', 'direction', 'convention']);
    const heads = wholeNumber('heads', given.heads);
    const queries = wholeNumber('queries', given.queries);
    const keys = wholeNumber('keys', given.keys);
    const direction = oneOf('direction', given.direction ?? 'causal', alibiDirections);
    const convention = oneOf('convention', given.convention ?? 'published', slopeConventions);
    fitting('a bias of heads × queries × keys', heads * queries * keys);
    const byOffset = alibiByOffset(core, { heads, queries, keys, direction, convention });
    return expanded(byOffset, heads, queries, keys);
  },
});

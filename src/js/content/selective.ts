/** Selective attention, and the cache of PaTH. */
import type { Core } from '../runtime/core.js';
import { tensor } from '../runtime/checks.js';
import { wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { elementCount, shapeText, type Tensor } from '../runtime/tensor.js';

/** What masks in selective attention, and whom it spares. */
export interface SelectiveScoresOptions {
  /** The head whose scores mask. Default 0. */
  gateHead?: number;
  /** Whether no query masks the token of the first query. Default true. */
  spareFirst?: boolean;
}

const selectiveSchema = {
  gateHead: option.wholeFrom(0).default(0),
  spareFirst: option.truth.default(true),
} satisfies Schema<SelectiveScoresOptions>;

/** Values of a tensor whose leading axes are heads, and its last axes. @internal */
export function headsOf(name: string, { data, shape }: Tensor, last: number) {
  if (shape.length < last) throw wrongShape(name, `must have at least ${last} axes`, shape);
  const leading = shape.slice(0, shape.length - last);
  return { data, leading, heads: elementCount(leading), own: shape.slice(-last) };
}

export const tokenMasks = (core: Core) => ({
  /**
   * Selective attention: each score less the sum of the positive scores that earlier queries gave
   * the key in one head. It needs the scores of whole heads, which attention's intermediates have,
   * and attention takes what it returns as `bias` with the scale 0.
   * @param scores [batch, heads, queries, keys], with −Infinity or large negative numbers where
   * masked; the queries are the last keys
   * @returns a tensor of the same shape
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Leviathan et al. 2024, Selective Attention, section 3.3; x-transformers
   */
  selectiveScores(scores: Tensor, settings: SelectiveScoresOptions = {}): Tensor {
    const given = read('selectiveScores options', settings, selectiveSchema);
    const { data, leading, own } = headsOf('scores', tensor('scores', scores), 3);
    const [heads, queries, keys] = own as [number, number, number];
    if (given.gateHead >= heads)
      throw wrongValue('gateHead', `must be less than ${heads}`, given.gateHead);
    if (queries > keys)
      throw wrongShape('scores', `must have at least ${queries} keys`, scores.shape);
    core.send([data]);
    const batches = data.length / (heads * queries * keys);
    const { gateHead, spareFirst } = given;
    const less = core.raw.selectiveScores(batches, heads, queries, keys, gateHead, spareFirst);
    return { data: core.floats(less), shape: [...leading, ...own] };
  },

  /**
   * PaTH's key cache after a new token: each key k becomes k − β (k · w) w. Attention without a
   * position between the token's query and these keys, its own after them, is then PaTH.
   * @param keys [..., length, dim]
   * @param w of the token, [..., dim]
   * @param beta of the token, [...]
   * @returns the new cache, in the shape of the keys
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Yang et al. 2025, PaTH Attention, section 3.3
   */
  updatePathKeys(keys: Tensor, w: Tensor, beta: ArrayLike<number>): Tensor {
    const { data, leading, heads, own } = headsOf('keys', tensor('keys', keys), 2);
    const [length, dim] = own as [number, number];
    const along = tensor('w', w);
    if (along.data.length !== heads * dim)
      throw wrongShape('w', `must be ${shapeText([...leading, dim])}`, along.shape);
    const betas = option.numbers.read('beta', beta);
    if (betas.length !== heads) throw wrongValue('beta', `must have ${heads} values`, betas.length);
    core.send([data, along.data, Float32Array.from(betas)]);
    const updated = core.floats(core.raw.updatePathKeys(heads, length, dim));
    return { data: updated, shape: [...leading, length, dim] };
  },
});

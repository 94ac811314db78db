/** Prefix sums of one number per token and head, whose differences are a bias. */
import { prefixTerms } from '../bias/prefix_terms.js';
import { fitting, tensor } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { DoubleTensor, Tensor } from '../runtime/tensor.js';

export interface PrefixSumsOptions {
  /**
   * The term of a number x: x itself (default), ln σ(x) as in FoX, or ln σ(−x) as in CABLE.
   */
  term?: (typeof prefixTerms)[number];
  /** Multiplies every term. Default 1. */
  scale?: number;
  /** The last sums of an earlier piece of the sequence, [...]. Default 0. */
  start?: DoubleTensor;
}

const prefixSumsSchema = {
  term: option.oneOf(...prefixTerms).default('number'),
  scale: option.finite.default(1),
  start: option.doubles.optional(),
} satisfies Schema<PrefixSumsOptions>;

export const prefixSummed = (core: Core) => ({
  /**
   * Terms and their inclusive sums along the last axis, in double: what attention's position
   * 'prefix-sum' takes as `sums`. A decoder keeps the sums of its cache and appends those of new
   * tokens.
   * @param numbers [..., length]: gate logits, or the terms themselves
   * @returns terms and sums, both in the shape of the numbers
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Lin et al. 2025, Forgetting Transformer, equations 5 and 6
   */
  prefixSums(
    numbers: Tensor,
    settings: PrefixSumsOptions = {},
  ): { terms: DoubleTensor; sums: DoubleTensor } {
    const given = read('prefixSums options', settings, prefixSumsSchema);
    const { term, scale } = given;
    const { data, shape } = tensor('numbers', numbers);
    const length = shape[shape.length - 1] ?? 1;
    const rows = fitting('the sums', data.length, 32) / length;
    const start = given.start?.data ?? new Float64Array(rows);
    if (start.length !== rows)
      throw wrongValue(
        'start.data',
        `must have ${rows} values, one per row of numbers`,
        start.length,
      );
    core.send([data]);
    core.sendDoubles([start]);
    const both = core.doubles(core.raw.prefixSums(rows, length, core.raw.PrefixTerm[term], scale));
    const part = (first: number) => ({
      data: both.slice(first, first + data.length),
      shape: [...shape],
    });
    return { terms: part(0), sums: part(data.length) };
  },
});

/** Position ids other than 0, 1, 2, …, for rows of a learned table or for rotations. */
import { fitting, numbers } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { Tensor } from '../runtime/tensor.js';

export interface RandomizedPositionsOptions {
  /** How many positions. */
  length: number;
  /** Positions are drawn from 0 … range − 1; at least `length`. */
  range: number;
  /** The same seed draws the same positions. In training, use another seed for each batch. */
  seed: number;
}

const randomizedSchema = {
  length: option.whole,
  range: option.whole,
  seed: option.wholeFrom(0),
} satisfies Schema<RandomizedPositionsOptions>;

export interface RandomizedAlibiOptions {
  /** One per head: `alibiSlopes`. */
  slopes: ArrayLike<number>;
  /** Distances of the keys after a query: distinct, at least 1, one fewer than there are tokens. */
  later: ArrayLike<number>;
  /** Distances of the keys before a query. Default: those of `later`. */
  earlier?: ArrayLike<number>;
}

const randomizedAlibiSchema = {
  slopes: option.numbers,
  later: option.numbers,
  earlier: option.numbers.optional(),
} satisfies Schema<RandomizedAlibiOptions>;

export interface AbacusOptions {
  /** The token ids of the ten digits. */
  digits: ArrayLike<number>;
  /** Tokens per row; a run of digits ends with its row. Default: all. */
  length?: number;
  /** Added to every digit's position: 0 (default), or in training a random number per batch. */
  offset?: number;
}

const abacusSchema = {
  digits: option.numbers,
  length: option.whole.optional(),
  offset: option.wholeFrom(0).default(0),
} satisfies Schema<AbacusOptions>;

export interface CoupledPositionsOptions {
  /** Number of written digits of the two operands and the sum. */
  digits: ArrayLike<number>;
  /** The id of "+", at least 1. Default 1; in training, draw it at random. */
  start?: number;
  /** Whether the operands are written from their least significant digit on. Default false. */
  reversesOperands?: boolean;
  /** Whether the sum is written from its least significant digit on. Default true (the paper). */
  reversesSum?: boolean;
  /** 'significance' (default), or 'none': ids that count up, the baseline of the paper. */
  coupling?: 'significance' | 'none';
}

const coupledSchema = {
  digits: option.numbers,
  start: option.whole.default(1),
  reversesOperands: option.truth.default(false),
  reversesSum: option.truth.default(true),
  coupling: option.oneOf('significance', 'none').default('significance'),
} satisfies Schema<CoupledPositionsOptions>;

const ascending = (list: Float64Array) => list.slice().sort();

export const positionIds = (core: Core) => ({
  /**
   * Randomized positions: distinct numbers of a range that is longer than any training sequence, in
   * ascending order. Use them to select rows of a table (`learnedRows`, `sinusoidal`), or as the
   * positions of rotations and biases; queries and keys of a call share them.
   * @returns `length` positions
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Ruoss et al. 2023, Randomized Positional Encodings Boost Length Generalization, section 3
   */
  randomizedPositions(settings: RandomizedPositionsOptions): Float64Array {
    const { length, range, seed } = read('randomizedPositions options', settings, randomizedSchema);
    fitting('the positions', length, 16);
    return core.doubles(core.raw.randomizedPositions(length, range, seed));
  },

  /**
   * ALiBi's bias with randomized distances, both ways: −slope · d for later keys, and
   * slope · (1/2 − d) for earlier ones, d the distance of that rank.
   * @returns [heads, tokens, tokens], which attention takes as `bias`
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see google-deepmind/randomized_positional_encodings, as its code computes it
   */
  randomizedAlibi(settings: RandomizedAlibiOptions): Tensor {
    const given = read('randomizedAlibi options', settings, randomizedAlibiSchema);
    const later = ascending(given.later);
    const earlier = given.earlier ? ascending(given.earlier) : later;
    const tokens = later.length + 1;
    const heads = given.slopes.length;
    fitting('the bias', heads * tokens * tokens);
    core.sendDoubles([given.slopes, later, earlier]);
    const data = core.floats(core.raw.randomizedAlibi(heads, later.length, earlier.length));
    return { data, shape: [heads, tokens, tokens] };
  },

  /**
   * Abacus positions: 1, 2, 3, … inside each run of digits, and 0 elsewhere. Their rows of a
   * learned table are added to the embeddings; numbers are written from their least significant
   * digit on.
   * @param tokens token ids, row by row
   * @returns one position per token
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see McLeish et al. 2024, Transformers Can Do Arithmetic with the Right Embeddings, section 3.1
   */
  abacusPositions(tokens: ArrayLike<number>, settings: AbacusOptions): Float64Array {
    const given = read('abacusPositions options', settings, abacusSchema);
    const ids = numbers('tokens', tokens, 16);
    const { digits, length = Math.max(1, ids.length), offset } = given;
    if (ids.length % length !== 0)
      throw wrongValue('length', `must divide the number of tokens, ${ids.length}`, length);
    core.sendDoubles([ids, digits]);
    return core.doubles(core.raw.abacusPositions(ids.length, length, digits.length, offset));
  },

  /**
   * Coupled positions of the tokens of a sum: first a start token (0), then A, "+", B, "=" and the
   * sum. Digits of one significance share an id in all three numbers.
   * @returns one position per token: 3 more than the number of digits
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Cho et al. 2024, Position Coupling, section 4
   */
  coupledPositions(settings: CoupledPositionsOptions): Float64Array {
    const given = read('coupledPositions options', settings, coupledSchema);
    const { digits } = given;
    if (digits.length !== 3)
      throw wrongValue('digits', 'must have 3 values, of A, B and the sum', digits.length);
    digits.forEach((count, i) => option.wholeFrom(1).read(`digits[${i}]`, count));
    const tokens = digits.reduce((sum, count) => sum + count, 3);
    fitting('the positions', tokens, 24);
    const [first, second, sum] = digits as unknown as [number, number, number];
    const countsUp = given.coupling === 'none';
    return core.doubles(
      core.raw.coupledPositions(
        first,
        second,
        sum,
        given.start,
        given.reversesOperands,
        given.reversesSum,
        countsUp,
      ),
    );
  },
});

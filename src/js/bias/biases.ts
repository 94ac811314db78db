/** Biases: terms added to a score that depend on the positions of query and key. */
import { countOf, fitting, positionList } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongKind, wrongShape } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Checked, type Schema } from '../runtime/schema.js';
import { slopeSchema, slopesOf } from './distance.js';
import type { SlopeOptions } from './distance.js';
import { pairsSchema, type BiasPairs } from './distance_table.js';
import { checkedNetwork, network, type BiasNetwork } from './network.js';
import { viewOf, type Positions, type Tensor } from '../runtime/tensor.js';

/** The number of heads, and how their slopes are chosen. */
export interface AlibiSlopesOptions extends SlopeOptions {
  /** Number of heads. */
  heads: number;
}

const alibiSlopesSchema = {
  heads: option.whole,
  ...slopeSchema,
} satisfies Schema<AlibiSlopesOptions>;

/** The heads and keys, and which key has the bias 0. */
export interface AlibiTranslatedOptions extends SlopeOptions {
  /** Number of heads. */
  heads: number;
  /** Position of each key. */
  keys: Positions;
  /** Which key has the bias 0: that of position 0 (default; BLOOM, Press), or the last (MPT). */
  origin?: 'first' | 'last';
  /** [batch, keys]: keys with 0 are padding and have no position (BLOOM). Keys must be a count. */
  mask?: Tensor;
}

const alibiTranslatedSchema = {
  heads: option.whole,
  keys: option.wholePositions,
  origin: option.oneOf('first', 'last').default('first'),
  mask: option.tensor.optional(),
  ...slopeSchema,
} satisfies Schema<AlibiTranslatedOptions>;

export interface T5BucketOptions {
  /** 'bidirectional' or 'causal', see T5Scheme. */
  direction: 'causal' | 'bidirectional';
  /** Default 32. */
  buckets?: number;
  /** Default 128. */
  maxDistance?: number;
}

const t5BucketSchema = {
  direction: option.oneOf('causal', 'bidirectional'),
  buckets: option.whole.default(32),
  maxDistance: option.whole.default(128),
} satisfies Schema<T5BucketOptions>;

/** The pairs, the network and the distance transform of FIRE's bias. */
export interface FireOptions extends BiasPairs {
  /** One input (the distance divided by the query's position), one output per head. */
  network: BiasNetwork;
  /** Default 0.1. */
  c?: number;
  /** Distances of queries before this position are divided by it. Default 512. */
  threshold?: number;
  /** Learned factor on the threshold. Default 1. */
  multiplier?: number;
  /** Default 1e-6. */
  epsilon?: number;
}

const fireSchema = {
  ...pairsSchema,
  network,
  c: option.positive.default(0.1),
  threshold: option.finite.default(512),
  multiplier: option.finite.default(1),
  epsilon: option.finite.default(1e-6),
} satisfies Schema<FireOptions>;

/** The position of each key, and the number of batches. */
function translatedPositions(
  core: Core,
  given: Checked<AlibiTranslatedOptions, typeof alibiTranslatedSchema>,
): { lists: Float64Array[]; masked: boolean } {
  const { origin, mask } = given;
  const keys = positionList('keys', given.keys);
  if (mask === undefined) {
    const zero = origin === 'first' ? 0 : keys[keys.length - 1]!;
    return { lists: [keys.map((position) => position - zero)], masked: false };
  }
  const { data, shape } = mask;
  if (typeof given.keys !== 'number' || origin === 'last') {
    const rule = "gives the keys their positions: keys must be a count and origin 'first'";
    throw wrongKind('mask', rule, mask, '');
  }
  if (shape.length !== 2 || shape[1] !== keys.length) {
    throw wrongShape('mask', `must be [batch, ${keys.length}]`, shape);
  }
  const lists = Array.from({ length: shape[0]! }, (_, batch) => {
    core.sendDoubles([
      Float64Array.from(viewOf(data, batch * keys.length, (batch + 1) * keys.length)),
    ]);
    return core.doubles(core.raw.alibiMaskedPositions(keys.length));
  });
  return { lists, masked: true };
}

/** @internal */
export const biases = (core: Core) => ({
  /**
   * ALiBi's slopes, one positive number per head.
   *
   * For a power of two, 2^(−maxBias h/heads), h from 1. Otherwise 'published' takes the slopes of
   * the power of two below and then every other slope of the power of two above, as the authors'
   * code, BLOOM, Megatron and MPT do. 'sorted' returns the same slopes in descending order. 'naive'
   * uses the formula for every count.
   * @returns [heads] doubles
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Press, Smith, Lewis 2022, Train Short, Test Long, section 3
   */
  alibiSlopes(settings: AlibiSlopesOptions): Float64Array {
    const options = read('alibiSlopes options', settings, alibiSlopesSchema);
    return slopesOf(core, options, options.heads);
  },

  /**
   * ALiBi as slope · position of the key, the form of the authors' code, BLOOM and MPT: it differs
   * from −slope · (m − n) by a constant of the row, so a causal softmax is the same. Not after a
   * softcap.
   * @returns a tensor [heads, keys], or [batch, heads, keys] with a mask
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Press, Smith, Lewis 2022, and transformers' build_alibi_tensor, build_mpt_alibi_tensor
   */
  alibiTranslated(settings: AlibiTranslatedOptions): Tensor {
    const options = read('alibiTranslated options', settings, alibiTranslatedSchema);
    const { heads } = options;
    fitting('a bias of batch × heads × keys', heads * countOf(options.keys));
    const { lists, masked } = translatedPositions(core, options);
    const keys = lists[0]!.length;
    const data = new Float32Array(
      fitting('a bias of batch × heads × keys', lists.length * heads * keys),
    );
    const slopes = slopesOf(core, options, heads);
    lists.forEach((positions, batch) => {
      core.sendDoubles([slopes, positions]);
      data.set(core.floats(core.raw.alibiTranslated(heads, keys)), batch * heads * keys);
    });
    return { data, shape: masked ? [lists.length, heads, keys] : [heads, keys] };
  },

  /**
   * T5's bucket of each relative position, key − query (a key before its query is negative).
   *
   * Half of a side's buckets hold one distance each, the others grow logarithmically. The edges are
   * decided in whole numbers. The last bucket begins before maxDistance: with 32 and 128 at 113
   * (causal) and 91 (bidirectional).
   * @param relativePositions key − query of each pair
   * @returns one bucket each, 0 … buckets − 1
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Raffel et al. 2020, section 2.1, and transformers' T5Attention._relative_position_bucket
   */
  t5Buckets(relativePositions: Positions, settings: T5BucketOptions): Int32Array {
    const { direction, buckets, maxDistance } = read('t5Buckets options', settings, t5BucketSchema);
    const checked = option.wholePositions.read('relativePositions', relativePositions);
    const relative = positionList('relativePositions', checked);
    core.sendDoubles([relative]);
    return core.integers(core.raw.t5Buckets(relative.length, direction, buckets, maxDistance));
  },

  /**
   * FIRE's bias: a network of ψ(m − n) / (ψ(max(m, |multiplier · threshold|)) + epsilon),
   * ψ(x) = ln(|c x| + 1). It depends on the query's position too, so attention takes it as `bias`.
   * @returns a tensor [heads, queries, keys]
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Li et al. 2024, Functional Interpolation for Relative Positions, section 3
   */
  fire(settings: FireOptions): Tensor {
    const given = read('fire options', settings, fireSchema);
    const { c, threshold, multiplier, epsilon } = given;
    const own = checkedNetwork('network', given.network, 1);
    const { heads, hidden, hasHeadBias } = own;
    const size = 'a bias of heads × queries × keys';
    fitting(size, heads * countOf(given.queries) * countOf(given.keys));
    const queries = positionList('queries', given.queries);
    const keys = positionList('keys', given.keys);
    core.send(own.data);
    core.sendDoubles([queries, keys]);
    const data = core.floats(
      core.raw.fire(
        heads,
        queries.length,
        keys.length,
        hidden,
        hasHeadBias,
        c,
        threshold,
        multiplier,
        epsilon,
      ),
    );
    return { data, shape: [heads, queries.length, keys.length] };
  },
});

/**
 * Biases that depend only on head and distance. A scheme is its options with their schema, which
 * has the names that the core lists (bias/distance.hpp), and a function that returns the whole
 * tensor. Attention fuses it without building queries × keys values.
 */
import {
  distanceEntry,
  expanded,
  type BiasPairs,
  type BiasSize,
  type DistanceEntry,
} from './distance_table.js';
import { fitting, tensor } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongKind, wrongShape } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import type { Checked, Schema } from '../runtime/schema.js';
import type { Tensor } from '../runtime/tensor.js';

/**
 * 'published': the slopes of the authors' code. 'sorted': these in descending order. 'naive':
 * 2^(−8h/H) for every H.
 */
export type SlopeConvention = 'published' | 'sorted' | 'naive';
/**
 * The bias of a key after its query. 'causal': that of distance 0, since a mask hides the key.
 * 'symmetric': that of the distance |m − n|.
 */
export type BiasDirection = 'causal' | 'symmetric';

/** How ALiBi's slopes are chosen. */
export interface SlopeOptions {
  /** Default 'published'. */
  convention?: SlopeConvention;
  /** The 8 of 2^(−8h/H); MPT's alibi_bias_max. Default 8. */
  maxBias?: number;
  /** Index of the first head among totalHeads, for the heads of one rank. Default 0. */
  headOffset?: number;
  /** Default: headOffset plus the heads of the call. */
  totalHeads?: number;
}

/** ALiBi: −slope · |m − n|, one slope per head. */
export interface AlibiScheme extends SlopeOptions {
  /** Default 'causal'. */
  direction?: BiasDirection;
  /** Custom slopes, one per head, instead of a convention. */
  slopes?: ArrayLike<number>;
}

/** T5: one learned scalar for each bucket of distances. */
export interface T5Scheme {
  /** One learned scalar per bucket and head: [buckets, heads]. */
  table: Tensor;
  /**
   * 'bidirectional': half of the buckets for each side (encoder). 'causal': all buckets for earlier
   * keys (decoder).
   */
  direction: 'causal' | 'bidirectional';
  /** Distances from here on share the last bucket. Default 128. */
  maxDistance?: number;
}

/** KERPLE: a logarithm or a power of the distance, with learned parameters per head. */
export interface KerpleScheme {
  /** 'log': −r₁ ln(1 + r₂ d). 'power': −r₁ d^r₂. */
  kind: 'log' | 'power';
  /** Greater than 0, one per head. */
  r1: ArrayLike<number>;
  /** Greater than 0, one per head; at most 2 for 'power'. */
  r2: ArrayLike<number>;
  /**
   * Raises smaller parameters to this, and lowers a power above 2 to 2; the authors' code uses
   * 0.01.
   */
  clamp?: number;
  /** Default 'causal'. */
  direction?: BiasDirection;
}

/** Sandwich: the product of two sinusoidal positions, weaker from head to head. */
export interface SandwichScheme {
  /** Width of the sinusoid, not of a head; even. Default 128. */
  dim?: number;
  /** The first pair of the sum: 0 in the authors' code (default), 1 in the paper's formula. */
  firstPair?: 0 | 1;
  /**
   * Subtracts dim/2 before the division, so that distance 0 gets 0 (with firstPair 0). Default
   * false.
   */
  zeroAtOrigin?: boolean;
  /** Default 10000. */
  base?: number;
  /** Default 'symmetric'. */
  direction?: BiasDirection;
}

interface DistanceSchemes {
  alibi: AlibiScheme;
  t5: T5Scheme;
  kerple: KerpleScheme;
  sandwich: SandwichScheme;
}

/** The names of the schemes that depend only on head and distance. */
export type DistanceType = keyof DistanceSchemes;

/** A scheme whose bias attention fuses. */
export type DistanceScheme = {
  [Type in DistanceType]: { type: Type } & DistanceSchemes[Type];
}[DistanceType];

/** Options of ALiBi's bias as a tensor. */
export type AlibiOptions = AlibiScheme & BiasSize;
/** Options of T5's bias as a tensor. */
export type T5BiasOptions = T5Scheme & BiasPairs;
/** Options of KERPLE's bias as a tensor. */
export type KerpleOptions = KerpleScheme & BiasPairs;
/** Options of Sandwich's bias as a tensor. */
export type SandwichOptions = SandwichScheme & BiasSize;

const directions = option.oneOf('causal', 'symmetric');

/** @internal */
export const slopeSchema = {
  convention: option.oneOf('published', 'sorted', 'naive').default('published'),
  maxBias: option.positive.default(8),
  headOffset: option.wholeFrom(0).default(0),
  totalHeads: option.whole.optional(),
} satisfies Schema<SlopeOptions>;

/** One slope per head by convention, for a slice of `totalHeads`. @internal */
export function slopesOf(
  core: Core,
  { convention, maxBias, headOffset, totalHeads }: Checked<SlopeOptions, typeof slopeSchema>,
  heads: number,
): Float64Array {
  fitting('heads', heads, 16);
  const total = totalHeads ?? headOffset + heads;
  return core.doubles(core.raw.alibiSlopes(total, convention, maxBias, headOffset, heads));
}

const alibiSchema = {
  ...slopeSchema,
  direction: directions.default('causal'),
  slopes: option.numbers.shaped('heads').optional(),
} satisfies Schema<AlibiScheme>;

function checkAlibi(options: Checked<AlibiScheme, typeof alibiSchema>, at: string): void {
  const { slopes } = options;
  const conflict = slopes && Object.keys(slopeSchema).find((name) => Object.hasOwn(options, name));
  if (conflict)
    throw wrongKind(`${at}slopes`, `stands alone: leave out ${at}${conflict}`, slopes, '');
}

const t5Schema = {
  table: new option.Option<Tensor>({
    kind: 'tensor',
    axes: ['buckets', 'heads'],
    check(name, value) {
      const table = tensor(name, value);
      if (table.shape.length === 2) return table;
      throw wrongShape(name, 'must be [buckets, heads]', table.shape);
    },
  }),
  direction: option.oneOf('causal', 'bidirectional'),
  maxDistance: option.whole.default(128),
} satisfies Schema<T5Scheme>;

const kerpleSchema = {
  kind: option.oneOf('log', 'power'),
  r1: option.numbers.shaped('heads'),
  r2: option.numbers.shaped('heads'),
  clamp: option.positive.optional(),
  direction: directions.default('causal'),
} satisfies Schema<KerpleScheme>;

const sandwichSchema = {
  dim: option.even.costing(12).default(128),
  firstPair: option.oneOf(0, 1).default(0),
  zeroAtOrigin: option.oneOf(false, true).default(false),
  base: option.positive.default(10000),
  direction: directions.default('symmetric'),
} satisfies Schema<SandwichScheme>;

/** @internal */
export const schemes: Readonly<Record<DistanceType, DistanceEntry>> = {
  alibi: distanceEntry('alibi', alibiSchema, checkAlibi),
  t5: distanceEntry('t5', t5Schema),
  kerple: distanceEntry('kerple', kerpleSchema),
  sandwich: distanceEntry('sandwich', sandwichSchema),
};

/** @internal */
export const distanceTypes = Object.keys(schemes) as DistanceType[];

/** The tensors of all schemes. @internal */
export const distanceBiases = (core: Core) => ({
  /**
   * ALiBi's bias −slope · |m − n| for query m and key n. Attention takes it as
   * `position: { type: 'alibi' }` without building this tensor.
   * @returns a tensor [heads, queries, keys]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Press, Smith, Lewis 2022, section 3
   */
  alibi(settings: AlibiOptions): Tensor {
    return expanded(core, schemes.alibi, settings, 'alibi options');
  },

  /**
   * T5's bias, table[bucket(n − m)][h]. T5 adds it to scores that it does not divide by √dim
   * (attention: `scale: 1`), with one table for all layers. Attention takes it as
   * `position: { type: 't5', … }` without building this tensor.
   * @returns a tensor [heads, queries, keys]
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Raffel et al. 2020, section 2.1
   */
  t5Bias(settings: T5BiasOptions): Tensor {
    return expanded(core, schemes.t5, settings, 't5Bias options');
  },

  /**
   * KERPLE's bias, −r₁ ln(1 + r₂ |m − n|) or −r₁ |m − n|^r₂. Attention takes it as
   * `position: { type: 'kerple', … }` without building this tensor.
   * @returns a tensor [heads, queries, keys]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Chi et al. 2022, KERPLE, section 4.2
   */
  kerple(settings: KerpleOptions): Tensor {
    return expanded(core, schemes.kerple, settings, 'kerple options');
  },

  /**
   * Sandwich's bias: the product of two sinusoidal positions, Σ cos((m − n) base^(−2i/dim)),
   * divided by 8h/heads for head h from 1. Attention takes it as `position: { type: 'sandwich' }`.
   * @returns a tensor [heads, queries, keys]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Chi et al. 2023, Dissecting Transformer Length Extrapolation, appendix E
   */
  sandwich(settings: SandwichOptions): Tensor {
    return expanded(core, schemes.sandwich, settings, 'sandwich options');
  },
});

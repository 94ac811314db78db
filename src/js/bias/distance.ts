/**
 * Biases that depend only on head and distance. Each scheme is one entry of `schemes`: its options,
 * and a function that fills its table, heads × count, column c for key − query = first + c. The
 * functions of biases.ts expand that table; attention reads its rows and never builds queries ×
 * keys values.
 */
import { fitting, tensor } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongKind, wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Checked, type Schema } from '../runtime/schema.js';
import { type Tensor } from '../runtime/tensor.js';

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
  /** 'log': −r1 ln(1 + r2 d). 'power': −r1 d^r2. */
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

export interface DistanceSchemes {
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

/** A scheme after its checks. `heads` is set where its parameters have an entry per head. */
export interface DistanceBias {
  heads?: number;
  byOffset(heads: number, first: number, count: number): Float32Array;
}

/** The options of a scheme, and the function that computes its bias. */
interface Entry<Scheme, Description extends Schema<Scheme>> {
  schema: Description;
  /** @param at prefix of option names in error messages: 'position.' inside attention */
  bias(core: Core, options: Checked<Scheme, Description>, at: string): DistanceBias;
}

const directions = option.oneOf('causal', 'symmetric');

export const slopeSchema = {
  convention: option.oneOf('published', 'sorted', 'naive').default('published'),
  maxBias: option.positive.default(8),
  headOffset: option.wholeFrom(0).default(0),
  totalHeads: option.whole.optional(),
} satisfies Schema<SlopeOptions>;

/** One slope per head by convention, for a slice of `totalHeads`. */
export function slopesOf(
  core: Core,
  { convention, maxBias, headOffset, totalHeads }: Checked<SlopeOptions, typeof slopeSchema>,
  at: string,
  heads: number,
): Float64Array {
  const total = totalHeads ?? headOffset + heads;
  if (headOffset + heads > total) {
    throw wrongValue(
      `${at}totalHeads`,
      `must be at least headOffset + heads, ${headOffset + heads}`,
      total,
    );
  }
  fitting(`${at}heads`, heads, 16);
  return core.doubles(core.raw.alibiSlopes(total, convention, maxBias, headOffset, heads));
}

const alibiSchema = {
  ...slopeSchema,
  direction: directions.default('causal'),
  slopes: option.numbers.shaped('heads').optional(),
} satisfies Schema<AlibiScheme>;

const alibi: Entry<AlibiScheme, typeof alibiSchema> = {
  schema: alibiSchema,
  bias(core, options, at) {
    const { slopes, direction } = options;
    const conflict =
      slopes && Object.keys(slopeSchema).find((name) => Object.hasOwn(options, name));
    if (conflict)
      throw wrongKind(`${at}slopes`, `stands alone: leave out ${at}${conflict}`, slopes, '');
    return {
      heads: slopes?.length,
      byOffset(heads, first, count) {
        core.sendDoubles([slopes ?? slopesOf(core, options, at, heads)]);
        return core.floats(core.raw.alibiByOffset(heads, first, count, direction));
      },
    };
  },
};

export const t5Schema = {
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

const t5: Entry<T5Scheme, typeof t5Schema> = {
  schema: t5Schema,
  bias(core, { table: { data, shape }, direction, maxDistance }) {
    const [buckets, heads] = shape as [number, number];
    return {
      heads,
      byOffset(_, first, count) {
        core.send([data]);
        return core.floats(
          core.raw.t5ByOffset(heads, first, count, direction, buckets, maxDistance),
        );
      },
    };
  },
};

export const kerpleSchema = {
  kind: option.oneOf('log', 'power'),
  r1: option.numbers.shaped('heads'),
  r2: option.numbers.shaped('heads'),
  clamp: option.positive.optional(),
  direction: directions.default('causal'),
} satisfies Schema<KerpleScheme>;

const kerple: Entry<KerpleScheme, typeof kerpleSchema> = {
  schema: kerpleSchema,
  bias(core, { kind, r1, r2, clamp = 0, direction }, at) {
    if (r1.length !== r2.length) {
      throw wrongValue(
        `${at}r2`,
        `must have one value per head as r1 has, ${r1.length}`,
        r2.length,
      );
    }
    return {
      heads: r1.length,
      byOffset(heads, first, count) {
        core.sendDoubles([r1, r2]);
        return core.floats(core.raw.kerpleByOffset(heads, first, count, kind, direction, clamp));
      },
    };
  },
};

const sandwichSchema = {
  dim: option.even.default(128),
  firstPair: option.oneOf(0, 1).default(0),
  zeroAtOrigin: option.oneOf(false, true).default(false),
  base: option.positive.default(10000),
  direction: directions.default('symmetric'),
} satisfies Schema<SandwichScheme>;

const sandwich: Entry<SandwichScheme, typeof sandwichSchema> = {
  schema: sandwichSchema,
  bias(core, { dim, firstPair, zeroAtOrigin, base, direction }, at) {
    fitting(`${at}dim`, dim, 12);
    return {
      byOffset: (heads, first, count) =>
        core.floats(
          core.raw.sandwichByOffset(
            heads,
            first,
            count,
            dim,
            firstPair,
            zeroAtOrigin,
            base,
            direction,
          ),
        ),
    };
  },
};

const schemes = { alibi, t5, kerple, sandwich } satisfies {
  [Type in DistanceType]: Entry<DistanceSchemes[Type], any>;
};

export const distanceTypes = Object.keys(schemes) as DistanceType[];

/** The schemas of a call that takes the options of a scheme and the options `own`. */
export const withDistanceSchemas = <Own>(own: Own) =>
  Object.fromEntries(
    distanceTypes.map((type) => [type, { ...schemes[type].schema, ...own }]),
  ) as Record<DistanceType, Own>;

/**
 * Returns the checked options of such a call and the bias of its scheme. `what` and `at` are used
 * in error messages: 'position' and 'position.' inside attention.
 */
export function distanceBias<Own extends object, Description extends Schema<Own>>(
  core: Core,
  type: DistanceType,
  settings: Own,
  schema: Description,
  what: string,
  at: string,
): { bias: DistanceBias; options: Checked<Own, Description> } {
  const options = read(what, settings, schema, at);
  const { heads, byOffset } = (schemes[type] as Entry<object, any>).bias(core, options, at);
  const bias: DistanceBias = {
    heads,
    byOffset(wanted, first, count) {
      if (heads !== undefined && heads !== wanted) {
        throw wrongValue(what, `must have parameters for ${wanted} heads`, heads);
      }
      fitting('a bias for heads × distances', wanted * count);
      return byOffset(wanted, first, count);
    },
  };
  return { bias, options };
}

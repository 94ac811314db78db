/**
 * Biases that know only head and distance. Each scheme is one entry of `schemes`: the names it
 * knows and how it fills its table, heads × count, column c for key − query = first + c. The
 * functions of biases.ts expand that table; attention reads its rows and never builds queries ×
 * keys values.
 */
import {
  evenNumber,
  fitting,
  numbers,
  oneOf,
  options,
  positiveNumber,
  tensor,
  wholeNumber,
} from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { shapeText, type Tensor } from '../runtime/tensor.js';

/** The authors' slopes in their order, the same sorted, or 2^(−8h/H) for every H. */
export type SlopeConvention = 'published' | 'sorted' | 'naive';
/**
 * What a key after its query gets: 'causal' the same as the query's own, since a mask hides it;
 * 'symmetric' what its distance |m − n| says.
 */
export type BiasDirection = 'causal' | 'symmetric';

/** How ALiBi's slopes are chosen. */
export interface SlopeOptions {
  /** Default 'published'. */
  convention?: SlopeConvention;
  /** The 8 of 2^(−8h/H); MPT's alibi_bias_max. Default 8. */
  maxBias?: number;
  /** Where these heads begin among totalHeads: one rank's slice of the slopes. Default 0. */
  headOffset?: number;
  /** Default: headOffset plus the heads asked for. */
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
   * 'bidirectional': half of the buckets for each side (encoder). 'causal': all for the keys before
   * (decoder).
   */
  direction: 'causal' | 'bidirectional';
  /** Where the logarithm would reach the last bucket; distances beyond share it. Default 128. */
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

/** Sandwich: what two sinusoidal positions have in common, weaker from head to head. */
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

/** The names of the schemes that know only head and distance. */
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

interface Reader<Scheme> {
  names: readonly (keyof Scheme & string)[];
  /** `at` goes before the names in errors: 'position.' inside attention. */
  read(core: Core, given: Scheme, at: string): DistanceBias;
}

const slopeNames = ['convention', 'maxBias', 'headOffset', 'totalHeads'] as const;

function direction(
  given: { direction?: BiasDirection },
  at: string,
  usual: BiasDirection,
): BiasDirection {
  return oneOf(`${at}direction`, given.direction ?? usual, ['causal', 'symmetric'] as const);
}

/** One slope per head by convention, for a slice of `totalHeads`. */
export function slopesOf(core: Core, given: SlopeOptions, at: string, heads: number): Float64Array {
  const convention = oneOf(`${at}convention`, given.convention ?? 'published', [
    'published',
    'sorted',
    'naive',
  ] as const);
  const maxBias = positiveNumber(`${at}maxBias`, given.maxBias ?? 8);
  const offset = wholeNumber(`${at}headOffset`, given.headOffset ?? 0, 0);
  const total = wholeNumber(`${at}totalHeads`, given.totalHeads ?? offset + heads);
  if (offset + heads > total) {
    throw new RangeError(
      `${at}totalHeads must be at least headOffset + heads, ${offset + heads}, got ${total}`,
    );
  }
  fitting(`${at}heads`, heads, 16);
  return core.doubles(core.raw.alibiSlopes(total, convention, maxBias, offset, heads));
}

const alibi: Reader<AlibiScheme> = {
  names: [...slopeNames, 'direction', 'slopes'],
  read(core, given, at) {
    const facing = direction(given, at, 'causal');
    const own = given.slopes === undefined ? undefined : numbers(`${at}slopes`, given.slopes);
    const conflict = own && slopeNames.find((name) => given[name] !== undefined);
    if (conflict) throw new TypeError(`${at}slopes stands alone: leave out ${at}${conflict}`);
    return {
      heads: own?.length,
      byOffset(heads, first, count) {
        core.sendDoubles([own ?? slopesOf(core, given, at, heads)]);
        return core.floats(core.raw.alibiByOffset(heads, first, count, facing));
      },
    };
  },
};

const t5: Reader<T5Scheme> = {
  names: ['table', 'direction', 'maxDistance'],
  read(core, given, at) {
    const { data, shape } = tensor(`${at}table`, given.table);
    if (shape.length !== 2)
      throw new RangeError(`${at}table.shape must be [buckets, heads], got ${shapeText(shape)}`);
    const [buckets, heads] = shape as [number, number];
    const facing = oneOf(`${at}direction`, given.direction, ['causal', 'bidirectional'] as const);
    const maxDistance = wholeNumber(`${at}maxDistance`, given.maxDistance ?? 128);
    return {
      heads,
      byOffset(_, first, count) {
        core.send([data]);
        return core.floats(core.raw.t5ByOffset(heads, first, count, facing, buckets, maxDistance));
      },
    };
  },
};

const kerple: Reader<KerpleScheme> = {
  names: ['kind', 'r1', 'r2', 'clamp', 'direction'],
  read(core, given, at) {
    const kind = oneOf(`${at}kind`, given.kind, ['log', 'power'] as const);
    const least = given.clamp === undefined ? -Infinity : positiveNumber(`${at}clamp`, given.clamp);
    const most = given.clamp !== undefined && kind === 'power' ? 2 : Infinity;
    const r1 = numbers(`${at}r1`, given.r1).map((value) => Math.max(value, least));
    const r2 = numbers(`${at}r2`, given.r2).map((value) => Math.min(Math.max(value, least), most));
    if (r1.length !== r2.length) {
      throw new RangeError(
        `${at}r2 must have one value per head as r1 has, ${r1.length}, got ${r2.length}`,
      );
    }
    const facing = direction(given, at, 'causal');
    return {
      heads: r1.length,
      byOffset(heads, first, count) {
        core.sendDoubles([r1, r2]);
        return core.floats(core.raw.kerpleByOffset(heads, first, count, kind, facing));
      },
    };
  },
};

const sandwich: Reader<SandwichScheme> = {
  names: ['dim', 'firstPair', 'zeroAtOrigin', 'base', 'direction'],
  read(core, given, at) {
    const dim = fitting(`${at}dim`, evenNumber(`${at}dim`, given.dim ?? 128), 12);
    const firstPair = oneOf(`${at}firstPair`, given.firstPair ?? 0, [0, 1] as const);
    const zeroAtOrigin = oneOf(`${at}zeroAtOrigin`, given.zeroAtOrigin ?? false, [
      false,
      true,
    ] as const);
    const base = positiveNumber(`${at}base`, given.base ?? 10000);
    const facing = direction(given, at, 'symmetric');
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
            facing,
          ),
        ),
    };
  },
};

const schemes: { [Type in DistanceType]: Reader<DistanceSchemes[Type]> } = {
  alibi,
  t5,
  kerple,
  sandwich,
};

export const distanceTypes = Object.keys(schemes) as DistanceType[];

/**
 * A scheme's options after their checks, together with what the caller itself reads from them
 * (`also`). `what` and `at` go into errors: 'position' and 'position.' inside attention.
 */
export function distanceBias<Also extends object>(
  core: Core,
  type: DistanceType,
  settings: object,
  also: readonly (keyof Also & string)[],
  what: string,
  at: string,
): { bias: DistanceBias; given: Also } {
  const { names, read } = schemes[type] as Reader<object>;
  const given = options(what, settings as Also, [...names, ...also] as typeof also);
  const { heads, byOffset } = read(core, given, at);
  const bias: DistanceBias = {
    heads,
    byOffset(asked, first, count) {
      if (heads !== undefined && heads !== asked) {
        throw new RangeError(`${what} must have parameters for ${asked} heads, got ${heads}`);
      }
      fitting('a bias for heads × distances', asked * count);
      return byOffset(asked, first, count);
    },
  };
  return { bias, given };
}

/** Where a scheme of position acts inside attention, and what it sends along. */
import type { Sizes } from './operands.js';
import { doubleTensor, oneOf, rowPositions } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import {
  distanceBias,
  distanceTypes,
  withDistanceSchemas,
  type DistanceScheme,
  type DistanceType,
} from '../bias/distance.js';
import { rotaryLayout, type RotaryLayout } from '../rotary/rotary.js';
import {
  checkedFrequencies,
  requireOneAxis,
  requireWidth,
  type RotaryFrequencies,
} from '../rotary/frequencies.js';
import {
  mapSchema,
  positionMap,
  type MapOptions,
  type MapType,
  type PositionMap,
} from '../rotary/position_maps.js';
import { shapeText, type DoubleTensor, type Positions, type Tensor } from '../runtime/tensor.js';

/**
 * A scheme that acts inside attention. Schemes that act at the input are added to the tokens
 * before. Positions and distances count from where causal or window align the queries: without
 * either, query 0 stands at the first key after `past`. 'bottom-right' aligns the last query with
 * the last real key of its batch, see `keyLengths`.
 */
export type AttentionPosition =
  | { type: 'none' }
  | {
      type: 'rope';
      frequencies: RotaryFrequencies;
      layout: RotaryLayout;
      /**
       * Positions of the queries: [queries] values, [batch × queries] where batches differ, or
       * [batch × heads × queries] where heads do (RePo). Default: the keys at which they stand, see
       * above.
       */
      positions?: Positions;
      /**
       * Positions of the keys: [keys] values, [batch × keys] or [batch × key heads × keys].
       * Default: those of the queries where they are given, else 0, 1, …
       */
      keyPositions?: Positions;
    }
  | AnglePosition
  | PrefixSumPosition
  | DistanceScheme
  | MappedPosition;

/**
 * A rotation by angles that are computed elsewhere, for instance from the text: Selective RoPE,
 * GRAPE-M. `accumulatedAngles` makes them of increments.
 */
export interface AnglePosition {
  type: 'angles';
  /**
   * Radians, [queries, pairs], [batch, queries, pairs] or [batch, heads, queries, pairs]. Axes
   * before the last two may be left out where the others have extent 1.
   */
  angles: DoubleTensor;
  /** Of the keys: the same with keys and key heads. Default: those of the queries. */
  keyAngles?: DoubleTensor;
  layout: RotaryLayout;
}

/**
 * A bias from one number per token and head: c_m − c_n for keys n up to the query m, with c the
 * inclusive prefix sums of terms; later keys get r_n − r_m, with the sums of `later`. The tensors
 * have k's leading axes with q's heads, [keys], [heads, keys] or [batch, heads, keys]. Sums are
 * formed in double. For decoding with a cache give the terms of all keys, or keep `sums`.
 *
 * - 'prefix-sum': the terms themselves, or their sums.
 * - 'fox': terms ln σ(gate), of gate logits (Lin et al. 2025, Forgetting Transformer).
 * - 'cable': terms ln σ(−gate) = −softplus(gate) (CABLE, Context-aware Biases for Length
 *   Extrapolation). Its code does not divide q · k by √dim: give scale 1 for that.
 */
export type PrefixSumPosition =
  | { type: 'prefix-sum'; terms: Tensor; later?: Tensor }
  | { type: 'prefix-sum'; sums: DoubleTensor; laterSums?: DoubleTensor }
  | GatePosition<'fox'>
  | GatePosition<'cable'>;

/** Logits of gates. */
interface GatePosition<Type extends string> {
  type: Type;
  gates: Tensor;
  /** Of the keys after a query. Default: `gates`. */
  laterGates?: Tensor;
}

/** All options of both forms of 'prefix-sum', of which a call has one. */
interface PrefixSumOptions {
  type: 'prefix-sum';
  terms?: Tensor;
  later?: Tensor;
  sums?: DoubleTensor;
  laterSums?: DoubleTensor;
}

type MapOf<Type extends MapType> = {
  type: Type;
  frequencies: RotaryFrequencies;
  layout: RotaryLayout;
} & MapOptions[Type];

type MappedType = Exclude<MapType, 'rope'>;

/**
 * Rotary schemes that give near and far keys different relative positions, so that no distance goes
 * beyond what was trained: ReRoPE and Leaky ReRoPE (Su 2023, kexue.fm 9708), Self-Extend (Jin et
 * al. 2024), dual chunk attention (An et al. 2024). Each costs one more rotated copy of q and k.
 */
export type MappedPosition = { [Type in MappedType]: MapOf<Type> }[MappedType];

/** What a number of a prefix sum stands for, as the core counts them. */
export const prefixTerms = ['number', 'log-sigmoid', 'log-sigmoid-of-negative'] as const;
type PrefixTerm = (typeof prefixTerms)[number];

/** What a scheme sends into the core; what is absent is an empty list. */
export interface PositionOperand {
  /** Per head, from firstDistance = key − query on. */
  distanceBias: Float32Array[];
  firstDistance: number;
  frequencies: Float64Array[];
  attentionFactor: number;
  layout: RotaryLayout;
  map: PositionMap;
  /** Numbers per token and head whose prefix sums are a bias, or these sums: one list, or two. */
  prefixNumbers: Float32Array[];
  prefixSums: Float64Array[];
  prefixTerm: PrefixTerm;
  /** Of given angles, which then are in place of positions; 0: positions times frequencies. */
  anglePairs: number;
  /** Positions in place of those of the map: of each row, or of each row of each batch. */
  queryPositions: Float64Array[];
  keyPositions: Float64Array[];
}

export const noPosition: PositionOperand = {
  distanceBias: [],
  firstDistance: 0,
  frequencies: [],
  attentionFactor: 1,
  layout: 'interleaved',
  map: positionMap('rope', {}),
  prefixNumbers: [],
  prefixSums: [],
  prefixTerm: 'number',
  anglePairs: 0,
  queryPositions: [],
  keyPositions: [],
};

type Of<Type> = Extract<AttentionPosition, { type: Type }>;

/** The frequencies and their layout, after their checks. */
function rotaryOperand(
  { frequencies, layout }: { frequencies: RotaryFrequencies; layout: RotaryLayout },
  { dim }: Sizes,
): PositionOperand {
  const checked = checkedFrequencies('position.frequencies', frequencies);
  requireOneAxis('position.frequencies', checked);
  requireWidth('position.frequencies', checked, dim);
  return {
    ...noPosition,
    frequencies: [checked.inverseFrequencies],
    attentionFactor: checked.attentionFactor,
    layout,
  };
}

const typeSchema = { type: option.asGiven };
const distanceSchemas = withDistanceSchemas(typeSchema);
const rotarySchema = { ...typeSchema, frequencies: option.asGiven, layout: rotaryLayout };
const ropeSchema = {
  ...rotarySchema,
  positions: option.asGiven,
  keyPositions: option.asGiven,
} satisfies Schema<Of<'rope'>>;

function mapped<Type extends MappedType>(type: Type) {
  const schema = { ...rotarySchema, ...mapSchema(type) } as Schema<Of<Type>>;
  return (position: Of<Type>, sizes: Sizes): PositionOperand => {
    const given = read('position', position, schema, 'position.') as MappedPosition;
    const map = positionMap(type, given as never, 'position.');
    return { ...rotaryOperand(given, sizes), map };
  };
}

const prefixSumSchema = {
  ...typeSchema,
  terms: option.tensor.optional(),
  later: option.tensor.optional(),
  sums: option.asGiven,
  laterSums: option.asGiven,
} satisfies Schema<PrefixSumOptions>;

const gateSchema = {
  ...typeSchema,
  gates: option.tensor,
  laterGates: option.tensor.optional(),
} satisfies Schema<GatePosition<string>>;

/** Values per token and query head, whose axes may lack those of extent 1 before. */
function perToken(name: string, shape: readonly number[], { batch, heads, keys }: Sizes): void {
  const full = [batch, heads, keys];
  const given = [...Array<number>(Math.max(0, 3 - shape.length)).fill(1), ...shape];
  if (shape.length === 0 || given.length > 3 || full.some((extent, axis) => given[axis] !== extent))
    throw new RangeError(
      `position.${name}.shape must be ${shapeText(full)}, one value per token and head of q, got ${shapeText(shape)}`,
    );
}

function gated(prefixTerm: PrefixTerm) {
  return (position: GatePosition<string>, sizes: Sizes): PositionOperand => {
    const { gates, laterGates } = read('position', position, gateSchema, 'position.');
    perToken('gates', gates.shape, sizes);
    if (laterGates) perToken('laterGates', laterGates.shape, sizes);
    const prefixNumbers = [gates, ...(laterGates ? [laterGates] : [])].map(({ data }) => data);
    return { ...noPosition, prefixNumbers, prefixTerm };
  };
}

const angleSchema = {
  ...typeSchema,
  angles: option.asGiven,
  keyAngles: option.asGiven,
  layout: rotaryLayout,
} satisfies Schema<AnglePosition>;

/** The angles of each row, and how many pairs they rotate. */
function anglesOf(name: string, value: DoubleTensor, sizes: Sizes, rows: number, heads: number) {
  const { data, shape } = doubleTensor(`position.${name}`, value);
  const pairs = shape[shape.length - 1] ?? 0;
  const count = data.length / pairs;
  const isKnown =
    count === rows || count === sizes.batch * rows || count === sizes.batch * heads * rows;
  if (shape.length < 2 || shape[shape.length - 2] !== rows || !isKnown)
    throw new RangeError(
      `position.${name}.shape must be [${sizes.batch}, ${heads}, ${rows}, pairs], without the heads or without both where they share angles, got ${shapeText(shape)}`,
    );
  requireWidth(`position.${name}`, { dim: 2 * pairs }, sizes.dim);
  return { data, pairs };
}

type OtherType = Exclude<AttentionPosition['type'], DistanceType>;

/** One line per scheme that is not a bias by distance. */
const schemes: {
  [Type in OtherType]: (position: Of<Type>, sizes: Sizes) => PositionOperand;
} = {
  none(position) {
    read('position', position, typeSchema);
    return noPosition;
  },
  rope(position, sizes) {
    const given = read('position', position, ropeSchema, 'position.');
    const { batch, queries, keys } = sizes;
    const rotary = rotaryOperand(given, sizes);
    const rows = (name: string, value: Positions | undefined, length: number, heads: number) =>
      value === undefined ? [] : [rowPositions(`position.${name}`, value, length, batch, 1, heads)];
    const queryPositions = rows('positions', given.positions, queries, sizes.heads);
    const isPerHead = (queryPositions[0]?.length ?? 0) > batch * queries;
    if (isPerHead && given.keyPositions === undefined && sizes.heads !== sizes.keyHeads)
      throw new RangeError(
        `position.keyPositions must be given for the ${sizes.keyHeads} heads of the keys: position.positions are those of ${sizes.heads}`,
      );
    if (given.positions !== undefined && given.keyPositions === undefined && queries !== keys) {
      throw new RangeError(
        `position.positions stand for the keys as well, of which there are ${keys} for ` +
          `${queries} queries: give position.keyPositions, too`,
      );
    }
    const keyPositions =
      given.keyPositions === undefined
        ? queryPositions
        : rows('keyPositions', given.keyPositions, keys, sizes.keyHeads);
    return { ...rotary, queryPositions, keyPositions };
  },
  angles(position, sizes) {
    const given = read('position', position, angleSchema, 'position.');
    const of = anglesOf('angles', given.angles, sizes, sizes.queries, sizes.heads);
    const keyAngles = given.keyAngles ?? given.angles;
    const ofKeys = anglesOf('keyAngles', keyAngles, sizes, sizes.keys, sizes.keyHeads);
    if (of.pairs !== ofKeys.pairs)
      throw new RangeError(
        `position.keyAngles must have ${of.pairs} pairs as position.angles, got ${ofKeys.pairs}`,
      );
    return {
      ...noPosition,
      anglePairs: of.pairs,
      layout: given.layout,
      queryPositions: [of.data],
      keyPositions: [ofKeys.data],
    };
  },
  'prefix-sum'(position, sizes) {
    const given = read('position', position as PrefixSumOptions, prefixSumSchema, 'position.');
    const numbers = [given.terms, given.later].filter((list) => list !== undefined);
    const sums = [given.sums, given.laterSums]
      .filter((list) => list !== undefined)
      .map((list) => doubleTensor('position.sums', list));
    if ((given.terms === undefined) === (given.sums === undefined) || numbers.length * sums.length)
      throw new TypeError('position must have either terms (and later) or sums (and laterSums)');
    for (const { shape } of numbers) perToken('terms', shape, sizes);
    for (const { shape } of sums) perToken('sums', shape, sizes);
    return {
      ...noPosition,
      prefixNumbers: numbers.map(({ data }) => data),
      prefixSums: sums.map(({ data }) => data),
    };
  },
  fox: gated('log-sigmoid'),
  cable: gated('log-sigmoid-of-negative'),
  rerope: mapped('rerope'),
  'leaky-rerope': mapped('leaky-rerope'),
  'self-extend': mapped('self-extend'),
  'dual-chunk': mapped('dual-chunk'),
};

const types = [...(Object.keys(schemes) as OtherType[]), ...distanceTypes];

/** @param firstQuery the key at which query 0 stands, where every key is real */
export function positionOperand(
  core: Core,
  position: AttentionPosition,
  sizes: Sizes,
  firstQuery: number,
): PositionOperand {
  const type = oneOf('position.type', position?.type, types);
  if (type in schemes) {
    const scheme = schemes[type as OtherType] as (
      position: AttentionPosition,
      sizes: Sizes,
    ) => PositionOperand;
    return scheme(position, sizes);
  }
  const { heads, queries, keys } = sizes;
  const { bias } = distanceBias(
    core,
    type as DistanceType,
    position as { type: DistanceType },
    distanceSchemas[type as DistanceType],
    'position',
    'position.',
  );
  const firstDistance = 1 - queries - firstQuery;
  return {
    ...noPosition,
    distanceBias: [bias.byOffset(heads, firstDistance, queries + keys - 1)],
    firstDistance,
  };
}

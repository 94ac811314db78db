/** The position schemes that act inside attention, and their data for the core. */
import { attendedPosition, isConfigured, type ConfiguredPosition } from './configured.js';
import type { Sizes, TextOperand } from './operands.js';
import { requireShapes } from './shapes.js';
import {
  isTextType,
  textOperand,
  textSchemas,
  textTypes,
  type TextPosition,
} from './text_schemes.js';
import type { PrefixTerm } from '../bias/prefix_terms.js';
import { fitting, oneOf, rowPositions, type CheckedPositions } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongKind, wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Checked, type Schema } from '../runtime/schema.js';
import type { RotaryScaling } from '../rotary/scaling.js';
import {
  distanceTypes,
  schemes as distanceEntries,
  type DistanceScheme,
  type DistanceType,
} from '../bias/distance.js';
import { parametersOf, type DistanceTable } from '../bias/distance_table.js';
import { layoutOrHalves, type RotaryLayout } from '../rotary/rotary.js';
import {
  checkedFrequencies,
  frequencies as frequencyOption,
  requireOneAxis,
  requireWidth,
  rotaryFrequencies,
  rotaryFrequencySchema,
  type RotaryFrequencies,
} from '../rotary/frequencies.js';
import {
  mapSchema,
  mapTypes,
  positionMap,
  type MapOptions,
  type MapType,
  type PositionMap,
} from '../rotary/position_maps.js';
import { type DoubleTensor, type Positions, type Tensor } from '../runtime/tensor.js';

/**
 * A scheme that acts inside attention; schemes that act at the input are added to the tokens
 * before. `causal` or `window` decides which key a query is aligned with, and so its position.
 * Without either, query 0 is aligned with the first key after `past`. 'bottom-right' aligns the
 * last query with the last real key of its batch, see `keyLengths`.
 */
export type AttentionPosition =
  | { type: 'none' }
  | ({
      type: 'rope';
      /**
       * Positions of the queries: [queries] values, [batch × queries] where batches differ, or
       * [batch × heads × queries] where heads do (RePo). Default: the positions of the keys that
       * they are aligned with, see above.
       */
      positions?: Positions;
      /**
       * Positions of the keys: [keys] values, [batch × keys] or [batch × key heads × keys].
       * Default: those of the queries if given, else 0, 1, …
       */
      keyPositions?: Positions;
    } & RotarySource)
  | AnglePosition
  | PrefixSumPosition
  | DistanceScheme
  | MappedPosition
  | TextPosition;

/** A name alone, or what `positionFromConfig` returns. */
export type PositionInput = AttentionPosition | 'none' | 'alibi' | 'rope' | ConfiguredPosition;

/** What rotates: frequencies, or what they are computed from for the width of q. */
export interface RotarySource {
  /** Which values are a pair: as the model was trained. Default 'half-split'. */
  layout?: RotaryLayout;
  /** Default: those of `base`, `rotaryFraction` and `scaling`. */
  frequencies?: RotaryFrequencies;
  /** Default 10000. */
  base?: number;
  /** Share of a head that is rotated. Default 1. */
  rotaryFraction?: number;
  /** An extension to longer contexts, as `rotaryFrequencies` takes it. */
  scaling?: RotaryScaling;
}

/**
 * A rotation by given angles, for instance computed from the text: Selective RoPE, GRAPE-M.
 * `accumulatedAngles` computes them from increments.
 */
export interface AnglePosition {
  type: 'angles';
  /**
   * Radians, [queries, pairs], [batch, queries, pairs] or [batch, heads, queries, pairs]. Axes
   * before the last two may be left out where the others have extent 1.
   */
  angles: DoubleTensor;
  /** Angles of the keys: the same with keys and key heads. Default: those of the queries. */
  keyAngles?: DoubleTensor;
  /** Which values are a pair. Default 'half-split'. */
  layout?: RotaryLayout;
}

/**
 * A bias from one number per token and head. Keys n up to the query m get c_m − c_n, where c are
 * the inclusive prefix sums of the terms. Later keys get r_n − r_m, where r are the sums of
 * `later`. The tensors have k's leading axes with q's heads, [keys], [heads, keys] or [batch,
 * heads, keys]. Sums are formed in double. For decoding with a cache give the terms of all keys, or
 * keep `sums`.
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
  /** Gates for the keys after a query. Default: `gates`. */
  laterGates?: Tensor;
}

/** The options of both forms of 'prefix-sum'; a call has those of one. */
interface PrefixSumOptions {
  type: 'prefix-sum';
  terms?: Tensor;
  later?: Tensor;
  sums?: DoubleTensor;
  laterSums?: DoubleTensor;
}

type MapOf<Type extends MapType> = { type: Type } & RotarySource & MapOptions[Type];

type MappedType = Exclude<MapType, 'rope'>;

/**
 * Rotary schemes that change the relative positions of far keys, so that they stay within those of
 * training: ReRoPE and Leaky ReRoPE (Su 2023, kexue.fm 9708), Self-Extend (Jin et
 * al. 2024), dual chunk attention (An et al. 2024). Each costs one more rotated copy of q and k.
 */
export type MappedPosition = { [Type in MappedType]: MapOf<Type> }[MappedType];

/** The data of a scheme for the core; an empty list stands for an absent one. */
export interface PositionOperand {
  /** A bias by distance. */
  distance: DistanceTable | undefined;
  frequencies: Float64Array[];
  attentionFactor: number;
  layout: RotaryLayout;
  map: PositionMap;
  /** Numbers per token and head whose prefix sums are a bias: one list, or two with `later`. */
  prefixNumbers: Float32Array[];
  prefixSums: Float64Array[];
  prefixTerm: PrefixTerm;
  /** Pairs of given angles, which replace positions; 0: the angle is position × frequency. */
  anglePairs: number;
  /**
   * Given positions: one per row, per batch and row, or per batch, head and row. Keys without their
   * own have those of the queries, if given.
   */
  queryPositions: Float64Array[];
  keyPositions: Float64Array[];
  /** Factors on the scores of each query that come with the scheme. */
  rowScale: Float32Array[];
  /** Positions of the keys, where a bias by distance does not count them from 0. */
  distancePositions: Float64Array[];
  text: TextOperand | undefined;
  /** The same for all queries; `rowScale` of the call multiplies it. */
  softmaxScale: number;
}

export const noPosition: PositionOperand = {
  distance: undefined,
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
  rowScale: [],
  distancePositions: [],
  text: undefined,
  softmaxScale: 1,
};

type Of<Type> = Extract<AttentionPosition, { type: Type }>;

/** The checked frequencies and their layout. */
function rotaryOperand(
  core: Core,
  given: Checked<RotarySource, typeof sourceSchema>,
  { dim }: Sizes,
): PositionOperand {
  const { frequencies, layout, base, rotaryFraction, scaling } = given;
  const stray = (['base', 'rotaryFraction', 'scaling'] as const).find((name) =>
    Object.hasOwn(given, name),
  );
  if (frequencies !== undefined && stray !== undefined)
    throw wrongKind(
      `position.${stray}`,
      'must come without frequencies',
      given[stray as keyof typeof given],
      'both',
    );
  const computed = () =>
    rotaryFrequencies(core).rotaryFrequencies({ dim, base, rotaryFraction, scaling });
  const checked = frequencies ?? checkedFrequencies('position.frequencies', computed());
  requireOneAxis('position.frequencies', checked);
  requireWidth('position.frequencies', checked, dim);
  return {
    ...noPosition,
    frequencies: [checked.inverseFrequencies],
    attentionFactor: checked.attentionFactor,
    softmaxScale: checked.softmaxScale,
    layout,
  };
}

const sourceSchema = {
  layout: layoutOrHalves,
  frequencies: frequencyOption.optional(),
  base: rotaryFrequencySchema.base,
  rotaryFraction: rotaryFrequencySchema.rotaryFraction,
  scaling: option.given('scaling'),
} satisfies Schema<RotarySource>;

const typeSchema = { type: option.type };
const rotarySchema = { ...typeSchema, ...sourceSchema };
const ropeSchema = {
  ...rotarySchema,
  positions: option.positions.optional(),
  keyPositions: option.positions.optional(),
} satisfies Schema<Of<'rope'>>;

function mapped<Type extends MappedType>(type: Type) {
  const schema = { ...rotarySchema, ...mapSchema(type) } as Schema<Of<Type>>;
  return (position: Of<Type>, sizes: Sizes, core: Core): PositionOperand => {
    const given = read('position', position, schema, 'position.');
    const map = positionMap(type, given as never, 'position.');
    return { ...rotaryOperand(core, given as never, sizes), map };
  };
}

const perToken = ['batch', 'heads', 'keys'] as const;
const terms = option.tensor.shaped(...perToken).optional();
const sums = option.doubles.shaped(...perToken).optional();

const prefixSumSchema = {
  ...typeSchema,
  terms,
  later: terms,
  sums,
  laterSums: sums,
} satisfies Schema<PrefixSumOptions>;

const gateSchema = {
  ...typeSchema,
  gates: option.tensor.shaped(...perToken),
  laterGates: terms,
} satisfies Schema<GatePosition<string>>;

function gated(prefixTerm: PrefixTerm) {
  return (position: GatePosition<string>, sizes: Sizes): PositionOperand => {
    const given = read('position', position, gateSchema, 'position.');
    requireShapes(gateSchema, given, sizes);
    const { gates, laterGates } = given;
    const prefixNumbers = [gates, ...(laterGates ? [laterGates] : [])].map(({ data }) => data);
    return { ...noPosition, prefixNumbers, prefixTerm };
  };
}

const angleSchema = {
  ...typeSchema,
  angles: option.doubles,
  keyAngles: option.doubles.optional(),
  layout: layoutOrHalves,
} satisfies Schema<AnglePosition>;

/** The angles of each row, and the number of pairs. */
function anglesOf(
  name: string,
  { data, shape }: DoubleTensor,
  sizes: Sizes,
  rows: number,
  heads: number,
) {
  const pairs = shape[shape.length - 1] ?? 0;
  const count = data.length / pairs;
  const isKnown =
    count === rows || count === sizes.batch * rows || count === sizes.batch * heads * rows;
  if (shape.length < 2 || shape[shape.length - 2] !== rows || !isKnown)
    throw wrongShape(
      `position.${name}`,
      `must be [${sizes.batch}, ${heads}, ${rows}, pairs], without the heads or without both where they share angles`,
      shape,
    );
  requireWidth(`position.${name}`, { dim: 2 * pairs }, sizes.dim);
  return { data, pairs };
}

type OtherType = Exclude<AttentionPosition['type'], DistanceType | TextPosition['type']>;

/** One entry per scheme that is neither a bias by distance nor from the text. */
const schemes: {
  [Type in OtherType]: (position: Of<Type>, sizes: Sizes, core: Core) => PositionOperand;
} = {
  none(position) {
    read('position', position, typeSchema);
    return noPosition;
  },
  rope(position, sizes, core) {
    const given = read('position', position, ropeSchema, 'position.');
    const { batch, queries, keys } = sizes;
    const rotary = rotaryOperand(core, given, sizes);
    const rows = (
      name: string,
      value: CheckedPositions | undefined,
      length: number,
      heads: number,
    ) =>
      value === undefined ? [] : [rowPositions(`position.${name}`, value, length, batch, 1, heads)];
    const queryPositions = rows('positions', given.positions, queries, sizes.heads);
    const isPerHead = (queryPositions[0]?.length ?? 0) > batch * queries;
    if (isPerHead && given.keyPositions === undefined && sizes.heads !== sizes.keyHeads)
      throw wrongValue(
        'position.keyPositions',
        `must be given for the ${sizes.keyHeads} heads of the keys: position.positions are those of ${sizes.heads}`,
        undefined,
        '',
      );
    if (given.positions !== undefined && given.keyPositions === undefined && queries !== keys) {
      const count = `of which there are ${keys} for ${queries} queries`;
      const rule = `stand for the keys as well, ${count}: give position.keyPositions, too`;
      throw wrongValue('position.positions', rule, given.positions, '');
    }
    const keyPositions = rows('keyPositions', given.keyPositions, keys, sizes.keyHeads);
    return { ...rotary, queryPositions, keyPositions };
  },
  angles(position, sizes) {
    const given = read('position', position, angleSchema, 'position.');
    const of = anglesOf('angles', given.angles, sizes, sizes.queries, sizes.heads);
    const isOfKeys =
      given.keyAngles === undefined &&
      sizes.queries === sizes.keys &&
      sizes.heads === sizes.keyHeads;
    const keyAngles = given.keyAngles ?? given.angles;
    const ofKeys = isOfKeys
      ? of
      : anglesOf('keyAngles', keyAngles, sizes, sizes.keys, sizes.keyHeads);
    if (of.pairs !== ofKeys.pairs)
      throw wrongValue(
        'position.keyAngles',
        `must have ${of.pairs} pairs as position.angles`,
        ofKeys.pairs,
      );
    return {
      ...noPosition,
      anglePairs: of.pairs,
      layout: given.layout,
      queryPositions: [of.data],
      keyPositions: isOfKeys ? [] : [ofKeys.data],
    };
  },
  'prefix-sum'(position, of) {
    const given = read('position', position as PrefixSumOptions, prefixSumSchema, 'position.');
    const numbers = [given.terms, given.later].filter((list) => list !== undefined);
    const sums = [given.sums, given.laterSums].filter((list) => list !== undefined);
    if ((given.terms === undefined) === (given.sums === undefined) || numbers.length * sums.length)
      throw wrongKind(
        'position',
        'must have either terms (and later) or sums (and laterSums)',
        given,
        '',
      );
    requireShapes(prefixSumSchema, given, of);
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

const types = [...(Object.keys(schemes) as OtherType[]), ...distanceTypes, ...textTypes];

/** The options of every scheme. @internal */
export const positionSchemas: Record<AttentionPosition['type'], object> = {
  none: typeSchema,
  rope: ropeSchema,
  angles: angleSchema,
  'prefix-sum': prefixSumSchema,
  fox: gateSchema,
  cable: gateSchema,
  ...(Object.fromEntries(
    mapTypes
      .filter((type) => type !== 'rope')
      .map((type) => [type, { ...rotarySchema, ...mapSchema(type) }]),
  ) as Record<MappedType, object>),
  ...(Object.fromEntries(
    distanceTypes.map((type) => [type, distanceEntries[type].ofPosition]),
  ) as Record<DistanceType, object>),
  ...textSchemas,
};

/**
 * @param firstQuery the key that query 0 is aligned with if every key is real
 * @param positions those of the keys, where a bias by distance does not count them from 0; the
 * queries are the last of them, or with `hasKeyLengths` in each batch the last real ones
 */
export function positionOperand(
  core: Core,
  given: PositionInput,
  sizes: Sizes,
  firstQuery: number,
  positions?: Float64Array,
  hasKeyLengths = false,
): PositionOperand {
  if (isConfigured(given)) {
    const { position, rowScale } = attendedPosition(core, given.scheme, sizes, firstQuery);
    const operand = positionOperand(core, position, sizes, firstQuery, positions, hasKeyLengths);
    return { ...operand, rowScale, softmaxScale: 1 };
  }
  const position = typeof given === 'string' ? ({ type: given } as AttentionPosition) : given;
  const type = oneOf('position.type', position?.type, types);
  if (isTextType(type))
    return { ...noPosition, text: textOperand(core, position as TextPosition, sizes) };
  if (type in schemes) {
    const scheme = schemes[type as OtherType] as (
      position: AttentionPosition,
      sizes: Sizes,
      core: Core,
    ) => PositionOperand;
    return scheme(position, sizes, core);
  }
  const entry = distanceEntries[type as DistanceType];
  const { heads, queries, keys } = sizes;
  const [firstDistance, lastDistance] = positions
    ? [
        positions[0]! - positions[keys - 1]!,
        // Queries of a batch may stand anywhere, and before the first key.
        positions[keys - 1]! -
          (hasKeyLengths ? positions[0]! - queries : positions[keys - queries]!),
      ]
    : [1 - queries - firstQuery, keys - 1 - firstQuery];
  const options = read('position', position, entry.ofPosition, 'position.');
  const parameters = parametersOf(entry, options, 'position', 'position.', heads);
  const count = lastDistance - firstDistance + 1;
  fitting('a bias for heads × distances', heads * count);
  return {
    ...noPosition,
    distance: { parameters, heads, firstHead: 0, first: firstDistance, count },
    distancePositions: positions ? [positions] : [],
  };
}

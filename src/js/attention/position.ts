/** Where a scheme of position acts inside attention, and what it sends along. */
import type { Sizes } from './operands.js';
import { oneOf, rowPositions } from '../runtime/checks.js';
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
import type { Positions } from '../runtime/tensor.js';

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
       * Positions of the queries: [queries] values, or [batch × queries] where batches differ.
       * Default: the keys at which they stand, see above.
       */
      positions?: Positions;
      /**
       * Positions of the keys: [keys] values, or [batch × keys] where batches differ. Default:
       * those of the queries where they are given, else 0, 1, …
       */
      keyPositions?: Positions;
    }
  | DistanceScheme
  | MappedPosition;

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

/** What a scheme sends into the core; what is absent is an empty list. */
export interface PositionOperand {
  /** Per head, from firstDistance = key − query on. */
  distanceBias: Float32Array[];
  firstDistance: number;
  frequencies: Float64Array[];
  attentionFactor: number;
  layout: RotaryLayout;
  map: PositionMap;
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
    const rows = (name: string, value: Positions | undefined, length: number) =>
      value === undefined ? [] : [rowPositions(`position.${name}`, value, length, batch)];
    const queryPositions = rows('positions', given.positions, queries);
    if (given.positions !== undefined && given.keyPositions === undefined && queries !== keys) {
      throw new RangeError(
        `position.positions stand for the keys as well, of which there are ${keys} for ` +
          `${queries} queries: give position.keyPositions, too`,
      );
    }
    const keyPositions =
      given.keyPositions === undefined
        ? queryPositions
        : rows('keyPositions', given.keyPositions, keys);
    return { ...rotary, queryPositions, keyPositions };
  },
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

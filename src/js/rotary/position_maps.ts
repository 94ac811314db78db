/** Schemes that give near and far keys different relative positions: their options, checked. */
import * as option from '../runtime/option.js';
import type { Schema } from '../runtime/schema.js';

export interface MapOptions {
  rope: object;
  rerope: {
    /** Distances from here on all become `window`. */
    window: number;
  };
  'leaky-rerope': {
    window: number;
    /** Distances beyond `window` grow by 1/factor per step. */
    factor: number;
  };
  'self-extend': {
    groupSize: number;
    /** Distances from here on count in groups. */
    neighborWindow: number;
  };
  'dual-chunk': {
    chunkSize: number;
    /** Tokens this close keep their distance across the border of a chunk. */
    localWindow: number;
  };
}

export type MapType = keyof MapOptions;

/** A map as the core takes it; `kind` counts in the order of its PositionMapKind. */
export interface PositionMap {
  kind: number;
  window: number;
  second: number;
}

interface Map<Options> {
  schema: Schema<Options>;
  /** @param at goes before the names in errors */
  parameters(options: Options, at: string): [number, number];
}

const maps: { [Type in MapType]: Map<MapOptions[Type]> } = {
  rope: { schema: {}, parameters: () => [0, 0] },
  rerope: { schema: { window: option.whole }, parameters: ({ window }) => [window, 0] },
  'leaky-rerope': {
    schema: { window: option.whole, factor: option.positive },
    parameters: ({ window, factor }) => [window, factor],
  },
  'self-extend': {
    schema: { groupSize: option.whole, neighborWindow: option.whole },
    parameters: ({ groupSize, neighborWindow }) => [neighborWindow, groupSize],
  },
  'dual-chunk': {
    schema: { chunkSize: option.whole, localWindow: option.wholeFrom(0) },
    parameters({ chunkSize, localWindow }, at) {
      if (localWindow < chunkSize) return [chunkSize, localWindow];
      throw new RangeError(
        `${at}localWindow must be smaller than chunkSize, ${chunkSize}, got ${localWindow}`,
      );
    },
  },
};

export const mapTypes = Object.keys(maps) as MapType[];

export const mapSchema = <Type extends MapType>(type: Type): Schema<MapOptions[Type]> =>
  maps[type].schema;

/** @param options after the checks of the map's schema */
export function positionMap<Type extends MapType>(
  type: Type,
  options: MapOptions[Type],
  at = '',
): PositionMap {
  const [window, second] = maps[type].parameters(options, at);
  return { kind: mapTypes.indexOf(type), window, second };
}

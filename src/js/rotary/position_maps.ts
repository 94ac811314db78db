/** Options of the schemes that change relative positions beyond a window, such as ReRoPE. */
import { wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import type { Schema } from '../runtime/schema.js';

export interface MapOptions {
  rope: object;
  rerope: {
    /** Distances of `window` or more become `window`. */
    window: number;
  };
  'leaky-rerope': {
    /** Distances below `window` stay as they are. */
    window: number;
    /** Distances beyond `window` grow by 1/factor per step. */
    factor: number;
  };
  'self-extend': {
    /** Positions per group. */
    groupSize: number;
    /** Distances of `neighborWindow` or more are counted in groups. */
    neighborWindow: number;
  };
  'dual-chunk': {
    /** Largest relative position; a chunk has `chunkSize - localWindow` tokens. */
    chunkSize: number;
    /** Up to this distance, keys in the previous chunk keep their relative position. */
    localWindow: number;
  };
}

export type MapType = keyof MapOptions;

/** A map in the form of the core, whose PositionMapKind has the type. */
export interface PositionMap {
  type: MapType;
  window: number;
  second: number;
}

interface Map<Options> {
  schema: Schema<Options>;
  /** @param at prefix of option names in error messages */
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
      throw wrongValue(
        `${at}localWindow`,
        `must be smaller than chunkSize, ${chunkSize}`,
        localWindow,
      );
    },
  },
};

export const mapTypes = Object.keys(maps) as MapType[];

export const mapSchema = <Type extends MapType>(type: Type): Schema<MapOptions[Type]> =>
  maps[type].schema;

/** @param options already checked by the map's schema */
export function positionMap<Type extends MapType>(
  type: Type,
  options: MapOptions[Type],
  at = '',
): PositionMap {
  const [window, second] = maps[type].parameters(options, at);
  return { type, window, second };
}

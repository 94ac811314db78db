/** Schemes that give near and far keys different relative positions: their options, checked. */
import { positiveNumber, wholeNumber } from '../runtime/checks.js';

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

interface Reader<Options> {
  names: readonly (keyof Options & string)[];
  /** `at` goes before the names in errors. */
  read(given: Options, at: string): [number, number];
}

const readers: { [Type in MapType]: Reader<MapOptions[Type]> } = {
  rope: { names: [], read: () => [0, 0] },
  rerope: {
    names: ['window'],
    read: ({ window }, at) => [wholeNumber(`${at}window`, window), 0],
  },
  'leaky-rerope': {
    names: ['window', 'factor'],
    read: ({ window, factor }, at) => [
      wholeNumber(`${at}window`, window),
      positiveNumber(`${at}factor`, factor),
    ],
  },
  'self-extend': {
    names: ['groupSize', 'neighborWindow'],
    read({ groupSize, neighborWindow }, at) {
      const group = wholeNumber(`${at}groupSize`, groupSize);
      return [wholeNumber(`${at}neighborWindow`, neighborWindow), group];
    },
  },
  'dual-chunk': {
    names: ['chunkSize', 'localWindow'],
    read({ chunkSize, localWindow }, at) {
      const size = wholeNumber(`${at}chunkSize`, chunkSize);
      const local = wholeNumber(`${at}localWindow`, localWindow, 0);
      if (local < size) return [size, local];
      throw new RangeError(
        `${at}localWindow must be smaller than chunkSize, ${size}, got ${local}`,
      );
    },
  },
};

export const mapTypes = Object.keys(readers) as MapType[];

export const mapNames = (type: MapType): readonly string[] => readers[type].names;

export function positionMap<Type extends MapType>(
  type: Type,
  given: MapOptions[Type],
  at = '',
): PositionMap {
  const [window, second] = readers[type].read(given, at);
  return { kind: mapTypes.indexOf(type), window, second };
}

/** Where a scheme of position acts inside attention, and what it sends along. */
import type { Sizes } from './attention_operands.js';
import { oneOf, options, positionList, positiveNumber, wholeNumber } from './checks.js';
import type { Core } from './core.js';
import { distanceBias, distanceTypes, type DistanceScheme, type DistanceType } from './distance.js';
import { rotaryLayouts, type RotaryLayout } from './rotary.js';
import {
  checkedFrequencies,
  requireOneAxis,
  requireWidth,
  type RotaryFrequencies,
} from './rotary_frequencies.js';
import type { Positions } from './tensor.js';

/**
 * A scheme that acts inside attention. Schemes that act at the input are added to the tokens
 * before. Positions and distances are counted from where causal or window let queries stand:
 * without either, query 0 stands at the first key after `past`.
 */
export type AttentionPosition =
  | { type: 'none' }
  | {
      type: 'rope';
      frequencies: RotaryFrequencies;
      layout: RotaryLayout;
      /** Positions of the queries. Default: the keys at which they stand, see above. */
      positions?: Positions;
      /** Positions of the keys. Default: those of the queries where they are given, else 0, 1, … */
      keyPositions?: Positions;
    }
  | DistanceScheme
  | TwoRotations;

/**
 * Rotary schemes that give near and far keys different relative positions, so that no distance goes
 * beyond what was trained. Queries stand at the last positions. Each costs one more rotated copy of
 * q and k and, where both kinds meet in a tile, a second pass over its scores.
 */
export type TwoRotations = { frequencies: RotaryFrequencies; layout: RotaryLayout } & (
  | {
      /** Distances from `window` on all become `window` (Su 2023, kexue.fm 9708). */
      type: 'rerope';
      window: number;
    }
  | {
      /** Distances beyond `window` grow by 1/factor per step (the same). */
      type: 'leaky-rerope';
      window: number;
      factor: number;
    }
  | {
      /** Distances from `neighborWindow` on count in groups (Jin et al. 2024, Self-Extend). */
      type: 'self-extend';
      groupSize: number;
      neighborWindow: number;
    }
  | {
      /** Within a chunk, to the one before, and to earlier ones (An et al. 2024, ChunkLlama). */
      type: 'dual-chunk';
      chunkSize: number;
      localWindow: number;
    }
);

export interface PositionOperand {
  distanceBias: Float32Array[];
  doubles: Float64Array[];
  rotations: number;
  rotaryPairs: number;
  attentionFactor: number;
  layout: RotaryLayout;
}

export const noPosition: PositionOperand = {
  distanceBias: [],
  doubles: [],
  rotations: 0,
  rotaryPairs: 0,
  attentionFactor: 1,
  layout: 'interleaved',
};

type Of<Type> = Extract<AttentionPosition, { type: Type }>;

/**
 * One rotation of queries and keys, for the keys from firstKey(query) on that nearer ones leave.
 */
interface Rotation {
  query(position: number): number;
  key(position: number): number;
  firstKey?(query: number): number;
}

const itself = (position: number) => position;

/** Rotations, nearest keys first, as the core takes them: queries end where the keys end. */
function rotated(
  { frequencies, layout }: { frequencies: RotaryFrequencies; layout: RotaryLayout },
  sizes: Sizes,
  rotations: Rotation[],
): PositionOperand {
  const turning = checkedFrequencies('position.frequencies', frequencies);
  requireOneAxis('position.frequencies', turning);
  requireWidth('position.frequencies', turning, sizes.dim);
  const first = sizes.keys - sizes.queries;
  if (first < 0)
    throw new RangeError(
      `keys must be at least as many as queries, got ${sizes.keys} and ${sizes.queries}`,
    );
  const perQuery = (of: (position: number) => number) =>
    Float64Array.from({ length: sizes.queries }, (_, query) => of(first + query));
  const lists = rotations.flatMap(({ query, key, firstKey }) => [
    ...(firstKey ? [perQuery((position) => Math.max(0, firstKey(position)))] : []),
    perQuery(query),
    Float64Array.from({ length: sizes.keys }, (_, position) => key(position)),
  ]);
  return {
    ...noPosition,
    doubles: [turning.inverse, ...lists],
    rotations: rotations.length,
    rotaryPairs: turning.inverse.length,
    attentionFactor: turning.attentionFactor,
    layout: oneOf('position.layout', layout, rotaryLayouts),
  };
}

const nearby = (window: number): Rotation => ({
  query: itself,
  key: itself,
  firstKey: (query) => query - window + 1,
});

type OtherType = Exclude<AttentionPosition['type'], DistanceType>;

/** One line per scheme that is not a bias by distance: what it demands, and where it acts. */
const schemes: {
  [Type in OtherType]: (position: Of<Type>, sizes: Sizes, firstQuery: number) => PositionOperand;
} = {
  none(position) {
    options('position', position, ['type']);
    return noPosition;
  },
  rerope(position, sizes) {
    const given = options('position', position, ['type', 'frequencies', 'layout', 'window']);
    const window = wholeNumber('position.window', given.window);
    return rotated(given, sizes, [nearby(window), { query: () => window, key: () => 0 }]);
  },
  'leaky-rerope'(position, sizes) {
    const given = options('position', position, [
      'type',
      'frequencies',
      'layout',
      'window',
      'factor',
    ]);
    const window = wholeNumber('position.window', given.window);
    const factor = positiveNumber('position.factor', given.factor);
    const far = {
      query: (at: number) => window + (at - window) / factor,
      key: (at: number) => at / factor,
    };
    return rotated(given, sizes, [nearby(window), far]);
  },
  'self-extend'(position, sizes) {
    const given = options('position', position, [
      'type',
      'frequencies',
      'layout',
      'groupSize',
      'neighborWindow',
    ]);
    const group = wholeNumber('position.groupSize', given.groupSize);
    const window = wholeNumber('position.neighborWindow', given.neighborWindow);
    const grouped = (at: number) => Math.floor(at / group);
    const far = { query: (at: number) => grouped(at) + window - grouped(window), key: grouped };
    return rotated(given, sizes, [nearby(window), far]);
  },
  'dual-chunk'(position, sizes) {
    const given = options('position', position, [
      'type',
      'frequencies',
      'layout',
      'chunkSize',
      'localWindow',
    ]);
    const size = wholeNumber('position.chunkSize', given.chunkSize);
    const chunk = size - wholeNumber('position.localWindow', given.localWindow, 0);
    if (chunk < 1)
      throw new RangeError(
        `position.localWindow must be less than chunkSize, ${size}, got ${given.localWindow}`,
      );
    const inChunk = (at: number) => at % chunk;
    const next = (at: number) => Math.min(inChunk(at) + chunk, size);
    const start = (at: number) => at - inChunk(at);
    return rotated(given, sizes, [
      { query: inChunk, key: inChunk, firstKey: start },
      { query: next, key: inChunk, firstKey: (at) => start(at) - chunk },
      { query: () => next(chunk - 1), key: inChunk },
    ]);
  },
  rope(position, sizes, firstQuery) {
    const given = options('position', position, [
      'type',
      'frequencies',
      'layout',
      'positions',
      'keyPositions',
    ]);
    const frequencies = checkedFrequencies('position.frequencies', given.frequencies);
    requireOneAxis('position.frequencies', frequencies);
    requireWidth('position.frequencies', frequencies, sizes.dim);
    const queries =
      given.positions === undefined
        ? Float64Array.from({ length: sizes.queries }, (_, query) => firstQuery + query)
        : positionList('position.positions', given.positions, sizes.queries);
    const ofKeys = given.keyPositions ?? given.positions ?? sizes.keys;
    return {
      ...noPosition,
      doubles: [
        frequencies.inverse,
        queries,
        positionList('position.keyPositions', ofKeys, sizes.keys),
      ],
      rotations: 1,
      rotaryPairs: frequencies.inverse.length,
      attentionFactor: frequencies.attentionFactor,
      layout: oneOf('position.layout', given.layout, rotaryLayouts),
    };
  },
};

const types = [...(Object.keys(schemes) as OtherType[]), ...distanceTypes];

/** `firstQuery` is the key that query 0 stands at. */
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
      firstQuery: number,
    ) => PositionOperand;
    return scheme(position, sizes, firstQuery);
  }
  const { heads, queries, keys } = sizes;
  const { bias } = distanceBias<DistanceScheme>(
    core,
    type as DistanceType,
    position,
    ['type'],
    'position',
    'position.',
  );
  return {
    ...noPosition,
    distanceBias: [bias.byOffset(heads, 1 - queries - firstQuery, queries + keys - 1)],
  };
}

/** Where a scheme of position acts inside attention, and what it sends along. */
import type { Sizes } from './operands.js';
import { oneOf, options, positiveNumber, rowPositions, wholeNumber } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import {
  distanceBias,
  distanceTypes,
  type DistanceScheme,
  type DistanceType,
} from '../bias/distance.js';
import { rotaryLayouts, type RotaryLayout } from '../rotary/rotary.js';
import {
  checkedFrequencies,
  requireOneAxis,
  requireWidth,
  type RotaryFrequencies,
} from '../rotary/frequencies.js';
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
  | TwoRotations;

/**
 * Rotary schemes that give near and far keys different relative positions, so that no distance goes
 * beyond what was trained. Each costs one more rotated copy of
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
  frequencies: Float64Array[];
  /**
   * Per rotation, nearest keys first: the first key of each query (all but the last rotation), the
   * positions of the queries, those of the keys. Each once, or once per batch.
   */
  lists: Float64Array[];
  /** How often each list stands in `lists`: 1, or once per batch. */
  batches: number;
  rotations: number;
  rotaryPairs: number;
  attentionFactor: number;
  layout: RotaryLayout;
}

export const noPosition: PositionOperand = {
  distanceBias: [],
  frequencies: [],
  lists: [],
  batches: 1,
  rotations: 0,
  rotaryPairs: 0,
  attentionFactor: 1,
  layout: 'interleaved',
};

/** Where the queries of a call stand among its keys. */
export interface Place {
  sizes: Sizes;
  /** The key at which query 0 stands, where every key is real. */
  firstQuery: number;
  /** The same with each batch's real keys: one value for all batches, or one for each. */
  firstQueries: readonly number[];
}

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

/** The frequencies and their layout, after their checks. */
function rotaryOperand(
  { frequencies, layout }: { frequencies: RotaryFrequencies; layout: RotaryLayout },
  sizes: Sizes,
) {
  const checked = checkedFrequencies('position.frequencies', frequencies);
  requireOneAxis('position.frequencies', checked);
  requireWidth('position.frequencies', checked, sizes.dim);
  return {
    ...noPosition,
    frequencies: [checked.inverse],
    rotaryPairs: checked.inverse.length,
    attentionFactor: checked.attentionFactor,
    layout: oneOf('position.layout', layout, rotaryLayouts),
  };
}

/** of(position) for the positions from each of `firsts` on, one batch after another. */
function counted(
  firsts: readonly number[],
  length: number,
  of: (position: number) => number,
): Float64Array {
  const list = new Float64Array(firsts.length * length);
  for (let at = 0; at < list.length; at++) {
    list[at] = of(firsts[Math.floor(at / length)]! + (at % length));
  }
  return list;
}

function rotated(
  given: { frequencies: RotaryFrequencies; layout: RotaryLayout },
  { sizes, firstQueries }: Place,
  rotations: Rotation[],
): PositionOperand {
  const { queries, keys } = sizes;
  const zeros = firstQueries.map(() => 0);
  return {
    ...rotaryOperand(given, sizes),
    lists: rotations.flatMap(({ query, key, firstKey }) => [
      ...(firstKey
        ? [counted(firstQueries, queries, (at) => Math.min(keys, Math.max(0, firstKey(at))))]
        : []),
      counted(firstQueries, queries, query),
      counted(zeros, keys, key),
    ]),
    batches: firstQueries.length,
    rotations: rotations.length,
  };
}

/** A list as often as there are batches. */
function repeated(list: Float64Array, length: number, batches: number): Float64Array {
  if (list.length === batches * length) return list;
  const all = new Float64Array(batches * length);
  for (let batch = 0; batch < batches; batch++) all.set(list, batch * length);
  return all;
}

const nearby = (window: number): Rotation => ({
  query: itself,
  key: itself,
  firstKey: (query) => query - window + 1,
});

type OtherType = Exclude<AttentionPosition['type'], DistanceType>;

/** One line per scheme that is not a bias by distance: what it demands, and where it acts. */
const schemes: {
  [Type in OtherType]: (position: Of<Type>, place: Place) => PositionOperand;
} = {
  none(position) {
    options('position', position, ['type']);
    return noPosition;
  },
  rerope(position, place) {
    const given = options('position', position, ['type', 'frequencies', 'layout', 'window']);
    const window = wholeNumber('position.window', given.window);
    return rotated(given, place, [nearby(window), { query: () => window, key: () => 0 }]);
  },
  'leaky-rerope'(position, place) {
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
    return rotated(given, place, [nearby(window), far]);
  },
  'self-extend'(position, place) {
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
    return rotated(given, place, [nearby(window), far]);
  },
  'dual-chunk'(position, place) {
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
    const inChunk = (at: number) => at - chunk * Math.floor(at / chunk);
    const next = (at: number) => Math.min(inChunk(at) + chunk, size);
    const start = (at: number) => at - inChunk(at);
    return rotated(given, place, [
      { query: inChunk, key: inChunk, firstKey: start },
      { query: next, key: inChunk, firstKey: (at) => start(at) - chunk },
      { query: () => next(chunk - 1), key: inChunk },
    ]);
  },
  rope(position, { sizes, firstQueries }) {
    const read = options('position', position, [
      'type',
      'frequencies',
      'layout',
      'positions',
      'keyPositions',
    ]);
    const { batch, queries, keys } = sizes;
    const rotary = rotaryOperand(read, sizes);
    const ofQueries =
      read.positions === undefined
        ? counted(firstQueries, queries, itself)
        : rowPositions('position.positions', read.positions, queries, batch);
    if (read.positions !== undefined && read.keyPositions === undefined && queries !== keys) {
      throw new RangeError(
        `position.positions stand for the keys as well, of which there are ${keys} for ` +
          `${queries} queries: give position.keyPositions, too`,
      );
    }
    const ofKeys =
      read.keyPositions === undefined && read.positions !== undefined
        ? ofQueries
        : rowPositions('position.keyPositions', read.keyPositions ?? keys, keys, batch);
    const perBatch = ofQueries.length > queries || ofKeys.length > keys;
    const batches = perBatch ? batch : 1;
    return {
      ...rotary,
      lists: [repeated(ofQueries, queries, batches), repeated(ofKeys, keys, batches)],
      batches,
      rotations: 1,
    };
  },
};

const types = [...(Object.keys(schemes) as OtherType[]), ...distanceTypes];

export function positionOperand(
  core: Core,
  position: AttentionPosition,
  place: Place,
): PositionOperand {
  const type = oneOf('position.type', position?.type, types);
  if (type in schemes) {
    const scheme = schemes[type as OtherType] as (
      position: AttentionPosition,
      place: Place,
    ) => PositionOperand;
    return scheme(position, place);
  }
  const { heads, queries, keys } = place.sizes;
  const { bias } = distanceBias<DistanceScheme>(
    core,
    type as DistanceType,
    position,
    ['type'],
    'position',
    'position.',
  );
  const first = 1 - queries - place.firstQuery;
  return { ...noPosition, distanceBias: [bias.byOffset(heads, first, queries + keys - 1)] };
}

/** The position schemes of attention, in one table for the fuzzers and the laws. */
import { distanceTypes, drawnBias, fullBias } from '../../package/distance_biases.mjs';
import { createRopewalk, simds } from '../../package/installed.mjs';
import { largest } from './tensors.mjs';

const rw = await createRopewalk({ simd: simds[0] });

/**
 * @typedef {object} Scheme
 * @property {(draws: any, sizes: any) => any} draw returns options that fit the sizes
 * @property {number} [rotations] how many rotations of a key there are: two where far keys have another
 * @property {(position: any, distance: number, heads: number) => number} [largestBias] more than any
 *   bias of the scheme up to this distance
 */

/** @type {(type: string) => Scheme} */
const bias = (type) => ({
  draw: (draws, { heads }) => drawnBias(draws, type, heads),
  largestBias: (position, distance, heads) =>
    largest(fullBias(rw, position, { heads, queries: [distance], keys: 2 * distance + 1 }).data),
});

/** @type {Record<string, Scheme>} */
export const schemes = {
  none: { draw: () => ({}) },
  ...Object.fromEntries(distanceTypes.map((type) => [type, bias(type)])),
  rope: {
    rotations: 1,
    draw: (draws, sizes) => ({
      ...rotary(draws, sizes),
      ...(draws.chance(1, 2) && {
        positions: Array.from({ length: sizes.queries }, () => draws.below(5000) - 100),
        keyPositions: Float32Array.from({ length: sizes.keys }, () => draws.below(5000) / 8),
      }),
    }),
  },
  rerope: {
    rotations: 2,
    draw: (draws, sizes) => ({ ...rotary(draws, sizes), window: 1 + draws.below(9) }),
  },
  'leaky-rerope': {
    rotations: 2,
    draw: (draws, sizes) => ({
      ...rotary(draws, sizes),
      window: 1 + draws.below(9),
      factor: 1 + draws.below(9),
    }),
  },
  'self-extend': {
    rotations: 2,
    draw: (draws, sizes) => ({
      ...rotary(draws, sizes),
      groupSize: 1 + draws.below(5),
      neighborWindow: 1 + draws.below(9),
    }),
  },
  'dual-chunk': {
    rotations: 2,
    draw: (draws, sizes) => ({
      ...rotary(draws, sizes),
      chunkSize: 5 + draws.below(9),
      localWindow: draws.below(5),
    }),
  },
};

function rotary(draws, { dim }) {
  const pairs = Math.max(1, Math.floor(dim / 2) - draws.below(2));
  const inverseFrequencies = Float64Array.from({ length: pairs }, (_, i) => 100 ** (-i / pairs));
  return {
    frequencies: { inverseFrequencies, attentionFactor: 1 + draws.below(3) / 4 },
    layout: draws.pick(['interleaved', 'half-split']),
  };
}

export const schemeNames = Object.keys(schemes);

/**
 * Drawn by the native fuzzer and by that of combinations only: their operands have a value per key, whose
 * number the laws change, or they are no softmax.
 */
export const notDrawn = [
  'angles',
  'cable',
  'fox',
  'grape-a',
  'grape-ap',
  'path',
  'prefix-sum',
  'row-gates',
  'stick-breaking',
  'wall',
];

/** Schemes that need no `causal`. */
export const withoutCausal = schemeNames.filter((name) => name !== 'dual-chunk');

/** Schemes that rotate near and far keys alike, or not at all. */
export const notRotatedTwice = schemeNames.filter((name) => schemes[name].rotations !== 2);

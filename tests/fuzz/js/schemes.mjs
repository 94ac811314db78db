/** The position schemes of attention, in one table for the fuzzers and the laws. */
import { largest } from './tensors.mjs';

/**
 * @typedef {object} Scheme
 * @property {(draws: any, sizes: any) => any} draw returns options that fit the sizes
 * @property {number} [rotations] how many rotations of a key there are: two where far keys have another
 * @property {(position: any, distance: number, heads: number) => number} [largestBias] more than any
 *   bias of the scheme up to this distance
 * @property {(rw: any, position: any, sizes: any) => any} [bias] the tensor that the scheme's own
 *   function returns, of queries that end at the last key
 */

/** @type {Record<string, Scheme>} */
export const schemes = {
  none: { draw: () => ({}) },
  alibi: {
    draw: (draws, { heads }) => ({
      direction: draws.pick(['causal', 'symmetric']),
      ...draws.pick([
        { convention: draws.pick(['published', 'sorted', 'naive']) },
        { slopes: draws.floats(heads).map(Math.abs) },
      ]),
    }),
    largestBias: ({ slopes }, distance) => distance * Math.max(1, largest(slopes)),
    bias: (rw, position, sizes) => rw.alibi({ ...position, ...sizes }),
  },
  t5: {
    draw: (draws, { heads }) => ({
      table: draws.tensor(draws.pick([8, 32]), heads),
      direction: draws.pick(['causal', 'bidirectional']),
      maxDistance: 128,
    }),
    largestBias: ({ table }) => largest(table.data),
    bias: (rw, position, { heads: _, ...sizes }) => rw.t5Bias({ ...position, ...sizes }),
  },
  kerple: {
    draw(draws, { heads }) {
      const list = () => Array.from({ length: heads }, () => 0.1 + Math.abs(draws.float()) / 2);
      return {
        kind: draws.pick(['log', 'power']),
        r1: list(),
        r2: list(),
        direction: draws.pick(['causal', 'symmetric']),
      };
    },
    largestBias: ({ r1, r2 }, distance) =>
      (1 + largest(r1)) * (1 + distance) ** Math.max(1, largest(r2)),
    bias: (rw, position, { heads: _, ...sizes }) => rw.kerple({ ...position, ...sizes }),
  },
  sandwich: {
    draw: (draws) => ({
      dim: draws.pick([2, 16, 128]),
      firstPair: draws.below(2),
      zeroAtOrigin: draws.chance(1, 2),
    }),
    largestBias: ({ dim = 128 }, _, heads) => dim * heads,
    bias: (rw, position, sizes) => rw.sandwich({ ...position, ...sizes }),
  },
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

/** Schemes whose bias follows from the head and the distance. */
export const byDistance = schemeNames.filter((name) => schemes[name].bias);

/** Schemes that rotate near and far keys alike, or not at all. */
export const notRotatedTwice = schemeNames.filter((name) => schemes[name].rotations !== 2);

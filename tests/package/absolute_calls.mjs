/** A valid call of each of the absolute families. */
import { tensor } from './inputs.mjs';

const weights = () => ({
  input: tensor([4, 3], 31),
  hidden: tensor([3, 3], 32),
  bias: tensor([3], 33),
});

/** Each function with arguments that it takes. */
export const absoluteCalls = {
  integerPositions: () => [{ positions: [0, 2.5, 7] }],
  unitInterval: () => [{ positions: [0, 1.5, 3], length: 4 }],
  binary: () => [{ positions: [5, 7, 8], bits: 4, order: 'highest-first' }],
  sineWaves: () => [{ positions: [0, 2.5, 7], dim: 4, spacing: 'dim-1', base: 100 }],
  learnedTable: () => [{ rows: 3, dim: 4, seed: 7, std: 0.5 }],
  learnedRows: () => [tensor([5, 3], 34), { positions: [4, 0, 2] }],
  recurrentWeights: () => [{ dim: 4, hidden: 3, seed: 7 }],
  recurrent: () => [
    tensor([2, 5, 4], 35),
    { weights: weights(), activation: 'tanh', initial: tensor([3], 36) },
  ],
  combine: () => [tensor([2, 3, 4], 37), tensor([3, 2], 38), { by: 'concatenate' }],
  sinusoidalGrid: () => [
    {
      rows: 2,
      columns: 3,
      dim: 8,
      base: 100,
      layout: 'interleaved',
      order: 'row-first',
      classToken: true,
    },
  ],
  sinusoidalMask: () => [
    {
      mask: { data: Float32Array.of(1, 1, 0, 1, 0, 0), shape: [2, 3] },
      dim: 8,
      base: 100,
      normalize: true,
      scale: 3,
    },
  ],
  fourierFeatures: () => [
    {
      coordinates: [0, 0.5, -1, 1],
      resolution: [4, 8],
      bands: 3,
      withCoordinates: false,
      sinesOnly: true,
    },
  ],
};

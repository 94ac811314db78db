/** A valid call of each of the functions whose positions come from the text or are ids. */
import { tensor } from './inputs.mjs';

const doubles = (...shape) => ({
  data: Float64Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i)),
  shape,
});

export const contentCalls = {
  prefixSums: () => [tensor([2, 5], 1), { term: 'log-sigmoid', scale: 0.5, start: doubles(2) }],
  accumulatedAngles: () => [
    tensor([2, 5, 3], 1),
    { pairs: 3, temperature: [1, 0.5, 0.25], sum: 'exclusive', start: doubles(2, 3) },
  ],
  angleTemperatures: () => [{ pairs: 4, type: 'rfa', base: 0.5, max: 2 }],
  tableOfAngles: () => [doubles(5, 3)],
  randomizedPositions: () => [{ length: 4, range: 100, seed: 7 }],
  randomizedAlibi: () => [{ slopes: [0.5, 0.25], later: [1, 4, 9], earlier: [2, 3, 5] }],
  abacusPositions: () => [[1, 2, 10, 3, 4, 5], { digits: [1, 2, 3, 4, 5], length: 3, offset: 2 }],
  coupledPositions: () => [
    {
      digits: [3, 2, 3],
      start: 4,
      reversesOperands: true,
      reversesSum: false,
      coupling: 'significance',
    },
  ],
};

/**
 * A valid call of each of the functions whose positions come from the text or are ids, and the rule of each
 * parameter.
 */
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

/** [function, place, demand, name]: see refusals.test.mjs. */
export const contentParameters = [
  ['prefixSums', [0], 'tensor', 'numbers'],
  ['prefixSums', [1], 'options', 'prefixSums options'],
  ['prefixSums', [1, 'term'], 'choice'],
  ['prefixSums', [1, 'scale'], 'finite'],
  ['accumulatedAngles', [0], 'tensor', 'increments'],
  ['accumulatedAngles', [1], 'options', 'accumulatedAngles options'],
  ['accumulatedAngles', [1, 'pairs'], 'whole'],
  ['accumulatedAngles', [1, 'temperature'], 'numbers'],
  ['accumulatedAngles', [1, 'sum'], 'choice'],
  ['angleTemperatures', [0], 'options', 'angleTemperatures options'],
  ['angleTemperatures', [0, 'pairs'], 'huge'],
  ['angleTemperatures', [0, 'type'], 'choice'],
  ['angleTemperatures', [0, 'base'], 'positive'],
  ['angleTemperatures', [0, 'max'], 'finite'],
  ['randomizedPositions', [0], 'options', 'randomizedPositions options'],
  ['randomizedPositions', [0, 'length'], 'huge'],
  ['randomizedPositions', [0, 'range'], 'whole'],
  ['randomizedPositions', [0, 'seed'], 'count'],
  ['randomizedAlibi', [0], 'options', 'randomizedAlibi options'],
  ['randomizedAlibi', [0, 'slopes'], 'numbers'],
  ['randomizedAlibi', [0, 'later'], 'numbers'],
  ['randomizedAlibi', [0, 'earlier'], 'numbers'],
  ['abacusPositions', [0], 'numbers', 'tokens'],
  ['abacusPositions', [1], 'options', 'abacusPositions options'],
  ['abacusPositions', [1, 'digits'], 'numbers'],
  ['abacusPositions', [1, 'length'], 'whole'],
  ['abacusPositions', [1, 'offset'], 'count'],
  ['coupledPositions', [0], 'options', 'coupledPositions options'],
  ['coupledPositions', [0, 'digits'], 'numbers'],
  ['coupledPositions', [0, 'start'], 'whole'],
  ['coupledPositions', [0, 'reversesOperands'], 'flag'],
  ['coupledPositions', [0, 'reversesSum'], 'flag'],
  ['coupledPositions', [0, 'coupling'], 'choice'],
];

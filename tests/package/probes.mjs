/** One small call of every public function, to see that an instance still gives right results. */
import assert from 'node:assert/strict';
import { absoluteCalls } from './absolute_calls.mjs';
import { biasCalls } from './bias_calls.mjs';
import { contentCalls } from './content_calls.mjs';
import { contextCalls } from './context_calls.mjs';
import { tensor } from './inputs.mjs';
import { layerCalls } from './layer_calls.mjs';
import { rotaryCalls } from './rotary_calls.mjs';

const [q, k, v] = [
  [2, 3, 4],
  [2, 5, 4],
  [2, 5, 3],
].map((shape, i) => tensor(shape, i + 1));

/**
 * Each function with arguments that it takes; the tests of invalid arguments start from these.
 * @type {Record<string, () => any[]>}
 */
export const calls = {
  sinusoidal: () => [
    {
      positions: 3,
      dim: 4,
      base: 100,
      layout: 'interleaved',
      spacing: 'dim/2',
      order: 'sin-first',
      paddingPosition: 1,
    },
  ],
  sinusoidalShift: () => [{ dim: 4, offset: 2, base: 100 }],
  rotaryFrequencies: () => [{ dim: 4, base: 100 }],
  rotate: () => [
    { data: q.data.slice(), shape: [2, 3, 4] },
    { inverseFrequencies: Float64Array.of(1, 0.1), attentionFactor: 1, dim: 4 },
    { positions: [0, 1, 2], layout: 'half-split' },
  ],
  alibiSlopes: () => [{ heads: 3, convention: 'published' }],
  attention: () => [
    ...[q, k, v].map(({ data, shape }) => ({ data: data.slice(), shape: [...shape] })),
    {
      scale: 0.5,
      causal: 'bottom-right',
      bias: { data: new Float32Array(15).fill(0.25), shape: [3, 5] },
      position: { type: 'alibi', direction: 'symmetric', convention: 'sorted' },
      intermediates: ['scores', 'biased', 'weights', 'entropy'],
    },
  ],
  ...absoluteCalls,
  ...biasCalls,
  ...contentCalls,
  ...contextCalls,
  ...layerCalls,
  ...rotaryCalls,
};

export const callAll = (rw) => Object.entries(calls).map(([name, args]) => rw[name](...args()));

/** Says later whether everything is as it was. */
export function watch(rw) {
  const before = callAll(rw);
  return (after) => assert.deepEqual(callAll(rw), before, `results changed after ${after}`);
}

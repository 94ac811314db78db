/** A valid call of each layer, of what goes with schemes from the text, and the rule of each parameter. */
import { tensor } from './inputs.mjs';

const ones = (count) => new Float32Array(count).fill(1);

export const layerCalls = {
  rmsNorm: () => [tensor([2, 3, 4], 1), ones(4), 1e-5],
  layerNorm: () => [tensor([2, 4], 1), ones(4), ones(4), 1e-5],
  gelu: () => [tensor([2, 4], 1)],
  silu: () => [tensor([2, 4], 1)],
  swiglu: () => [tensor([2, 4], 1), tensor([2, 4], 2)],
  linear: () => [tensor([2, 3, 4], 1), tensor([5, 4], 2), { order: 'out-in', bias: ones(5) }],
  embedding: () => [tensor([5, 4], 1), [4, 0, 4]],
  polar: () => [
    tensor([2, 3, 4], 1),
    { positions: [5, 7, 9], phases: tensor([2, 3], 2), width: 3, base: 100, layout: 'interleaved' },
  ],
  selectiveScores: () => [tensor([2, 3, 4], 1), { gateHead: 1, spareFirst: false }],
  updatePathKeys: () => [tensor([2, 3, 4], 1), tensor([2, 4], 2), [0.5, 1]],
};

/** [function, place, demand, name]: see refusals.test.mjs. */
export const layerParameters = [
  ['rmsNorm', [0], 'tensor', 'x'],
  ['rmsNorm', [1], 'numbers', 'gain'],
  ['rmsNorm', [2], 'positive', 'epsilon'],
  ['layerNorm', [0], 'tensor', 'x'],
  ['layerNorm', [1], 'numbers', 'gain'],
  ['layerNorm', [2], 'numbers', 'bias'],
  ['layerNorm', [3], 'positive', 'epsilon'],
  ['swiglu', [1], 'tensor', 'up'],
  ['linear', [0], 'tensor', 'x'],
  ['linear', [1], 'tensor', 'w'],
  ['linear', [2], 'options', 'linear options'],
  ['linear', [2, 'order'], 'choice'],
  ['linear', [2, 'bias'], 'numbers'],
  ['embedding', [0], 'tensor', 'table'],
  ['embedding', [1], 'numbers', 'ids'],
  ['polar', [0], 'tensor', 'x'],
  ['polar', [1], 'options', 'polar options'],
  ['polar', [1, 'phases'], 'tensor'],
  ['polar', [1, 'width'], 'whole'],
  ['polar', [1, 'base'], 'positive'],
  ['polar', [1, 'layout'], 'choice'],
  ['selectiveScores', [0], 'tensor', 'scores'],
  ['selectiveScores', [1], 'options', 'selectiveScores options'],
  ['selectiveScores', [1, 'gateHead'], 'count'],
  ['selectiveScores', [1, 'spareFirst'], 'flag'],
  ['updatePathKeys', [0], 'tensor', 'keys'],
  ['updatePathKeys', [1], 'tensor', 'w'],
  ['updatePathKeys', [2], 'numbers', 'beta'],
];

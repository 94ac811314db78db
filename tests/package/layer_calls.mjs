/** A valid call of each layer, and of what goes with schemes from the text. */
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

/** A valid call of each of the biases and the terms of content and distance. */
import { Draws } from '../fuzz/js/random.mjs';
import { distanceTypes, drawnBias, biasFunction, impliesHeads } from './distance_biases.mjs';
import { tensor } from './inputs.mjs';

const network = (inputs, heads) => ({
  hiddenWeights: tensor([3, inputs], 11),
  hiddenBias: [0.5, -0.25, 1],
  headWeights: tensor([heads, 3], 12),
  headBias: heads === 2 ? [0.25, -0.5] : [0.25],
});
const content = (length = 3) => tensor([2, length, 4], length);

/** Two heads, three queries and four keys; only what must be given. */
function distanceCall(type) {
  const { type: _, ...options } = drawnBias(new Draws(1), type, 2, Infinity);
  return { ...options, ...(impliesHeads(type) ? {} : { heads: 2 }), queries: 3, keys: 4 };
}

/** Each function with arguments that it takes. */
export const biasCalls = {
  ...Object.fromEntries(
    distanceTypes.map((type) => [biasFunction(type), () => [distanceCall(type)]]),
  ),
  alibiTranslated: () => [
    {
      heads: 3,
      keys: 4,
      origin: 'first',
      maxBias: 8,
      headOffset: 1,
      totalHeads: 5,
      convention: 'published',
      mask: tensor([2, 4], 1),
    },
  ],
  t5Buckets: () => [
    [-200, -9, 0, 3, 40],
    { direction: 'bidirectional', buckets: 32, maxDistance: 128 },
  ],
  fire: () => [
    {
      queries: 3,
      keys: [0, 2, 1],
      network: network(1, 2),
      c: 0.5,
      threshold: 4,
      multiplier: 0.5,
      epsilon: 1e-3,
    },
  ],
  swinIndices: () => [{ window: [2, 3] }],
  swinBias: () => [tensor([15, 2], 3), { window: [2, 3] }],
  swinV2Coordinates: () => [{ window: [2, 3], pretrainedWindow: [4, 4] }],
  swinV2Bias: () => [{ window: [2, 3], pretrainedWindow: [0, 0], network: network(2, 2) }],
  beitIndices: () => [{ window: [2, 2] }],
  beitBias: () => [tensor([12, 2], 4), { window: [2, 2] }],
  shaw: () => [content(), tensor([5, 4], 5), { queries: [0, 1, 2], keys: 3, scale: 0.5 }],
  shawValues: () => [tensor([2, 3, 5], 6), tensor([5, 2], 7), { queries: [2, 3, 4], keys: 5 }],
  shawIndices: () => [{ queries: 3, keys: 4, clip: 2 }],
  relativeKey: () => [
    content(),
    content(5),
    tensor([9, 4], 8),
    { type: 'relative_key_query', queries: [2, 3, 4], keys: 5, scale: 0.5 },
  ],
  musicTransformer: () => [content(), tensor([3, 4], 9), { queries: 3, keys: 3, scale: 1 }],
  relativeShift: () => [tensor([2, 3, 4], 10)],
  transformerXl: () => [
    content(),
    content(5),
    tensor([2, 5, 4], 13),
    {
      contentBias: tensor([2, 4], 14),
      positionBias: tensor([2, 4], 15),
      queries: [2, 3, 4],
      keys: 5,
      scale: 0.5,
    },
  ],
  debertaBuckets: () => [[-40, 0, 7], { buckets: 8, maxDistance: 20 }],
  debertaIndices: () => [{ queries: 3, keys: 4, span: 8, buckets: 8, maxDistance: 20 }],
  deberta: () => [
    content(),
    content(5),
    {
      positionKeys: tensor([8, 4], 16),
      positionQueries: tensor([8, 4], 17),
      buckets: 4,
      maxDistance: 9,
      convention: 'paper',
      queries: [2, 3, 4],
      keys: 5,
      scale: 0.5,
    },
  ],
  copePositions: () => [tensor([2, 3, 5], 18), { rows: 3, queries: [2, 3, 4], keys: 5 }],
  cope: () => [
    content(),
    tensor([2, 3, 5], 19),
    tensor([4, 4], 20),
    { queries: [2, 3, 4], keys: 5 },
  ],
  fourTerms: () => [
    tensor([3, 4], 21),
    tensor([3, 4], 22),
    { queryWeights: tensor([4, 2], 23), keyWeights: tensor([4, 2], 24), scale: 0.5 },
  ],
};

/**
 * The public functions of an instance, by name, and those that take an instance first. Each makes a good call from draws; what a fuzzer calls is a good call with something changed in it.
 * A test fails when a function is missing.
 */
import { frequenciesFromConfig, inside, positionFromConfig } from '../../package/installed.mjs';
import {
  biasFunction,
  distanceTypes,
  drawnBias,
  impliesHeads,
} from '../../package/distance_biases.mjs';
import { calls } from '../../package/probes.mjs';
import { scalingDrawer } from './combinations/drawers.mjs';
import { attentionCall, cacheCalls, cacheFunctions } from './cache_calls.mjs';
import { trainerCalls, trainerFunctions } from './trainer_calls.mjs';

const llama = {
  model_type: 'llama',
  hidden_size: 64,
  num_attention_heads: 4,
  rope_theta: 1e4,
  max_position_embeddings: 64,
};
const { scalingSchemas } = await inside('rotary/schemes');
const drawnScaling = scalingDrawer(scalingSchemas);
const configs = [
  llama,
  {
    ...llama,
    rope_scaling: { type: 'yarn', factor: 4, original_max_position_embeddings: 32, beta_fast: 16 },
  },
  {
    ...llama,
    rope_parameters: {
      rope_type: 'llama3',
      factor: 8,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: 32,
    },
  },
  {
    ...llama,
    rope_scaling: {
      rope_type: 'longrope',
      short_factor: Array(8).fill(1),
      long_factor: Array(8).fill(2),
      original_max_position_embeddings: 32,
    },
  },
  { text_config: { ...llama, partial_rotary_factor: 0.5, head_dim: 32 } },
  { model_type: 'bloom', n_head: 4, hidden_size: 64 },
  { model_type: 'falcon', alibi: true, num_attention_heads: 4, hidden_size: 64 },
  {
    model_type: 't5',
    relative_attention_num_buckets: 32,
    relative_attention_max_distance: 128,
    num_heads: 4,
  },
  { model_type: 'mpt', attn_config: { alibi: true, alibi_bias_max: 8 }, n_heads: 4 },
  { model_type: 'whisper', max_source_positions: 9, max_target_positions: 8 },
  // Types whose layers, bases, axes or direction come from the table.
  ...['qwen3_next', 'deepseek_v4', 'gemma4_text', 'nanochat', 'modernbert'].map((model_type) => ({
    model_type,
    hidden_size: 64,
    num_attention_heads: 4,
  })),
  { ...llama, model_type: 'granite_swa', num_hidden_layers: 2, layer_rope_theta: [0, 1e4] },
];
const config = (draws) => {
  const chosen = draws.pick(configs);
  const hasParts = chosen.model_type === 'whisper';
  return [
    draws.chance(1, 4) ? JSON.stringify(chosen) : structuredClone(chosen),
    {
      length: 100,
      layerType: 'full_attention',
      ...((hasParts || draws.chance(1, 4)) && { part: draws.pick(['encoder', 'decoder']) }),
    },
  ];
};

/** A whole number from `least` to `most`, each power of two as likely as another. */
const size = (draws, least, most) => Math.floor(least * (most / least) ** (draws.bits() / 2 ** 32));

/** Buckets of any number, the furthest of them far away or next to the nearest. */
function buckets(draws, least, most) {
  const count = 2 * size(draws, least, most / 2);
  const reach = draws.chance(1, 2) ? count + 2 + draws.below(9) : size(draws, count + 2, 2 ** 31);
  return {
    buckets: count,
    maxDistance: draws.chance(1, 2) ? reach : Math.max(count / 2 + 2, reach - count / 2),
  };
}
const distances = (draws) =>
  Array.from({ length: 1 + draws.below(5) }, () => draws.pick([1, -1]) * size(draws, 1, 2 ** 31));

/** A bias with any of its options. */
const biasOf = (type) => (draws) => {
  const heads = 1 + draws.below(4);
  const { type: _, ...options } = drawnBias(draws, type, heads);
  return [{ ...options, ...(impliesHeads(type) ? {} : { heads }), queries: 3, keys: [0, 2, 7, 1] }];
};

/** More good calls than one, where one leaves most of a function unseen. */
const richer = {
  ...Object.fromEntries(distanceTypes.map((type) => [biasFunction(type), biasOf(type)])),
  attention: attentionCall,
  rotaryFrequencies: (draws) => [{ dim: 8, base: 1e4, scaling: drawnScaling(draws, { dim: 8 }) }],
  frequenciesFromConfig: config,
  positionFromConfig: config,
  rotate: (draws) => {
    const [x, frequencies, settings] = calls.rotate();
    return [
      x,
      frequencies,
      draws.chance(1, 2)
        ? { ...settings, into: draws.pick([x.data, new Float32Array(x.data.length)]) }
        : settings,
    ];
  },
  rotaryTable: (draws) =>
    draws.pick([calls.rotaryTable, () => [{ dim: 4, base: 100 }, { positions: [0, 1, 2.5] }]])(),
  logitFactors: (draws) =>
    draws.pick([calls.logitFactors, () => [5, { type: 'llama4', scale: 0.1, floorLength: 4 }]])(),
  relativePositions: (draws) => [
    {
      queries: 5,
      keys: 9,
      ...draws.pick([
        { type: 'rope' },
        { type: 'rerope', window: 3 },
        { type: 'leaky-rerope', window: 2, factor: 4 },
        { type: 'self-extend', neighborWindow: 2, groupSize: 3 },
        { type: 'dual-chunk', chunkSize: 4, localWindow: 1 },
      ]),
    },
  ],
  t5Buckets: (draws) => [
    distances(draws),
    { direction: draws.pick(['causal', 'bidirectional']), ...buckets(draws, 2, 2 ** 12) },
  ],
  debertaBuckets: (draws) => [distances(draws), buckets(draws, 2, 2 ** 13)],
  debertaIndices: (draws) => [
    {
      queries: distances(draws),
      keys: 3,
      span: size(draws, 1, 2 ** 20),
      ...buckets(draws, 2, 2 ** 13),
    },
  ],
  resident: (draws) => [draws.tensor(1 + draws.below(9), 4)],
};

export const api = {
  ...Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, () => call()])),
  ...richer,
  ...cacheCalls,
  ...trainerCalls,
};

/** What needs no arguments. */
export const withoutArguments = ['release'];

/** Functions that take an instance first, as if they were its own; those of caches and trainers too. */
const imported = {
  frequenciesFromConfig: (rw) => (config, choices) => frequenciesFromConfig(rw, config, choices),
  positionFromConfig: (rw) => (config, choices) => positionFromConfig(rw, config, choices),
  ...cacheFunctions,
  ...trainerFunctions,
};
export const importedNames = Object.keys(imported);

export const functionOf = (rw, name) => imported[name]?.(rw) ?? rw[name];

export const functionsOf = (rw) => [
  ...Object.keys(rw).filter((name) => typeof rw[name] === 'function'),
  ...importedNames,
];

export const called = (rw, name, args) => functionOf(rw, name)(...args);

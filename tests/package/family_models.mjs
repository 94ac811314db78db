/** Small models of Hugging Face families with random weights, for tests of their options. */
import { inside } from './installed.mjs';

const { writeSafetensors } = await inside('entries/files');

const [width, hidden, layers, heads, keyHeads, headWidth] = [16, 24, 3, 4, 2, 4];
export const vocabulary = 20;
export const tokens = Array.from({ length: 12 }, (_, i) => (7 * i + 3) % vocabulary);

/** Numbers between -1 and 1 from a seed. */
function drawer(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const llamaConfig = {
  hidden_size: width,
  intermediate_size: hidden,
  num_hidden_layers: layers,
  num_attention_heads: heads,
  num_key_value_heads: keyHeads,
  head_dim: headWidth,
  vocab_size: vocabulary,
  max_position_embeddings: 64,
};
const keyWidth = keyHeads * headWidth;

/** Shapes of a layer's tensors, without ".weight". */
const llamaLayer = {
  input_layernorm: [width],
  post_attention_layernorm: [width],
  'self_attn.q_proj': [width, width],
  'self_attn.k_proj': [keyWidth, width],
  'self_attn.v_proj': [keyWidth, width],
  'self_attn.o_proj': [width, width],
  'mlp.gate_proj': [hidden, width],
  'mlp.up_proj': [hidden, width],
  'mlp.down_proj': [width, hidden],
};
const without = (shapes, ...names) =>
  Object.fromEntries(Object.entries(shapes).filter(([name]) => !names.includes(name)));
const gemmaLayer = {
  ...llamaLayer,
  pre_feedforward_layernorm: [width],
  post_feedforward_layernorm: [width],
};
/** @param {Record<string, number[]>} [layer] */
const llamaLike = (layer = llamaLayer, config = {}) => ({
  config: { ...llamaConfig, tie_word_embeddings: true, ...config },
  layers: ['model.layers.', layer],
  others: { 'model.embed_tokens': [vocabulary, width], 'model.norm': [width] },
});
const normsOfHeads = { 'self_attn.q_norm': [headWidth], 'self_attn.k_norm': [headWidth] };

/** Of a layer whose matrices are `out` by `in`; GPT-2 has them the other way. */
const gptLayer = (names, isInByOut = false) => {
  const [first, joined, output, second, up, down] = names;
  const matrix = (out, inputs) => (isInByOut ? [inputs, out] : [out, inputs]);
  return {
    [first]: [width],
    [joined]: matrix(3 * width, width),
    [output]: matrix(width, width),
    [second]: [width],
    [up]: matrix(4 * width, width),
    [down]: matrix(width, 4 * width),
  };
};
const bloomNames = [
  'input_layernorm',
  'self_attention.query_key_value',
  'self_attention.dense',
  'post_attention_layernorm',
  'mlp.dense_h_to_4h',
  'mlp.dense_4h_to_h',
];
const gpt2Names = ['ln_1', 'attn.c_attn', 'attn.c_proj', 'ln_2', 'mlp.c_fc', 'mlp.c_proj'];
const mptNames = ['norm_1', 'attn.Wqkv', 'attn.out_proj', 'norm_2', 'ffn.up_proj', 'ffn.down_proj'];

const families = {
  llama: llamaLike(),
  mistral: llamaLike(),
  granite: llamaLike(),
  smollm3: llamaLike(),
  gemma2: llamaLike(gemmaLayer),
  gemma3_text: llamaLike({ ...gemmaLayer, ...normsOfHeads }),
  cohere2: llamaLike(without(llamaLayer, 'post_attention_layernorm')),
  olmo2: llamaLike({
    ...without(gemmaLayer, 'input_layernorm', 'pre_feedforward_layernorm'),
    'self_attn.q_norm': [width],
    'self_attn.k_norm': [keyWidth],
  }),
  phi3: llamaLike({
    input_layernorm: [width],
    post_attention_layernorm: [width],
    'self_attn.qkv_proj': [width + 2 * keyWidth, width],
    'self_attn.o_proj': [width, width],
    'mlp.gate_up_proj': [2 * hidden, width],
    'mlp.down_proj': [width, hidden],
  }),
  gpt2: {
    config: { n_embd: width, n_layer: layers, n_head: heads, n_positions: 64 },
    layers: ['transformer.h.', gptLayer(gpt2Names, true)],
    others: {
      'transformer.wte': [vocabulary, width],
      'transformer.wpe': [64, width],
      'transformer.ln_f': [width],
    },
    hasBiases: true,
  },
  bloom: {
    config: { hidden_size: width, n_layer: layers, n_head: heads },
    layers: ['transformer.h.', gptLayer(bloomNames)],
    others: {
      'transformer.word_embeddings': [vocabulary, width],
      'transformer.word_embeddings_layernorm': [width],
      'transformer.ln_f': [width],
    },
    hasBiases: true,
  },
  mpt: {
    config: { d_model: width, n_layers: layers, n_heads: heads, max_seq_len: 64 },
    layers: ['transformer.blocks.', gptLayer(mptNames)],
    others: { 'transformer.wte': [vocabulary, width], 'transformer.norm_f': [width] },
  },
};

/**
 * A model of a family, which a test may change.
 * @param {string} family
 * @returns {{ config: Record<string, any>, tensors: Record<string, { data: Float32Array, shape: number[] }> }}
 */
export function familyModel(family) {
  const draw = drawer(1);
  const { config, layers: each, others, hasBiases = false } = families[family];
  const [prefix, layer] = each;
  const tensors = {};
  const add = (name, shape) => {
    const count = shape.reduce((product, extent) => product * extent, 1);
    const data = Float32Array.from({ length: count }, () =>
      shape.length > 1 ? draw() : 1 + draw() / 2,
    );
    tensors[`${name}.weight`] = { data, shape };
    if (!hasBiases || /wte|wpe|embeddings$/.test(name)) return;
    const outputs = family === 'gpt2' ? shape.at(-1) : shape[0];
    const bias = Float32Array.from({ length: outputs }, draw);
    tensors[`${name}.bias`] = { data: bias, shape: [outputs] };
  };
  for (const [name, shape] of Object.entries(others)) add(name, shape);
  for (let i = 0; i < layers; i++)
    for (const [name, shape] of Object.entries(layer)) add(`${prefix}${i}.${name}`, shape);
  return { config: { model_type: family, vocab_size: vocabulary, ...config }, tensors };
}

/** What createModel() takes. */
export const filesOf = ({ config, tensors }) => ({ config, weights: writeSafetensors(tensors) });

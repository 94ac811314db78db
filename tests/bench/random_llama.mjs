/** Llamas with random weights, as folders whose files are made as they are read. */
import { uniform } from './inputs.mjs';

/**
 * @typedef {object} Shape
 * @property {number} layers
 * @property {number} width
 * @property {number} heads
 * @property {number} keyHeads
 * @property {number} hidden
 * @property {number} vocabulary
 */

/** 135 million parameters. */
export const shape = {
  layers: 30,
  width: 576,
  heads: 9,
  keyHeads: 3,
  hidden: 1536,
  vocabulary: 49_152,
};

/** @param {Shape} shape */
const configOf = ({ width, hidden, layers, heads, keyHeads, vocabulary }) => ({
  model_type: 'llama',
  hidden_size: width,
  intermediate_size: hidden,
  num_hidden_layers: layers,
  num_attention_heads: heads,
  num_key_value_heads: keyHeads,
  vocab_size: vocabulary,
  max_position_embeddings: 2048,
  rms_norm_eps: 1e-5,
  hidden_act: 'silu',
  tie_word_embeddings: true,
});

/**
 * Tensors by the names of Hugging Face, with their extents.
 * @param {Shape} shape
 * @returns {Generator<[string, number[]]>}
 */
export function* tensors({ layers, width, heads, keyHeads, hidden, vocabulary }) {
  const keyWidth = (width / heads) * keyHeads;
  yield ['model.embed_tokens', [vocabulary, width]];
  for (let layer = 0; layer < layers; layer++) {
    const at = `model.layers.${layer}.`;
    yield [`${at}input_layernorm`, [width]];
    yield [`${at}self_attn.q_proj`, [width, width]];
    yield [`${at}self_attn.k_proj`, [keyWidth, width]];
    yield [`${at}self_attn.v_proj`, [keyWidth, width]];
    yield [`${at}self_attn.o_proj`, [width, width]];
    yield [`${at}post_attention_layernorm`, [width]];
    yield [`${at}mlp.gate_proj`, [hidden, width]];
    yield [`${at}mlp.up_proj`, [hidden, width]];
    yield [`${at}mlp.down_proj`, [width, hidden]];
  }
  yield ['model.norm', [width]];
}

const sizeOf = (extents) => extents.reduce((product, extent) => product * extent, 1);

/** Number of weights, those of the embedding included. */
export const parametersOf = (of) =>
  [...tensors(of)].reduce((sum, [, extents]) => sum + sizeOf(extents), 0);
export const parameters = parametersOf(shape);

/** Values that repeat throughout the file. */
const repeated = 2 ** 20;

const patterns = {
  F32: () => uniform(repeated, 1).map((value) => 0.02 * value),
  // Of either sign, exponents 2⁻⁸ to 2⁻⁵.
  F16: () =>
    Uint16Array.from(uniform(repeated, 1), (value, i) =>
      value < 0 ? 0x9c00 + (i % 0x1000) : 0x1c00 + (i % 0x1000),
    ),
};

/** A file of some tensors, with its header and the pattern that its values repeat. */
function fileOf(name, parts, dtype, pattern) {
  const header = {};
  let end = 0;
  for (const [tensor, extents] of parts) {
    const start = end;
    end += sizeOf(extents) * (pattern.length / repeated);
    header[`${tensor}.weight`] = { dtype, shape: extents, data_offsets: [start, end] };
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const head = new Uint8Array(8 + text.length);
  new DataView(head.buffer).setBigUint64(0, BigInt(text.length), true);
  head.set(text, 8);
  return {
    name,
    size: head.length + end,
    async read(start, length) {
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length;) {
        const place = start + at;
        const from = place < head.length ? head : pattern;
        const first = place < head.length ? place : (place - head.length) % pattern.length;
        const piece = from.subarray(first, first + length - at);
        bytes.set(piece, at);
        at += piece.length;
      }
      return bytes;
    },
  };
}

/**
 * A configuration and weights, as createModel() takes them.
 * @param {'F32' | 'F16'} dtype
 */
export function randomLlama(dtype) {
  const pattern = new Uint8Array(patterns[dtype]().buffer);
  const weights = fileOf('model.safetensors', tensors(shape), dtype, pattern);
  return { config: configOf(shape), weights };
}

/**
 * A model in float16 as a folder: its configuration, and its tensors in files of similar size.
 * @param {Shape} of
 * @param {number} count of files
 */
export function randomShards(of, count) {
  const pattern = new Uint8Array(patterns.F16().buffer);
  const each = parametersOf(of) / count;
  /** @type {[string, number[]][][]} */
  const parts = [];
  let before = 0;
  for (const tensor of tensors(of)) {
    (parts[Math.min(count - 1, Math.floor(before / each))] ??= []).push(tensor);
    before += sizeOf(tensor[1]);
  }
  const lists = parts.filter(Boolean);
  const number = (i) => String(i).padStart(5, '0');
  const files = lists.map((list, i) =>
    fileOf(`model-${number(i + 1)}-of-${number(lists.length)}.safetensors`, list, 'F16', pattern),
  );
  const weightMap = Object.fromEntries(
    lists.flatMap((list, i) => list.map(([name]) => [`${name}.weight`, files[i].name])),
  );
  return { config: configOf(of), files, index: { metadata: {}, weight_map: weightMap } };
}

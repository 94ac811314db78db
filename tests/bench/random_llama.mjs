/** A Llama of 135 million parameters with random weights, as a folder whose file is made as it is read. */
import { uniform } from './inputs.mjs';

export const shape = {
  layers: 30,
  width: 576,
  heads: 9,
  keyHeads: 3,
  hidden: 1536,
  vocabulary: 49_152,
};

const config = {
  model_type: 'llama',
  hidden_size: shape.width,
  intermediate_size: shape.hidden,
  num_hidden_layers: shape.layers,
  num_attention_heads: shape.heads,
  num_key_value_heads: shape.keyHeads,
  vocab_size: shape.vocabulary,
  max_position_embeddings: 2048,
  rms_norm_eps: 1e-5,
  hidden_act: 'silu',
  tie_word_embeddings: true,
};

/** @returns {Generator<[string, number[]]>} */
function* tensors() {
  const { layers, width, heads, keyHeads, hidden, vocabulary } = shape;
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

/** Number of weights, those of the embedding included. */
export const parameters = [...tensors()].reduce(
  (sum, [, extents]) => sum + extents.reduce((product, extent) => product * extent, 1),
  0,
);

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

/**
 * Its configuration and weights, as createModel() takes them.
 * @param {'F32' | 'F16'} dtype
 */
export function randomLlama(dtype) {
  const pattern = new Uint8Array(patterns[dtype]().buffer);
  const header = {};
  let end = 0;
  for (const [name, extents] of tensors()) {
    const start = end;
    end += extents.reduce((product, extent) => product * extent, pattern.length / repeated);
    header[`${name}.weight`] = { dtype, shape: extents, data_offsets: [start, end] };
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const head = new Uint8Array(8 + text.length);
  new DataView(head.buffer).setBigUint64(0, BigInt(text.length), true);
  head.set(text, 8);
  const weights = {
    name: 'model.safetensors',
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
  return { config, weights };
}

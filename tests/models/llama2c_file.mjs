/** The Llama of stories260k by its tensors, and as a .gguf file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { f32, ggufBytes } from '../dumps/gguf_writer.mjs';

const folder = join(import.meta.dirname, 'stories260k');

export const bytesOf = (name) => new Uint8Array(readFileSync(join(folder, name)));
export const storiesFile = bytesOf('stories260K.bin');
/** A text and its losses under changed positions, by another program: see README.md. */
export const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));

/**
 * The model's sizes, and its tensors as the file has them, by Hugging Face's names.
 * @returns {{ sizes: Record<string, number>, tensors: Record<string, any> }}
 */
export function contents() {
  const [dim, hidden, layers, heads, keyHeads, vocabulary, context] = new Int32Array(
    storiesFile.buffer,
    0,
    7,
  );
  const floats = new Float32Array(storiesFile.buffer, 28);
  let at = 0;
  const take = (...shape) => {
    const count = shape.reduce((product, extent) => product * extent, 1);
    return { data: floats.slice(at, (at += count)), shape };
  };
  const keyWidth = (dim / heads) * keyHeads;
  const tensors = { 'model.embed_tokens.weight': take(vocabulary, dim) };
  const each = (name, ...shape) => {
    for (let layer = 0; layer < layers; layer++)
      tensors[`model.layers.${layer}.${name}.weight`] = take(...shape);
  };
  each('input_layernorm', dim);
  each('self_attn.q_proj', dim, dim);
  each('self_attn.k_proj', keyWidth, dim);
  each('self_attn.v_proj', keyWidth, dim);
  each('self_attn.o_proj', dim, dim);
  each('post_attention_layernorm', dim);
  each('mlp.gate_proj', hidden, dim);
  each('mlp.down_proj', dim, hidden);
  each('mlp.up_proj', hidden, dim);
  tensors['model.norm.weight'] = take(dim);
  return { sizes: { dim, hidden, layers, heads, keyHeads, vocabulary, context }, tensors };
}

/** The tensors by the names of GGUF. */
const ggufNames = {
  'model.embed_tokens': 'token_embd',
  'model.norm': 'output_norm',
  'model.layers.': 'blk.',
  input_layernorm: 'attn_norm',
  post_attention_layernorm: 'ffn_norm',
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};

const asFloats = ({ data }) => ({ type: 'F32', bytes: f32(data) });

/**
 * The model as llama.cpp stores it. llama.cpp pairs its channels as llama2.c does.
 * @param {object} [keys] in place of or besides those of the model
 * @param {object} [more] tensors besides those of the model
 * @param {(tensor: { data: Float32Array, shape: number[] }, name: string) => { type: string, bytes: Uint8Array }} [stored]
 */
export function ggufFile(keys = {}, more = {}, stored = asFloats) {
  const { sizes, tensors } = contents();
  const named = Object.entries(tensors).map(([name, tensor]) => {
    const own = Object.entries(ggufNames).reduce(
      (text, [from, to]) => text.replace(from, to),
      name,
    );
    return [own, { shape: tensor.shape.toReversed(), ...stored(tensor, own) }];
  });
  const given = {
    'general.architecture': 'llama',
    'llama.embedding_length': sizes.dim,
    'llama.block_count': sizes.layers,
    'llama.feed_forward_length': sizes.hidden,
    'llama.attention.head_count': sizes.heads,
    'llama.attention.head_count_kv': sizes.keyHeads,
    'llama.attention.layer_norm_rms_epsilon': 1e-5,
    'llama.context_length': sizes.context,
    'llama.rope.dimension_count': sizes.dim / sizes.heads,
    ...keys,
  };
  return new Uint8Array(ggufBytes(given, { ...Object.fromEntries(named), ...more }));
}

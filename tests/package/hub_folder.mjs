/** A small Llama with random weights as a Hugging Face folder, which tests may change. */
import { byteTokenizer as tokenizerJson, merges, tokenOf } from '../support/byte_tokenizer.mjs';
import { inside } from './installed.mjs';

export { merges, tokenizerJson, tokenOf };

const { writeSafetensors } = await inside('entries/files');

export const template =
  '{% for message in messages %}{{ message.role }}: {{ message.content }}{{ eos_token }}{% endfor %}' +
  '{% if add_generation_prompt %}assistant:{% endif %}';

const [width, hidden, layers, heads, keyHeads] = [32, 24, 2, 4, 2];
export const vocabulary = 264;

/** Numbers between -1 and 1 from a seed. */
function drawer(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/**
 * The folder before it is written.
 * @returns {{ json: Record<string, any>, tensors: Record<string, { data: Float32Array, shape: number[] }>, shards: number }}
 */
export function hubFolder() {
  const draw = drawer(1);
  const tensors = {};
  const add = (name, ...shape) => {
    const count = shape.reduce((product, extent) => product * extent, 1);
    const data = Float32Array.from({ length: count }, () => (shape.length > 1 ? draw() / 2 : 1));
    tensors[`model.${name}.weight`] = { data, shape };
  };
  const keyWidth = (width / heads) * keyHeads;
  add('embed_tokens', vocabulary, width);
  // The output is the same table: tokens with small rows are rarely written, so text is ASCII.
  const table = tensors['model.embed_tokens.weight'].data;
  for (let token = 0; token < vocabulary; token++)
    if (token < tokenOf(33) || token > tokenOf(126))
      for (let i = 0; i < width; i++) table[token * width + i] /= 64;
  for (let layer = 0; layer < layers; layer++) {
    const each = (name, ...shape) => add(`layers.${layer}.${name}`, ...shape);
    each('input_layernorm', width);
    each('self_attn.q_proj', width, width);
    each('self_attn.k_proj', keyWidth, width);
    each('self_attn.v_proj', keyWidth, width);
    each('self_attn.o_proj', width, width);
    each('post_attention_layernorm', width);
    each('mlp.gate_proj', hidden, width);
    each('mlp.down_proj', width, hidden);
    each('mlp.up_proj', hidden, width);
  }
  add('norm', width);
  const config = {
    model_type: 'llama',
    hidden_size: width,
    intermediate_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: keyHeads,
    vocab_size: vocabulary,
    max_position_embeddings: 128,
    rms_norm_eps: 1e-5,
    rope_theta: 10000,
    hidden_act: 'silu',
    tie_word_embeddings: true,
    eos_token_id: 1,
  };
  return {
    json: {
      'config.json': config,
      'generation_config.json': { eos_token_id: [1, 2] },
      'tokenizer.json': tokenizerJson(),
      'tokenizer_config.json': {
        bos_token: { content: '<s>' },
        eos_token: '</s>',
        chat_template: template,
      },
    },
    tensors,
    shards: 2,
  };
}

const shardName = (i, count) =>
  count === 1 ? 'model.safetensors' : `model-0000${i + 1}-of-0000${count}.safetensors`;

/** The files of a folder, by name. */
export function filesOf({ json, tensors, shards }) {
  const entries = Object.entries(tensors);
  const each = Math.ceil(entries.length / shards);
  const parts = Array.from({ length: shards }, (_, i) => entries.slice(i * each, (i + 1) * each));
  const weightMap = Object.fromEntries(
    parts.flatMap((part, i) => part.map(([name]) => [name, shardName(i, shards)])),
  );
  const index = shards > 1 && {
    'model.safetensors.index.json': { metadata: {}, weight_map: weightMap },
  };
  const texts = Object.entries({ ...json, ...index }).map(([name, value]) => [
    name,
    new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)),
  ]);
  const weights = parts.map((part, i) => [
    shardName(i, shards),
    writeSafetensors(Object.fromEntries(part)),
  ]);
  return Object.fromEntries([...texts, ...weights]);
}

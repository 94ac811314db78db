/** A model from a .gguf file: its keys as a config.json has them, and its names of tensors. */
import { architectureOf } from '../config/llama_cpp.js';
import type { ByteSource } from '../formats/byte_source.js';
import {
  readableTypes,
  readGgufBytes,
  readGgufHeader,
  readGgufRows,
  type GgufFile,
  type GgufTensor,
} from '../formats/gguf.js';
import { wrongValue } from '../runtime/errors.js';
import { modelFromConfig, type PositionSource } from './hugging_face.js';
import type { ModelParts } from './model.js';
import { bytesOfFloats, type WeightFormat, type Weights } from './weights.js';

/** Architectures of llama.cpp that are read: names of Hugging Face's model types. */
const architectures: Readonly<Record<string, string>> = {
  llama: 'llama',
  qwen2: 'qwen2',
  qwen3: 'qwen3',
};

const names = {
  E: 'token_embd',
  gf: 'output_norm',
  Wout: 'output',
  g1: 'attn_norm',
  Wq: 'attn_q',
  Wk: 'attn_k',
  Wv: 'attn_v',
  Wo: 'attn_output',
  gq: 'attn_q_norm',
  gk: 'attn_k_norm',
  g2: 'ffn_norm',
  Wg: 'ffn_gate',
  W1: 'ffn_up',
  W2: 'ffn_down',
};

/** Keys of config.json by those of GGUF, without the name of the architecture. */
const keys: Readonly<Record<string, string>> = {
  embedding_length: 'hidden_size',
  block_count: 'num_hidden_layers',
  feed_forward_length: 'intermediate_size',
  'attention.head_count': 'num_attention_heads',
  'attention.head_count_kv': 'num_key_value_heads',
  'attention.layer_norm_rms_epsilon': 'rms_norm_eps',
  'attention.key_length': 'head_dim',
  context_length: 'max_position_embeddings',
  'rope.freq_base': 'rope_theta',
};

/** Keys that another value than this one makes a model that is not read. */
const unread: Readonly<Record<string, unknown>> = {
  'attention.sliding_window': 0,
  expert_count: 0,
  'rope.scale_linear': 1,
};

function weightsOf(file: GgufFile): Weights {
  const isDirect = ({ type }: GgufTensor) => file.littleEndian && readableTypes.includes(type);
  return {
    stored(name) {
      const tensor = file.tensors.get(name);
      if (!tensor) return undefined;
      const format = isDirect(tensor) ? (tensor.type.toLowerCase() as WeightFormat) : 'f32';
      return { shape: tensor.shape.toReversed(), format };
    },
    names: () => [...file.tensors.keys()],
    async rows(name, start, count, room) {
      const tensor = file.tensors.get(name)!;
      if (isDirect(tensor)) return readGgufBytes(file, name, tensor, start, count, room);
      return bytesOfFloats(await readGgufRows(file, name, tensor, start, count));
    },
  };
}

/** The block of config.json about the scaling of rotations. */
function scalingOf(file: GgufFile, architecture: string): object | undefined {
  const at = (key: string) => file.keys.get(`${architecture}.rope.scaling.${key}`);
  const type = at('type') ?? 'none';
  if (type === 'none') return undefined;
  if (type !== 'linear' && type !== 'yarn')
    throw wrongValue(`${architecture}.rope.scaling.type`, "must be 'linear' or 'yarn'", type);
  const original = at('original_context_length');
  return {
    rope_type: type,
    factor: at('factor'),
    ...(original !== undefined && { original_max_position_embeddings: original }),
  };
}

/**
 * Reads what a model is from a .gguf file.
 * @throws RangeError on an architecture that is not known, or a key that the decoder does not have
 * @see GGUF, the text of the format (ggml, docs/gguf.md)
 */
export async function ggufModel(rw: PositionSource, source: ByteSource): Promise<ModelParts> {
  const file = await readGgufHeader(source);
  const name = file.keys.get('general.architecture');
  if (typeof name !== 'string' || !Object.hasOwn(architectures, name))
    throw wrongValue(
      `${source.name}: general.architecture`,
      `must be one of ${Object.keys(architectures).join(', ')}`,
      name,
    );
  for (const [key, value] of Object.entries(unread)) {
    const own = file.keys.get(`${name}.${key}`) ?? value;
    if (own !== value)
      throw wrongValue(`${source.name}: ${name}.${key}`, `must be ${value} or absent`, own);
  }
  const weights = weightsOf(file);
  const width = Number(file.keys.get(`${name}.embedding_length`));
  const heads = Number(file.keys.get(`${name}.attention.head_count`));
  const rotated = file.keys.get(`${name}.rope.dimension_count`);
  const scaling = scalingOf(file, name);
  const config: Record<string, unknown> = {
    model_type: architectures[name],
    vocab_size: weights.stored('token_embd.weight')?.shape[0],
    tie_word_embeddings: !file.tensors.has('output.weight'),
    attention_bias: name !== 'qwen2' && file.tensors.has('blk.0.attn_q.bias'),
    ...(scaling && { rope_scaling: scaling }),
  };
  for (const [key, own] of Object.entries(keys)) {
    const value = file.keys.get(`${name}.${key}`);
    if (value !== undefined) config[own] = value;
  }
  const headWidth = Number(config.head_dim ?? width / heads);
  if (rotated !== undefined && rotated !== headWidth)
    config.partial_rotary_factor = Number(rotated) / headWidth;
  const frequencies = file.tensors.get('rope_freqs.weight');
  const divisors =
    frequencies && (await readGgufRows(file, 'rope_freqs.weight', frequencies, 0, 1));
  return modelFromConfig(rw, config, weights, {
    names,
    layers: 'blk.',
    layout: architectureOf(name)?.pairs === 'adjacent' ? 'interleaved' : 'half-split',
    ...(divisors && { divisors }),
  });
}

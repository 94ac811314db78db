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
import { missing } from '../config/reader.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
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
  'attention.causal': true,
  'attention.scale': 0,
  'attention.clamp_kqv': 0,
  'attention.max_alibi_bias': 0,
  attn_logit_softcapping: 0,
  final_logit_softcapping: 0,
  embedding_scale: 1,
  residual_scale: 1,
  logit_scale: 1,
  expert_count: 0,
  'rope.scaling.yarn_log_multiplier': 0,
  'rope.scaling.yarn_ext_factor': 1,
  'rope.scaling.yarn_attn_factor': 1,
};

/** Tensors beside those of the decoder that change what it computes. */
const unreadTensors = /\.(scale|input_scale|lora_[ab])$|^rope_factors_/;

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

/**
 * The block of config.json about the scaling of rotations, which is linear where no type is given,
 * and the further factor on cos and sin.
 */
function scalingOf(file: GgufFile, architecture: string): { block?: object; attention: number } {
  const numberAt = (key: string) => {
    const name = `${architecture}.rope.${key}`;
    const value = file.keys.get(name);
    if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
    throw wrongKind(`${file.source.name}: ${name}`, 'must be a number', value);
  };
  const type = file.keys.get(`${architecture}.rope.scaling.type`) ?? 'linear';
  if (type !== 'none' && type !== 'linear' && type !== 'yarn')
    throw wrongValue(
      `${architecture}.rope.scaling.type`,
      "must be 'none', 'linear' or 'yarn'",
      type,
    );
  // 0 stands for none.
  const factor = numberAt('scaling.factor') || numberAt('scale_linear') || 1;
  const attention = numberAt('scaling.attn_factor') ?? 1;
  if (type !== 'yarn' || factor < 1) {
    const isScaled = type !== 'none' && factor !== 1;
    return { ...(isScaled && { block: { rope_type: 'linear', factor } }), attention };
  }
  const original = numberAt('scaling.original_context_length');
  const betaFast = numberAt('scaling.yarn_beta_fast');
  const betaSlow = numberAt('scaling.yarn_beta_slow');
  const block = {
    rope_type: type,
    factor,
    ...(original !== undefined && { original_max_position_embeddings: original }),
    ...(betaFast !== undefined && { beta_fast: betaFast }),
    ...(betaSlow !== undefined && { beta_slow: betaSlow }),
  };
  return { block, attention };
}

/** Biases are in a file whose model has them, each by itself. */
function biasesOf(file: GgufFile) {
  const has = (names: string) => {
    const pattern = new RegExp(`^blk\\.\\d+\\.(${names})\\.bias$`);
    return [...file.tensors.keys()].some((name) => pattern.test(name));
  };
  return {
    queryKeyValueBias: has('attn_[qkv]'),
    outputBias: has('attn_output'),
    feedForwardBias: has('ffn_(gate|up|down)'),
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
  const other = [...file.tensors.keys()].find((tensor) => unreadTensors.test(tensor));
  if (other !== undefined)
    throw wrongValue(`${source.name}: tensor "${other}"`, 'must be absent: it is not read', '', '');
  const weights = weightsOf(file);
  const width = Number(file.keys.get(`${name}.embedding_length`));
  const heads = Number(file.keys.get(`${name}.attention.head_count`));
  const rotated = file.keys.get(`${name}.rope.dimension_count`);
  const scaling = scalingOf(file, name);
  const config: Record<string, unknown> = {
    model_type: architectures[name],
    vocab_size: weights.stored('token_embd.weight')?.shape[0],
    tie_word_embeddings: !file.tensors.has('output.weight'),
    ...(scaling.block && { rope_scaling: scaling.block }),
  };
  for (const [key, own] of Object.entries(keys)) {
    const value = file.keys.get(`${name}.${key}`);
    if (value !== undefined) config[own] = value;
  }
  if (config.rms_norm_eps === undefined)
    throw missing(`${name}.attention.layer_norm_rms_epsilon`, 'must be a number');
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
    decoder: biasesOf(file),
    lacksBiases: true,
    attentionFactor: scaling.attention,
    ...(divisors && { divisors }),
  });
}

/** A model from .gguf files: their keys as a config.json has them, and their names of tensors. */
import { architectureOf } from '../config/llama_cpp.js';
import { missing } from '../config/reader.js';
import type { ByteSource } from '../formats/byte_source.js';
import { readGgufRows, type GgufFile } from '../formats/gguf.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import {
  ggufWeights,
  readGgufParts,
  requireReadable,
  type GgufParts,
  type GgufTensors,
} from './gguf_files.js';
import { modelFromConfig, type PositionSource } from './hugging_face.js';
import type { ModelParts } from './model.js';

const names = {
  E: 'token_embd',
  gf: 'output_norm',
  Wout: 'output',
  g1: 'attn_norm',
  Wq: 'attn_q',
  Wk: 'attn_k',
  Wv: 'attn_v',
  Wo: 'attn_output',
  g2: 'ffn_norm',
  Wg: 'ffn_gate',
  W1: 'ffn_up',
  W2: 'ffn_down',
};
const headNorms = { gq: 'attn_q_norm', gk: 'attn_k_norm' };
const normsAfter = { g3: 'post_attention_norm', g4: 'post_ffw_norm' };

/** Sizes that settings of an architecture follow from. */
interface Sizes {
  layers: number;
  width: number;
  heads: number;
  headWidth: number;
}

/** An architecture of llama.cpp, by its name. */
interface Architecture {
  /** Hugging Face's model type. */
  type: string;
  /** Names of tensors besides those that all have. */
  names?: Readonly<Record<string, string>>;
  /** Keys of config.json by those of GGUF, besides those that all have. */
  keys?: Readonly<Record<string, string>>;
  /** Values in config.json that llama.cpp takes where the file has no key for them. */
  absent?(sizes: Sizes, keys: ReadonlyMap<string, unknown>): Record<string, unknown>;
  /** rope_freqs.weight has divisors of its frequencies. */
  hasDivisors?: true;
}

/** llama.cpp knows the largest Gemma, whose queries have another scale, by its layers. */
const gemmaSizes = ({ layers, width, heads, headWidth }: Sizes, largest: number) => ({
  head_dim: headWidth,
  query_pre_attn_scalar: layers === largest ? Math.floor(width / heads) : headWidth,
});

const mostLayers = 4096;

const architectures: Readonly<Record<string, Architecture>> = {
  llama: { type: 'llama', hasDivisors: true },
  qwen2: { type: 'qwen2' },
  qwen3: { type: 'qwen3', names: headNorms },
  gemma2: {
    type: 'gemma2',
    names: normsAfter,
    keys: {
      'attention.sliding_window': 'sliding_window',
      attn_logit_softcapping: 'attn_logit_softcapping',
      final_logit_softcapping: 'final_logit_softcapping',
    },
    absent: (sizes) => gemmaSizes(sizes, 46),
  },
  gemma3: {
    type: 'gemma3_text',
    names: { ...headNorms, ...normsAfter },
    keys: {
      'attention.sliding_window': 'sliding_window',
      final_logit_softcapping: 'final_logit_softcapping',
      'rope.freq_base_swa': 'rope_local_base_freq',
    },
    absent: (sizes, keys) => ({
      ...gemmaSizes(sizes, 62),
      rope_local_base_freq: 10000,
      // Without a window all layers are full.
      ...(!keys.get('gemma3.attention.sliding_window') && {
        layer_types: Array<string>(sizes.layers).fill('full_attention'),
      }),
    }),
  },
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

/**
 * Keys that another value than this one makes a model that is not read, unless the architecture
 * reads them.
 */
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
  nextn_predict_layers: 0,
  'rope.scaling.yarn_log_multiplier': 0,
  'rope.scaling.yarn_ext_factor': 1,
  'rope.scaling.yarn_attn_factor': 1,
};

/** One layer of so many is full. */
const slidingPatterns: Readonly<Record<string, number>> = { gemma2: 2, gemma3: 6 };

/** @throws RangeError on a key whose value makes another model */
function requireReadKeys(
  { keys: all, source }: GgufFile,
  name: string,
  { headWidth }: Sizes,
): void {
  const expect = (key: string, wanted: unknown) => {
    const own = all.get(`${name}.${key}`) ?? wanted;
    const rule = wanted === undefined ? 'must be absent' : `must be ${wanted} or absent`;
    if (own !== wanted) throw wrongValue(`${source.name}: ${name}.${key}`, rule, own);
  };
  const readKeys = architectures[name]!.keys ?? {};
  for (const [key, value] of Object.entries(unread))
    if (!Object.hasOwn(readKeys, key)) expect(key, value);
  expect('attention.sliding_window_pattern', slidingPatterns[name]);
  expect('attention.value_length', headWidth);
}

/** @throws RangeError on a tensor that no part of the decoder reads, as llama.cpp does */
function requireReadTensors(
  parts: GgufParts,
  { names: own, hasDivisors }: Architecture,
  { layers }: Sizes,
): void {
  const of = (list: object) => Object.values(list).join('|');
  const { E, gf, Wout, g1, g2, ...matrices } = names;
  const norms = of({ g1, g2, ...own });
  const model = new RegExp(`^(${of({ E, gf, Wout })})\\.weight$`);
  const inLayer = `(${norms})\\.weight|(${of(matrices)})\\.(weight|bias)`;
  const layer = new RegExp(`^blk\\.(\\d+)\\.(${inLayer})$`);
  for (const [name, { file }] of parts.tensors) {
    const index = layer.exec(name)?.[1];
    const isRead =
      model.test(name) ||
      (index !== undefined && Number(index) < layers) ||
      (name === 'rope_freqs.weight' && hasDivisors);
    if (!isRead)
      throw wrongValue(
        `${file.source.name}: tensor "${name}"`,
        'must be absent: it is not read',
        '',
        '',
      );
  }
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
function biasesOf(tensors: GgufTensors) {
  const has = (names: string) => {
    const pattern = new RegExp(`^blk\\.\\d+\\.(${names})\\.bias$`);
    return [...tensors.keys()].some((name) => pattern.test(name));
  };
  return {
    queryKeyValueBias: has('attn_[qkv]'),
    outputBias: has('attn_output'),
    feedForwardBias: has('ffn_(gate|up|down)'),
  };
}

/** @throws RangeError on a size that is missing or differs between layers */
function sizesOf({ keys: all, source }: GgufFile, name: string): Sizes {
  const sizeAt = (key: string, most = 2 ** 24) => {
    const value = all.get(`${name}.${key}`);
    const isSize = typeof value === 'number' && Number.isInteger(value);
    if (isSize && value >= 1 && value <= most) return value;
    throw wrongValue(
      `${source.name}: ${name}.${key}`,
      `must be a whole number from 1 to ${most}`,
      value,
    );
  };
  const [width, heads] = [sizeAt('embedding_length'), sizeAt('attention.head_count')];
  const hasOwn = all.has(`${name}.attention.key_length`);
  const headWidth = hasOwn ? sizeAt('attention.key_length') : width / heads;
  return { layers: sizeAt('block_count', mostLayers), width, heads, headWidth };
}

/** The keys as config.json has them. */
function configOf({ first, tensors }: GgufParts, name: string, sizes: Sizes) {
  const { type, keys: own, absent } = architectures[name]!;
  const { heads, headWidth } = sizes;
  const config: Record<string, unknown> = {
    model_type: type,
    vocab_size: tensors.get('token_embd.weight')?.shape[1],
    tie_word_embeddings: !tensors.has('output.weight'),
    // What llama.cpp takes where a file has no such keys.
    rope_theta: 10000,
    num_key_value_heads: heads,
    ...absent?.(sizes, first.keys),
  };
  for (const [key, setting] of Object.entries({ ...keys, ...own })) {
    const value = first.keys.get(`${name}.${key}`);
    if (value !== undefined) config[setting] = value;
  }
  if (config.rms_norm_eps === undefined)
    throw missing(`${name}.attention.layer_norm_rms_epsilon`, 'must be a number');
  const rotated = first.keys.get(`${name}.rope.dimension_count`);
  if (rotated !== undefined && rotated !== headWidth)
    config.partial_rotary_factor = Number(rotated) / headWidth;
  return config;
}

/**
 * Reads what a model is from its .gguf files.
 * @param sources one, or all that the model was split into
 * @throws RangeError on an architecture that is not known, a key or tensor that the decoder does
 *   not have, or a type of weights that is not read
 * @see GGUF, the text of the format (ggml, docs/gguf.md); llama.cpp, conversion/ and src/models/
 */
export async function ggufModel(
  rw: PositionSource,
  sources: readonly ByteSource[],
): Promise<ModelParts> {
  const parts = await readGgufParts(sources);
  const { first, tensors } = parts;
  const name = first.keys.get('general.architecture');
  if (typeof name !== 'string' || !Object.hasOwn(architectures, name))
    throw wrongValue(
      `${first.source.name}: general.architecture`,
      `must be one of ${Object.keys(architectures).join(', ')}`,
      name,
    );
  const architecture = architectures[name]!;
  const sizes = sizesOf(first, name);
  requireReadKeys(first, name, sizes);
  requireReadTensors(parts, architecture, sizes);
  requireReadable(parts);
  const scaling = scalingOf(first, name);
  const config = {
    ...configOf(parts, name, sizes),
    ...(scaling.block && { rope_scaling: scaling.block }),
  };
  const frequencies = tensors.get('rope_freqs.weight');
  const divisors =
    frequencies && (await readGgufRows(frequencies.file, 'rope_freqs.weight', frequencies, 0, 1));
  const attentionFactor = scaling.attention;
  const model = modelFromConfig(rw, config, ggufWeights(parts), {
    names: { ...names, ...architecture.names },
    layers: 'blk.',
    layout: architectureOf(name)?.pairs === 'adjacent' ? 'interleaved' : 'half-split',
    decoder: biasesOf(tensors),
    lacksBiases: true,
    gainOffset: 0,
    attentionFactor,
    ...(divisors && { divisors }),
  });
  const isInConfig = !divisors && attentionFactor === 1;
  return { ...model, origin: { ...(isInConfig && { config }), runtime: 'llama.cpp' } };
}

/**
 * A folder of Hugging Face as .gguf files, as llama.cpp's convert_hf_to_gguf.py and
 * llama-gguf-split write them: names, keys, order of rows, types. Shares nothing with the package.
 */
import { ggufBytes, typed } from '../dumps/gguf_writer.mjs';

const architectures = {
  llama: 'llama',
  mistral: 'llama',
  qwen2: 'qwen2',
  qwen3: 'qwen3',
  gemma2: 'gemma2',
  gemma3_text: 'gemma3',
};
const isGemma = (type) => type.startsWith('gemma');

const layerNames = {
  input_layernorm: 'attn_norm',
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'self_attn.q_norm': 'attn_q_norm',
  'self_attn.k_norm': 'attn_k_norm',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};
/** Gemma has a norm after attention by the name that others give to the one before the rest. */
const normNames = (type) =>
  isGemma(type)
    ? {
        post_attention_layernorm: 'post_attention_norm',
        pre_feedforward_layernorm: 'ffn_norm',
        post_feedforward_layernorm: 'post_ffw_norm',
      }
    : { post_attention_layernorm: 'ffn_norm' };
const modelNames = {
  'model.embed_tokens': 'token_embd',
  'model.norm': 'output_norm',
  lm_head: 'output',
};

function ggufName(name, type) {
  const [, own, kind] = /^(.*)\.(weight|bias)$/.exec(name);
  const [, layer, inLayer] = /^model\.layers\.(\d+)\.(.*)$/.exec(own) ?? [];
  if (layer === undefined) return `${modelNames[own]}.${kind}`;
  return `blk.${layer}.${{ ...layerNames, ...normNames(type) }[inLayer]}.${kind}`;
}

/** Rows i and i + half of a head become rows 2i and 2i + 1. */
function permuted({ data, shape }, heads) {
  const [rows, cols = 1] = shape;
  const width = rows / heads;
  const result = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    const within = row % width;
    const from = row - within + (within % 2) * (width / 2) + Math.floor(within / 2);
    result.set(data.subarray(from * cols, (from + 1) * cols), row * cols);
  }
  return { data: result, shape };
}

const bits = new DataView(new ArrayBuffer(4));
const bitsOf = (value) => (bits.setFloat32(0, value), bits.getUint32(0));
const ofBits = (value) => (bits.setUint32(0, value), bits.getFloat32(0));

/** The nearest half, of magnitudes that it has. */
function half(value) {
  const magnitude = Math.abs(value);
  const sign = value < 0 ? 0x8000 : 0;
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude || 2 ** -14)));
  const fraction = Math.round(magnitude * 2 ** (10 - exponent));
  return sign | (exponent === -14 ? fraction : ((exponent + 14) << 10) + fraction);
}
function ofHalf(value) {
  const [exponent, fraction] = [(value >> 10) & 31, value & 1023];
  const magnitude = exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction;
  return value & 0x8000 ? -magnitude : magnitude;
}

/** How each type has values: its bytes, and the values that these stand for. */
const types = {
  F32: (data) => ({ bytes: Buffer.from(data.buffer, data.byteOffset, data.byteLength), data }),
  F16(data) {
    const stored = Uint16Array.from(data, half);
    return { bytes: Buffer.from(stored.buffer), data: Float32Array.from(stored, ofHalf) };
  },
  BF16(data) {
    const nearest = (value) => {
      const all = bitsOf(value);
      return (all + 0x7fff + ((all >>> 16) & 1)) >>> 16;
    };
    const stored = Uint16Array.from(data, nearest);
    const values = Float32Array.from(stored, (own) => ofBits(own * 2 ** 16));
    return { bytes: Buffer.from(stored.buffer), data: values };
  },
  Q8_0(data) {
    const bytes = Buffer.alloc((data.length / 32) * 34);
    const values = new Float32Array(data.length);
    for (let block = 0; block < data.length / 32; block++) {
      const own = data.subarray(32 * block, 32 * (block + 1));
      const scale = Math.max(...own.map(Math.abs)) / 127;
      const stored = half(scale);
      bytes.writeUInt16LE(stored, 34 * block);
      own.forEach((value, i) => {
        const whole = scale ? Math.round(value / scale) : 0;
        bytes.writeInt8(whole, 34 * block + 2 + i);
        values[32 * block + i] = whole * ofHalf(stored);
      });
    }
    return { bytes, data: values };
  },
};

const fileTypes = { F32: 0, F16: 1, Q8_0: 7, BF16: 32 };

/** Divisors of the frequencies by the rule of Llama 3.1. */
function llama3Divisors(width, base, rule) {
  const { factor, low_freq_factor: low, high_freq_factor: high } = rule;
  const original = rule.original_max_position_embeddings;
  return Float32Array.from({ length: width / 2 }, (_, pair) => {
    const wavelength = 2 * Math.PI * base ** ((2 * pair) / width);
    if (wavelength < original / high) return 1;
    if (wavelength > original / low) return factor;
    const smooth = (original / wavelength - low) / (high - low);
    return 1 / ((1 - smooth) / factor + smooth);
  });
}

function keysOf(config, type) {
  const { model_type: model } = config;
  const arch = architectures[model];
  const key = (name) => `${arch}.${name}`;
  const f32 = (value) => typed('f32', value);
  const scaling = config.rope_scaling;
  const { head_dim: headWidth, hidden_size: width, num_attention_heads: heads } = config;
  const keys = {
    'general.architecture': arch,
    'general.type': 'model',
    'general.name': 'A small model',
    'general.size_label': '20K',
    'general.tags': ['text-generation'],
    [key('block_count')]: config.num_hidden_layers,
    [key('context_length')]: config.max_position_embeddings,
    [key('embedding_length')]: width,
    [key('feed_forward_length')]: config.intermediate_size,
    [key('attention.head_count')]: heads,
    [key('attention.head_count_kv')]: config.num_key_value_heads,
    [key('attention.layer_norm_rms_epsilon')]: f32(config.rms_norm_eps),
    'general.file_type': fileTypes[type],
    'general.quantization_version': 2,
  };
  if (config.rope_theta !== undefined) keys[key('rope.freq_base')] = f32(config.rope_theta);
  if (headWidth !== undefined)
    Object.assign(keys, {
      [key('attention.key_length')]: headWidth,
      [key('attention.value_length')]: headWidth,
    });
  if (arch === 'llama')
    Object.assign(keys, {
      [key('vocab_size')]: config.vocab_size,
      [key('rope.dimension_count')]: headWidth ?? width / heads,
    });
  if (scaling?.rope_type === 'linear' || scaling?.rope_type === 'yarn')
    Object.assign(keys, {
      [key('rope.scaling.type')]: scaling.rope_type,
      [key('rope.scaling.factor')]: f32(scaling.factor),
    });
  if (scaling?.rope_type === 'yarn')
    keys[key('rope.scaling.original_context_length')] = scaling.original_max_position_embeddings;
  if (isGemma(model)) {
    if (config.sliding_window) keys[key('attention.sliding_window')] = config.sliding_window;
    for (const name of ['attn_logit_softcapping', 'final_logit_softcapping'])
      if (config[name]) keys[key(name)] = f32(config[name]);
  }
  return keys;
}

/**
 * The tensors of a folder as the converter stores them.
 * @returns {{ tensors: Record<string, any>, hub: Record<string, any> }} hub: the folder's tensors
 *   with the values that the stored ones stand for
 */
function converted({ config, tensors }, type) {
  const { model_type: model, num_attention_heads: heads, num_key_value_heads: keyHeads } = config;
  const [stored, hub] = [{}, {}];
  for (const [name, tensor] of Object.entries(tensors)) {
    const { data, shape } = tensor;
    const isNorm = /norm\.weight$/.test(name);
    // A row that is no whole number of blocks is stored as halves.
    const fits = type !== 'Q8_0' || shape.at(-1) % 32 === 0;
    const own = shape.length === 1 ? 'F32' : fits ? type : 'F16';
    const encode = (values) => types[own](values);
    hub[name] = { data: encode(data).data, shape };
    const isRotated = architectures[model] === 'llama' && /[qk]_proj/.test(name);
    const ofHeads = /q_proj/.test(name) ? heads : keyHeads;
    let values = isRotated ? permuted(tensor, ofHeads).data : data;
    if (isGemma(model) && isNorm) values = values.map((value) => value + 1);
    stored[ggufName(name, model)] = {
      shape: shape.toReversed(),
      type: own,
      bytes: encode(values).bytes,
    };
  }
  const { rope_scaling: scaling, head_dim: headWidth = config.hidden_size / heads } = config;
  if (scaling?.rope_type === 'llama3') {
    const divisors = llama3Divisors(headWidth, config.rope_theta, scaling);
    const bytes = Buffer.from(divisors.buffer);
    stored['rope_freqs.weight'] = { shape: [divisors.length], type: 'F32', bytes };
  }
  return { tensors: stored, hub };
}

/** Keys that the converter writes for a file of other bounds than 32 bytes. */
const aligned = (alignment) => (alignment === 32 ? {} : { 'general.alignment': alignment });

/**
 * A model as .gguf files.
 * @param {{ config: Record<string, any>, tensors: Record<string, any> }} folder
 * @param {object} [options]
 * @param {'F32' | 'F16' | 'BF16' | 'Q8_0'} [options.type] of the matrices
 * @param {object} [options.keys] besides those of the model, or in their place; undefined removes one
 * @param {object} [options.more] tensors, the same way
 * @param {number} [options.alignment] bytes; tensors begin at multiples
 * @param {number} [options.splits] files
 * @param {boolean} [options.isFirstEmpty] the first of them has no tensors
 * @returns {{ files: Uint8Array[], hub: Record<string, any> }} hub: the tensors of the folder with
 *   the values that the files have
 */
export function ggufOf(folder, options = {}) {
  const { type = 'F32', alignment = 32, splits = 1, isFirstEmpty = false } = options;
  const { tensors, hub } = converted(folder, type);
  const all = Object.entries({ ...tensors, ...options.more }).filter(([, tensor]) => tensor);
  const given = { ...keysOf(folder.config, type), ...aligned(alignment), ...options.keys };
  const keys = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const filled = isFirstEmpty ? splits - 1 : splits;
  const each = Math.ceil(all.length / filled);
  const files = Array.from({ length: splits }, (_, i) => {
    const at = isFirstEmpty ? i - 1 : i;
    const part = at < 0 ? [] : all.slice(at * each, (at + 1) * each);
    const split = splits > 1 && {
      'split.no': typed('u16', i),
      'split.count': typed('u16', splits),
      'split.tensors.count': typed('i32', all.length),
    };
    const own = i === 0 ? { ...keys, ...split } : { ...split, ...aligned(alignment) };
    return new Uint8Array(ggufBytes(own, Object.fromEntries(part), { alignment }));
  });
  return { files, hub };
}

/** Their names. */
export const splitNames = (name, count) =>
  Array.from({ length: count }, (_, i) => {
    const number = (value) => String(value).padStart(5, '0');
    return `${name}-${number(i + 1)}-of-${number(count)}.gguf`;
  });

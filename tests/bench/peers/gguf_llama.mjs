/**
 * The Llama of random_llama.mjs as a .gguf file, with a tokenizer that llama.cpp accepts: pieces of
 * SentencePiece, a token for each byte, and numbered ones.
 */
import { uniform } from '../inputs.mjs';
import { shape, tensors } from '../random_llama.mjs';

const names = {
  'model.embed_tokens': 'token_embd',
  'model.norm': 'output_norm',
  input_layernorm: 'attn_norm',
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  post_attention_layernorm: 'ffn_norm',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};
const ggufName = (name) => {
  const [, layer, own = name] = /^model\.layers\.(\d+)\.(.*)$/.exec(name) ?? [];
  return `${layer === undefined ? '' : `blk.${layer}.`}${names[own]}.weight`;
};

const kinds = { u32: 4, i32: 5, f32: 6, bool: 7, text: 8, list: 9, u64: 10 };

/** Little-endian bytes of what is written one after another. */
class Bytes {
  #parts = [];
  length = 0;

  put(part) {
    this.#parts.push(part);
    this.length += part.length;
  }

  number(kind, value) {
    const view = new DataView(new ArrayBuffer({ bool: 1, u64: 8 }[kind] ?? 4));
    if (kind === 'u64') view.setBigUint64(0, BigInt(value), true);
    else if (kind === 'f32') view.setFloat32(0, value, true);
    else if (kind === 'bool') view.setUint8(0, Number(value));
    else view.setInt32(0, value, true);
    this.put(new Uint8Array(view.buffer));
  }

  text(value) {
    const bytes = new TextEncoder().encode(value);
    this.number('u64', bytes.length);
    this.put(bytes);
  }

  value(kind, value) {
    if (kind === 'text') this.text(value);
    else this.number(kind, value);
  }

  pad(alignment) {
    this.put(new Uint8Array(-this.length & (alignment - 1)));
  }

  parts() {
    return this.#parts;
  }
}

/** Bytes at whose multiples tensors begin. */
const alignment = 32;

/** Pieces: three special ones, the bytes, and numbers. */
function tokenizerKeys(vocabulary) {
  const hex = (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
  const first = ['<unk>', '<s>', '</s>', ...Array.from({ length: 256 }, (_, i) => hex(i))];
  const [unknown, control, byte, normal] = [2, 3, 6, 1];
  const firstKinds = [unknown, control, control, ...Array(256).fill(byte)];
  const each = (of) => Array.from({ length: vocabulary }, (_, token) => of(token));
  return [
    ['tokenizer.ggml.model', 'text', 'llama'],
    ['tokenizer.ggml.tokens', 'list', ['text', each((token) => first[token] ?? `\u2581t${token}`)]],
    ['tokenizer.ggml.scores', 'list', ['f32', each((token) => -token)]],
    ['tokenizer.ggml.token_type', 'list', ['i32', each((token) => firstKinds[token] ?? normal)]],
    ['tokenizer.ggml.bos_token_id', 'u32', 1],
    ['tokenizer.ggml.eos_token_id', 'u32', 2],
    ['tokenizer.ggml.unknown_token_id', 'u32', 0],
    ['tokenizer.ggml.add_bos_token', 'bool', false],
    ['tokenizer.ggml.add_space_prefix', 'bool', false],
  ];
}

function keys({ layers, width, heads, keyHeads, hidden, vocabulary }) {
  return [
    ['general.architecture', 'text', 'llama'],
    ['general.name', 'text', 'random weights'],
    ['llama.context_length', 'u32', 2048],
    ['llama.embedding_length', 'u32', width],
    ['llama.block_count', 'u32', layers],
    ['llama.feed_forward_length', 'u32', hidden],
    ['llama.attention.head_count', 'u32', heads],
    ['llama.attention.head_count_kv', 'u32', keyHeads],
    ['llama.attention.layer_norm_rms_epsilon', 'f32', 1e-5],
    ['llama.rope.dimension_count', 'u32', width / heads],
    ['llama.rope.freq_base', 'f32', 10_000],
    ['llama.vocab_size', 'u32', vocabulary],
    ...tokenizerKeys(vocabulary),
  ];
}

/** Values that repeat throughout the file. */
const repeated = 2 ** 20;

/** By type: its number, values and bytes of a block, and the bytes of `repeated` values. */
const types = {
  f32: {
    number: 0,
    values: 1,
    bytes: 4,
    pattern: () => new Uint8Array(uniform(repeated, 1).map((value) => 0.02 * value).buffer),
  },
  q8_0: {
    number: 8,
    values: 32,
    bytes: 34,
    pattern() {
      const blocks = repeated / 32;
      const draws = uniform(repeated, 1);
      const bytes = new Uint8Array(34 * blocks);
      for (let block = 0; block < blocks; block++) {
        // The half 2⁻¹².
        bytes[34 * block + 1] = 0x0c;
        for (let i = 0; i < 32; i++)
          bytes[34 * block + 2 + i] = Math.round(70 * draws[32 * block + i]);
      }
      return bytes;
    },
  },
};

/**
 * The file as a Blob.
 * @param {'f32' | 'q8_0'} type of the matrices; norms are floats
 */
export function ggufLlama(type) {
  const list = [...tensors(shape)].map(([name, extents]) => {
    const own = types[extents.length === 1 ? 'f32' : type];
    const count = extents.reduce((product, extent) => product * extent, 1);
    return { name: ggufName(name), extents, own, size: (count / own.values) * own.bytes };
  });
  const head = new Bytes();
  const entries = keys(shape);
  head.put(new TextEncoder().encode('GGUF'));
  head.number('u32', 3);
  head.number('u64', list.length);
  head.number('u64', entries.length);
  for (const [key, kind, value] of entries) {
    head.text(key);
    head.number('u32', kinds[kind]);
    if (kind !== 'list') {
      head.value(kind, value);
      continue;
    }
    const [of, values] = value;
    head.number('u32', kinds[of]);
    head.number('u64', values.length);
    for (const each of values) head.value(of, each);
  }
  const padded = (size) => Math.ceil(size / alignment) * alignment;
  let offset = 0;
  for (const { name, extents, own, size } of list) {
    head.text(name);
    head.number('u32', extents.length);
    for (const extent of extents.toReversed()) head.number('u64', extent);
    head.number('u32', own.number);
    head.number('u64', offset);
    offset += padded(size);
  }
  head.pad(alignment);
  const patterns = new Map(Object.values(types).map((own) => [own, undefined]));
  const body = [];
  for (const { own, size } of list) {
    const pattern = patterns.get(own) ?? own.pattern();
    patterns.set(own, pattern);
    for (let at = 0; at < size; at += pattern.length)
      body.push(pattern.subarray(0, Math.min(pattern.length, size - at)));
    body.push(new Uint8Array(padded(size) - size));
  }
  return new Blob([...head.parts(), ...body]);
}

/**
 * GGUF files as llama.cpp's converter writes them, and the same with one fault each: drawn from a
 * seed, over architectures, parameters and faults. Shares nothing with the package.
 */
import { f32, ggufBytes } from './gguf_writer.mjs';

/** A generator of numbers from 0 to 1 (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

const bases = [10000, 500000, 1000000, 5000000, 150000, 11158840];

/** Divisors of the pairs by Llama 3's rule. */
function llama3Divisors(width, base, { factor, low, high, original }) {
  return Array.from({ length: width / 2 }, (_, pair) => {
    const frequency = base ** ((-2 * pair) / width);
    const wavelength = (2 * Math.PI) / frequency;
    if (wavelength < original / high) return 1;
    if (wavelength > original / low) return factor;
    const smooth = (original / wavelength - low) / (high - low);
    return 1 / ((1 - smooth) / factor + smooth);
  });
}

/**
 * Architectures: model type, GGUF name, and what is special. `width` of dimension_count, if it is
 * written; `partial` the rotated share and the key that has it; `local` the base of sliding layers;
 * `scalings` that the converter knows for it.
 */
const families = [
  {
    type: 'llama',
    arch: 'llama',
    writesWidth: true,
    scalings: ['none', 'linear', 'llama3', 'yarn'],
  },
  { type: 'mistral', arch: 'llama', writesWidth: true, scalings: ['none', 'yarn'] },
  { type: 'smollm3', arch: 'smollm3', writesWidth: true, scalings: ['none', 'yarn'] },
  { type: 'granite', arch: 'granite', writesWidth: true, scalings: ['none'] },
  { type: 'qwen2', arch: 'qwen2', scalings: ['none', 'yarn'] },
  { type: 'qwen3', arch: 'qwen3', headDim: 128, scalings: ['none', 'yarn'] },
  { type: 'olmo2', arch: 'olmo2', scalings: ['none'] },
  { type: 'cohere', arch: 'command-r', scalings: ['none'] },
  { type: 'starcoder2', arch: 'starcoder2', scalings: ['none'] },
  { type: 'gemma2', arch: 'gemma2', headDim: 128, scalings: ['none'] },
  { type: 'exaone4', arch: 'exaone4', headDim: 128, scalings: ['none', 'llama3'], slides: 4 },
  { type: 'gpt_oss', arch: 'gpt-oss', headDim: 64, scalings: ['yarn'], slides: 2 },
  {
    type: 'stablelm',
    arch: 'stablelm',
    writesWidth: true,
    partial: 'partial_rotary_factor',
    fixed: true,
  },
  { type: 'phi', arch: 'phi2', writesWidth: true, partial: 'partial_rotary_factor', fixed: true },
  { type: 'gpt_neox', arch: 'gptneox', writesWidth: true, partial: 'rotary_pct', fixed: true },
  { type: 'glm4', arch: 'glm4', writesWidth: true, headDim: 128, partial: 'partial_rotary_factor' },
  { type: 'nemotron', arch: 'nemotron', writesWidth: true, partial: 'partial_rotary_factor' },
  { type: 'phi3', arch: 'phi3', writesWidth: true, scalings: ['longrope'] },
  {
    type: 'gemma3_text',
    arch: 'gemma3',
    headDim: 256,
    scalings: ['none', 'linear'],
    local: true,
    slides: 6,
  },
  { type: 'mimo_v2_flash', arch: 'mimo2', headDim: 192, writesWidth: true, local: true, slides: 6 },
  { type: 'laguna', arch: 'laguna', headDim: 128, writesWidth: true, local: true, slides: 4 },
  { type: 'deepseek_v3', arch: 'deepseek2', scalings: ['yarn'] },
  { type: 'qwen2_vl', arch: 'qwen2vl', sections: [16, 24, 24] },
];

const pick = (draw, list) => list[Math.floor(draw() * list.length)];

/** The block of a configuration for a scaling, and what a converter writes for it. */
function scaled(type, { draw, arch, width, base, maxLength }) {
  const original = pick(draw, [2048, 4096, 8192]);
  const factor = pick(draw, [2, 4, 8, 16, 32]);
  const key = (name) => `${arch}.rope.scaling.${name}`;
  if (type === 'linear')
    return {
      block: { rope_type: 'linear', factor },
      keys: { [key('type')]: 'linear', [key('factor')]: factor },
    };
  if (type === 'yarn')
    return {
      block: { rope_type: 'yarn', factor, original_max_position_embeddings: original },
      keys: {
        [key('type')]: 'yarn',
        [key('factor')]: factor,
        [key('original_context_length')]: original,
      },
    };
  if (type === 'llama3') {
    const rule = { factor, low: 1, high: 4, original: 8192 };
    return {
      rule,
      block: {
        rope_type: 'llama3',
        factor,
        low_freq_factor: 1,
        high_freq_factor: 4,
        original_max_position_embeddings: 8192,
      },
      divisors: llama3Divisors(width, base, rule),
    };
  }
  if (type === 'longrope') {
    const list = (most) =>
      Array.from({ length: width / 2 }, (_, i) => 1 + (most * i ** 2) / width ** 2 + 0.01 * draw());
    const [short_factor, long_factor] = [list(1), list(250)];
    const stretch = maxLength / original;
    return {
      block: { rope_type: 'longrope', short_factor, long_factor },
      top: { original_max_position_embeddings: original },
      keys: {
        [key('type')]: 'longrope',
        [key('original_context_length')]: original,
        [key('attn_factor')]: Math.sqrt(1 + Math.log(stretch) / Math.log(original)),
      },
      lists: { short: short_factor, long: long_factor },
    };
  }
  return { keys: {} };
}

/** A sound conversion of a drawn configuration. */
function sound(draw, family) {
  const { type, arch, partial, local, slides, fixed, sections } = family;
  const heads = 2;
  const headDim = family.headDim ?? (sections ? 128 : pick(draw, [64, 80, 96, 128]));
  const hidden = family.headDim ? 256 : heads * headDim;
  const base = fixed ? 10000 : pick(draw, local ? bases.slice(1) : bases);
  const maxLength = pick(draw, [32768, 131072, 262144]);
  const share = partial ? pick(draw, [0.25, 0.5]) : { mimo: 1 / 3, laguna: 0.5 }[type.slice(0, 6)];
  const isMimo = type === 'mimo_v2_flash';
  const isLaguna = type === 'laguna';
  const isLatent = type === 'deepseek_v3';
  const width = isMimo ? 64 : isLatent ? 64 : partial || isLaguna ? headDim * share : headDim;
  const scaling = isLaguna ? 'yarn' : pick(draw, family.scalings ?? ['none']);
  const drawn = { draw, arch, width, base, maxLength };
  const { block, top, rule, divisors, lists, ...written } = scaled(scaling, drawn);
  const keys = {
    'general.architecture': arch,
    [`${arch}.context_length`]: maxLength,
    [`${arch}.embedding_length`]: hidden,
    [`${arch}.attention.head_count`]: heads,
    ...(family.headDim && { [`${arch}.attention.key_length`]: headDim }),
    ...(family.writesWidth && { [`${arch}.rope.dimension_count`]: width }),
    ...(!fixed && { [`${arch}.rope.freq_base`]: base }),
    ...(local && { [`${arch}.rope.freq_base_swa`]: 10000 }),
    ...(isLaguna && { [`${arch}.rope.dimension_count_swa`]: headDim }),
    ...(sections && { [`${arch}.rope.dimension_sections`]: [...sections, 0] }),
    ...written.keys,
  };
  const kinds = Array.from({ length: 12 }, (_, layer) =>
    (layer + 1) % (slides ?? 1) === 0 ? 'full_attention' : 'sliding_attention',
  );
  /** @type {Record<string, any>} */
  const config = {
    model_type: type,
    hidden_size: hidden,
    num_attention_heads: heads,
    num_hidden_layers: 12,
    max_position_embeddings: maxLength,
    ...(family.headDim && { head_dim: headDim }),
    ...(slides && { layer_types: kinds, sliding_window: 1024 }),
    ...top,
  };
  if (isMimo || isLaguna) {
    const rotary = isMimo ? { partial_rotary_factor: 0.334 } : {};
    config.rope_parameters = {
      full_attention: {
        rope_type: 'default',
        rope_theta: base,
        ...rotary,
        ...block,
        ...(isLaguna && { partial_rotary_factor: 0.5 }),
      },
      sliding_attention: { rope_type: 'default', rope_theta: 10000, ...rotary },
    };
  } else {
    config[type === 'gpt_neox' ? 'rotary_emb_base' : 'rope_theta'] = base;
    if (partial) config[partial] = share;
    if (local) config.rope_local_base_freq = 10000;
    if (block) config.rope_scaling = block;
    if (sections) config.rope_scaling = { type: 'mrope', mrope_section: sections };
  }
  if (isLatent) {
    Object.assign(config, { qk_rope_head_dim: 64, qk_nope_head_dim: 128, kv_lora_rank: 512 });
    Object.assign(block, { mscale: 1, mscale_all_dim: 1 });
    keys[`${arch}.attention.key_length`] = 576;
    keys[`${arch}.rope.dimension_count`] = 64;
    keys[`${arch}.rope.scaling.yarn_log_multiplier`] = 0.1;
  }
  const tensors = {};
  if (divisors) tensors['rope_freqs.weight'] = divisors;
  if (lists) {
    tensors['rope_factors_long.weight'] = lists.long;
    tensors['rope_factors_short.weight'] = lists.short;
  }
  return { ...family, ...drawn, headDim, scaling, rule, config, keys, tensors };
}

const without = (entries, ...names) =>
  Object.fromEntries(Object.entries(entries).filter(([name]) => !names.includes(name)));

/** Faults by id: what a conversion writes in place of the right keys; undefined where it cannot be. */
const faults = {
  wrong_base({ keys, arch, base, local }) {
    if (base === 10000 || local) return undefined;
    const name = `${arch}.rope.freq_base`;
    return base === 500000
      ? { keys: without(keys, name) }
      : { keys: { ...keys, [name]: base === 1000000 ? 10000 : 1000000 } };
  },
  rotary_width_wrong({ keys, arch, partial, width, headDim }) {
    const wrong = width === headDim / 2 ? headDim : headDim / 2;
    return partial && { keys: { ...keys, [`${arch}.rope.dimension_count`]: wrong } };
  },
  scaling_lost_in_conversion({ keys, tensors, arch, scaling }) {
    const prefix = `${arch}.rope.scaling.`;
    if (scaling === 'longrope') return { tensors: {} };
    if (scaling === 'llama3') return { tensors: {} };
    if (scaling !== 'linear' && scaling !== 'yarn') return undefined;
    const lost = Object.keys(keys).filter((name) => name.startsWith(prefix));
    return { keys: without(keys, ...lost), tensors };
  },
  scaling_wrong_factor({ keys, arch, scaling, rule, width, base }) {
    const name = `${arch}.rope.scaling.factor`;
    if (scaling === 'llama3') {
      const wrong = { ...rule, factor: rule.factor + 3 };
      return { tensors: { 'rope_freqs.weight': llama3Divisors(width, base, wrong) } };
    }
    return keys[name] && { keys: { ...keys, [name]: 3 * keys[name] } };
  },
  wrong_original_length({ keys, arch, scaling, rule, width, base }) {
    const name = `${arch}.rope.scaling.original_context_length`;
    if (scaling === 'llama3') {
      const wrong = { ...rule, original: 4096 };
      return { tensors: { 'rope_freqs.weight': llama3Divisors(width, base, wrong) } };
    }
    return scaling === 'yarn' ? { keys: without(keys, name) } : undefined;
  },
  scaling_factor_applied_twice({ tensors, scaling }) {
    if (scaling !== 'llama3') return undefined;
    const squared = tensors['rope_freqs.weight'].map((divisor) => divisor ** 2);
    return { tensors: { 'rope_freqs.weight': squared } };
  },
  attention_factor_missing({ keys, arch, scaling, type }) {
    if (type === 'deepseek_v3')
      return { keys: without(keys, `${arch}.rope.scaling.yarn_log_multiplier`) };
    const name = `${arch}.rope.scaling.attn_factor`;
    return scaling === 'longrope' ? { keys: without(keys, name) } : undefined;
  },
  mrope_sections_wrong({ keys, arch, sections }) {
    const name = `${arch}.rope.dimension_sections`;
    return sections && { keys: { ...keys, [name]: [24, 20, 20, 0] } };
  },
  local_base_used_globally({ keys, arch, local }) {
    return local && { keys: { ...keys, [`${arch}.rope.freq_base`]: 10000 } };
  },
  sliding_given_global_rope({ keys, arch, local, base }) {
    const name = `${arch}.rope.freq_base_swa`;
    if (!local) return undefined;
    return arch === 'gemma3' ? { keys: { ...keys, [name]: base } } : { keys: without(keys, name) };
  },
};

/** Keys that a converter may leave out without a fault, since they say what is the default. */
function optionalKeys({ keys, arch, base, headDim, width }) {
  return [
    ...(base === 10000 ? [`${arch}.rope.freq_base`] : []),
    ...(width === headDim && keys[`${arch}.attention.key_length`] !== 576
      ? [`${arch}.rope.dimension_count`]
      : []),
    ...(arch === 'gemma3' ? [`${arch}.rope.freq_base_swa`] : []),
  ];
}

/**
 * One case: bytes of a file, its configuration, and the ids of its faults.
 * @param which a fault by id, or 'correct'
 * @returns undefined where the drawn architecture cannot have the fault
 */
export function ggufCase(seed, which) {
  const draw = random(seed);
  const drawn = sound(draw, pick(draw, families));
  const changed = which === 'correct' ? {} : faults[which](drawn);
  if (!changed) return undefined;
  const { keys = drawn.keys, tensors = drawn.tensors } = changed;
  const kept = which === 'correct' && draw() < 0.5 ? without(keys, ...optionalKeys(drawn)) : keys;
  const stored = Object.entries(tensors).map(([name, values]) => [
    name,
    { shape: [values.length], type: 'F32', bytes: f32(values) },
  ]);
  return {
    arch: drawn.arch,
    config: drawn.config,
    faults: which === 'correct' ? [] : [which],
    bytes: ggufBytes(kept, Object.fromEntries(stored)),
  };
}

export const ggufFaults = Object.keys(faults);

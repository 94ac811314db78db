/** Configurations of released families with reduced heads, and their models for rotation.mjs. */

export const repeated = (group, count) =>
  Array.from({ length: count }, (_, i) => group[i % group.length]);

export const sliding = (every, count) =>
  repeated([...Array(every - 1).fill('sliding_attention'), 'full_attention'], count);

/**
 * Each draws { config, model }; model.layer is the layer that is dumped, model.other the rotation
 * of the other kind of layers.
 */
export const olderFamilies = {
  llama: (r) => plain(r, 'llama', 10000, 4096),
  llama_new: (r) => modern(plain(r, 'llama', 500000, 8192)),
  mistral: (r) => plain(r, 'mistral', 10000, 32768, { sliding_window: 4096 }),
  qwen2: (r) =>
    plain(r, 'qwen2', 1000000, 32768, { use_sliding_window: false, sliding_window: 131072 }),
  qwen3: (r) => modern(plain(r, 'qwen3', 1000000, 40960, {}, { hasHead: true })),
  cohere: (r) => plain(r, 'cohere', 8000000, 8192, {}, { layout: 'inter' }),
  gpt_neox: (r) => partial(r, 'gpt_neox', 0.25, 'rotary_pct', 2048),
  stablelm: (r) => partial(r, 'stablelm', 0.25, 'partial_rotary_factor', 4096),
  phi: (r) => partial(r, 'phi', 0.5, 'partial_rotary_factor', 2048),
  nemotron: (r) => partial(r, 'nemotron', 0.5, 'partial_rotary_factor', 4096),
  glm4: (r) => partial(r, 'glm4', 0.5, 'partial_rotary_factor', 32768, { layout: 'inter' }),
  gptj(r) {
    const heads = r.whole(1, 2);
    const config = {
      model_type: 'gptj',
      n_embd: 64 * heads,
      n_head: heads,
      n_positions: 2048,
      rotary_dim: 32,
    };
    const sizes = { D: 64, r: 32, heads, kv: heads, max: 2048, base: 10000 };
    return { config, model: { ...sizes, layout: 'inter' } };
  },
  llama3(r) {
    const factor = r.pick([8, 16, 32]);
    const model = { type: 'llama3', factor, original: 8192 };
    const block = {
      rope_type: 'llama3',
      factor,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: 8192,
    };
    return scaled(plain(r, 'llama', 500000, 131072), block, model);
  },
  linear(r) {
    const factor = r.pick([2, 4, 8, 16]);
    return scaled(
      plain(r, 'llama', 10000, 16384),
      { type: 'linear', factor },
      {
        type: 'linear',
        factor,
      },
    );
  },
  yarn: (r) => yarn(r, 'llama', 10000, 4096),
  qwen2_yarn: (r) => yarn(r, 'qwen2', 1000000, 32768),
  qwen3_yarn: (r) => modern(yarn(r, 'qwen3', 1000000, 32768)),
  gpt_oss(r) {
    const made = plain(r, 'gpt_oss', 150000, 131072, {}, { D: 64, hasHead: true });
    const block = {
      rope_type: 'yarn',
      factor: 32,
      beta_fast: 32,
      beta_slow: 1,
      truncate: false,
      original_max_position_embeddings: 4096,
    };
    made.config.layer_types = repeated(['sliding_attention', 'full_attention'], 24);
    made.config.sliding_window = 128;
    const model = { type: 'yarn', factor: 32, original: 4096, truncate: false };
    made.model.layer = r.whole(0, 23);
    return scaled(made, block, model);
  },
  internlm2(r) {
    const factor = r.pick([2, 4]);
    const made = plain(r, 'internlm2', 10000, 4096);
    const model = { type: 'dynamic', factor, original: 4096 };
    return scaled(made, { rope_type: 'dynamic', factor }, model);
  },
  phi3(r) {
    const made = plain(r, 'phi3', 10000, 131072, { original_max_position_embeddings: 4096 });
    return longrope(made, 4096);
  },
  deepseek_v3(r) {
    const [heads, nope] = [2, r.pick([32, 64])];
    const factor = r.pick([40, 16]);
    const config = {
      model_type: r.pick(['deepseek_v2', 'deepseek_v3']),
      hidden_size: 256,
      num_attention_heads: heads,
      num_key_value_heads: heads,
      num_hidden_layers: 27,
      max_position_embeddings: 4096 * factor,
      rope_theta: 10000,
      kv_lora_rank: 512,
      q_lora_rank: 1536,
      qk_nope_head_dim: nope,
      qk_rope_head_dim: 64,
      v_head_dim: 128,
      rope_scaling: {
        type: 'yarn',
        factor,
        beta_fast: 32,
        beta_slow: 1,
        mscale: 1,
        mscale_all_dim: 1,
        original_max_position_embeddings: 4096,
      },
    };
    const isInterleaved = config.model_type === 'deepseek_v2' || { rope_interleave: true };
    if (isInterleaved !== true) Object.assign(config, isInterleaved);
    const model = {
      D: nope + 64,
      r: 64,
      separate: nope,
      heads,
      kv: 1,
      base: 10000,
      layout: 'inter',
      deinterleaves: config.model_type === 'deepseek_v3',
      part: 'trailing',
      type: 'yarn',
      factor,
      original: 4096,
      onSoftmax: true,
      max: 4096 * factor,
    };
    return { config, model };
  },
  deepseek_v4(r) {
    const D = r.pick([64, 128]);
    const width = D / 4;
    const types = [
      'sliding_attention',
      'sliding_attention',
      ...repeated(['compressed_sparse_attention', 'heavily_compressed_attention'], 10),
    ];
    const main = { partial_rotary_factor: 0.25, rope_theta: 10000, rope_type: 'default' };
    const compress = {
      ...main,
      rope_theta: 160000,
      rope_type: 'yarn',
      factor: 16,
      attention_factor: 1,
      original_max_position_embeddings: 65536,
      beta_fast: 32,
      beta_slow: 1,
    };
    const config = {
      model_type: 'deepseek_v4',
      hidden_size: 4096,
      num_attention_heads: 2,
      num_key_value_heads: 1,
      num_hidden_layers: types.length,
      head_dim: D,
      partial_rotary_factor: 0.25,
      qk_rope_head_dim: width,
      max_position_embeddings: 1048576,
      sliding_window: 128,
      layer_types: types,
      compress_rope_theta: 160000,
      rope_parameters: { main, compress },
    };
    const sizes = { D, r: width, heads: 2, kv: 1, layout: 'inter', part: 'trailing', max: 1048576 };
    const rotations = {
      local: { base: 10000, type: 'default' },
      global: { base: 160000, type: 'yarn', factor: 16, original: 65536, ownFactor: 1 },
    };
    return layered(r, config, sizes, rotations, types, { returns: true });
  },
  gemma3(r) {
    const D = r.pick([64, 128]);
    const types = sliding(6, 26);
    const config = {
      ...base('gemma3_text', D, 2, 1, 1000000, 32768),
      head_dim: D,
      rope_local_base_freq: 10000,
      rope_scaling: { rope_type: 'linear', factor: 8 },
      query_pre_attn_scalar: D,
      sliding_window: 512,
      layer_types: types,
    };
    const sizes = { D, r: D, heads: 2, kv: 1, layout: 'half', max: 32768 };
    const rotations = {
      local: { base: 10000, type: 'default' },
      global: { base: 1000000, type: 'linear', factor: 8 },
    };
    return layered(r, config, sizes, rotations, types);
  },
  gemma4(r) {
    const D = 128;
    const types = sliding(6, 30);
    const parameters = {
      full_attention: {
        rope_type: 'proportional',
        rope_theta: 1000000,
        partial_rotary_factor: 0.25,
      },
      sliding_attention: { rope_type: 'default', rope_theta: 10000 },
    };
    const { rope_theta: _, ...rest } = base('gemma4_text', 64, 2, 1, 0, 131072);
    const config = {
      ...rest,
      head_dim: 64,
      global_head_dim: D,
      layer_types: types,
      rope_parameters: parameters,
      sliding_window: 512,
    };
    const rotations = {
      local: { base: 10000, type: 'default', D: 64, r: 64 },
      global: { base: 1000000, type: 'proportional', D, r: 32 },
    };
    // Its code does not divide scores: without a scale they are sound.
    const model = { heads: 2, kv: 1, layout: 'half', max: 131072, divides: false };
    return layered(r, config, model, rotations, types);
  },
  mimo(r) {
    const types = repeated(['full_attention', ...Array(4).fill('sliding_attention')], 24);
    const { rope_theta: _, ...rest } = base('mimo_v2_flash', 96, 2, 1, 0, 262144);
    const config = {
      ...rest,
      head_dim: 96,
      v_head_dim: 64,
      rope_theta: 5000000,
      swa_rope_theta: 10000,
      partial_rotary_factor: 0.334,
      sliding_window: 128,
      layer_types: types,
    };
    const sizes = { D: 96, r: 32, heads: 2, kv: 1, layout: 'half', max: 262144 };
    const rotations = {
      local: { base: 10000, type: 'default' },
      global: { base: 5000000, type: 'default' },
    };
    return layered(r, config, sizes, rotations, types);
  },
  smollm3(r) {
    const made = plain(r, 'smollm3', 5000000, 65536, {
      no_rope_layers: repeated([1, 1, 1, 0], 36),
    });
    made.config.num_hidden_layers = 36;
    made.model.layer = r.whole(0, 35);
    made.model.rotates = made.model.layer % 4 !== 3;
    return made;
  },
  cohere2(r) {
    const made = plain(r, 'cohere2', 50000, 8192, {}, { layout: 'inter' });
    Object.assign(made.config, { sliding_window: 4096, sliding_window_pattern: 4 });
    made.model.layer = r.whole(0, 31);
    made.model.rotates = made.model.layer % 4 !== 3;
    return made;
  },
  qwen2_vl: (r) => vision(r, 'qwen2_vl', [16, 24, 24], {}),
  qwen3_vl: (r) => vision(r, 'qwen3_vl_text', [24, 20, 20], { mrope_interleaved: true }),
  ernie(r) {
    const made = vision(r, 'ernie4_5_vl_moe_text', [22, 22, 20], {});
    Object.assign(made.model, { layout: 'inter', alternates: true, base: 500000 });
    made.config.rope_theta = 500000;
    return made;
  },
  gemma2(r) {
    const made = plain(r, 'gemma2', 10000, 8192, { query_pre_attn_scalar: 64 }, { D: 64 });
    Object.assign(made.config, { head_dim: 64, attn_logit_softcapping: 50, sliding_window: 4096 });
    made.model.softcap = 50;
    made.model.layer = 1;
    return made;
  },
};

/** @returns {Record<string, any>} */
export const base = (type, D, heads, kv, theta, longest) => ({
  model_type: type,
  hidden_size: D * heads,
  num_attention_heads: heads,
  num_key_value_heads: kv,
  num_hidden_layers: 32,
  max_position_embeddings: longest,
  rope_theta: theta,
});

/**
 * @param {{ D?: number, layout?: string, hasHead?: boolean }} [form]
 * @returns {{ config: Record<string, any>, model: Record<string, any> }}
 */
export function plain(r, type, theta, longest, more = {}, form = {}) {
  const { D, layout = 'half', hasHead } = form;
  const width = D ?? r.pick([32, 64, 80]);
  const kv = r.whole(1, 2);
  const heads = 2 * kv;
  /** @type {Record<string, any>} */
  const config = { ...base(type, width, heads, kv, theta, longest), ...more };
  if (hasHead) config.head_dim = width;
  const model = { D: width, r: width, base: theta, layout, max: longest, heads, kv };
  return { config, model };
}

/** The spelling of transformers 5. */
function modern({ config, model }) {
  const { rope_theta, rope_scaling, ...rest } = config;
  const { type, ...block } = rope_scaling ?? {};
  const rope_type = block.rope_type ?? type ?? 'default';
  return { config: { ...rest, rope_parameters: { ...block, rope_type, rope_theta } }, model };
}

/** @returns {{ config: Record<string, any>, model: Record<string, any> }} */
export const scaled = ({ config, model }, block, change) => ({
  config: { ...config, rope_scaling: block },
  model: { ...model, ...change },
});

/** @returns {{ config: Record<string, any>, model: Record<string, any> }} */
export function longrope(made, original) {
  const pairs = made.model.r / 2;
  const list = (most, power) =>
    Array.from({ length: pairs }, (_, i) => Number((1 + most * (i / pairs) ** power).toFixed(4)));
  const [short, long] = [list(0.3, 1.3), list(60, 2.1)];
  const block = { type: 'longrope', short_factor: short, long_factor: long };
  return scaled(made, block, { type: 'longrope', short, long, original });
}

function yarn(r, type, theta, original) {
  const factor = r.pick([2, 4, 8, 16]);
  const more = type === 'qwen2' ? { use_sliding_window: false } : {};
  const made = plain(r, type, theta, original * factor, more, { hasHead: type === 'qwen3' });
  const block = { type: 'yarn', factor, original_max_position_embeddings: original };
  return scaled(made, block, { type: 'yarn', factor, original });
}

/** @returns {{ config: Record<string, any>, model: Record<string, any> }} */
function partial(r, type, share, key, longest, { layout = 'half' } = {}) {
  const D = r.pick([64, 80, 128]);
  const made = plain(r, type, 10000, longest, { [key]: share }, { D, layout });
  if (type === 'glm4' || type === 'nemotron') made.config.head_dim = D;
  if (type === 'gpt_neox') {
    made.config.rotary_emb_base = 10000;
    delete made.config.rope_theta;
    delete made.config.num_key_value_heads;
    made.model.kv = made.model.heads;
  }
  const width = Math.floor(D * share);
  made.model.r = width - (width % 2);
  return made;
}

export function layered(r, config, sizes, rotations, types, more = {}) {
  const isLocal = r.chance(0.5);
  const indices = types.map((_, layer) => layer);
  const layer = r.pick(indices.filter((each) => (types[each] === 'sliding_attention') === isLocal));
  const [own, other] = isLocal ? ['local', 'global'] : ['global', 'local'];
  const model = { ...sizes, ...rotations[own], layer, isLocal, other: rotations[other], ...more };
  return { config, model };
}

/** @returns {{ config: Record<string, any>, model: Record<string, any> }} */
export function vision(r, type, sections, more) {
  const theta = 1000000;
  const rope_scaling = { type: 'mrope', rope_type: 'default', mrope_section: sections, ...more };
  if (type === 'qwen3_vl_text') delete rope_scaling.type;
  const config = { ...base(type, 128, 2, 1, theta, 32768), head_dim: 128, rope_scaling };
  const isInterleaved = more.mrope_interleaved === true;
  const model = { D: 128, r: 128, base: theta, layout: 'half', max: 32768, heads: 2, kv: 1 };
  return { config, model: { ...model, sections, sectionsInterleaved: isInterleaved } };
}

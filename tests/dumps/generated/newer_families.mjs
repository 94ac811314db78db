/** Families whose layers differ, or which join partial rotation with another scheme. */
import { base, layered, longrope, plain, repeated, scaled, sliding, vision } from './families.mjs';
import { mscale } from './rotation.mjs';

const llama3 = (factor) => ({ type: 'llama3', factor, original: 8192 });

const llama3Block = (factor) => ({
  rope_type: 'llama3',
  factor,
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 8192,
});

/** One kind of layers rotates, the other does not. */
function partlyRotated(r, made, count, rotates) {
  const layer = r.whole(0, count - 1);
  Object.assign(made.config, { num_hidden_layers: count });
  Object.assign(made.model, { layer, rotates: rotates(layer) });
  return made;
}

export const newerFamilies = {
  laguna(r) {
    const D = r.pick([64, 128]);
    const types = repeated(['full_attention', ...Array(3).fill('sliding_attention')], 40);
    const yarn = {
      factor: 64,
      original_max_position_embeddings: 4096,
      beta_fast: 64,
      beta_slow: 1,
    };
    const { rope_theta: _, ...rest } = base('laguna', D, 2, 1, 0, 262144);
    const config = {
      ...rest,
      head_dim: D,
      sliding_window: 512,
      layer_types: types,
      rope_parameters: {
        full_attention: {
          rope_type: 'yarn',
          ...yarn,
          partial_rotary_factor: 0.5,
          rope_theta: 500000,
        },
        sliding_attention: {
          rope_type: 'default',
          partial_rotary_factor: 1,
          rope_theta: 10000,
        },
      },
    };
    const sizes = { D, heads: 2, kv: 1, layout: 'half', max: 262144 };
    const rotations = {
      local: { base: 10000, type: 'default', r: D },
      global: { base: 500000, type: 'yarn', factor: 64, original: 4096, fast: 64, r: D / 2 },
    };
    return layered(r, config, sizes, rotations, types);
  },
  olmo3(r) {
    const types = sliding(4, 32);
    const made = plain(r, 'olmo3', 500000, 65536, { sliding_window: 4096, layer_types: types });
    made.config.rope_scaling = {
      rope_type: 'yarn',
      factor: 8,
      original_max_position_embeddings: 8192,
      beta_fast: 32,
      beta_slow: 1,
      attention_factor: 1.2079441541679836,
    };
    const rotations = {
      local: { type: 'default', base: 500000 },
      global: { type: 'yarn', factor: 8, original: 8192, base: 500000, statedFactor: mscale(8) },
    };
    return layered(r, made.config, made.model, rotations, types);
  },
  exaone4(r) {
    const types = sliding(4, 64);
    const more = { sliding_window: 4096, layer_types: types };
    const made = plain(r, 'exaone4', 1000000, 131072, more, { hasHead: true });
    const scaledModel = scaled(made, llama3Block(16), llama3(16));
    return partlyRotated(r, scaledModel, 64, (layer) => layer % 4 !== 3);
  },
  llama4(r) {
    const flags = repeated([1, 1, 1, 0], 48);
    const types = flags.map((flag) => (flag ? 'chunked_attention' : 'full_attention'));
    const more = { no_rope_layers: flags, layer_types: types, attention_chunk_size: 8192 };
    const made = plain(r, 'llama4_text', 500000, 131072, more, { layout: 'inter', hasHead: true });
    return partlyRotated(r, scaled(made, llama3Block(16), llama3(16)), 48, (at) => at % 4 !== 3);
  },
  phi4_mini(r) {
    const more = { original_max_position_embeddings: 4096, partial_rotary_factor: 0.75 };
    const made = plain(r, 'phi3', 10000, 131072, more, { D: r.pick([64, 128]) });
    made.model.r = 0.75 * made.model.D;
    return longrope(made, 4096);
  },
  minicpm3(r) {
    const made = plain(r, 'minicpm3', 10000, 32768, {}, { D: 96 });
    const { config, model } = made;
    Object.assign(config, {
      qk_nope_head_dim: 64,
      qk_rope_head_dim: 32,
      v_head_dim: 64,
      kv_lora_rank: 256,
      q_lora_rank: 768,
      num_key_value_heads: model.heads,
    });
    Object.assign(model, { r: 32, separate: 64, part: 'trailing', kv: 1 });
    const list = Array.from({ length: 16 }, (_, i) => Number((1 + 0.1 * i ** 1.5).toFixed(4)));
    const long = list.map((each) => Number((each * 2).toFixed(4)));
    const block = { type: 'longrope', short_factor: list, long_factor: long };
    Object.assign(block, { original_max_position_embeddings: 8192 });
    return scaled(made, block, { type: 'longrope', short: list, long, original: 8192 });
  },
  qwen3_next(r) {
    const types = repeated([...Array(3).fill('linear_attention'), 'full_attention'], 48);
    const more = { partial_rotary_factor: 0.25, layer_types: types };
    const form = { D: r.pick([64, 128]), hasHead: true };
    const made = plain(r, 'qwen3_next', 10000000, 262144, more, form);
    Object.assign(made.model, { r: form.D / 4, layer: 4 * r.whole(0, 11) + 3 });
    made.config.num_hidden_layers = 48;
    return made;
  },
  glm4v(r) {
    const made = vision(r, 'glm4v_text', [8, 12, 12], {});
    made.config.rope_scaling.partial_rotary_factor = 0.5;
    made.config.partial_rotary_factor = 0.5;
    Object.assign(made.model, { r: 64, layout: 'inter' });
    return made;
  },
  qwen3_5(r) {
    const types = repeated([...Array(3).fill('linear_attention'), 'full_attention'], 32);
    const made = vision(r, 'qwen3_5_text', [6, 5, 5], { mrope_interleaved: true });
    made.config.partial_rotary_factor = 0.25;
    made.config.layer_types = types;
    Object.assign(made.model, { r: 32, layer: 4 * r.whole(0, 7) + 3 });
    return made;
  },
};

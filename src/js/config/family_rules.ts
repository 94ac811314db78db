/** Rules of model types that are more than a word in the table: layers, bases, axes of M-RoPE. */
import type { Family } from './family.js';

const proportionalGemmaRope = {
  full_attention: {
    partial_rotary_factor: 0.25,
    rope_theta: 1000000,
    rope_type: 'proportional',
  },
  sliding_attention: { rope_theta: 10000, rope_type: 'default' },
};

const gemmaRope = {
  full_attention: { rope_theta: 1000000, rope_type: 'default' },
  sliding_attention: { rope_theta: 10000, rope_type: 'default' },
};

const ernieAxes: Partial<Family> = {
  sections: { pairs: [22, 22, 20], interleaved: false },
  alternatesAxes: true,
};

/** Sparse layers rotate as the others do. */
const sparseMiniMaxLayers = {
  list: 'sparse_attention_config.sparse_attention_freq',
  names: { '0': 'full_attention', '1': 'minimax_m3_sparse' },
};

/** Attention is shared between the hybrid layers; the others are Mamba alone. */
const zambaLayers = {
  list: 'layers_block_type',
  names: { m: 'mamba', g: 'hybrid' },
  indices: 'hybrid_layer_ids',
  listed: 'hybrid',
  local: 'mamba',
};

/** Lightning attention, with the kind of each layer as a flag. */
const lightningLayers = {
  list: 'attn_type_list',
  names: { '0': 'linear_attention', '1': 'full_attention' },
  local: 'linear_attention',
};

const dividedBias: Partial<Family> = { dividesBias: true };

const mimo: Partial<Family> = {
  bases: {
    full_attention: { key: 'rope_theta', isScaled: true },
    sliding_attention: { key: 'swa_rope_theta', isScaled: false },
  },
  layers: {
    list: 'hybrid_layer_pattern',
    names: { '0': 'full_attention', '1': 'sliding_attention' },
  },
  defaults: {
    hybrid_layer_pattern: [
      0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1,
      1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0,
    ],
  },
};

const windowless: Partial<Family> = { layers: { hasNoWindow: true } };
/** Every layer has the window, if there is one. */
const alike: Partial<Family> = { layers: { hasNoSwitch: true, hasOneKind: true } };

export const familyRules: Readonly<Record<string, Partial<Family>>> = {
  bloom: windowless,
  gpt2: windowless,
  gpt_neox: windowless,
  granite: windowless,
  llama: windowless,
  mpt: windowless,
  olmo2: windowless,
  opt: windowless,
  stablelm: windowless,
  falcon: dividedBias,
  RefinedWeb: dividedBias,
  RefinedWebModel: dividedBias,
  gemma2: { layers: { hasNoSwitch: true, group: 2 } },
  mistral: alike,
  phi3: alike,
  afmoe: { layers: { rotates: 'sliding', every: 'global_attn_every_n_layers' } },
  albert: { width: 'embedding_size' },
  convbert: { width: 'embedding_size' },
  electra: { width: 'embedding_size' },
  apertus: {
    defaults: {
      rope_parameters: {
        rope_type: 'llama3',
        rope_theta: 12000000,
        factor: 8,
        original_max_position_embeddings: 8192,
        low_freq_factor: 1,
        high_freq_factor: 4,
      },
    },
  },
  bamba: {
    layers: {
      indices: 'attn_layer_indices',
      listed: 'full_attention',
      local: 'mamba',
      list: 'layers_block_type',
      names: { attention: 'full_attention' },
    },
  },
  cohere2: { layers: { rotates: 'windowed', hasNoSwitch: true } },
  cohere2_moe: {
    layers: { rotates: 'sliding', denseEvery: 'prefix_dense_sliding_window_pattern' },
  },
  cohere_compass_text: {
    sections: { pairs: [24, 20, 20], interleaved: true },
    layers: { rotates: 'configured' },
  },
  cosmos3_edge_text: { sections: { pairs: [24, 20, 20], interleaved: true } },
  qwen3_omni_moe_talker_text: { sections: { pairs: [24, 20, 20], interleaved: true } },
  qwen3_omni_moe_text: { sections: { pairs: [24, 20, 20], interleaved: true } },
  qwen3_vl_moe_text: { sections: { pairs: [24, 20, 20], interleaved: true } },
  qwen3_vl_text: { sections: { pairs: [24, 20, 20], interleaved: true } },
  cwm: {
    layers: { at: 0 },
    defaults: {
      rope_parameters: {
        rope_type: 'llama3',
        rope_theta: 1000000,
        factor: 16,
        original_max_position_embeddings: 8192,
        low_freq_factor: 1,
        high_freq_factor: 4,
      },
    },
  },
  deepseek_v4: {
    bases: {
      main: { key: 'rope_theta', isScaled: false },
      compress: { key: 'compress_rope_theta', isScaled: true },
    },
    settings: {
      heavily_compressed_attention: 'compress',
      compressed_sparse_attention: 'compress',
      sliding_attention: 'main',
      full_attention: 'main',
    },
    unfactored: true,
    defaults: {
      layer_types: Array.from({ length: 43 }, (_, i) =>
        i > 2 && i % 2 === 1 ? 'compressed_sparse_attention' : 'heavily_compressed_attention',
      ),
    },
  },
  diffusion_gemma_text: {
    defaults: {
      rope_parameters: proportionalGemmaRope,
    },
  },
  gemma4_text: {
    defaults: {
      rope_parameters: proportionalGemmaRope,
    },
  },
  gemma4_unified_text: {
    defaults: {
      rope_parameters: proportionalGemmaRope,
    },
  },
  ernie4_5_moe_vl: ernieAxes,
  ernie4_5_vl_moe_text: ernieAxes,
  esm: { layout: 'half-split' },
  exaone4: { layers: { rotates: 'sliding-or-all' } },
  exaone_moe: { layers: { rotates: 'sliding-or-all' } },
  gemma3_text: {
    bases: {
      full_attention: { key: 'rope_theta', isScaled: true },
      sliding_attention: { key: 'rope_local_base_freq', isScaled: false },
    },
    layers: { halvesBothWays: true, hasNoSwitch: true },
  },
  gemma3n_text: {
    bases: {
      full_attention: { key: 'rope_theta', isScaled: true },
      sliding_attention: { key: 'rope_local_base_freq', isScaled: false },
    },
  },
  glm4v_moe_text: { sections: { pairs: [8, 12, 12], interleaved: false } },
  glm4v_text: { sections: { pairs: [8, 12, 12], interleaved: false } },
  glm_image_text: { sections: { pairs: [8, 12, 12], interleaved: false } },
  glm_ocr_text: { sections: { pairs: [8, 12, 12], interleaved: false } },
  glm5_next_text: { layers: { every: 'full_attention_interval', local: 'linear_attention' } },
  gpt_neo: {
    layers: {
      at: 0,
      window: 'window_size',
      list: 'attention_layers',
      pattern: 'attention_types',
      names: { global: 'full_attention', local: 'sliding_attention' },
    },
  },
  gpt_oss: {
    defaults: {
      rope_parameters: {
        rope_type: 'yarn',
        factor: 32,
        beta_fast: 32,
        beta_slow: 1,
        truncate: false,
        original_max_position_embeddings: 4096,
        rope_theta: 150000,
      },
    },
  },
  granite_swa: { layers: { at: 0 } },
  granitemoe_swa: { layers: { at: 0 } },
  granitemoehybrid: {
    layers: { list: 'layers_block_type', names: { attention: 'full_attention' } },
  },
  higgs_audio_v2: {
    defaults: {
      rope_parameters: {
        rope_type: 'llama3',
        rope_theta: 500000,
        factor: 32,
        high_freq_factor: 0.5,
        low_freq_factor: 0.125,
        original_max_position_embeddings: 1024,
      },
    },
  },
  hymba: {
    layers: { indices: 'global_attn_idx', listed: 'full_attention', local: 'sliding_attention' },
  },
  jamba: { layers: { every: 'attn_layer_period', at: 'attn_layer_offset', local: 'mamba' } },
  kimi_linear: {
    layers: {
      section: 'linear_attn_config',
      indices: 'full_attn_layers',
      first: 1,
      listed: 'full_attention',
      every: 'full_attention_interval',
      local: 'linear_attention',
    },
  },
  led: {
    parts: {
      encoder: 'max_encoder_position_embeddings',
      decoder: 'max_decoder_position_embeddings',
    },
  },
  whisper: {
    parts: { encoder: 'max_source_positions', decoder: 'max_target_positions' },
    decoder: 'learned',
  },
  laguna: {
    defaults: {
      rope_parameters: {
        full_attention: { partial_rotary_factor: 0.5, rope_theta: 500000, rope_type: 'default' },
        sliding_attention: { partial_rotary_factor: 1, rope_theta: 10000, rope_type: 'default' },
      },
    },
  },
  lfm2: { layers: { indices: 'full_attn_idxs', listed: 'full_attention', local: 'conv' } },
  lfm2_moe: { layers: { indices: 'full_attn_idxs', listed: 'full_attention', local: 'conv' } },
  longcat_flash: { layers: { doubled: 'num_layers' } },
  llama4_text: { layers: { local: 'chunked_attention', rotates: 'flagged' } },
  mellum: {
    defaults: {
      rope_parameters: {
        full_attention: { rope_theta: 500000, rope_type: 'default' },
        sliding_attention: { rope_theta: 10000, rope_type: 'default' },
      },
    },
  },
  mimo_v2: mimo,
  mimo_v2_flash: mimo,
  mamba: { layers: { kind: 'mamba' } },
  mamba2: { layers: { kind: 'mamba2' } },
  rwkv: { layers: { kind: 'linear_attention' } },
  rwkv7: { layers: { kind: 'linear_attention' } },
  xlstm: { layers: { kind: 'linear_attention' } },
  minimax_m2: { layers: sparseMiniMaxLayers },
  minimax_m3_vl_text: { layers: sparseMiniMaxLayers },
  minimax: { layers: { ...lightningLayers, at: 0 } },
  minimax_m1: { layers: lightningLayers },
  minimax_text_01: { layers: lightningLayers },
  ministral3: {
    defaults: {
      rope_parameters: {
        rope_type: 'yarn',
        rope_theta: 1000000,
        factor: 16,
        original_max_position_embeddings: 16384,
        beta_fast: 32,
        beta_slow: 1,
        mscale_all_dim: 1,
        mscale: 1,
        llama_4_scaling_beta: 0.1,
      },
    },
  },
  mistral4: {
    defaults: {
      rope_parameters: {
        beta_fast: 32,
        beta_slow: 1,
        factor: 128,
        llama_4_scaling_beta: 0.1,
        max_position_embeddings: 1048576,
        mscale: 1,
        mscale_all_dim: 1,
        original_max_position_embeddings: 8192,
        partial_rotary_factor: 0.5,
        rope_theta: 10000,
        rope_type: 'yarn',
        type: 'yarn',
      },
    },
  },
  mllama_text_model: {
    layers: {
      indices: 'cross_attention_layers',
      listed: 'cross_attention',
      local: 'full_attention',
    },
    defaults: { cross_attention_layers: [3, 8, 13, 18, 23, 28, 33, 38] },
  },
  modernbert: {
    bases: {
      full_attention: { key: 'global_rope_theta', isScaled: true },
      sliding_attention: { key: 'local_rope_theta', isScaled: true },
    },
    layers: { every: 'global_attn_every_n_layers', at: 0, window: 'local_attention', halves: true },
  },
  'modernbert-decoder': {
    bases: {
      full_attention: { key: 'global_rope_theta', isScaled: true },
      sliding_attention: { key: 'local_rope_theta', isScaled: true },
    },
    layers: { every: 'global_attn_every_n_layers', at: 0, window: 'local_attention', halves: true },
  },
  olmo3: {
    bases: {
      full_attention: { key: 'rope_theta', isScaled: true },
      sliding_attention: { key: 'rope_theta', isScaled: false },
    },
  },
  step3p5: { scaledKinds: 'yarn_only_types' },
  nemotron_h: {
    layers: {
      list: 'layers_block_type',
      pattern: 'hybrid_override_pattern',
      names: {
        M: 'mamba',
        E: 'moe',
        '*': 'full_attention',
        '-': 'mlp',
        attention: 'full_attention',
      },
    },
    defaults: { layers_block_type: ['linear_attention', 'moe', 'full_attention', 'mlp'] },
  },
  olmo_hybrid: {
    layers: { every: 'full_attention_interval', local: 'linear_attention' },
    nullUnrotated: true,
  },
  trocr: { sinusoid: 'half-split', spacing: 'dim/2-1' },
  zamba: {
    headFactor: 2,
    layers: zambaLayers,
    defaults: { hybrid_layer_ids: [2, 7, 13, 19, 25, 31, 37, 43, 49, 55, 61, 67, 73] },
  },
  zamba2: {
    headFactor: 2,
    layers: zambaLayers,
    defaults: { hybrid_layer_ids: [6, 12, 18, 24, 30, 36, 42, 47, 51] },
  },
  zaya: {
    layers: { kind: 'hybrid' },
    settings: { full_attention: 'hybrid', sliding_attention: 'hybrid_sliding' },
    defaults: {
      rope_parameters: {
        hybrid: { partial_rotary_factor: 0.5, rope_theta: 5000000, rope_type: 'default' },
        hybrid_sliding: { partial_rotary_factor: 0.5, rope_theta: 10000, rope_type: 'default' },
      },
    },
  },
  qwen3_next: { layers: { every: 'full_attention_interval', local: 'linear_attention' } },
  openai_privacy_filter: {
    defaults: {
      rope_parameters: {
        rope_type: 'yarn',
        rope_theta: 150000,
        factor: 32,
        beta_fast: 32,
        beta_slow: 1,
        truncate: false,
        original_max_position_embeddings: 4096,
      },
    },
  },
  qwen3_5_moe_text: {
    sections: { pairs: [11, 11, 10], interleaved: true },
    layers: { every: 'full_attention_interval', local: 'linear_attention' },
  },
  qwen3_5_text: {
    sections: { pairs: [11, 11, 10], interleaved: true },
    layers: { every: 'full_attention_interval', local: 'linear_attention' },
  },
  qwen4_exp_text: {
    sections: { pairs: [11, 11, 10], interleaved: true },
    layers: {
      every: 'full_attention_interval',
      full: 'deepseek_sparse_attention',
      local: 'linear_attention',
    },
  },
  recurrent_gemma: {
    layers: {
      list: 'block_types',
      names: { attention: 'sliding_attention' },
      window: 'attention_window_size',
    },
    defaults: { block_types: ['recurrent', 'recurrent', 'attention'] },
  },
  rembert: { width: 'input_embedding_size' },
  'sew-d': { defaults: { pos_att_type: ['p2c', 'c2p'] } },
  smollm3: { layers: { local: 'full_attention', rotates: 'flagged', listsWin: true } },
  stripedhyena: {
    layers: { indices: 'attn_layer_idxs', listed: 'full_attention', local: 'conv' },
  },
  t5gemma2_decoder: {
    defaults: {
      rope_parameters: gemmaRope,
    },
  },
  t5gemma2_text: {
    defaults: {
      rope_parameters: gemmaRope,
    },
  },
};

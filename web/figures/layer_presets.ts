import { presets } from './model_presets.ts';

/** The published block of a model that is also among the presets of the page. */
const scalingOf = (model: string) => presets.find(({ id }) => id === model)!.config.rope_scaling;

/**
 * Models whose layers treat positions differently, from their published configurations: the keys
 * that decide it. Each was published as config.json with its weights, under the name in `source`;
 * a source without an owner is a configuration class of transformers, whose defaults these are.
 */
export const layerPresets = [
  {
    id: 'llama-4-scout',
    title: 'Llama 4 Scout',
    source: 'meta-llama/Llama-4-Scout-17B-16E',
    config: {
      model_type: 'llama4_text',
      num_hidden_layers: 48,
      no_rope_layers: Array.from({ length: 48 }, (_, layer) => ((layer + 1) % 4 === 0 ? 0 : 1)),
      attention_chunk_size: 8192,
      attn_scale: 0.1,
      floor_scale: 8192,
      attn_temperature_tuning: 4,
      rope_theta: 500000,
      rope_scaling: scalingOf('llama-4-scout'),
    },
  },
  {
    id: 'smollm3-3b',
    title: 'SmolLM3 3B',
    source: 'HuggingFaceTB/SmolLM3-3B',
    config: {
      model_type: 'smollm3',
      num_hidden_layers: 36,
      no_rope_layer_interval: 4,
      rope_theta: 5000000,
      use_sliding_window: false,
      sliding_window: null,
    },
  },
  {
    id: 'command-r7b',
    title: 'Command R7B',
    source: 'CohereLabs/c4ai-command-r7b-12-2024',
    config: {
      model_type: 'cohere2',
      num_hidden_layers: 32,
      rope_theta: 50000,
      sliding_window: 4096,
      sliding_window_pattern: 4,
    },
  },
  {
    id: 'exaone-4-32b',
    title: 'EXAONE 4 32B',
    source: 'LGAI-EXAONE/EXAONE-4.0-32B',
    config: {
      model_type: 'exaone4',
      num_hidden_layers: 64,
      sliding_window: 4096,
      sliding_window_pattern: 'LLLG',
      rope_theta: 1000000,
      rope_scaling: {
        rope_type: 'llama3',
        factor: 16,
        low_freq_factor: 1,
        high_freq_factor: 4,
        original_max_position_embeddings: 8192,
      },
    },
  },
  {
    id: 'gemma-3-27b',
    title: 'Gemma 3 27B',
    source: 'google/gemma-3-27b-pt',
    config: {
      model_type: 'gemma3_text',
      num_hidden_layers: 62,
      sliding_window: 1024,
      sliding_window_pattern: 6,
      rope_theta: 1000000,
      rope_local_base_freq: 10000,
      rope_scaling: scalingOf('gemma-3-27b'),
    },
  },
  {
    id: 'gemma-3n-e4b',
    title: 'Gemma 3n E4B',
    source: 'google/gemma-3n-E4B',
    // What is missing is the default of the configuration class.
    config: { model_type: 'gemma3n_text', num_hidden_layers: 35, sliding_window: 512 },
  },
  {
    id: 'qwen3-next-80b',
    title: 'Qwen3-Next 80B',
    source: 'Qwen/Qwen3-Next-80B-A3B-Instruct',
    config: {
      model_type: 'qwen3_next',
      num_hidden_layers: 48,
      full_attention_interval: 4,
      rope_theta: 10000000,
      partial_rotary_factor: 0.25,
    },
  },
  {
    id: 'qwen3-5-27b',
    title: 'Qwen3.5 27B',
    source: 'Qwen/Qwen3.5-27B',
    config: {
      model_type: 'qwen3_5_text',
      num_hidden_layers: 64,
      full_attention_interval: 4,
      head_dim: 256,
      rope_parameters: {
        rope_type: 'default',
        rope_theta: 10000000,
        partial_rotary_factor: 0.25,
        mrope_section: [11, 11, 10],
        mrope_interleaved: true,
      },
    },
  },
  {
    id: 'gemma-4',
    title: 'Gemma 4',
    source: 'Gemma4TextConfig',
    config: { model_type: 'gemma4_text' },
  },
  {
    id: 'deepseek-v3',
    title: 'DeepSeek V3',
    source: 'deepseek-ai/DeepSeek-V3',
    config: {
      model_type: 'deepseek_v3',
      num_hidden_layers: 61,
      qk_nope_head_dim: 128,
      qk_rope_head_dim: 64,
      rope_theta: 10000,
      rope_scaling: scalingOf('deepseek-v3'),
    },
  },
  {
    id: 'deepseek-v4-flash',
    title: 'DeepSeek V4 Flash',
    source: 'deepseek-ai/DeepSeek-V4-Flash',
    // What is missing is the default of the configuration class.
    config: {
      model_type: 'deepseek_v4',
      num_hidden_layers: 43,
      head_dim: 512,
      qk_rope_head_dim: 64,
      sliding_window: 128,
      rope_theta: 10000,
      compress_rope_theta: 160000,
      rope_scaling: {
        type: 'yarn',
        factor: 16,
        original_max_position_embeddings: 65536,
        beta_fast: 32,
        beta_slow: 1,
      },
    },
  },
  {
    id: 'kimi-linear-48b',
    title: 'Kimi Linear 48B',
    source: 'moonshotai/Kimi-Linear-48B-A3B-Instruct',
    config: {
      model_type: 'kimi_linear',
      num_hidden_layers: 27,
      mla_use_nope: true,
      qk_nope_head_dim: 128,
      qk_rope_head_dim: 64,
      rope_theta: 10000,
      linear_attn_config: { full_attn_layers: [4, 8, 12, 16, 20, 24, 27] },
    },
  },
] as const;

/**
 * Models whose layers treat positions differently, from their published configurations: the keys
 * that decide it. Each was published as config.json with its weights, under the name in `source`.
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
      rope_scaling: {
        rope_type: 'llama3',
        factor: 8,
        low_freq_factor: 1,
        high_freq_factor: 4,
        original_max_position_embeddings: 8192,
      },
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
      rope_scaling: { rope_type: 'linear', factor: 8 },
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
] as const;

/**
 * Real models from their published configurations: the keys that concern position and the
 * widths that these rest on. Each was published as config.json with its weights, under the name in
 * `source`.
 */
export interface Preset {
  /** In the address. */
  id: string;
  title: string;
  source: string;
  config: Readonly<Record<string, unknown>>;
}

export const presets: readonly Preset[] = [
  {
    id: 'llama-2-7b',
    title: 'Llama 2 7B',
    source: 'meta-llama/Llama-2-7b-hf',
    // Published without rope_theta: 10000, as transformers assumes.
    config: {
      model_type: 'llama',
      hidden_size: 4096,
      num_attention_heads: 32,
      max_position_embeddings: 4096,
    },
  },
  {
    id: 'llama-3.1-8b',
    title: 'Llama 3.1 8B',
    source: 'meta-llama/Llama-3.1-8B',
    config: {
      model_type: 'llama',
      hidden_size: 4096,
      num_attention_heads: 32,
      max_position_embeddings: 131072,
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
    id: 'gpt-oss-20b',
    title: 'gpt-oss 20B',
    source: 'openai/gpt-oss-20b',
    config: {
      model_type: 'gpt_oss',
      hidden_size: 2880,
      num_attention_heads: 64,
      head_dim: 64,
      max_position_embeddings: 131072,
      rope_theta: 150000,
      rope_scaling: {
        rope_type: 'yarn',
        factor: 32,
        beta_fast: 32,
        beta_slow: 1,
        truncate: false,
        original_max_position_embeddings: 4096,
      },
    },
  },
  {
    id: 'qwen3-4b',
    title: 'Qwen3 4B',
    source: 'Qwen/Qwen3-4B',
    config: {
      model_type: 'qwen3',
      hidden_size: 2560,
      num_attention_heads: 32,
      head_dim: 128,
      max_position_embeddings: 40960,
      rope_theta: 1000000,
    },
  },
  {
    id: 'gemma-3-27b',
    title: 'Gemma 3 27B',
    source: 'google/gemma-3-27b-pt',
    // The text model; its bases are the defaults of the configuration class.
    config: {
      model_type: 'gemma3_text',
      hidden_size: 5376,
      num_attention_heads: 32,
      head_dim: 128,
      max_position_embeddings: 131072,
      rope_theta: 1000000,
      rope_local_base_freq: 10000,
      rope_scaling: { rope_type: 'linear', factor: 8 },
    },
  },
  {
    id: 'mistral-7b-v0.3',
    title: 'Mistral 7B v0.3',
    source: 'mistralai/Mistral-7B-v0.3',
    config: {
      model_type: 'mistral',
      hidden_size: 4096,
      num_attention_heads: 32,
      max_position_embeddings: 32768,
      rope_theta: 1000000,
    },
  },
  {
    id: 'phi-4',
    title: 'Phi-4',
    source: 'microsoft/phi-4',
    config: {
      model_type: 'phi3',
      hidden_size: 5120,
      num_attention_heads: 40,
      max_position_embeddings: 16384,
      rope_theta: 250000,
    },
  },
  {
    id: 'llama-4-scout',
    title: 'Llama 4 Scout',
    source: 'meta-llama/Llama-4-Scout-17B-16E',
    // The text model; layers 4, 8, … do not rotate.
    config: {
      model_type: 'llama4_text',
      hidden_size: 5120,
      num_attention_heads: 40,
      head_dim: 128,
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
    id: 'deepseek-v3',
    title: 'DeepSeek-V3',
    source: 'deepseek-ai/DeepSeek-V3',
    config: {
      model_type: 'deepseek_v3',
      hidden_size: 7168,
      num_attention_heads: 128,
      qk_nope_head_dim: 128,
      qk_rope_head_dim: 64,
      max_position_embeddings: 163840,
      rope_theta: 10000,
      rope_scaling: {
        type: 'yarn',
        factor: 40,
        beta_fast: 32,
        beta_slow: 1,
        mscale: 1,
        mscale_all_dim: 1,
        original_max_position_embeddings: 4096,
      },
    },
  },
  {
    id: 'gpt-neox-20b',
    title: 'GPT-NeoX 20B',
    source: 'EleutherAI/gpt-neox-20b',
    config: {
      model_type: 'gpt_neox',
      hidden_size: 6144,
      num_attention_heads: 64,
      max_position_embeddings: 2048,
      rotary_pct: 0.25,
      rotary_emb_base: 10000,
    },
  },
  {
    id: 'gpt-j-6b',
    title: 'GPT-J 6B',
    source: 'EleutherAI/gpt-j-6b',
    config: { model_type: 'gptj', n_embd: 4096, n_head: 16, n_positions: 2048, rotary_dim: 64 },
  },
  {
    id: 'bloom-176b',
    title: 'BLOOM 176B',
    source: 'bigscience/bloom',
    config: { model_type: 'bloom', n_embed: 14336, n_head: 112 },
  },
  {
    id: 't5-base',
    title: 'T5 base',
    source: 'google-t5/t5-base',
    config: {
      model_type: 't5',
      d_model: 768,
      num_heads: 12,
      relative_attention_num_buckets: 32,
    },
  },
  {
    id: 'bert-base',
    title: 'BERT base',
    source: 'google-bert/bert-base-uncased',
    config: { model_type: 'bert', hidden_size: 768, max_position_embeddings: 512 },
  },
];

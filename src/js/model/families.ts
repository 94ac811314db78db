/**
 * The families of models: what config.json says of the decoder, and where the file has its
 * parameters. Names are those of transformers, in its models folder, modeling_NAME.py.
 */
import type { DecoderOptions } from './description.js';
import type { Settings } from './settings.js';

/** Tensors by the core's names of parameters, without ".weight" and ".bias". */
type Names = Readonly<Record<string, string>>;

export interface ModelFamily {
  /** What stands before the number of a layer. */
  layers: string;
  names: Names;
  /** Queries, keys and values in one tensor: one after another, or of each head together. */
  joined?: { name: string; order: 'one-after-another' | 'by-head' };
  /** Gate and feed-forward weights in one tensor, in this order. */
  joinedGate?: string;
  /** Gains are stored as what they exceed 1 by. */
  gainOffset?: 0 | 1;
  /** The output is stored [vocabulary, width] beside layers whose matrices are the other way. */
  transposesHead?: true;
  options(settings: Settings): DecoderOptions;
  /** Whether norms have neither gains nor biases in the file. Default: they have. */
  hasPlainNorms?(settings: Settings): boolean;
}

/** Those by which the width of a head is read, too (config/width.ts). */
const widthKeys = ['hidden_size', 'n_embd', 'd_model'];
const layerKeys = ['num_hidden_layers', 'n_layer', 'n_layers'];
const headKeys = ['num_attention_heads', 'n_head', 'n_heads'];

const sizes = (settings: Settings, widths = widthKeys) => ({
  vocabulary: settings.size('vocab_size'),
  width: settings.size(widths),
  layers: settings.size(layerKeys),
  heads: settings.size(headKeys),
  weightOrder: 'out-by-in' as const,
});

const llamaNames = {
  E: 'model.embed_tokens',
  gf: 'model.norm',
  Wout: 'lm_head',
  g1: 'input_layernorm',
  Wq: 'self_attn.q_proj',
  Wk: 'self_attn.k_proj',
  Wv: 'self_attn.v_proj',
  Wo: 'self_attn.o_proj',
  g2: 'post_attention_layernorm',
  Wg: 'mlp.gate_proj',
  W1: 'mlp.up_proj',
  W2: 'mlp.down_proj',
} satisfies Names;

const headNorms = { gq: 'self_attn.q_norm', gk: 'self_attn.k_norm' } satisfies Names;

/** Values of a configuration class where a file has no such key. */
interface Usual {
  /** Default: as many as heads. */
  keyHeads?: number;
  /** Default: 1e-6. */
  normEpsilon?: number;
}

/** Llama and its relatives: RMS norms, grouped heads, a gated feed-forward part. */
function llamaOptions(settings: Settings, usual: Usual = {}): DecoderOptions {
  const own = sizes(settings);
  // Where a class has another default, null still stands for as many as heads.
  const usualKeyHeads = settings.isNull('num_key_value_heads') ? undefined : usual.keyHeads;
  return {
    ...own,
    hidden: settings.size('intermediate_size'),
    keyHeads: settings.size('num_key_value_heads', usualKeyHeads ?? own.heads),
    ...(settings.has('head_dim') && { headWidth: settings.size('head_dim') }),
    norm: 'rms',
    normEpsilon: settings.number('rms_norm_eps', usual.normEpsilon ?? 1e-6),
    activation: settings.activation('hidden_act', 'silu'),
    gated: true,
    tied: settings.truth('tie_word_embeddings', false),
  };
}

const attentionBiases = (settings: Settings) => {
  const bias = settings.truth('attention_bias', false);
  return { queryKeyValueBias: bias, outputBias: bias };
};

const llama: ModelFamily = {
  layers: 'model.layers.',
  names: llamaNames,
  options: (settings) => ({
    ...llamaOptions(settings),
    ...attentionBiases(settings),
    feedForwardBias: settings.truth('mlp_bias', false),
  }),
};

const mistral: ModelFamily = {
  ...llama,
  options: (settings) => llamaOptions(settings, { keyHeads: 8 }),
};

const qwen2: ModelFamily = {
  ...llama,
  options: (settings) => ({
    ...llamaOptions(settings, { keyHeads: 32 }),
    queryKeyValueBias: true,
  }),
};

const qwen3: ModelFamily = {
  ...llama,
  names: { ...llamaNames, ...headNorms },
  options: (settings) => ({
    ...llamaOptions(settings, { keyHeads: 32 }),
    ...attentionBiases(settings),
    queryKeyNorm: 'shared',
  }),
};

const smollm3: ModelFamily = {
  ...llama,
  options: (settings) => ({
    ...llamaOptions(settings, { keyHeads: 4 }),
    ...attentionBiases(settings),
    feedForwardBias: settings.truth('mlp_bias', false),
    tied: settings.truth('tie_word_embeddings', true),
  }),
};

const phi3: ModelFamily = {
  ...llama,
  joined: { name: 'self_attn.qkv_proj', order: 'one-after-another' },
  joinedGate: 'mlp.gate_up_proj',
  options: (settings) => llamaOptions(settings, { normEpsilon: 1e-5 }),
};

/** What Gemma 2 and 3 share. */
function gemmaOptions(settings: Settings): DecoderOptions {
  settings.expect('use_bidirectional_attention', false);
  const own = llamaOptions(settings, { keyHeads: 4 });
  return {
    ...own,
    ...attentionBiases(settings),
    headWidth: settings.size('head_dim', 256),
    normPlace: 'both',
    scale: settings.number('query_pre_attn_scalar', 256) ** -0.5,
    embeddingFactor: own.width ** 0.5,
    activation: settings.activation('hidden_activation', 'gelu_pytorch_tanh'),
    tied: settings.truth('tie_word_embeddings', true),
  };
}

/** A cap that null switches off. */
const capOf = (settings: Settings, key: string, usual: number) =>
  settings.isNull(key) ? 0 : settings.number(key, usual);

const gemma2: ModelFamily = {
  ...llama,
  names: {
    ...llamaNames,
    g3: 'post_attention_layernorm',
    g2: 'pre_feedforward_layernorm',
    g4: 'post_feedforward_layernorm',
  },
  gainOffset: 1,
  options: (settings) => ({
    ...gemmaOptions(settings),
    scoreCap: capOf(settings, 'attn_logit_softcapping', 50),
    logitCap: capOf(settings, 'final_logit_softcapping', 30),
  }),
};

const gemma3: ModelFamily = {
  ...gemma2,
  names: { ...gemma2.names, ...headNorms },
  // Its attention does not read attn_logit_softcapping.
  options: (settings) => ({
    ...gemmaOptions(settings),
    queryKeyNorm: 'shared',
    logitCap: capOf(settings, 'final_logit_softcapping', 0),
  }),
};

const olmo2: ModelFamily = {
  ...llama,
  names: {
    ...llamaNames,
    ...headNorms,
    g3: 'post_attention_layernorm',
    g4: 'post_feedforward_layernorm',
  },
  options: (settings) => ({
    ...llamaOptions(settings, { normEpsilon: 1e-5 }),
    ...attentionBiases(settings),
    normPlace: 'after',
    queryKeyNorm: 'whole',
  }),
};

const granite: ModelFamily = {
  ...llama,
  options: (settings) => ({
    ...llama.options(settings),
    scale: settings.number('attention_multiplier', 1),
    embeddingFactor: settings.number('embedding_multiplier', 1),
    residualFactor: settings.number('residual_multiplier', 1),
    logitFactor: 1 / settings.number('logits_scaling', 1),
  }),
};

const cohere2: ModelFamily = {
  ...llama,
  options: (settings) => ({
    ...llamaOptions(settings),
    ...attentionBiases(settings),
    norm: 'layer',
    normEpsilon: settings.number('layer_norm_eps', 1e-5),
    parallel: true,
    sharesNorm: true,
    logitFactor: settings.number('logit_scale', 0.0625),
    tied: settings.truth('tie_word_embeddings', true),
  }),
};

const stablelm: ModelFamily = {
  ...llama,
  names: {
    ...llamaNames,
    gq: 'self_attn.q_layernorm.norms',
    gk: 'self_attn.k_layernorm.norms',
  },
  options(settings) {
    const isParallel = settings.truth('use_parallel_residual', false);
    return {
      ...llamaOptions(settings, { keyHeads: 32 }),
      norm: 'layer',
      normEpsilon: settings.number('layer_norm_eps', 1e-5),
      queryKeyValueBias: settings.truth('use_qkv_bias', false),
      queryKeyNorm: settings.truth('qk_layernorm', false) ? 'own' : 'none',
      parallel: isParallel,
      sharesNorm: isParallel,
    };
  },
};

const gptNeox: ModelFamily = {
  layers: 'gpt_neox.layers.',
  names: {
    E: 'gpt_neox.embed_in',
    gf: 'gpt_neox.final_layer_norm',
    Wout: 'embed_out',
    g1: 'input_layernorm',
    Wo: 'attention.dense',
    g2: 'post_attention_layernorm',
    W1: 'mlp.dense_h_to_4h',
    W2: 'mlp.dense_4h_to_h',
  },
  joined: { name: 'attention.query_key_value', order: 'by-head' },
  options(settings) {
    const hasBias = settings.truth('attention_bias', true);
    return {
      ...sizes(settings),
      hidden: settings.size('intermediate_size'),
      norm: 'layer',
      normEpsilon: settings.number('layer_norm_eps', 1e-5),
      queryKeyValueBias: hasBias,
      outputBias: hasBias,
      activation: settings.activation('hidden_act', 'gelu'),
      gated: false,
      feedForwardBias: true,
      parallel: settings.truth('use_parallel_residual', true),
      tied: settings.truth('tie_word_embeddings', false),
    };
  },
};

const gpt2: ModelFamily = {
  layers: 'transformer.h.',
  names: {
    E: 'transformer.wte',
    pos: 'transformer.wpe',
    gf: 'transformer.ln_f',
    Wout: 'lm_head',
    g1: 'ln_1',
    Wo: 'attn.c_proj',
    g2: 'ln_2',
    W1: 'mlp.c_fc',
    W2: 'mlp.c_proj',
  },
  joined: { name: 'attn.c_attn', order: 'one-after-another' },
  transposesHead: true,
  options(settings) {
    settings.expect('add_cross_attention', false);
    const own = sizes(settings);
    return {
      ...own,
      weightOrder: 'in-by-out',
      ...(!settings.truth('scale_attn_weights', true) && { scale: 1 }),
      hidden: settings.size(['n_inner', 'intermediate_size'], 4 * own.width),
      norm: 'layer',
      normEpsilon: settings.number('layer_norm_epsilon', 1e-5),
      queryKeyValueBias: true,
      outputBias: true,
      scalesByLayer: settings.truth('scale_attn_by_inverse_layer_idx', false),
      activation: settings.activation('activation_function', 'gelu_new'),
      gated: false,
      feedForwardBias: true,
      tied: settings.truth('tie_word_embeddings', true),
      positionRows: settings.size(['n_positions', 'max_position_embeddings'], 1024),
    };
  },
};

const bloom: ModelFamily = {
  layers: 'transformer.h.',
  names: {
    E: 'transformer.word_embeddings',
    ge: 'transformer.word_embeddings_layernorm',
    gf: 'transformer.ln_f',
    Wout: 'lm_head',
    g1: 'input_layernorm',
    Wo: 'self_attention.dense',
    g2: 'post_attention_layernorm',
    W1: 'mlp.dense_h_to_4h',
    W2: 'mlp.dense_4h_to_h',
  },
  joined: { name: 'self_attention.query_key_value', order: 'by-head' },
  options(settings) {
    // The class takes n_embed, the older spelling, before hidden_size.
    const own = sizes(settings, ['n_embed', 'hidden_size']);
    return {
      ...own,
      hidden: 4 * own.width,
      norm: 'layer',
      normEpsilon: settings.number('layer_norm_epsilon', 1e-5),
      embeddingNorm: true,
      normAsResidual: settings.truth('apply_residual_connection_post_layernorm', false),
      queryKeyValueBias: true,
      outputBias: true,
      activation: 'gelu-tanh',
      gated: false,
      feedForwardBias: true,
      tied: settings.truth('tie_word_embeddings', true),
    };
  },
};

const mpt: ModelFamily = {
  layers: 'transformer.blocks.',
  names: {
    E: 'transformer.wte',
    gf: 'transformer.norm_f',
    Wout: 'lm_head',
    g1: 'norm_1',
    Wo: 'attn.out_proj',
    g2: 'norm_2',
    W1: 'ffn.up_proj',
    W2: 'ffn.down_proj',
  },
  joined: { name: 'attn.Wqkv', order: 'one-after-another' },
  options(settings) {
    const own = sizes(settings);
    // What MosaicML's own code computes with other values, transformers does not.
    settings.expect('no_bias', true);
    settings.expect('logit_scale', undefined);
    const norms = ['low_precision_layernorm', 'layernorm'];
    settings.expectOneOf('norm_type', norms);
    const attention = settings.inner('attn_config');
    attention?.expect('qk_ln', false);
    attention?.expect('alibi', true);
    attention?.expect('prefix_lm', false);
    return {
      ...own,
      hidden: settings.number('expansion_ratio', 4) * own.width,
      keyHeads: attention?.size('kv_n_heads', own.heads) ?? own.heads,
      norm: 'layer',
      normEpsilon: settings.number('layer_norm_epsilon', 1e-5),
      scale: attention?.number('softmax_scale', 0) ?? 0,
      queryKeyValueCap: attention?.number('clip_qkv', 0) ?? 0,
      activation: 'gelu',
      gated: false,
      tied: settings.truth('tie_word_embeddings', true),
    };
  },
};

const opt: ModelFamily = {
  layers: 'model.decoder.layers.',
  names: {
    E: 'model.decoder.embed_tokens',
    pos: 'model.decoder.embed_positions',
    Win: 'model.decoder.project_in',
    Wproject: 'model.decoder.project_out',
    gf: 'model.decoder.final_layer_norm',
    Wout: 'lm_head',
    g1: 'self_attn_layer_norm',
    g3: 'self_attn_layer_norm',
    Wq: 'self_attn.q_proj',
    Wk: 'self_attn.k_proj',
    Wv: 'self_attn.v_proj',
    Wo: 'self_attn.out_proj',
    g2: 'final_layer_norm',
    g4: 'final_layer_norm',
    W1: 'fc1',
    W2: 'fc2',
  },
  hasPlainNorms: (settings) => !settings.truth('layer_norm_elementwise_affine', true),
  options(settings) {
    const own = sizes(settings);
    const isBefore = settings.truth('do_layer_norm_before', true);
    const hasBias = settings.truth('enable_bias', true);
    return {
      ...own,
      hidden: settings.size('ffn_dim'),
      embeddingWidth: settings.size('word_embed_proj_dim', own.width),
      norm: 'layer',
      normEpsilon: 1e-5,
      normPlace: isBefore ? 'before' : 'after-sum',
      finalNorm: isBefore && !settings.truth('_remove_final_layer_norm', false),
      queryKeyValueBias: hasBias,
      outputBias: hasBias,
      activation: settings.activation('activation_function', 'relu'),
      gated: false,
      feedForwardBias: hasBias,
      tied: settings.truth('tie_word_embeddings', true),
      positionRows: settings.size('max_position_embeddings', 2048),
    };
  },
};

/** By model_type of config.json. */
export const modelFamilies: Readonly<Record<string, ModelFamily>> = {
  llama,
  mistral,
  qwen2,
  qwen3,
  smollm3,
  phi3,
  gemma2,
  gemma3_text: gemma3,
  olmo2,
  granite,
  cohere2,
  stablelm,
  gpt_neox: gptNeox,
  gpt2,
  bloom,
  mpt,
  opt,
};

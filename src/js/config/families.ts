/** The position scheme that a model type implies where its configuration does not state it. */
import type { RotaryLayout } from '../rotary/rotary.js';

export type Family =
  | {
      scheme: 'rotary';
      layout: RotaryLayout;
      rotaryFraction?: number;
      /** Rotates interleaved pairs and returns them half-split. */
      deinterleaves?: true;
    }
  | {
      scheme: 'learned';
      /** Rows of the table before that of position 0. */
      offset: number;
      /** The configured number of positions includes these rows. */
      includesOffset?: true;
    }
  | { scheme: 'sinusoidal'; layout: 'interleaved' | 'half-split'; spacing: 'dim/2' | 'dim/2-1' }
  | { scheme: 'alibi' | 't5' | 'deberta' | 'transformer-xl' | 'none' };

const halfSplit: Family = { scheme: 'rotary', layout: 'half-split' };
const interleaved: Family = { scheme: 'rotary', layout: 'interleaved' };
const partialRotary = (rotaryFraction: number, layout: RotaryLayout = 'half-split'): Family => ({
  scheme: 'rotary',
  layout,
  rotaryFraction,
});
const deepseek: Family = { scheme: 'rotary', layout: 'interleaved', deinterleaves: true };
const learned: Family = { scheme: 'learned', offset: 0 };
const learnedOffset: Family = { scheme: 'learned', offset: 2 };
/** Positions begin after the padding token's index, 1. */
const learnedAfterPadding: Family = { scheme: 'learned', offset: 2, includesOffset: true };
const halfSplitSinusoid: Family = { scheme: 'sinusoidal', layout: 'half-split', spacing: 'dim/2' };
const fairseqSinusoid: Family = { scheme: 'sinusoidal', layout: 'half-split', spacing: 'dim/2-1' };
const interleavedSinusoid: Family = {
  scheme: 'sinusoidal',
  layout: 'interleaved',
  spacing: 'dim/2',
};

const lists: [Family, string][] = [
  [
    halfSplit,
    `llama mistral mixtral ministral ministral3 qwen qwen2 qwen2_moe qwen2_vl qwen2_5_vl qwen3
    qwen3_moe qwen3_next qwen3_vl gemma gemma2 gemma3 gemma3_text gemma4 gemma4_text phi3 phimoe
    starcoder2 falcon olmo olmo2 olmo3 olmoe dbrx granite granitemoe jetmoe exaone4 smollm3 gpt_oss
    internlm internlm2 internlm3 baichuan hunyuan hunyuan_v1_dense apertus seed_oss modernbert
    minimax arcee esm nomic_bert`,
  ],
  [
    interleaved,
    'gptj codegen cohere cohere2 helium ernie4_5 ernie4_5_moe llama4 llama4_text roformer',
  ],
  [deepseek, 'deepseek_v2 deepseek_v3 kimi_k2 longcat_flash mistral4 glm4_moe_lite'],
  [partialRotary(0.25), 'gpt_neox stablelm'],
  [partialRotary(0.5), 'phi persimmon nemotron glm4_moe'],
  [partialRotary(0.5, 'interleaved'), 'glm glm4 chatglm'],
  [
    learned,
    `bert gpt2 gpt_bigcode gpt_neo openai-gpt albert electra distilbert layoutlm
    bert-generation big_bird blenderbot clip_text_model`,
  ],
  [
    learnedAfterPadding,
    `roberta xlm-roberta xlm-roberta-xl camembert longformer data2vec-text
    mpnet layoutlmv3`,
  ],
  [learnedOffset, 'opt bart mbart biogpt'],
  [halfSplitSinusoid, 'marian pegasus ctrl'],
  [fairseqSinusoid, 'm2m_100 fsmt speech_to_text xglm whisper'],
  [interleavedSinusoid, 'xlm'],
  [{ scheme: 'alibi' }, 'bloom mpt jais'],
  [{ scheme: 't5' }, 't5 mt5 umt5 longt5 switch_transformers pop2piano udop'],
  [{ scheme: 'deberta' }, 'deberta deberta-v2'],
  [{ scheme: 'transformer-xl' }, 'transfo-xl xlnet'],
  [{ scheme: 'none' }, 'mamba mamba2 falcon_mamba rwkv jamba xlstm nemotron_h'],
];

const families = new Map(
  lists.flatMap(([family, names]) => names.split(/\s+/).map((name) => [name, family] as const)),
);

export type LayerKind = 'full_attention' | 'sliding_attention' | 'chunked_attention';

/** What the configuration class of a model type says of its layers where the file does not. */
export interface LayerFamily {
  /** Every so manieth layer is a full one, the others `local`. */
  pattern?: number;
  local: LayerKind;
  base?: number;
  /** Base of sliding layers, unscaled. Absent: the base of all layers. */
  localBase?: number;
  window?: number;
  chunk?: number;
  /** Which layers rotate. */
  rotates: 'all' | 'sliding' | 'flagged';
}

export const layerFamilies: Readonly<Record<string, LayerFamily>> = {
  llama4_text: {
    pattern: 4,
    local: 'chunked_attention',
    base: 500000,
    chunk: 8192,
    rotates: 'flagged',
  },
  smollm3: { pattern: 4, local: 'full_attention', base: 2000000, rotates: 'flagged' },
  cohere2: {
    pattern: 4,
    local: 'sliding_attention',
    base: 10000,
    window: 4096,
    rotates: 'sliding',
  },
  exaone4: { pattern: 4, local: 'sliding_attention', base: 10000, rotates: 'sliding' },
  gemma2: { pattern: 2, local: 'sliding_attention', base: 10000, window: 4096, rotates: 'all' },
  gemma3_text: {
    pattern: 6,
    local: 'sliding_attention',
    base: 1000000,
    localBase: 10000,
    window: 4096,
    rotates: 'all',
  },
  gemma3n_text: {
    pattern: 5,
    local: 'sliding_attention',
    base: 1000000,
    localBase: 10000,
    window: 512,
    rotates: 'all',
  },
};

export function layerFamilyOf(modelType: string | undefined): LayerFamily | undefined {
  return modelType !== undefined && Object.hasOwn(layerFamilies, modelType)
    ? layerFamilies[modelType]
    : undefined;
}

export function familyOf(modelType: string | undefined): Family | undefined {
  return modelType === undefined ? undefined : families.get(modelType);
}

/**
 * What llama.cpp does with positions, as data: which channels an architecture pairs, and what a key
 * means that is not there. Read from llama_model_rope_type and the files of src/models in November
 * 2026.
 */

export interface Architecture {
  /** Channels 2i and 2i + 1, or i and i + half. 'none': it does not rotate. */
  pairs: 'adjacent' | 'halves' | 'none';
  /** M-RoPE: rope.dimension_sections is needed. */
  hasSections?: true;
  /** Its sliding layers have a base of their own, and no scaling. */
  local?: LocalLayers;
  /** YaRN's multiplier acts on the softmax scale: multi-head latent attention. */
  scalesSoftmax?: true;
  /** YaRN leaves cos and sin as they are. */
  unfactored?: true;
  /** Full layers rotate half of rope.dimension_count. */
  halvesWidth?: true;
}

interface LocalLayers {
  /** Their base where rope.freq_base_swa is absent. Default: that of the full layers. */
  base?: number;
  /** The scaling of the full layers applies to them too. */
  isScaled?: true;
  /**
   * The key with the base of the full layers, where rope.freq_base is that of the sliding ones.
   */
  fullBase?: string;
}

const adjacent = `arcee arctic baichuan bailingmoe chameleon chatglm cohere2 cohere2moe command-r deci
deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 eagle3 ernie4_5 ernie4_5-moe glm-dsa glm4
granite granitehybrid granitemoe internlm2 llada llama llama-embed llama4 maincoder minicpm mistral3
mistral4 muse-glimmer nanbeige neo-bert olmo plm smollm3 starcoder xverse`;

const halves = `afmoe apertus bailingmoe2 bert bitnet codeshell cogvlm dbrx dots1 dream eurobert exaone
exaone-moe exaone4 falcon falcon-h1 gemma gemma-embedding gemma2 gemma3 gemma3n gemma4 glm4moe
gpt-oss gptneox grok grovemoe hunyuan-dense hunyuan-moe hunyuan-vl hy-v3 jais2 jina-bert-v3 laguna
lfm2 lfm2moe llada-moe mellum mimo2 minicpm3 minimax-m2 minimax-m3 modern-bert nemotron nomic-bert
nomic-bert-moe olmo2 olmoe openelm orion paddleocr pangu-embedded phi2 phi3 phimoe plamo plamo2
plamo3 qwen qwen2 qwen2moe qwen2vl qwen3 qwen35 qwen35moe qwen3moe qwen3next qwen3tts qwen3vl
qwen3vlmoe rnd1 seed_oss smallthinker stablelm starcoder2 step35 talkie`;

const unrotated = `arwkv7 bloom clip gpt2 gptj jais jamba jina-bert-v2 kimi-linear mamba mamba2 mpt
nemotron_h nemotron_h_moe refact rwkv6 rwkv6qwen2 rwkv7 t5 t5encoder`;

const withSections = `paddleocr qwen2vl qwen35 qwen35moe qwen3tts qwen3vl qwen3vlmoe`;

const softmaxScaled = `deepseek2 deepseek2-ocr deepseek32 glm-dsa mistral4`;

const localLayers: Record<string, LocalLayers> = {
  deepseek4: { fullBase: 'attention.compress_rope_freq_base' },
  'gemma-embedding': { base: 10000 },
  gemma3: { base: 10000 },
  gemma3n: { base: 10000 },
  gemma4: {},
  laguna: {},
  mellum: {},
  mimo2: {},
  'modern-bert': {},
  olmo2: {},
  plamo3: {},
  step35: {},
};

const words = (text: string) => text.split(/\s+/);

const listed = (pairs: Architecture['pairs'], names: string) =>
  words(names).map((name): [string, Architecture] => [
    name,
    {
      pairs,
      ...(words(withSections).includes(name) && { hasSections: true }),
      ...(words(softmaxScaled).includes(name) && { scalesSoftmax: true }),
      ...(Object.hasOwn(localLayers, name) && { local: localLayers[name] }),
      ...(name === 'deepseek4' && { unfactored: true }),
      ...(name === 'step35' && { halvesWidth: true }),
    },
  ]);

const architectures = new Map([
  ...listed('adjacent', adjacent),
  ...listed('halves', halves),
  ...listed('none', unrotated),
]);

export const architectureOf = (name: string): Architecture | undefined => architectures.get(name);

/** Model types of Hugging Face whose architecture has another name; from conversion/. */
const renamed: Record<string, string> = {
  bamba: 'granitehybrid',
  cohere: 'command-r',
  deepseek_v2: 'deepseek2',
  deepseek_v3: 'deepseek2',
  deepseek_v32: 'deepseek32',
  deepseek_v4: 'deepseek4',
  ernie4_5_moe: 'ernie4_5-moe',
  glm: 'chatglm',
  glm4_moe_lite: 'deepseek2',
  granitemoehybrid: 'granitehybrid',
  granitemoeshared: 'granitemoe',
  internlm3: 'llama',
  kimi_k2: 'deepseek2',
  ministral3: 'mistral3',
  mistral: 'llama',
  mixtral: 'llama',
  olmo3: 'olmo2',
  phi: 'phi2',
  qwen2_5_vl_text: 'qwen2vl',
};

/** The architecture that the converter gives a model type; undefined where it is not known. */
export function architectureOfType(modelType: string): Architecture | undefined {
  const plain = modelType.replace(/_text$/, '');
  const names = [renamed[modelType], plain, plain.replaceAll('_', '-'), plain.replaceAll('_', '')];
  return names.map((name) => architectures.get(name ?? '')).find(Boolean);
}

/** What the sliding layers of an architecture do that is not in the table. */
export const localLike: LocalLayers = { isScaled: true };

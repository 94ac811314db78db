/** Models with RoPE, as the config.json of `source` says. */
export interface RopeModel {
  id: string;
  name: string;
  source: string;
  /** How many numbers of a head rotate. */
  dim: number;
  base: number;
  /** Length of the context, in tokens. */
  length: number;
}

const model = (
  id: string,
  name: string,
  source: string,
  [dim, base, length]: readonly [number, number, number],
): RopeModel => ({ id, name, source, dim, base, length });

export const ropeModels: readonly RopeModel[] = [
  model('gpt-j', 'GPT-J', 'EleutherAI/gpt-j-6b', [64, 1e4, 2048]),
  model('gpt-neox', 'GPT-NeoX 20B', 'EleutherAI/gpt-neox-20b', [24, 1e4, 2048]),
  model('llama-2', 'Llama 2', 'meta-llama/Llama-2-7b-hf', [128, 1e4, 4096]),
  model('llama-3', 'Llama 3', 'meta-llama/Meta-Llama-3-8B', [128, 5e5, 8192]),
  model('code-llama', 'Code Llama', 'codellama/CodeLlama-7b-hf', [128, 1e6, 16384]),
  model('qwen2-5', 'Qwen2.5', 'Qwen/Qwen2.5-7B-Instruct', [128, 1e6, 32768]),
  model('gemma-2', 'Gemma 2', 'google/gemma-2-9b', [256, 1e4, 8192]),
  model('smollm3', 'SmolLM3', 'HuggingFaceTB/SmolLM3-3B', [128, 5e6, 65536]),
];

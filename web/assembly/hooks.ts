/**
 * `<!-- hooks -->`: per program the lines that save what the check needs, from web/check/hooks. The
 * comment at the start of each says at which source it was read.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language, Words } from '../languages.ts';
import { copyWords, snippet } from './notebook.ts';

const folder = path.join(path.dirname(import.meta.dirname), 'check/hooks');

const hooks: { file: string; shown: string; title: string; note: Words }[] = [
  {
    file: 'transformers.py',
    shown: 'save_rotation.py',
    title: 'transformers',
    note: {
      en: 'For model files whose <code>apply_rotary_pos_emb</code> takes q and k, such as Llama, Qwen, Mistral and Gemma 3.',
      zh: '适用于 <code>apply_rotary_pos_emb</code> 同时接收 q 和 k 的模型文件，例如 Llama、Qwen、Mistral、Gemma 3。',
    },
  },
  {
    file: 'vllm.py',
    shown: 'save_rotation.py',
    title: 'vLLM',
    note: {
      en: 'On one GPU, or on the CPU. <code>enforce_eager</code> keeps the hook out of compiled graphs.',
      zh: '用一块 GPU 或 CPU 运行。有了 <code>enforce_eager</code>，钩子才不会被编译好的计算图绕过。',
    },
  },
  {
    file: 'llama_cpp.txt',
    shown: 'eval-callback.cpp',
    title: 'llama.cpp',
    note: {
      en: 'Keep the names of the files: by <code>Qcur</code> and <code>Kcur</code> the check knows llama.cpp, which rotates adjacent pairs in Llama and Mistral.',
      zh: '请保留文件名：检查由 <code>Qcur</code> 和 <code>Kcur</code> 认出 llama.cpp，它在 Llama 和 Mistral 里旋转相邻配对。',
    },
  },
  {
    file: 'mlx_lm.py',
    shown: 'save_rotation.py',
    title: 'MLX',
    note: {
      en: 'For models of mlx-lm whose attention has a <code>rope</code>, which most have.',
      zh: '适用于注意力层带有 <code>rope</code> 的 mlx-lm 模型，大多数都有。',
    },
  },
];

export async function hookSnippets(language: Language): Promise<string> {
  const sources = await Promise.all(
    hooks.map(({ file }) => readFile(path.join(folder, file), 'utf8')),
  );
  const items = hooks.map(
    ({ shown, title, note }, i) =>
      `<details name="stack"${i === 0 ? ' open' : ''}><summary>${title}</summary>
<p>${note[language]}</p>
${snippet(shown, sources[i]!.trimEnd(), copyWords[language])}</details>`,
  );
  return items.join('\n');
}

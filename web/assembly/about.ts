/** `<!-- about -->` in a chapter: version, what is computed where, and how to cite the page. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '../languages.ts';
import { snippet } from './notebook.ts';

const year = 2026;

const words = {
  en: {
    copy: 'Copy',
    cite: 'To cite it:',
    facts: (version: string, assets: string) => [
      ['Version', `${version}, ${year}. MIT License, text and code.`],
      [
        'Computed in your browser',
        'Every number of a figure, by one C++ core in WebAssembly. It is also the npm package ropewalk.',
      ],
      [
        'Recorded',
        'The trained models, on one computer with fixed seeds. “Train here” repeats them in your browser.',
      ],
      [
        'Story model',
        'stories260K by Andrej Karpathy, mostly in float16, under the MIT License of <a href="https://github.com/karpathy/llama2.c">llama2.c</a>.',
      ],
      ['Letters', 'STIX Two Text and STIX Two Math, under the SIL Open Font License 1.1.'],
      [
        'Libraries',
        `Lit, D3 and MiniSearch, under <a href="${assets}licenses.md">these licenses</a>, and Hugging Face Tokenizers, under the <a href="${assets}license_of_tokenizers.txt">Apache License 2.0</a>.`,
      ],
      ['Checked', 'Each number of a claim, in Chromium and Firefox, against other code.'],
    ],
  },
  zh: {
    copy: '复制',
    cite: '引用格式：',
    facts: (version: string, assets: string) => [
      ['版本', `${version}，${year} 年。文字与代码均采用 MIT 许可证。`],
      [
        '在你的浏览器里计算',
        '图中的每个数，由同一个 C++ 内核编译成 WebAssembly 算出；它也是 npm 包 ropewalk。',
      ],
      ['事先录制', '训练好的模型，在一台计算机上用固定的种子训练；也可以在你的浏览器里重新训练。'],
      [
        '写故事的模型',
        'Andrej Karpathy 的 stories260K（参数大多以 float16 存储），采用 <a href="https://github.com/karpathy/llama2.c">llama2.c</a> 的 MIT 许可证。',
      ],
      ['字体', 'STIX Two Text 和 STIX Two Math，采用 SIL 开放字体许可证 1.1。'],
      [
        '程序库',
        `Lit、D3 和 MiniSearch，采用<a href="${assets}licenses.md">各自的许可证</a>；Hugging Face Tokenizers，采用 <a href="${assets}license_of_tokenizers.txt">Apache 许可证 2.0</a>。`,
      ],
      ['检验', '结论里的每个数，都在 Chromium 和 Firefox 里与另外的代码核对过。'],
    ],
  },
};

/** Returns the text of a chapter with the facts about the page where it names them. */
export async function withAbout(text: string, language: Language): Promise<string> {
  if (!text.includes('<!-- about -->')) return text;
  const file = path.join(import.meta.dirname, '../../package.json');
  const { version } = JSON.parse(await readFile(file, 'utf8'));
  const { facts, cite, copy } = words[language];
  const assets = language === 'en' ? './assets/' : '../assets/';
  const items = facts(version, assets).map(([term, fact]) => `<dt>${term}</dt><dd>${fact}</dd>`);
  return text.replace(
    '<!-- about -->',
    () => `<dl class="requirements">${items.join('\n')}</dl>
<p>${cite}</p>
${snippet('ropewalk.bib', citation(version), copy)}`,
  );
}

function citation(version: string): string {
  const site = process.env['ROPEWALK_SITE'];
  return `@misc{ropewalk${year},
  author = {{The Ropewalk authors}},
  title = {Ropewalk: position in attention, to see and to move},
  year = {${year}},
  note = {Version ${version}}${site ? `,\n  url = {${site}}` : ''}
}`;
}

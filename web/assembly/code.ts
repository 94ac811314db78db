/**
 * `<!-- code NAME -->` in a chapter: its files code/NAME.py and code/NAME.js, to be copied. The
 * comment lines at the end of each are what it prints.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '../languages.ts';
import { snippet } from './notebook.ts';

const words = {
  en: { summary: 'The same in code: NumPy, and this package', copy: 'Copy' },
  zh: { summary: '同样的计算写成代码：NumPy 与本包', copy: '复制' },
};

/** Returns the text of a chapter with the code that it names. */
export async function withCode(text: string, folder: string, language: Language): Promise<string> {
  const { summary, copy } = words[language];
  let complete = text;
  for (const [mark, name] of text.matchAll(/<!-- code (\w+) -->/g)) {
    const files = [`${name}.py`, `${name}.js`].map(async (file) => {
      const source = await readFile(path.join(folder, 'code', file), 'utf8');
      if (source.includes('$')) throw new Error(`${file} has a $, which would begin a formula`);
      return snippet(file, source, copy);
    });
    const snippets = (await Promise.all(files)).join('\n');
    complete = complete.replace(
      mark,
      () => `<details class="code"><summary>${summary}</summary>\n${snippets}\n</details>`,
    );
  }
  return complete;
}

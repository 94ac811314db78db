/**
 * `<!-- cell NAME -->`: the source of web/notebook/cells/NAME.js, as it runs, and room for what it
 * finds.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '../languages.ts';
import { escaped } from './html.ts';

const web = path.dirname(import.meta.dirname);

/** The text of the button that copies a snippet. */
export const copyWords = { en: 'Copy', zh: '复制' };

const words = {
  en: {
    waiting: 'The result appears here once scripts run.',
    result: 'Result',
  },
  zh: { waiting: '脚本运行后，结果显示在这里。', result: '结果' },
};

export function snippet(file: string, code: string, copy: string): string {
  return `<div class="snippet"><p class="file"><code>${file}</code><button type="button" class="copy" hidden>${copy}</button></p>
<pre tabindex="0"><code>${escaped(code)}</code></pre></div>`;
}

/** The one line of a cell that is for the type checker, not for the reader. */
const typeLine = /^\/\*\* @type .*\*\/\n/m;

/** What made the example files, without the formats that only the tests read. */
async function madeBy(): Promise<string> {
  const text = await readFile(path.join(web, '../tests/package/numpy/make.py'), 'utf8');
  const [start, end] = [text.indexOf('import numpy'), text.indexOf('# Every format')];
  if (start < 0 || end < 0)
    throw new Error('make.py no longer has its import and "# Every format"');
  return text.slice(start, end).trimEnd();
}

export async function notebook(page: string, language: Language): Promise<string> {
  const { waiting, result } = words[language];
  const copy = copyWords[language];
  const names = [...page.matchAll(/<!-- cell (\w+) -->/g)].map(([, name]) => name!);
  const sources = await Promise.all(
    names.map(async (name) => {
      const file = path.join(web, 'notebook/cells', `${name}.js`);
      return (await readFile(file, 'utf8')).replace(typeLine, '');
    }),
  );
  const made = page.includes('<!-- numpy -->') ? snippet('make.py', await madeBy(), copy) : '';
  const cells = names.reduce(
    (text, name, i) =>
      text.replace(
        `<!-- cell ${name} -->`,
        () =>
          `${snippet(`${name}.js`, sources[i]!, copy)}
<div class="result" id="result-${name}" role="group" aria-label="${result}"><p class="of">${waiting}</p></div>`,
      ),
    page,
  );
  return cells.replace('<!-- numpy -->', () => made);
}

/** `<!-- glossary -->`: each term in a sentence, with its name in the other language. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '../languages.ts';
import { records } from '../schemes/all.ts';
import type { Term } from '../schemes/record.ts';

/** The terms of web/glossary.md: a row of its table each, or the one that a scheme's record has. */
async function terms(): Promise<Term[]> {
  const text = await readFile(path.join(import.meta.dirname, '../glossary.md'), 'utf8');
  const [, , ...rows] = text.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((row) => {
    const [en, zh, anchor, ...definition] = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const [, scheme] = /^scheme (\w+)$/.exec(en!) ?? [];
    const term = scheme
      ? records[scheme]?.term
      : {
          name: { en: en!, zh: zh! },
          anchor: anchor!,
          definition: { en: definition[0]!, zh: definition[1]! },
        };
    if (!term?.definition.zh) throw new Error(`a row of the glossary is no term: ${row}`);
    return term;
  });
}

/** Returns the list of terms for a page of a language. */
export async function glossary(language: Language): Promise<string> {
  const other = language === 'zh' ? 'en' : 'zh';
  const rows = (await terms()).map(({ name, anchor, definition }) => {
    // The English name stands beside the Chinese one, so it need not stand in it too.
    const names = { en: name.en, zh: name.zh.replace(`（${name.en}）`, '') };
    return `<div>
<dt><a href="./${anchor}">${names[language]}</a></dt>
<dd lang="${other}">${names.en === names.zh ? '' : names[other]}</dd>
<dd>${definition[language]}</dd>
</div>`;
  });
  return `<dl class="terms">\n${rows.join('\n')}\n</dl>`;
}

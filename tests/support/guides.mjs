/** The code snippets of the site's guides. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import markdownIt from 'markdown-it';

const folder = join(import.meta.dirname, '..', '..', 'web', 'guides');

export const guideNames = readdirSync(folder).sort();
export const guideText = (name, language = 'en') =>
  readFileSync(join(folder, name, `${language}.md`), 'utf8');

/** Returns every snippet: { guide, kind, file, code }. `kind` says how the tests run it. */
export function snippetsOf(guide, language) {
  return markdownIt()
    .parse(guideText(guide, language), {})
    .filter(({ type }) => type === 'fence')
    .map(({ info, content: code }) => {
      const [syntax, word] = info.split(' ');
      const file = word?.includes('.') ? word : undefined;
      return { guide, syntax, kind: file ? 'file' : word, file, code };
    });
}

export const snippets = guideNames.flatMap((name) => snippetsOf(name));

/** Returns the output that comments promise: `console.log(…); // this`. */
export const promised = (code) =>
  [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);

/** Returns the rows of a guide's tables without headers; cells are Markdown. */
export function tableRows(guide, language) {
  const cells = (line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.replace(/^\s*\|?|\|?\s*$/g, '').trim());
  const lines = guideText(guide, language).split('\n');
  return lines
    .filter(
      (line, i) =>
        line.startsWith('| ') && !/^\| ---/.test(line) && !/^\| ---/.test(lines[i + 1] ?? ''),
    )
    .map(cells);
}

/**
 * The script that holds figures and all that they need, as `ropewalk figure` writes it, and the
 * pages that show them. web/assembly/single.ts makes the parts.
 */

export type Language = 'en' | 'zh';

/** The rule of a setting. */
export type SettingRule =
  | { kind: 'range'; min: number; max: number; step: number | 'log' }
  | { kind: 'choice'; values: string[] }
  | { kind: 'switch' }
  | { kind: 'text'; maxLength: number };

/** What one figure is and needs: an entry of elements/single/figures.json. */
export interface FigureParts {
  texts: Record<Language, { title: string; question: string; caption: string; height: number }>;
  settings: Record<string, SettingRule>;
  chunks: string[];
  /** The chunk that has a job, by the name of the job. */
  jobs: Record<string, string>;
  /** The files that it reads, with their names in elements/; null for a binary. */
  files: Record<string, string | null>;
}

/** A chunk by its name, and its text. */
export type Chunks = ReadonlyMap<string, string>;

/** The function of CommonJS that chunks load others by; the script brings its own. */
const load = 'require';

const members = (entries: readonly (readonly [string, string])[]) =>
  entries.map(([name, text]) => `${JSON.stringify(name)}: ${text},\n`).join('');

/**
 * Returns the script. It is one function, whose text is also the script of its workers: each runs
 * another entry.
 * @param names of the figures
 * @param files as base64
 * @param license a comment at the start
 */
export function scriptOf(
  names: readonly string[],
  chunks: Chunks,
  jobs: Readonly<Record<string, string>>,
  files: ReadonlyMap<string, string>,
  license: string,
): string {
  const loaded = (file: string) => `${load}(${JSON.stringify(file)})`;
  const modules = [...chunks].map(
    ([name, text]) => [name, `(module, exports, require) => {${text}\n}`] as const,
  );
  const figures = names.map(
    (name) => [name, `async () => ${loaded(`figure_${name}.cjs`)}`] as const,
  );
  const ofJobs = Object.entries(jobs).map(
    ([name, file]) => [name, `() => ${loaded(file)}`] as const,
  );
  const base64 = [...files].map(([name, text]) => [name, JSON.stringify(text)] as const);
  return `/*!\n${license.replaceAll('*/', '* /').trim()}\n*/
(function ropewalk(entry) {
'use strict';
const loaded = {};
const require = (name) => {
  const file = name.replace('./', '');
  if (!loaded[file]) {
    const module = (loaded[file] = { exports: {} });
    if (!modules[file]) throw new Error(\`this file has no \${file}\`);
    modules[file](module, module.exports, require);
  }
  return loaded[file].exports;
};
const script = (other) => \`(\${ropewalk})(\${JSON.stringify(other)})\`;
const figures = {
${members(figures)}};
const jobs = {
${members(ofJobs)}};
const files = {
${members(base64)}};
const modules = {
'ropewalk:parts': (module) => { module.exports = { figures, jobs, files, script }; },
${members(modules)}};
${load}(\`\${entry}.cjs\`);
})('page');
`;
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** A figure as a page shows it. */
export interface Shown {
  name: string;
  language: Language;
  question: string;
  caption: string;
  /** In CSS pixels. */
  height: number;
  words: ReadonlyMap<string, string>;
  /** The address of the picture, `data:` as a rule. */
  still: string;
  /** Where the figure can be operated. */
  link: string | undefined;
}

const linked = (text: string, link: string | undefined) =>
  link === undefined ? text : `<a href="${escaped(link)}">${text}</a>`;

/** Keeps no place where nothing will draw. (Pandoc would close the element before a <style>.) */
const withoutScript = 'data:text/css,ropewalk-figure%20svg{display:none}';

/** The element with what shows until it draws and keeps its place: see web/figures/snippets.ts. */
function elementOf({ name, language, question, height, words, still, link }: Shown): string {
  const attributes = [['name', name], ...words, ['lang', language], ['height', String(height)]];
  const written = attributes.map(([key, word]) => `${key}="${escaped(word!)}"`).join(' ');
  return `<ropewalk-figure ${written}>
  ${linked(`<img src="${still}" alt="${escaped(question)}" width="100%" align="left" />`, link)}
  <svg width="0" height="${height - 7}"></svg>
  <noscript><link rel="stylesheet" href="${withoutScript}" /></noscript>
</ropewalk-figure>`;
}

const documentOf = ({ language, question }: Shown, body: string) => `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<link rel="icon" href="data:," />
<title>${escaped(question)}</title>
</head>
<body>
${body}
</body>
</html>
`;

/** The page with the lines to copy: the script once, and an element for each figure. */
export function pageOf(shown: readonly [Shown, ...Shown[]], script: string): string {
  const elements = shown.map(elementOf).join('\n');
  return documentOf(
    shown[0],
    `<!-- Copy from here … -->\n<script src="${script}" defer></script>\n${elements}\n<!-- … to here, and put ${script} beside your page. -->`,
  );
}

/** For archives and mail, where no script runs: the picture, and a link to what can be operated. */
export function staticPageOf(shown: readonly [Shown, ...Shown[]]): string {
  const figures = shown.map(({ question, caption, still, link }) => {
    const picture = `<img src="${still}" alt="${escaped(question)}" width="100%" />`;
    return `<figure>
  <p>${linked(escaped(question), link)}</p>
  ${linked(picture, link)}
  <figcaption>${escaped(caption)}</figcaption>
</figure>`;
  });
  return documentOf(shown[0], figures.join('\n'));
}

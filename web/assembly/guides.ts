/** The guides in reading order: web/guides/NAME holds one text per language, in Markdown. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import markdownIt from 'markdown-it';
import type { Language } from '../languages.ts';
import { stacking } from './html.ts';

/** The three uses come first: reading, figures elsewhere, the package. */
const names = [
  'reading',
  'blog',
  'node',
  'hosts',
  'article',
  'numbers',
  'bugs',
  'decoder',
  'workers',
  'cluster',
  'bundlers',
  'observable',
  'react',
  'vue',
  'svelte',
  'policy',
  'offline',
  'speed',
  'coming_from',
];

const words = {
  en: { contents: 'Guides', copy: 'Copy' },
  zh: { contents: '目录', copy: '复制' },
};

const folder = path.join(path.dirname(import.meta.dirname), 'guides');

/** What stands for the address of the site in the texts. */
const somewhere = 'https://where-the-site-is/';

/**
 * @param places of the functions of the reference, to be linked where the text names them
 * @param site where the site will be served, with a slash at its end, if the build knows
 */
export async function guides(
  language: Language,
  places: ReadonlyMap<string, string>,
  site = somewhere,
): Promise<string> {
  const markdown = renderer(language, places);
  const parts = await Promise.all(
    names.map(async (name) => {
      const [text, english] = await Promise.all([textOf(name, language), textOf(name, 'en')]);
      const rendered = stacking(markdown.render(text.replaceAll(somewhere, () => site)));
      return section(name, rendered, headingIds(english));
    }),
  );
  const items = parts.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`);
  return `<nav class="contents" aria-label="${words[language].contents}"><ol>${items.join('')}</ol></nav>
${parts.map(({ html }) => html).join('\n')}`;
}

const textOf = (name: string, language: Language) =>
  readFile(path.join(folder, name, `${language}.md`), 'utf8');

/** The headings of a guide as parts of addresses: both languages have those of the English text. */
const headingIds = (english: string) =>
  Array.from(english.matchAll(/^## (.*)$/gm), ([, heading]) =>
    heading!.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
  );

/** The first line of a guide is its title; headings below move down with it. */
function section(name: string, rendered: string, ids: readonly string[]) {
  const id = name.replaceAll('_', '-');
  const [, title = name, body = ''] = /^<h1>(.*)<\/h1>([^]*)$/.exec(rendered.trim()) ?? [];
  let at = 0;
  const deeper = body
    .replaceAll('<h2>', () => `<h3 id="${id}-${ids[at++]}">`)
    .replaceAll('</h2>', '</h3>');
  const html = `<section class="chapter guide" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>${deeper}</section>`;
  return { id, title, html };
}

/** A word of code stays whole; one too long for a phone breaks after its marks. */
const word = (text: string) =>
  text.length > 28
    ? text.replaceAll(/(?<=[/,_=])(?=\w)/g, '<wbr>')
    : /[-/]/.test(text)
      ? `<span class="joined">${text}</span>`
      : text;

/** A comment behind code wraps at its spaces, so that a window shows all of it. */
const withRemarks = (code: string) =>
  code.replaceAll(/ \/\/ .*$/gm, (remark) => `<span class="remark">${remark}</span>`);

/**
 * As the rest of the site looks: tables whose rows stack on a phone, code with a button to copy it.
 */
function renderer(language: Language, places: ReadonlyMap<string, string>) {
  // The marks around the table of speed are comments of HTML.
  const markdown = markdownIt({ html: true, typographer: language === 'en' });
  markdown.disable('replacements');
  const { rules } = markdown.renderer;
  rules['table_open'] = () => '<div class="scrolling" tabindex="0"><table class="facts">\n';
  rules['table_close'] = () => '</table></div>\n';
  // Chinese marks stress with dots, which Latin letters do not take.
  rules['em_open'] = (tokens, i) =>
    language === 'en' || /\p{Script=Han}/u.test(tokens[i + 1]!.content) ? '<em>' : '<em lang="en">';
  const start = language === 'en' ? '' : '../';
  rules['code_inline'] = (tokens, i) => {
    const { content } = tokens[i]!;
    // A plain word, as `linear`, may be a value, a field or a file: only its call is the function.
    const [name = ''] = /^\w*[a-z][A-Z]\w*$|^\w+(?=\()/.exec(content) ?? [];
    const place = places.get(name);
    const link = place ? `<a href="${start}${place}">${name}</a>` : name;
    const rest = markdown.utils.escapeHtml(content.slice(name.length));
    return `<code>${link}${rest.split(' ').map(word).join(' ')}</code>`;
  };
  // A picture made by a program, from web/public: as wide as it is, so that its words can be read.
  rules['image'] = (tokens, i) => {
    const { content } = tokens[i]!;
    const file = String(tokens[i]!.attrGet('src'));
    const source = readFileSync(path.join(path.dirname(folder), 'public', file), 'utf8');
    const [size] = /width="\d+" height="\d+"/.exec(source)!;
    const alt = markdown.utils.escapeHtml(content);
    return `<span class="scrolling" tabindex="0"><img src="${start}${file}" alt="${alt}" ${size} loading="lazy"></span>`;
  };
  rules['fence'] = (tokens, i) => {
    const { info, content } = tokens[i]!;
    // A word with a dot is the file's name; others tell the tests how the code is run.
    const file = info.split(' ').find((word) => word.includes('.'));
    const button = `<button type="button" class="copy" hidden>${words[language].copy}</button>`;
    return `<div class="snippet"><p class="file">${file ? `<code>${file}</code>` : ''}${button}</p>
<pre tabindex="0"><code>${withRemarks(markdown.utils.escapeHtml(content))}</code></pre></div>\n`;
  };
  return markdown;
}

/** The posts of every host: three figures with text around them, by snippet or by import. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newTab } from '../browser/support/browser.mjs';
import { snippetIn, withSettings } from '../browser/support/gallery.mjs';

/**
 * @typedef {object} Post
 * @property {string} name of its file or folder
 * @property {'element' | 'frame' | 'import'} form
 * @property {boolean} isDark whether the host's dark theme is to be written into it
 * @property {string[]} snippets of the figures, in their order
 */

/** One has cells that a script colors, one another state, and one another language. */
export const figures = [
  { name: 'sinusoid-heatmap', language: 'en', settings: {} },
  { name: 'sinusoid-shift', language: 'en', settings: { offset: 7 } },
  { name: 'word-order', language: 'zh', settings: {} },
];

const galleries = { en: 'gallery.html', zh: 'zh/gallery.html' };

/** The snippets of the figures from the gallery of a site, by the kinds of its tabs. */
export async function copied(browser, site, kinds) {
  const tab = await newTab(browser);
  const found = Object.fromEntries(kinds.map((kind) => [kind, []]));
  for (const { name, language, settings } of figures) {
    await tab.goto(`${site}${galleries[language]}#${name}`, { waitUntil: 'load' });
    const element = await snippetIn(tab, name, 'html');
    heights[name] = Number(/ height="(\d+)"/.exec(element)[1]);
    for (const kind of kinds)
      found[kind].push(withSettings(await snippetIn(tab, name, kind), name, settings));
  }
  await tab.close();
  return found;
}

/** The figures in one file, as `npx ropewalk figure` writes it: the script, and lines to paste. */
export async function inOneFile(packageFolder) {
  const folder = await mkdtemp(path.join(tmpdir(), 'ropewalk-one-file-'));
  const command = path.join(packageFolder, 'dist/package/cli/node_bin.js');
  const names = figures.map(({ name }) => name);
  execFileSync(process.execPath, [command, 'figure', ...names, '--out', folder], { stdio: 'pipe' });
  const script = await readFile(path.join(folder, 'elements.single.js'), 'utf8');
  const page = await readFile(path.join(folder, 'figure.html'), 'utf8');
  await rm(folder, { recursive: true });
  const [tag] = /<script .*<\/script>/.exec(page);
  const lines = page.match(/<ropewalk-figure [^]*?<\/ropewalk-figure>/g).map((element, i) => {
    const { name, language, settings } = figures[i];
    const own = element.replace(' lang="en"', ` lang="${language}"`);
    return `${tag}\n${withSettings(own, name, settings)}`;
  });
  return { script, lines };
}

const texts = [
  'A transformer has no order of its own. This is how it gets one.',
  'Moving on by some positions rotates each pair, whatever the position is.',
  '下面这幅图是中文的。',
  'The end of the post.',
];

/** @param {string[]} snippets */
const between = (snippets, paragraph, gap) =>
  texts.flatMap((text, i) => [paragraph(text), ...(snippets[i] ? [snippets[i]] : [])]).join(gap);

/** Each snippet is a paragraph. */
export const markdown = ({ snippets }) => `${between(snippets, (text) => text, '\n\n')}\n`;
export const html = ({ snippets }) => between(snippets, (text) => `<p>${text}</p>`, '\n');

/** The same with a block of settings before it, as most generators take it. */
export const withFrontMatter = (settings, body) =>
  `---\n${Object.entries(settings)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')}---\n\n${body}`;

/** A document around a body; `head` has what belongs there. */
export const documentOf = (body, head = '') => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A post</title>
<link rel="icon" href="data:,">
${head}
<body>
<main>
${body}
</main>
</html>
`;

/** How a page without a theme looks: a column in the middle. */
export const column = 'main { max-width: 720px; margin: 0 auto; font: 18px/1.5 serif }\n';

/** In CSS pixels, as the snippets of the gallery have it; see `copied`. */
const heights = {};

/** The figures as elements of a page that has the script from somewhere else. */
export const elements = () =>
  figures.map(({ name, language, settings }) => {
    const words = { name, lang: language, height: heights[name], ...settings };
    const attributes = Object.entries(words).map(([key, word]) => `${key}="${word}"`);
    const style = `display: block; min-height: ${heights[name]}px`;
    return `<ropewalk-figure ${attributes.join(' ')} style="${style}"></ropewalk-figure>`;
  });

/** The figures by the component for React. */
export const components = (given = '') =>
  figures.map(({ name, language, settings }) => {
    const words = { name, lang: language, height: heights[name] };
    const attributes = Object.entries(words).map(([key, word]) => `${key}="${word}"`);
    const state = `settings={${JSON.stringify(settings)}}`;
    return `<RopewalkFigure ${given} ${attributes.join(' ')} ${state} />`;
  });

/** MDX and modules of React import it in their first line. */
export const componentImport = "import { RopewalkFigure } from 'ropewalk/react';\n\n";

/**
 * The page of each figure, figure/NAME/, which is what a frame shows and what a link to the figure
 * becomes: the figure alone, with its question, still and caption where scripts do not run, a card
 * for links, and the address of its oEmbed.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AnyFigure } from '../figures/figure.ts';
import { frameOf, stillOf } from '../figures/snippets.ts';
import type { Language } from '../languages.ts';
import { frameHeight } from './heights.ts';
import { escaped } from './html.ts';

const web = path.dirname(import.meta.dirname);

const locales = { en: 'en_US', zh: 'zh_CN' };
const folders = { en: '', zh: 'zh/' };
const read = { en: 'Read the chapter', zh: '阅读这一章' };

/** The folder of a figure's page, from that of the site on. */
export const figureFolder = (name: string, language: Language) =>
  `${folders[language]}figure/${name}/`;

/** Where Vite looks for the pages. */
export const figureFiles = (names: readonly string[]) =>
  (['en', 'zh'] as const).flatMap((language) =>
    names.map((name) => path.join(web, figureFolder(name, language), 'index.html')),
  );

/** The figure and the language of a page, by its file. */
export function figureAt(file: string): { name: string; language: Language } | undefined {
  const place = path.relative(web, file).replaceAll(path.sep, '/');
  const [, folder, name] = /^(zh\/)?figure\/([\w-]+)\/index\.html$/.exec(place) ?? [];
  return name === undefined ? undefined : { name, language: folder ? 'zh' : 'en' };
}

const attribute = (text: string) => escaped(text).replaceAll('"', '&quot;');

/** Width and height of a still, from its header: stills have color profiles, and so this format. */
export function sizeOfStill(name: string, language: Language): { width: number; height: number } {
  const file = path.join(web, 'public', stillOf(name, language));
  const bytes = readFileSync(file);
  // Pictures without loss, and lossy ones.
  const kind = bytes.toString('latin1', 8, 16);
  const sides = bytes.readUInt32LE(kind === 'WEBPVP8L' ? 21 : 26);
  if (kind === 'WEBPVP8L')
    return { width: (sides & 0x3fff) + 1, height: ((sides >> 14) & 0x3fff) + 1 };
  if (kind !== 'WEBPVP8 ') throw new Error(`${file} is no plain WebP file`);
  return { width: sides & 0x3fff, height: (sides >> 16) & 0x3fff };
}

/** The address of the site with a slash at its end. */
const addressOf = (site: string) => site.replace(/\/*$/, '/');

export interface FigurePage {
  name: string;
  figure: AnyFigure;
  language: Language;
  /** The page that explains the figure, in the folder of the language's pages. */
  chapter: string;
  /** Where the site will be served; without it no card has a picture, and there is no oEmbed. */
  site: string | undefined;
}

/** Returns what other sites read of a figure's page; the addresses in it have to be whole. */
function cardOf({ name, figure, language, site }: FigurePage): string {
  const { title, question } = figure.text[language];
  const properties = [
    ['og:type', 'article'],
    ['og:site_name', 'Ropewalk'],
    ['og:locale', locales[language]],
    ['og:title', title],
    ['og:description', question],
  ];
  const links: string[] = [];
  if (site) {
    const address = new URL(figureFolder(name, language), addressOf(site)).href;
    const { width, height } = sizeOfStill(name, language);
    properties.push(
      ['og:url', address],
      ['og:image', new URL(stillOf(name, language), addressOf(site)).href],
      ['og:image:width', String(width)],
      ['og:image:height', String(height)],
      ['og:image:alt', title],
    );
    const oembed = `type="application/json+oembed" href="${address}oembed.json"`;
    links.push(
      `<link vite-ignore rel="canonical" href="${address}" />`,
      `<link vite-ignore rel="alternate" ${oembed} title="${attribute(title)}" />`,
    );
  } else links.push('<link vite-ignore rel="canonical" href="./" />');
  const metas = properties.map(
    ([property, content]) => `<meta property="${property}" content="${attribute(content!)}" />`,
  );
  const card = site ? 'summary_large_image' : 'summary';
  return [...metas, `<meta name="twitter:card" content="${card}" />`, ...links].join('\n    ');
}

/** Returns the document of a figure's page. */
export function figureDocument(page: FigurePage): string {
  const { name, figure, language, chapter } = page;
  const { question, caption } = figure.text[language];
  const other = language === 'en' ? 'zh' : 'en';
  const start = language === 'en' ? '../../' : '../../../';
  const twin = `${start}${figureFolder(name, other)}`;
  const explained = `../../${chapter.replace('./', '')}#${name}`;
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escaped(question)}</title>
    <meta name="description" content="${attribute(question)}" />
    ${cardOf(page)}
    <link vite-ignore rel="alternate" hreflang="${other}" href="${twin}" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/style.css" />
  </head>
  <body class="frame" data-site="${start}">
    <main>
      <ropewalk-figure name="${name}" level="1"><p class="question">${escaped(question)}</p><img src="/${stillOf(name, language)}" alt="" loading="lazy" /><p>${escaped(caption)}</p></ropewalk-figure>
      <noscript><p><a href="${explained}" target="_blank">${read[language]}</a></p></noscript>
      <p class="credit"><a href="${explained}" target="_blank">Ropewalk</a></p>
    </main>
    <script type="module" src="/embed.ts"></script>
  </body>
</html>
`;
}

/** The width of a frame for which its height is given: that of the column of most articles. */
const oembedWidth = 720;

/** Returns the oEmbed of a figure (oembed.com, type rich), which needs the address of the site. */
export function oembedOf({ name, figure, language, site }: FigurePage & { site: string }) {
  const { title, question } = figure.text[language];
  const home = new URL(addressOf(site));
  const height = frameHeight(name, language);
  const still = sizeOfStill(name, language);
  return {
    version: '1.0',
    type: 'rich',
    provider_name: 'Ropewalk',
    provider_url: home.href,
    title,
    html: frameOf({ site: home, name, question, language, words: new Map(), height }),
    width: oembedWidth,
    height,
    thumbnail_url: new URL(stillOf(name, language), home).href,
    thumbnail_width: still.width,
    thumbnail_height: still.height,
  };
}

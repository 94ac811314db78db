/**
 * Makes the page of each chapter, of each figure and of each topic of the reference, and assembles
 * the documents of both languages: the frame, `<!-- map -->`, `<!-- ropes -->`, `<!-- gallery -->`,
 * `<!-- glossary -->`, `<!-- reference -->`, `<!-- guides -->`, `<!-- hooks -->`, the notebook's
 * cells, formulas,
 * links by id, and inside every figure its question and caption, for readers whose browser runs no
 * scripts. Throws on what the page's content security policy would block.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runnerImport, type Plugin } from 'vite';
import { stillOf } from '../figures/snippets.ts';
import type { Language } from '../languages.ts';
import {
  addressOf,
  anchor,
  article,
  chapters,
  documentOf,
  figureNamesIn,
  splitOff,
  type Chapter,
} from './chapters.ts';
import { withCode } from './code.ts';
import { renderFormulas } from './formulas.ts';
import { gallery } from './gallery.ts';
import { figureAt, figureDocument, figureFolder, oembedOf } from './figure_pages.ts';
import { framed } from './frame.ts';
import { glossary } from './glossary.ts';
import { guides } from './guides.ts';
import { withWordBreaks } from './headings.ts';
import { hookSnippets } from './hooks.ts';
import { escaped } from './html.ts';
import { withJoinedLines } from './lines.ts';
import { idsIn, withLinks } from './links.ts';
import { map } from './map.ts';
import { notebook } from './notebook.ts';
import { namePlaces, readTopics, referenceIndex, topicDocument, topicFiles } from './reference.ts';
import { ropes } from './ropes.ts';
import { entriesOf } from './search.ts';
import { bodyOf, folderOf, placesOf } from './texts.ts';
import type { SearchEntry } from '../search/entry.ts';

const web = path.dirname(import.meta.dirname);

export function assemble(): Plugin {
  const pages = new Map<string, string>();
  return {
    name: 'ropewalk-assemble',
    enforce: 'pre',
    // The pages of chapters, figures and topics have no file of their own.
    resolveId: (id) => (chapterAt(id) || figureAt(id) || isTopic(id) ? id : undefined),
    load: (id) => madeDocument(id),
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const address = (request.url ?? '').replace(/\?.*/, '').replace(/\/$/, '/index.html');
        const language = languages.find((one) => address === `/${searchFile(one)}`);
        try {
          const document = await madeDocument(path.join(web, address));
          if (language) return void response.end(JSON.stringify(await searchEntries(language)));
          if (document === undefined) return next();
          const page = await server.transformIndexHtml(address, document, request.originalUrl);
          response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
        } catch (error) {
          next(error);
        }
      });
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(document, { filename }) {
        const page = await assembled(document, filename);
        pages.set(filename, page);
        return page;
      },
    },
    async generateBundle() {
      for (const language of languages) {
        const source = JSON.stringify(await searchEntries(language, pages));
        this.emitFile({ type: 'asset', fileName: searchFile(language), source });
      }
      const site = siteAddress();
      for (const page of site ? await figurePages() : []) {
        const fileName = `${figureFolder(page.name, page.language)}oembed.json`;
        const source = JSON.stringify(oembedOf({ ...page, site: site! }));
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
    handleHotUpdate({ file, server }) {
      if (/[\\/]web[\\/].*\.md$/.test(file)) server.ws.send({ type: 'full-reload' });
    },
  };
}

const languages: Language[] = ['en', 'zh'];
/** Where the site will be served, if the build knows. */
function siteAddress(): string | undefined {
  const given = process.env['ROPEWALK_SITE'];
  if (!given) return undefined;
  if (!/^https?:/.test(given) || !URL.canParse(given))
    throw new Error(`ROPEWALK_SITE must be a whole address, https://…, got ${given}`);
  return given.replace(/\/*$/, '/');
}

const searchFile = (language: Language) => `search_${language}.json`;

/** What the search knows besides the chapters. The gallery repeats what they have. */
const documents = ['index', 'guides', 'glossary', 'errata', 'numbers', 'arrays'];

/**
 * The entries of all pages of a language, with addresses from its folder on.
 * @param made pages that are assembled already
 */
async function searchEntries(
  language: Language,
  made: ReadonlyMap<string, string> = new Map(),
): Promise<SearchEntry[]> {
  const folder = path.join(web, language === 'zh' ? 'zh' : '');
  const files = [...documents, ...chapters.map(anchor)].map((name) =>
    path.join(folder, `${name}.html`),
  );
  const pages = [...files, path.join(web, 'reference.html'), ...topicPages()].map(async (file) => {
    const source = (await madeDocument(file)) ?? (await readFile(file, 'utf8'));
    const page = made.get(file) ?? (await assembled(source, file));
    const address = path.relative(folder, file).replaceAll(path.sep, '/');
    return entriesOf(page, address === 'index.html' ? './' : address);
  });
  return (await Promise.all(pages)).flat();
}

const languageOf = (file: string): Language =>
  path.dirname(file) === path.join(web, 'zh') ? 'zh' : 'en';

/** Where Vite looks for the chapters' pages, in both languages. */
export const chapterFiles = ['', 'zh'].flatMap((folder) =>
  chapters.map((chapter) => path.join(web, folder, addressOf(chapter))),
);

const chapterAt = (file: string) =>
  chapterFiles.includes(file)
    ? chapters.find((chapter) => `${anchor(chapter)}.html` === path.basename(file))
    : undefined;

/** Where Vite looks for the pages of the reference's topics. */
export const topicPages = () => topicFiles(readTopics()).map((file) => path.join(web, file));

const isTopic = (file: string) =>
  path.dirname(file) === web && /^reference-[a-z-]+\.html$/.test(path.basename(file));

async function figurePages() {
  const { allFigures: figures, pageOf } = await loadFigures();
  return Object.entries(figures).flatMap(([name, figure]) =>
    languages.map((language) => ({
      name,
      figure,
      language,
      chapter: pageOf(name),
      site: siteAddress(),
    })),
  );
}

async function figurePage(name: string, language: Language): Promise<string | undefined> {
  const page = (await figurePages()).find((one) => one.name === name && one.language === language);
  return page && figureDocument(page);
}

/** The document of a page that has no file. */
async function madeDocument(file: string): Promise<string | undefined> {
  if (isTopic(file)) return topicDocument(readTopics(), path.basename(file));
  const ofFigure = figureAt(file);
  if (ofFigure) return figurePage(ofFigure.name, ofFigure.language);
  const chapter = chapterAt(file);
  return chapter && documentOf(chapter, languageOf(file));
}

async function assembled(source: string, file: string): Promise<string> {
  if (figureAt(file)) return allowed(source);
  const language = languageOf(file);
  const { allFigures: figures, pageOf } = await loadFigures();
  const chapter = chapterAt(file);
  const text = chapter ? await chapterText(chapter, figures, language) : '';
  const terms = source.includes('<!-- glossary -->') ? await glossary(language) : '';
  const page = source
    .replace('<!-- chapter -->', () => text)
    .replace('<!-- glossary -->', () => terms);
  const topics = /<!-- (reference|guides) -->/.test(page) ? readTopics() : [];
  const help = page.includes('<!-- guides -->')
    ? await guides(language, namePlaces(topics), siteAddress())
    : '';
  const contents = page.includes('<!-- map -->') ? await map(figures, language) : '';
  const hooks = page.includes('<!-- hooks -->') ? await hookSnippets(language) : '';
  const smallPrint = page.includes('<!-- ropes -->') ? await ropes(language) : '';
  const filled = (await notebook(renderFormulas(page), language))
    .replace('<!-- map -->', () => contents)
    .replace('<!-- ropes -->', () => smallPrint)
    .replace('<!-- hooks -->', () => hooks)
    .replace('<!-- gallery -->', () => gallery(figures, pageOf, language))
    .replace('<!-- reference -->', () => referenceIndex(topics))
    .replace('<!-- guides -->', () => help);
  const name = path.basename(file, '.html');
  const isFramed = filled.includes('<main id="main">');
  const document = isFramed ? framed(filled, name, language, siteAddress()) : filled;
  if (chapter || name === 'index') assertInPlace(document, name, pageOf);
  const linked = withLinks(document, await placesOf(language));
  const complete = withFigureText(linked, figures, language);
  return allowed(language === 'zh' ? withWordBreaks(withJoinedLines(complete)) : complete);
}

/** Returns the document; throws where the policy would block a part of it. */
function allowed(complete: string): string {
  const blocked = / style=|<style|<script(?![^>]*\bsrc=)| on[a-z]+=/i.exec(
    complete.replace(/<!--[\s\S]*?-->|<code>[^<]*<\/code>/g, ''),
  );
  if (blocked)
    throw new Error(
      `the policy blocks "${blocked[0]}" near: ${complete.substr(blocked.index - 80, 160)}`,
    );
  return complete;
}

/** A chapter's text, with the panel of models where one of its figures follows the model. */
async function chapterText(chapter: Chapter, figures: Figures, language: Language) {
  const body = await bodyOf(chapter, language);
  const follows = figureNamesIn(body).some((name) =>
    Object.values(figures[name]?.controls ?? {}).some((control) => control.follows),
  );
  const panel = follows ? '<ropewalk-model id="model"></ropewalk-model>' : '';
  const text = await withCode(body, folderOf(chapter), language);
  const part = splitOff(chapter);
  const moved = part ? idsIn(await bodyOf(part, language)) : [];
  return article(chapter, text, language, panel, moved);
}

/** Links to a figure lead to the page that the registry names; that page has to show it. */
function assertInPlace(document: string, name: string, pageOf: (figure: string) => string) {
  const address = name === 'index' ? './' : `./${name}.html`;
  for (const figure of figureNamesIn(document)) {
    if (pageOf(figure) !== address)
      throw new Error(
        `the figure "${figure}" stands on ${address}, not on ${pageOf(figure)} as in figures/registry.ts`,
      );
  }
}

/**
 * Question, still and caption as light DOM of each figure; the element shows its own once it draws.
 */
function withFigureText(page: string, figures: Figures, language: Language): string {
  const found = [
    ...page.matchAll(/<ropewalk-figure\b[^>]*\bname="([^"]+)"[^>]*>(?=<\/ropewalk-figure>)/g),
  ];
  let complete = page;
  for (const [tag, name] of found) {
    const figure = figures[name!];
    if (!figure)
      throw new Error(
        `a chapter shows the figure "${name}", which figures/registry.ts does not list`,
      );
    if (!page.includes(` id="${name}"`))
      throw new Error(`links to the figure "${name}" lead to the id "${name}", which is missing`);
    const { question, caption } = figure.text[language];
    const still = `<img src="/${stillOf(name!, language)}" alt="" loading="lazy" />`;
    complete = complete.replace(
      `${tag}</ropewalk-figure>`,
      () =>
        `${tag}<p class="question">${escaped(question)}</p>${still}<p>${escaped(caption)}</p></ropewalk-figure>`,
    );
  }
  return complete;
}

type Module = typeof import('./figures.ts');
type Figures = Module['allFigures'];

let figures: Promise<Module> | undefined;

/** Once per process: a second run would define the figures' elements again. */
export const loadFigures = () => (figures ??= importFigures());

async function importFigures(): Promise<Module> {
  const file = path.join(web, 'assembly/figures.ts');
  const { module } = await runnerImport<Module>(file, { root: web, configFile: false });
  return module;
}

/**
 * Assembles the documents of both languages: `<!-- contents -->`, `<!-- chapters -->`, `<!--
 * gallery -->`, `<!-- reference -->`, `<!-- guides -->`, the notebook's cells, formulas, and inside
 * every figure its question and caption, for readers whose browser runs no scripts. Throws on what
 * the page's content security policy would block.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runnerImport, type Plugin } from 'vite';
import { stillOf } from '../figures/snippets.ts';
import type { Language } from '../languages.ts';
import { chapters, contents, section } from './chapters.ts';
import { renderFormulas } from './formulas.ts';
import { gallery } from './gallery.ts';
import { guides } from './guides.ts';
import { notebook } from './notebook.ts';
import { reference, type Topic } from './reference.ts';

const web = path.dirname(import.meta.dirname);

export function assemble(): Plugin {
  return {
    name: 'ropewalk-assemble',
    transformIndexHtml: {
      order: 'pre',
      handler: (document, { path: address }) =>
        assembled(withSite(document), address.startsWith('/zh/') ? 'zh' : 'en'),
    },
    handleHotUpdate({ file, server }) {
      if (/[\\/](chapters|guides)[\\/].*\.(html|md)$/.test(file))
        server.ws.send({ type: 'full-reload' });
    },
  };
}

/**
 * Whoever shows a link with its card wants the picture's whole address, which no build can guess:
 * ROPEWALK_SITE=https://… says where the site will be served.
 */
function withSite(document: string): string {
  const site = process.env['ROPEWALK_SITE'];
  if (!site) return document;
  const absolute = (_: string, name: string) =>
    `content="${new URL(name, site.replace(/\/*$/, '/')).href}"`;
  return document.replace(/content="\/(social_\w+\.png)"/g, absolute);
}

async function assembled(document: string, language: Language): Promise<string> {
  const sections = chapters.map(async (chapter) => {
    const body = await readFile(
      path.join(web, 'chapters', chapter.name, `${language}.html`),
      'utf8',
    );
    return section(chapter, body, language);
  });
  const page = document
    .replace('<!-- contents -->', () => contents(language))
    .replace('<!-- chapters -->', (await Promise.all(sections)).join('\n').replaceAll('$', '$$$$'));
  const figures = await allFigures();
  const topics = /<!-- (reference|guides) -->/.test(page) ? await docstrings() : [];
  const functions = topics.flatMap((topic) => topic.functions.map(({ name }) => name));
  const help = page.includes('<!-- guides -->') ? await guides(language, functions) : '';
  const text = (await notebook(renderFormulas(page), language))
    .replace('<!-- gallery -->', () => gallery(figures, language, escaped))
    .replace('<!-- reference -->', () => reference(topics))
    .replace('<!-- guides -->', () => help);
  const complete = withFigureText(text, figures, language);
  const blocked = / style=|<style|<script(?![^>]*\bsrc=)| on[a-z]+=/i.exec(
    complete.replace(/<!--[\s\S]*?-->|<code>[^<]*<\/code>/g, ''),
  );
  if (blocked)
    throw new Error(
      `the policy blocks "${blocked[0]}" near: ${complete.substr(blocked.index - 80, 160)}`,
    );
  return complete;
}

async function docstrings(): Promise<Topic[]> {
  const file = path.join(web, '../build/reference.json');
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read: node tools/reference.mjs makes it`, { cause: error });
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

type Figures = typeof import('./figures.ts').allFigures;

let figures: Promise<Figures> | undefined;

/** Once per process: a second run would define the figures' elements again. */
const allFigures = () => (figures ??= loadFigures());

async function loadFigures(): Promise<Figures> {
  const file = path.join(web, 'assembly/figures.ts');
  const { module } = await runnerImport<{ allFigures: Figures }>(file, {
    root: web,
    configFile: false,
  });
  return module.allFigures;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

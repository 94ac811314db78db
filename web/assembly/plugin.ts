/**
 * Assembles both documents: `<!-- contents -->` and `<!-- chapters -->` in web/index.html and
 * web/zh/index.html, formulas, and inside every figure what it asks and says, for readers whose
 * browser runs no scripts. Refuses what the page's content security policy would refuse.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runnerImport, type Plugin } from 'vite';
import type { Language } from '../languages.ts';
import { chapters, contents, section } from './chapters.ts';
import { renderFormulas } from './formulas.ts';

const web = path.dirname(import.meta.dirname);

export function assemble(): Plugin {
  return {
    name: 'ropewalk-assemble',
    transformIndexHtml: {
      order: 'pre',
      handler: (document, { path: address }) =>
        assembled(document, address.startsWith('/zh/') ? 'zh' : 'en'),
    },
    handleHotUpdate({ file, server }) {
      if (file.startsWith(path.join(web, 'chapters')) && file.endsWith('.html'))
        server.ws.send({ type: 'full-reload' });
    },
  };
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
  const complete = await withFigureText(renderFormulas(page), language);
  const refused = / style=|<style|<script(?![^>]*\bsrc=)| on[a-z]+=/i.exec(
    complete.replace(/<!--[\s\S]*?-->/g, ''),
  );
  if (refused)
    throw new Error(
      `the policy refuses "${refused[0]}" near: ${complete.substr(refused.index - 80, 160)}`,
    );
  return complete;
}

/** Question and caption as light DOM of each figure; the element shows its own once it runs. */
async function withFigureText(page: string, language: Language): Promise<string> {
  const found = [
    ...page.matchAll(/<ropewalk-figure\b[^>]*\bname="([^"]+)"[^>]*>(?=<\/ropewalk-figure>)/g),
  ];
  const texts = await figureTexts();
  let complete = page;
  for (const [tag, name] of found) {
    const text = texts[name!];
    if (!text)
      throw new Error(
        `a chapter shows the figure "${name}", which figures/registry.ts does not list`,
      );
    const { question, caption } = text[language];
    complete = complete.replace(
      `${tag}</ropewalk-figure>`,
      () =>
        `${tag}<p class="question">${escaped(question)}</p><p>${escaped(caption)}</p></ropewalk-figure>`,
    );
  }
  return complete;
}

type Texts = typeof import('./figure_texts.ts').texts;

let texts: Promise<Texts> | undefined;

/** Once per process: a second run would define the figures' elements again. */
const figureTexts = () => (texts ??= loadTexts());

async function loadTexts(): Promise<Texts> {
  const file = path.join(web, 'assembly/figure_texts.ts');
  const { module } = await runnerImport<{ texts: Texts }>(file, { root: web, configFile: false });
  return module.texts;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

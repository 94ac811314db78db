/** The gallery's live part: each figure's snippets hold its current settings. */
import { elementSnippet, frameSnippet, permalink, type Shown } from './figures/snippets.ts';
import { pageOf } from './figures/registry.ts';
import { defineFigureElement, type RopewalkFigure } from './figures/ropewalk_figure.ts';
import { copyButtons, startBar } from './page.ts';
import { createEngine } from './worker/client.ts';

const isChinese = document.documentElement.lang.startsWith('zh');
const home = new URL('./', location.href);
const site = isChinese ? new URL('../', home) : home;

const writers = { element: elementSnippet, frame: frameSnippet };
for (const entry of document.querySelectorAll<HTMLElement>('.entry')) {
  const figure = entry.querySelector<RopewalkFigure>('ropewalk-figure')!;
  const question = figure.querySelector('.question')!.textContent;
  const write = () => {
    const shown: Shown = {
      site,
      page: new URL(pageOf(entry.id), home),
      name: entry.id,
      question,
      language: isChinese ? 'zh' : 'en',
      words: figure.words ?? new Map(),
    };
    for (const code of entry.querySelectorAll<HTMLElement>('[data-snippet]'))
      code.textContent = writers[code.dataset['snippet'] as keyof typeof writers](shown);
    entry.querySelector<HTMLAnchorElement>('.permalink')!.href = permalink(shown).href;
  };
  write();
  figure.addEventListener('draw', write);
}

copyButtons(isChinese ? '已复制' : 'Copied');
defineFigureElement({ engine: createEngine(), home: () => home });
startBar();

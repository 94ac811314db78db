/** The gallery's live part: the snippets, with the address of this site in them. */
import { elementSnippet, frameSnippet, type Shown } from './figures/snippets.ts';
import { copyButtons, startBar } from './page.ts';

const isChinese = document.documentElement.lang.startsWith('zh');
const home = new URL('./', location.href);

const writers = { element: elementSnippet, frame: frameSnippet };
for (const entry of document.querySelectorAll<HTMLElement>('.entry')) {
  const shown: Shown = {
    site: isChinese ? new URL('../', home) : home,
    page: new URL(entry.querySelector<HTMLAnchorElement>('.permalink')!.pathname, home),
    name: entry.id,
    question: entry.querySelector('.question')!.textContent,
    language: isChinese ? 'zh' : 'en',
    words: new Map(),
  };
  for (const code of entry.querySelectorAll<HTMLElement>('[data-snippet]'))
    code.textContent = writers[code.dataset['snippet'] as keyof typeof writers](shown);
}

/** An address with the name of a figure leads to its entry: what is folded there opens. */
function openTarget() {
  const entry = document.getElementById(location.hash.slice(1));
  const details = entry?.matches('.entry') && entry.querySelector('details');
  if (details) details.open = true;
}

copyButtons(isChinese ? '已复制' : 'Copied');
startBar();
openTarget();
addEventListener('hashchange', openTarget);

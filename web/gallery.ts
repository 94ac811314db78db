/** The gallery's live part: the snippets, with the address of this site in them. */
import { snippets, type Shown, type SnippetKind } from './figures/snippets.ts';
import { copyButtons, startBar } from './page.ts';

const isChinese = document.documentElement.lang.startsWith('zh');
const home = new URL('./', location.href);

/** The chosen host: what a reader picks for one figure is right for the next one too. */
let chosen: SnippetKind = 'html';

const entries = [...document.querySelectorAll<HTMLElement>('.entry')];

function shownBy(entry: HTMLElement): Shown {
  return {
    site: isChinese ? new URL('../', home) : home,
    page: new URL(entry.querySelector<HTMLAnchorElement>('.permalink')!.pathname, home),
    name: entry.id,
    question: entry.querySelector('.question')!.textContent,
    language: isChinese ? 'zh' : 'en',
    words: new Map(),
    height: Number(entry.dataset['height']),
  };
}

const tabsOf = (entry: HTMLElement) => [...entry.querySelectorAll<HTMLElement>('[role="tab"]')];

function choose(kind: SnippetKind) {
  chosen = kind;
  for (const entry of entries) show(entry);
}

/** Shows the snippet of the chosen host. */
function show(entry: HTMLElement) {
  for (const tab of tabsOf(entry)) {
    const isChosen = tab.dataset['kind'] === chosen;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    if (isChosen) entry.querySelector('[role="tabpanel"]')!.setAttribute('aria-labelledby', tab.id);
  }
  entry.querySelector<HTMLElement>('[data-snippet]')!.dataset['snippet'] = chosen;
  entry.querySelector('[data-snippet]')!.textContent = snippets[chosen](shownBy(entry));
  for (const note of entry.querySelectorAll<HTMLElement>('[data-host]'))
    note.hidden = note.dataset['host'] !== chosen;
}

/** Keys move between tabs as in any list of tabs: with arrows, Home and End. */
function move(event: KeyboardEvent, entry: HTMLElement) {
  const tabs = tabsOf(entry);
  const at = tabs.indexOf(event.target as HTMLElement);
  const { length } = tabs;
  const places: Record<string, number> = {
    ArrowRight: (at + 1) % length,
    ArrowLeft: (at - 1 + length) % length,
    Home: 0,
    End: length - 1,
  };
  const place = places[event.key];
  if (at < 0 || place === undefined) return;
  event.preventDefault();
  const tab = tabs[place]!;
  choose(tab.dataset['kind'] as SnippetKind);
  tab.focus();
}

for (const entry of entries) {
  const list = entry.querySelector<HTMLElement>('[role="tablist"]')!;
  list.hidden = false;
  list.addEventListener('keydown', (event) => move(event, entry));
  for (const tab of tabsOf(entry))
    tab.addEventListener('click', () => choose(tab.dataset['kind'] as SnippetKind));
  show(entry);
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

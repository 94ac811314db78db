/**
 * The gallery's live part: the snippets, with the address of this site in them, and in an open
 * entry the figure, whose controls set the state that the snippets have.
 */
import type { RopewalkFigure } from './figures/ropewalk_figure.ts';
import {
  figureAddress,
  frameAround,
  permalink,
  snippets,
  type Shown,
  type SnippetKind,
} from './figures/snippets.ts';
import { copyButtons, startBar } from './page.ts';
import type { FigureJobs } from './worker/figure_jobs.ts';

const isChinese = document.documentElement.lang.startsWith('zh');
const home = new URL('./', location.href);

/** The chosen host: what a reader picks for one figure is right for the next one too. */
let chosen: SnippetKind = 'html';

const entries = [...document.querySelectorAll<HTMLElement>('.entry')];

/** Its `words` are undefined until the code of figures is loaded. */
const figureIn = (entry: HTMLElement) =>
  entry.querySelector<Partial<RopewalkFigure> & Element>('ropewalk-figure');

function shownBy(entry: HTMLElement): Shown {
  return {
    site: isChinese ? new URL('../', home) : home,
    page: new URL(entry.querySelector<HTMLAnchorElement>('.permalink')!.pathname, home),
    name: entry.id,
    question: entry.querySelector('.question')!.textContent,
    language: isChinese ? 'zh' : 'en',
    words: figureIn(entry)?.words ?? new Map(),
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
    note.hidden = !note.dataset['host']!.split(' ').includes(chosen);
}

/** Writes the state of the figure into the snippet and the links. */
function follow(entry: HTMLElement) {
  const shown = shownBy(entry);
  entry.querySelector<HTMLAnchorElement>('.permalink')!.href = permalink(shown).href;
  entry.querySelector<HTMLAnchorElement>('.alone')!.href = figureAddress(shown).href;
  show(entry);
}

let defined: Promise<void> | undefined;

async function define() {
  const [{ defineFigureElement }, { createEngine }] = await Promise.all([
    import('./figures/ropewalk_figure.ts'),
    import('./worker/client.ts'),
  ]);
  defineFigureElement({ engine: createEngine<FigureJobs>(), home: () => home });
}

/** Adds the figure to an entry that opens. Without it, the table still lists its settings. */
async function addFigure(entry: HTMLElement) {
  if (figureIn(entry)) return;
  const figure = document.createElement('ropewalk-figure');
  const height = Number(entry.dataset['height']) - frameAround;
  const attributes = { name: entry.id, hide: 'title', level: '4', height: String(height) };
  for (const [key, word] of Object.entries(attributes)) figure.setAttribute(key, word);
  figure.addEventListener('change', () => follow(entry));
  const hint = entry.querySelector<HTMLElement>('.hint')!;
  hint.after(figure);
  try {
    await (defined ??= define());
    hint.hidden = hint.textContent === '';
  } catch {
    defined = undefined;
    figure.remove();
  }
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
  const details = entry.querySelector('details')!;
  details.addEventListener('toggle', () => {
    if (details.open) void addFigure(entry);
  });
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

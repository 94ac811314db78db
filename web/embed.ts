/**
 * One figure on its own address, which is what a frame shows:
 *
 *   figure/sinusoid-shift/?offset=7&theme=dark&hide=title,caption
 *   embed.html?figure=sinusoid-shift&offset=7&lang=zh     (the address of earlier versions)
 *
 * Messages to the page around it, which frames.js receives: { type: 'ropewalk-ready' } and
 * { type: 'ropewalk-height', height }. From it: { type: 'ropewalk-hello' }, which makes the frame
 * repeat them, and { type: 'ropewalk-theme', theme }.
 */
import { defineFigureElement } from './figures/ropewalk_figure.ts';
import { pageOf } from './figures/registry.ts';
import { linkTo, UrlState } from './state.ts';
import { createEngine } from './worker/client.ts';
import type { FigureJobs } from './worker/figure_jobs.ts';

const parameters = new URLSearchParams(location.search);
const root = document.documentElement;
const { body } = document;
const isFrame = parent !== self;

const lang = parameters.get('lang');
if (lang !== null) root.lang = lang.startsWith('zh') ? 'zh-CN' : 'en';
const site = new URL(body.dataset['site']!, location.href);
const home = new URL(root.lang.startsWith('zh') ? 'zh/' : './', site);

const givenTheme = parameters.get('theme');
const isTheme = (word: unknown) => word === 'light' || word === 'dark';
const applyTheme = (theme: string) => (root.dataset['theme'] = theme);
if (isTheme(givenTheme)) applyTheme(givenTheme!);

const isFitted = parameters.has('fit');
body.classList.toggle('alone', !isFrame);
body.classList.toggle('fitted', isFitted);

defineFigureElement({
  engine: createEngine<FigureJobs>(),
  state: new UrlState({ isFrame: true }),
  home: () => home,
});
const figure = document.querySelector('ropewalk-figure') ?? newFigure();
for (const form of ['hide', 'controls', 'fit']) {
  const words = parameters.get(form);
  if (words !== null) figure.setAttribute(form, words);
}
const credit = document.querySelector<HTMLElement>('.credit')!;
credit.hidden = /\bcredit\b/.test(parameters.get('hide') ?? '');
figure.addEventListener('draw', () => {
  document.title = figure.shadowRoot!.querySelector('figure')!.ariaLabel!;
});
// The chapter opens with the figure as it stands.
const source = credit.querySelector('a')!;
const follow = () => {
  const name = figure.getAttribute('name')!;
  const { words } = figure as unknown as { words: ReadonlyMap<string, string> };
  source.href = linkTo(new URL(pageOf(name), home), name, words).href;
};
figure.addEventListener('draw', follow);
figure.addEventListener('change', follow);

/** The figure of an address that names it. */
function newFigure(): Element {
  const element = document.createElement('ropewalk-figure');
  element.setAttribute('name', parameters.get('figure') ?? '');
  element.setAttribute('level', '1');
  document.querySelector('main')!.prepend(element);
  return element;
}

const post = (message: object) => parent.postMessage(message, '*');
const sentHeights = new Set<number>();
/** Until the figure is there, the page around knows better how high it will be. */
const sendHeight = () => {
  if (!figure.matches('[drawn], [failed]')) return;
  const height = Math.ceil(root.getBoundingClientRect().height);
  sentHeights.add(height);
  post({ type: 'ropewalk-height', height });
};
/**
 * Where the page around makes the frame as high as the figure, no scroll bar may come while the
 * figure grows: it would make the figure narrower, maybe lower, and go, without end.
 */
const hideScrollBar = () => {
  if (sentHeights.has(innerHeight)) root.classList.add('followed');
};
const sendAll = () => {
  post({ type: 'ropewalk-ready' });
  // A fitted figure takes the height that it is given.
  if (!isFitted) sendHeight();
};
if (isFrame) {
  addEventListener('message', ({ source: sender, data }) => {
    if (sender !== parent) return;
    if (data?.type === 'ropewalk-hello') sendAll();
    if (data?.type === 'ropewalk-theme' && isTheme(data.theme) && !isTheme(givenTheme))
      applyTheme(data.theme);
  });
  sendAll();
  if (!isFitted) {
    addEventListener('resize', hideScrollBar);
    new ResizeObserver(sendHeight).observe(body);
    // The place that was kept may be as high as the figure.
    figure.addEventListener('draw', sendHeight);
  }
}

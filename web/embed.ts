/**
 * One figure in a frame: embed.html?figure=sinusoid-shift&offset=7&lang=zh&theme=dark. Tells the
 * page around it how high it is, as { type: 'ropewalk-height', height }.
 */
import { defineFigureElement } from './figures/ropewalk_figure.ts';
import { pageOf } from './figures/registry.ts';
import { UrlState } from './state.ts';
import { createEngine } from './worker/client.ts';
import type { FigureJobs } from './worker/figure_jobs.ts';

const parameters = new URLSearchParams(location.search);
const isChinese = parameters.get('lang')?.startsWith('zh') ?? false;
const home = new URL(isChinese ? './zh/' : './', location.href);
const root = document.documentElement;
root.lang = isChinese ? 'zh-CN' : 'en';
const theme = parameters.get('theme');
if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;

defineFigureElement({
  engine: createEngine<FigureJobs>(),
  state: new UrlState({ isFrame: true }),
  home: () => home,
});
const name = parameters.get('figure') ?? '';
const figure = document.createElement('ropewalk-figure');
figure.setAttribute('name', name);
figure.setAttribute('level', '1');
figure.addEventListener('draw', () => {
  document.title = figure.shadowRoot!.querySelector('.question')!.textContent;
});
const source = document.createElement('a');
const explained = new URL(pageOf(name), home);
Object.assign(source, { href: explained, target: '_blank', textContent: 'Ropewalk' });
const credit = document.createElement('p');
credit.className = 'credit';
credit.append(source);
document.querySelector('main')!.append(figure, credit);

const height = () => Math.ceil(root.getBoundingClientRect().height);
const sendHeight = () => parent.postMessage({ type: 'ropewalk-height', height: height() }, '*');
new ResizeObserver(sendHeight).observe(document.body);

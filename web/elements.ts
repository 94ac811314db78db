/**
 * Figures on any page: `<script type="module" src="…/elements.js">` makes <ropewalk-figure> known.
 * Does nothing where there are no elements, as on a server, and nothing twice.
 */
import type { Language, Words } from './languages.ts';
import type { FigureJobs } from './worker/figure_jobs.ts';

const isPackage = import.meta.env.MODE === 'package';
const { url } = import.meta;
/** A parameter of the address that counts attempts: a browser remembers that a module failed. */
const counter = 'again';
const attempt = isPackage ? 0 : Number.parseInt(new URL(url).searchParams.get(counter) ?? '0');

if (globalThis.customElements && !customElements.get('ropewalk-figure')) void register();

async function register() {
  try {
    const [{ defineFigureElement }, { createEngine }] = await Promise.all([
      import('./figures/ropewalk_figure.ts'),
      import('./worker/client.ts'),
    ]);
    // The site serves this beside the pages that explain; the package has no such pages.
    const home = (language: Language) => {
      const root = new URL(/\/v\/[^/]+\/elements\.js/.test(url) ? '../../' : './', url);
      return new URL(language === 'zh' ? './zh/' : './', root);
    };
    const host = { engine: createEngine<FigureJobs>() };
    defineFigureElement(isPackage ? host : { ...host, home });
  } catch {
    if (attempt === 0 && !isPackage) loadAgain();
    else if (attempt < 2 || !(await reloadIfServed())) report();
  }
}

/**
 * Firefox remembers the failure of a file that others import until the page is loaded again. As in
 * surroundings.ts, which would be one more file to load here.
 */
async function reloadIfServed(): Promise<boolean> {
  const page = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined);
  if (page?.ok) location.reload();
  return page?.ok ?? false;
}

/**
 * A browser may have kept this script while its host has another version, which has other files.
 * So the script of now is loaded, under an address that the browser has not seen.
 */
function loadAgain(attempts = attempt) {
  if (isPackage) return void register();
  const now = new URL(url);
  now.searchParams.set(counter, `${attempts + 1}-${Date.now()}`);
  import(/* @vite-ignore */ now.href).catch(report);
}

const line: Words = {
  en: 'This figure could not be loaded. ',
  zh: '这幅图未能加载。',
};
const button: Words = { en: 'Try again', zh: '重试' };

/** Adds a line to each figure: what stands in an element shows until it draws. */
function report() {
  for (const figure of document.querySelectorAll('ropewalk-figure:not(:has(> .ropewalk-fault))')) {
    const lang = figure.closest('[lang]')?.getAttribute('lang') ?? '';
    const language = /^zh/i.test(lang) ? 'zh' : 'en';
    const fault = document.createElement('p');
    fault.className = 'ropewalk-fault';
    fault.setAttribute('role', 'status');
    const again = document.createElement('button');
    again.type = 'button';
    again.textContent = button[language];
    again.addEventListener('click', () => {
      fault.remove();
      loadAgain(1);
    });
    fault.append(line[language], again);
    // It keeps the place of the figure, and the line below belongs under the still.
    figure.querySelector('svg[width="0"]')?.remove();
    figure.append(fault);
    void customElements.whenDefined('ropewalk-figure').then(() => fault.remove());
  }
}

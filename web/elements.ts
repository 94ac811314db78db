/**
 * Figures on any page: `<script type="module" src="…/elements.js">` makes <ropewalk-figure> known.
 * Does nothing where there are no elements, as on a server, and nothing twice.
 */
import type { Language } from './languages.ts';
import type { FigureJobs } from './worker/figure_jobs.ts';

if (globalThis.customElements && !customElements.get('ropewalk-figure')) void register();

async function register() {
  const [{ defineFigureElement }, { createEngine }] = await Promise.all([
    import('./figures/ropewalk_figure.ts'),
    import('./worker/client.ts'),
  ]);
  // The site serves this beside the pages that explain; the package has no such pages.
  const { url } = import.meta;
  const home = (language: Language) => new URL(language === 'zh' ? './zh/' : './', url);
  const host = { engine: createEngine<FigureJobs>() };
  defineFigureElement(import.meta.env.MODE === 'package' ? host : { ...host, home });
}

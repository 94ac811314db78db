/**
 * The entry of a file that holds figures and all that they need, which `ropewalk figure` writes. A
 * page may have the file twice, as a notebook whose cell ran again.
 */
import { defineFigureElement } from './figures/ropewalk_figure.ts';
import { createEngine } from './worker/client.ts';
import type { FigureJobs } from './worker/figure_jobs.ts';

if (globalThis.customElements && !customElements.get('ropewalk-figure'))
  defineFigureElement({ engine: createEngine<FigureJobs>() });

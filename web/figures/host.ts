/** What the figures of a page share. */
import type { Language } from '../languages.ts';
import type { ModelChoice } from '../model.ts';
import type { UrlState } from '../state.ts';
import type { Engine } from '../worker/client.ts';
import type { FigureJobs } from '../worker/figure_jobs.ts';

export interface Host {
  engine: Engine<FigureJobs>;
  /** The page's address; a figure elsewhere keeps its settings to itself. */
  state?: UrlState;
  /** The model that the page follows. */
  model?: ModelChoice;
  /** Where the pages in a language are; one of them explains the figure. */
  home?(language: Language): URL;
}

/** The composition root of a page of the text: one engine, one state, one model, one element. */
import { keepPlaceOfLink } from './arrival.ts';
import { defineFigureElement } from './figures/ropewalk_figure.ts';
import './guess.ts';
import { ModelChoice } from './model.ts';
import { ModelPanel } from './model_panel.ts';
import { copyButtons, followOldAnchor, keepSettings, loadPictures, startBar } from './page.ts';
import { startRail } from './rail.ts';
import { UrlState } from './state.ts';
import { createEngine } from './worker/client.ts';
import type { FigureJobs } from './worker/figure_jobs.ts';

function start() {
  const state = new UrlState();
  const engine = createEngine<FigureJobs>();
  const model = new ModelChoice();
  ModelPanel.host = { engine: engine.channel(), choice: model, state };
  customElements.define('ropewalk-model', ModelPanel);
  defineFigureElement({ engine, state, model, home: () => new URL('./', location.href) });
  startBar();
  copyButtons(document.documentElement.lang.startsWith('zh') ? '已复制' : 'Copied');
  keepSettings(state);
  startRail();
  loadPictures();
  keepPlaceOfLink();
  addEventListener('hashchange', followOldAnchor);
}

if (!followOldAnchor()) start();

/** The page's composition root: one engine, one state, one model, one element for every figure. */
import { defineFigureElement } from './figures/ropewalk_figure.ts';
import { ModelChoice } from './model.ts';
import { ModelPanel } from './model_panel.ts';
import { linkLanguages, themeButton, titleByChapter } from './page.ts';
import { UrlState } from './state.ts';
import { createEngine } from './worker/client.ts';

const state = new UrlState();
const engine = createEngine<typeof import('./worker/model_position.ts')>();
const model = new ModelChoice();
ModelPanel.host = { engine: engine.channel(), choice: model, state };
customElements.define('ropewalk-model', ModelPanel);
defineFigureElement({ engine, state, model, home: () => new URL(location.href) });
themeButton(document.querySelector('#theme')!);
linkLanguages(document.querySelector('#other-language')!, state);
titleByChapter(document.querySelectorAll('.chapter'));

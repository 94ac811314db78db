/** The page's composition root: one engine, one state, one element for every figure. */
import { defineFigureElement } from './figures/ropewalk_figure.ts';
import { linkLanguages, themeButton } from './page.ts';
import { UrlState } from './state.ts';
import { createEngine } from './worker/client.ts';

const state = new UrlState();
defineFigureElement({ engine: createEngine(), state, home: () => new URL(location.href) });
themeButton(document.querySelector('#theme')!);
linkLanguages(document.querySelector('#other-language')!, state);

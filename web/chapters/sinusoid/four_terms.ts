/** Four terms make a score; what C09 and C10 say of the last one holds without W alone. */
import { html } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import { ticksEvery } from '../../plots/axis.ts';
import { signedScale } from '../../plots/colors.ts';
import { matrixPlot, type Cell } from '../../plots/matrix_plot.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { termNames, type ScoreInFour, type TermName } from './four_terms_jobs.ts';
import { words } from './four_terms_text.ts';
import { sinusoidStyle } from './style.ts';

const controls = defineControls(
  {
    weights: choice(words.weights, { none: words.none, random: words.random }, 'none'),
    start: range(words.start, { default: 0, min: 0, max: 2000 }, { hue: 'position' }),
    tokens: range(words.tokens, { default: 24, min: 2, max: 48 }),
    seed: range(words.seed, { default: 1, min: 1, max: 999 }),
    query: range(
      words.query,
      { default: 14, min: 0, max: 47 },
      { symbol: 'm', hue: 'query', display: true },
    ),
    key: range(
      words.key,
      { default: 6, min: 0, max: 47 },
      { symbol: 'n', hue: 'key', display: true },
    ),
  },
  {
    query: ({ tokens }) => tokens - 1,
    key: ({ tokens }) => tokens - 1,
  },
);

type FourTermsView = ViewOf<typeof controls, typeof words.strings, ScoreInFour, Cell>;

function pairOf({ settings, focus }: FourTermsView): Cell {
  const { row, column } = focus ?? { row: settings.query, column: settings.key };
  return { row: Math.min(row, settings.tokens - 1), column: Math.min(column, settings.tokens - 1) };
}

const gap = 32;
/** Four maps stand side by side from this width on, two from the other. */
const widths = { four: 860, two: 620 };

function map(view: FourTermsView, name: TermName) {
  const { settings, data, say, theme } = view;
  const { tokens, start } = settings;
  const across = view.width < widths.two ? 1 : view.width < widths.four ? 2 : 4;
  const width = Math.floor((view.width - (across - 1) * gap) / across);
  const step = [1, 2, 5, 10, 20].find((every) => tokens / every <= 6)!;
  const ticks = ticksEvery(tokens, step, (place) => String(start + place));
  return html`<div class="term">
    <h4>${say.terms[name]}</h4>
    ${matrixPlot({
      id: name,
      width,
      height: Math.min(300, width - 60),
      matrix: { values: data.terms[name].values, rows: tokens, columns: tokens },
      scale: signedScale(theme, data.limit),
      columns: { label: say.keyAxis, ticks },
      rows: { label: say.queryAxis, ticks },
      legend: '',
      label: say.terms[name],
      cell: pairOf(view),
      onCell: view.setFocus,
      onPick: ({ row, column }) => view.set({ query: row, key: column }),
    })}
  </div>`;
}

/** One line per term: its share of the pair's score, and what C09 and C10 would have at zero. */
function split(view: FourTermsView) {
  const { settings, data, say } = view;
  const { row, column } = pairOf(view);
  const at = row * settings.tokens + column;
  return html`<div class="split scrolling values-only" role="region" tabindex="0" aria-label=${say.score}>
    <table>
      <thead>
        <tr>
          <th scope="col">${say.term}</th>
          <th scope="col">${say.value(settings.start + row, settings.start + column)}</th>
          <th scope="col">${say.spread}</th>
          <th scope="col">${say.asymmetry}</th>
        </tr>
      </thead>
      <tbody>
        ${termNames.map((name) => {
          const { values, spread, asymmetry } = data.terms[name];
          return html`<tr>
            <th scope="row">${say.terms[name]}</th>
            <td data-number="${name}">${fixed(values[at]!, 4)}</td>
            <td data-number="${name}-spread">${rounded(spread, 3)}</td>
            <td data-number="${name}-asymmetry">${rounded(asymmetry, 3)}</td>
          </tr>`;
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">${say.score}</th>
          <td data-number="score">${fixed(data.scores[at]!, 4)}</td>
          <td></td>
          <td></td>
        </tr>
      </tfoot>
    </table>
  </div>`;
}

function describe({ data, say }: FourTermsView): string {
  const { spread, asymmetry } = data.terms.positionPosition;
  return say.describe(rounded(spread), rounded(asymmetry));
}

export default defineFigure({
  claims: ['C13'],
  text: words.strings,
  controls,
  compute: ({ tokens, start, weights, seed }, engine) =>
    engine.scoreInFour({ tokens, start, weights, seed }),
  draw: (view: FourTermsView) => html`
    <div class="terms">${termNames.map((name) => map(view, name))}</div>
    ${split(view)}
    ${numbers({
      residual: [view.say.residual, rounded(view.data.residual, 2)],
    })}`,
  describe,
  table: ({ settings, data, say }: FourTermsView) => {
    const { tokens, start } = settings;
    return {
      columns: ['m', 'n', ...termNames.map((name) => say.terms[name]), say.score],
      rows: Array.from(data.scores, (score, pair) => [
        start + Math.floor(pair / tokens),
        start + (pair % tokens),
        ...termNames.map((name) => data.terms[name].values[pair]!),
        score,
      ]),
    };
  },
  styles: sinusoidStyle,
});

/** Four terms make a score; what C09 and C10 say of the last one holds without W alone. */
import { html, svg } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import { ticksEvery } from '../../plots/axis.ts';
import { magnitudeScale, signedScale } from '../../plots/colors.ts';
import { matrixPlot, type Cell, type MatrixFrame } from '../../plots/matrix_plot.ts';
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

const smallSide = ({ width }: FourTermsView) => Math.min(120, Math.floor((width - 40) / 3));
const own = ['contentContent', 'contentPosition', 'positionContent'] as const;

/** The terms with words in them: small, since what counts is what each depends on. */
function small(view: FourTermsView, name: TermName, side: number) {
  const { settings, data, say, theme } = view;
  const { tokens } = settings;
  const { values, limit } = data.terms[name];
  const matrix = { values, rows: tokens, columns: tokens };
  const scale = signedScale(theme, limit);
  const box = { left: 0, top: 0, width: side, height: side };
  return html`<div class="term">
    <h4>+ ${say.terms[name]}</h4>
    <div class="plot" role="img" aria-label=${say.terms[name]} .style=${`width: ${side}px; height: ${side}px`}>
      <rw-pixels .box=${box} .matrix=${matrix} .scale=${scale}></rw-pixels>
    </div>
    <p>${say.dependsOn[name]}</p>
  </div>`;
}

/** The pairs at the distance of the chosen one, as a band along a diagonal. */
function diagonal({ tokens }: { tokens: number }, offset: number, frame: MatrixFrame) {
  const [across, down] = [frame.width / tokens, frame.height / tokens];
  const first = Math.max(0, offset);
  const last = Math.min(tokens, tokens + offset) - 1;
  const corner = (row: number, [right, below]: readonly [number, number]) =>
    `${frame.left + (row - offset + right) * across},${frame.top + (row + below) * down}`;
  const edge = (side: readonly [number, number]) => `M${corner(first, side)}L${corner(last, side)}`;
  return svg`<path class="diagonal" d=${edge([1, 0]) + edge([0, 1])} />`;
}

/** The term that may depend on the distance alone, by its own colors. */
function large(view: FourTermsView) {
  const { settings, data, say, theme } = view;
  const { tokens, start } = settings;
  const width = Math.min(440, view.width);
  const { values } = data.terms.positionPosition;
  const step = [1, 2, 5, 10, 20].find((every) => tokens / every <= 6)!;
  const ticks = ticksEvery(tokens, step, (place) => String(start + place));
  const { row, column } = pairOf(view);
  return html`<div class="term">
    <h4>${say.terms.positionPosition}</h4>
    ${matrixPlot({
      id: 'positionPosition',
      width,
      height: width - 110,
      matrix: { values, rows: tokens, columns: tokens },
      scale: magnitudeScale(theme, Math.max(...values), Math.min(...values)),
      columns: { label: say.keyAxis, ticks },
      rows: { label: say.queryAxis, ticks },
      legend: '',
      label: describe(view),
      cell: view.focus,
      onCell: view.setFocus,
      onPick: (cell) => view.set({ query: cell.row, key: cell.column }),
      over: (frame) => diagonal(settings, row - column, frame),
    })}
    <p class="readout" data-number="diagonal">${along(view)}</p>
  </div>`;
}

/** The smallest and the largest value at the distance of the chosen pair. */
function along(view: FourTermsView): string {
  const { settings, data, say } = view;
  const { tokens } = settings;
  const { row, column } = pairOf(view);
  const offset = row - column;
  const found = Array.from({ length: tokens - Math.abs(offset) }, (_, k) => {
    const n = k + Math.max(0, -offset);
    return data.terms.positionPosition.values[(n + offset) * tokens + n]!;
  });
  const [low, high] = [fixed(Math.min(...found), 2), fixed(Math.max(...found), 2)];
  return low === high ? say.even(offset, low) : say.uneven(offset, low, high);
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

/** What one distance has in common, up to the rounding of 32-bit numbers. */
const rounding = 1e-4;

function describe({ data, say }: FourTermsView): string {
  const { spread, asymmetry } = data.terms.positionPosition;
  return spread < rounding ? say.onlyDistance : say.describe(fixed(spread, 2), fixed(asymmetry, 2));
}

export default defineFigure({
  claims: ['C13'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: ({ tokens, start, weights, seed }, engine) =>
    engine.scoreInFour({ tokens, start, weights, seed }),
  draw: (view: FourTermsView) => html`
    ${large(view)}
    <div class="terms">${own.map((name) => small(view, name, smallSide(view)))}</div>
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

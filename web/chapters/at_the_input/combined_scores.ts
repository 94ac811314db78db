/** The same table added to the tokens, multiplied with them, and joined to them. */
import { html } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import { signedScale } from '../../plots/colors.ts';
import { matrixPlot, type Cell } from '../../plots/matrix_plot.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { words } from './combined_scores_text.ts';
import { ways, type CombinedScores, type Way } from './jobs.ts';
import { inputStyle } from './style.ts';

const lastPlace = 10;

const controls = defineControls({
  size: range(words.size, { default: 1, min: 0, max: 2, step: 0.05 }),
  text: choice(words.text, { sentence: words.sentence, same: words.same }, 'sentence'),
  query: range(
    words.query,
    { default: 9, min: 0, max: lastPlace },
    { symbol: 'm', hue: 'query', display: true },
  ),
  key: range(
    words.key,
    { default: 1, min: 0, max: lastPlace },
    { symbol: 'n', hue: 'key', display: true },
  ),
});

type CombineView = ViewOf<typeof controls, typeof words.strings, CombinedScores, Cell>;

const count = lastPlace + 1;

function tokensOf(language: 'en' | 'zh', text: string): string[] {
  const tokens = words.tokens[language];
  return text === 'same' ? tokens.map(() => tokens[1]!) : tokens;
}

/** The pair in view: pointed at, or else chosen. */
const chosen = ({ focus, settings }: CombineView): Cell =>
  focus ?? { row: settings.query, column: settings.key };

function map(view: CombineView, way: Way, width: number) {
  const { data, say, theme } = view;
  const ticks = [0, 2, 4, 6, 8, 10].map((value) => ({ value, text: String(value) }));
  return html`<div>
    <h4>${say.ways[way]}</h4>
    ${matrixPlot({
      id: way,
      width,
      height: Math.min(300, width - 60),
      matrix: { values: data.ways[way].scores, rows: count, columns: count },
      scale: signedScale(theme, Math.ceil(data.limit)),
      columns: { label: say.key, ticks },
      rows: { label: say.query, ticks },
      legend: '',
      label: say.mapLabel(say.ways[way], describe(view)),
      cell: chosen(view),
      onCell: view.setFocus,
      onPick: ({ row, column }) => view.set({ query: row, key: column }),
    })}
  </div>`;
}

/** One pair's three scores as sums. */
function cell(view: CombineView) {
  const { data, language, say, settings } = view;
  const { row, column } = chosen(view);
  const tokens = tokensOf(language, settings.text);
  const at = row * count + column;
  const { score, content, position, rest, width } = say.columns;
  const value = (way: Way, id: string, number: number) =>
    html`<td data-number="${way}-${id}">${fixed(number, 3)}</td>`;
  const label = say.cell(row, column, tokens[row]!, tokens[column]!);
  return html`<div class="scrolling" tabindex="0" role="group" aria-label=${label}><table class="cell">
    <caption>${label}</caption>
    <thead>
      <tr>
        <td></td>
        ${[score, content, position, rest, width].map((name) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${ways.map(
        (way) => html`<tr>
          <th scope="row">${say.ways[way]}</th>
          ${value(way, 'score', data.ways[way].scores[at]!)}
          ${value(way, 'content', data.content[at]!)}
          ${value(way, 'position', data.position[at]!)}
          ${value(way, 'rest', data.ways[way].rest[at]!)}
          <td data-number="${way}-width">${data.ways[way].width}</td>
        </tr>`,
      )}
    </tbody>
  </table></div>`;
}

function describe(view: CombineView): string {
  const { data, say } = view;
  const { row, column } = chosen(view);
  const [add, multiply, joined] = ways.map((way) =>
    fixed(data.ways[way].scores[row * count + column]!, 2),
  );
  return say.describe(row, column, add!, multiply!, joined!);
}

function draw(view: CombineView) {
  const { data, say } = view;
  const width = view.width >= 800 ? Math.floor((view.width - 32) / 3) : view.width;
  return html`<div class="maps">${ways.map((way) => map(view, way, width))}</div>
    ${cell(view)}
    ${numbers(
      Object.fromEntries(
        ways.map((way) => [
          `largest-${way}`,
          [say.rest[way], rounded(data.ways[way].largestRest, 3)],
        ]),
      ),
    )}`;
}

export default defineFigure({
  claims: ['C16', 'C17'],
  isWide: true,
  text: words.strings,
  controls,
  compute: ({ size, text }, engine, language) =>
    engine.combinedScores({ words: tokensOf(language, text), size }),
  draw,
  describe,
  table: ({ data, say }: CombineView) => {
    return {
      columns: [
        say.query,
        say.key,
        say.columns.content,
        say.columns.position,
        ...ways.map((way) => say.ways[way]),
      ],
      rows: Array.from(data.content, (content, at) => [
        Math.floor(at / count),
        at % count,
        content,
        data.position[at]!,
        ...ways.map((way) => data.ways[way].scores[at]!),
      ]),
    };
  },
  styles: inputStyle,
});

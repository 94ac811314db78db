/** The same table added to the tokens, multiplied with them, and joined to them. */
import { html, nothing, svg } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import { lines, within } from '../../plots/axis.ts';
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

const columnNames = ['content', 'position', 'rest'] as const;

/** The parts of a score; undefined where the way has no such part. */
function partsOf({ data }: CombineView, way: Way, at: number) {
  const { scores, rest } = data.ways[way];
  const [content, position] = [data.content[at]!, data.position[at]!];
  // Each of its products is of a word and a position at once.
  if (way === 'multiply') return { content: undefined, position: undefined, rest: scores[at]! };
  return { content, position, rest: way === 'add' ? rest[at]! : undefined };
}

/** Of which parts the score of the chosen pair is the sum, a row for each way. */
function parts(view: CombineView, label: string) {
  const { data, say, width } = view;
  const { row, column } = chosen(view);
  const at = row * count + column;
  const isNarrow = width < 560;
  const nameWidth = isNarrow ? 0 : 150;
  const columnWidth = (width - nameWidth) / 4;
  const rowHeight = isNarrow ? 78 : 58;
  const rows = ways.map((way) => ({
    way,
    ...partsOf(view, way, at),
    score: data.ways[way].scores[at]!,
  }));
  const values = rows.flatMap(({ content = 0, position = 0, rest = 0, score }) => [
    content,
    position,
    rest,
    score,
  ]);
  const [lowest, highest] = [Math.min(0, ...values), Math.max(1, ...values)];
  const unit = (columnWidth - 32) / (highest - lowest);
  const x = (index: number) => nameWidth + (index + 0.5) * columnWidth;
  /** From the middle of a column to the zero of its bars. */
  const zero = 16 - columnWidth / 2 - lowest * unit;
  const heads = [...columnNames.map((name) => say.columns[name]), say.columns.score].map((name) =>
    lines(name, columnWidth - 6),
  );
  // Left of the third column, which has the bar.
  const both = lines(say.both, 2 * columnWidth - 16);
  const cell = (index: number, look: string, y: number, value: number | undefined) => {
    if (value === undefined)
      return svg`<text x=${x(index)} y=${y + 33} text-anchor="middle">${say.none}</text>`;
    const from = x(index) + zero;
    const text = fixed(value, 2);
    const left = x(index) - columnWidth / 2 + 8;
    // Over the middle of its bar.
    const middle = left + within(from + (value * unit) / 2 - left, text, columnWidth - 16);
    return svg`<text class="part-value" x=${middle} y=${y + 14} text-anchor="middle">${text}</text>
      <line class="part-zero" x1=${from} x2=${from} y1=${y + 17} y2=${y + 39} />
      <rect class="${look} ${value < 0 ? 'is-negative' : ''}" x=${from + Math.min(0, value * unit)} y=${y + 21} height="14"
        width=${Math.abs(value * unit)} />`;
  };
  const sign = (before: number, y: number, text: string) =>
    svg`<text x=${nameWidth + before * columnWidth} y=${y + 32} text-anchor="middle">${text}</text>`;
  const head = 14 + 16 * Math.max(...heads.map((name) => name.length));
  const height = head + rows.length * rowHeight;
  return html`<p class="orders">${pairLabel(view)}</p>
    <div class="plot">
      <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
        ${heads.map((name, index) =>
          name.map(
            (part, line) =>
              svg`<text x=${x(index)} y=${14 + 16 * line} text-anchor="middle">${part}</text>`,
          ),
        )}
        ${rows.map(({ way, content, position, rest, score }, k) => {
          const top = head + k * rowHeight;
          const y = top + (isNarrow ? 26 : 8);
          return svg`<line class="part-rule" x2=${width} y1=${top} y2=${top} />
            <text class="way" x="0" y=${top + (isNarrow ? 19 : 33)}>${say.ways[way]}</text>
            ${
              way === 'multiply'
                ? svg`<rect class="part-all" x=${nameWidth + 6} y=${y} rx="3" height="38"
                    width=${3 * columnWidth - 20} />
                  ${both.map(
                    (part, line) => svg`<text x=${x(0) - columnWidth / 2 + 12}
                      y=${y + 23 + 16 * (line - (both.length - 1) / 2)}>${part}</text>`,
                  )}
                  ${cell(2, 'part is-rest', y, rest)}`
                : svg`${cell(0, 'part is-word', y, content)}
                  ${cell(1, 'part is-position', y, position)} ${cell(2, 'part is-rest', y, rest)}`
            }
            ${cell(3, 'part', y, score)}
            ${way === 'multiply' ? nothing : sign(1, y, '+')}
            ${way === 'add' ? sign(2, y, '+') : nothing} ${sign(3, y, '=')}`;
        })}
      </svg>
    </div>`;
}

function pairLabel(view: CombineView): string {
  const { language, say, settings } = view;
  const { row, column } = chosen(view);
  const tokens = tokensOf(language, settings.text);
  return say.cell(row, column, tokens[row]!, tokens[column]!);
}

/** One pair's three scores as sums. */
function cell(view: CombineView) {
  const { data, say } = view;
  const { row, column } = chosen(view);
  const at = row * count + column;
  const { score, content, position, rest, width } = say.columns;
  const value = (way: Way, id: string, number: number) =>
    html`<td data-number="${way}-${id}">${fixed(number, 3)}</td>`;
  const label = pairLabel(view);
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

const describe = ({ say }: CombineView): string => say.describe;

function draw(view: CombineView) {
  const { data, say } = view;
  const width = view.width >= 800 ? Math.floor((view.width - 32) / 3) : view.width;
  return html`${parts(view, describe(view))}
    <div class="values-only">
      <div class="maps">${ways.map((way) => map(view, way, width))}</div>
      ${cell(view)}
    </div>
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
  tries: words.tries,
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

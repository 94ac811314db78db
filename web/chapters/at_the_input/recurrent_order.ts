/** A recurrent layer before attention encodes order, at the cost of one step per token. */
import { html, svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls, type ViewOf } from '../../figures/figure.ts';
import { range } from '../../figures/shared_controls.ts';
import { textWidth } from '../../plots/axis.ts';
import { signedScale } from '../../plots/colors.ts';
import { legend } from '../../plots/line_chart.ts';
import { matrixPlot, type Cell } from '../../plots/matrix_plot.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import { linearScale } from '../../plots/scale.ts';
import { hiddenWidth, tokenWidth, type RecurrentOrder } from './jobs.ts';
import { words } from './recurrent_order_text.ts';
import { inputStyle } from './style.ts';

const controls = defineControls({
  shuffle: range(words.shuffle, { default: 2, min: 0, max: 20 }),
  length: range(
    words.length,
    { default: 6, min: 1, max: 512 },
    { symbol: 'N', hue: 'position', display: true },
  ),
  seed: range(words.seed, { default: 1, min: 0, max: 99 }),
});

type OrderView = ViewOf<typeof controls, typeof words.strings, RecurrentOrder, Cell>;

const rowHeight = 38;

/** The words in the order shown, with the state of the layer after each. */
function states(view: OrderView, width: number, label: string) {
  const { data, language, say, theme } = view;
  const sentence = words.sentence[language];
  return html`<div class="states">
    ${matrixPlot({
      id: 'states',
      width,
      height: sentence.length * rowHeight,
      matrix: { values: data.states, rows: sentence.length, columns: hiddenWidth },
      scale: signedScale(theme, 1),
      columns: {
        label: say.hidden,
        ticks: [0, 4, 8, 12].map((value) => ({ value, text: String(value) })),
      },
      rows: { label: say.states, ticks: [] },
      legend: say.legend,
      label,
      cell: view.focus ?? undefined,
      onCell: view.setFocus,
      over: ({ y, left }) =>
        svg`${data.order.map(
          (word, place) => svg`<text class="word" x=${left - 6} y=${y(place) + 6}
          text-anchor="end">${sentence[word]}</text>`,
        )}`,
    })}
  </div>`;
}

const labelWidth = 70;

/** How much the output of each word changes in the order shown; without the layer, not at all. */
function bars(view: OrderView, label: string) {
  const { data, language, say, width } = view;
  const numberWidth = 46;
  const largest = Math.max(0.1, ...data.change.with);
  const x = linearScale([0, largest], [labelWidth, width - numberWidth]);
  const half = rowHeight / 2 - 4;
  const height = data.order.length * rowHeight;
  const bar = (
    look: string,
    y: number,
    change: number,
    name = '',
  ) => svg`<rect class=${look} x=${labelWidth}
      y=${y} height=${half} width=${Math.max(1.5, x(change) - labelWidth)} />
    <text x=${Math.max(labelWidth, x(change)) + 7} y=${y + half - 1}>${fixed(change, 2)}${name}</text>`;
  return html`<p class="orders">${say.orders(sentenceOf(view, false), sentenceOf(view, true))}</p>
    <div class="plot">
      <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img"
        aria-label=${label}>
        ${data.order.map((word, place) => {
          const y = place * rowHeight + 3;
          return svg`<text class="word" x=${labelWidth - 10} y=${y + half + 5} text-anchor="end"
              >${words.sentence[language][word]}</text>
            ${bar('bar', y, data.change.with[word]!)}
            ${bar('bar without', y + half, data.change.without[word]!, place === 0 ? ` ${say.changes.without}` : '')}`;
        })}
      </svg>
      ${legend(
        [
          { name: say.changes.with, look: 'position', band: [] },
          { name: say.changes.without, look: 'faint', band: [] },
        ],
        labelWidth,
      )}
    </div>`;
}

/** What it costs: the steps one after another, as a row of squares or, of many, as a bar. */
function steps({ settings, say, width }: OrderView) {
  const { length } = settings;
  const name = Math.max(textWidth(say.recurrent), textWidth(say.table)) + 12;
  const isNarrow = name > width / 2;
  const left = isNarrow ? 0 : name;
  const cell = Math.min(16, (width - left - 46) / length);
  const gap = cell > 6 ? 2 : 0;
  const row = (top: number, look: string, text: string, count: number) => {
    const y = isNarrow ? top + 18 : top;
    return svg`<text x="0" y=${isNarrow ? top + 13 : top + 12}>${text}</text>
      ${
        gap > 0
          ? Array.from(
              { length: count },
              (_, k) => svg`<rect class=${look} x=${left + k * cell} y=${y}
                width=${cell - gap} height="14" />`,
            )
          : svg`<rect class=${look} x=${left} y=${y} width=${Math.max(2, cell * count)} height="14" />`
      }
      <text x=${left + cell * count + 5} y=${y + 12}>${whole(count)}</text>`;
  };
  const high = isNarrow ? 38 : 22;
  return html`<p class="orders">${say.price}</p>
    <div class="plot steps">
      <svg width=${width} height=${2 * high} viewBox="0 0 ${width} ${2 * high}" role="img"
        aria-label=${say.stairs(length)}>
        ${row(2, 'bar', say.recurrent, length)} ${row(2 + high, 'bar without', say.table, 1)}
      </svg>
    </div>`;
}

function sentenceOf({ data, language }: OrderView, isShuffled: boolean): string {
  const sentence = words.sentence[language];
  const order = isShuffled ? data.order : sentence.map((_, word) => word);
  return order.map((word) => sentence[word]).join(language === 'zh' ? '' : ' ');
}

function describe(view: OrderView): string {
  const { data, settings, say } = view;
  const isShuffled = data.order.some((word, place) => word !== place);
  if (!isShuffled) return say.asWritten;
  return say.describe(fixed(Math.max(...data.change.with), 2), whole(settings.length));
}

export default chartFigure({
  claims: ['C15'],
  text: words.strings,
  tries: words.tries,
  styles: inputStyle,
  controls,
  compute: ({ shuffle, seed }, engine, language) =>
    engine.recurrentOrder({ words: words.sentence[language], shuffle, seed }),
  show(view: OrderView) {
    const { data, settings, language, width, say } = view;
    const { change, order } = data;
    const { length } = settings;
    const sentence = words.sentence[language];
    const [largest, least] = [Math.max(...change.with), Math.max(...change.without)];
    const products = length * hiddenWidth * (tokenWidth + hiddenWidth);
    const description = describe(view);
    return {
      description,
      charts: [],
      after: html`${bars(view, description)} ${steps(view)}
        <div class="values-only">${states(view, width, description)}</div>`,
      numbers: {
        with: [say.withLabel, fixed(largest, 4)],
        without: [say.withoutLabel, rounded(least, 2)],
        steps: [say.stepsRecurrent, whole(length)],
        'steps-table': [say.stepsTable, '1'],
        products: [say.productsRecurrent(tokenWidth, hiddenWidth), whole(products)],
        'products-table': [say.productsTable, whole(length * tokenWidth)],
      },
      table: {
        columns: [
          say.place,
          say.word,
          say.changes.without,
          say.changes.with,
          ...Array.from({ length: hiddenWidth }, (_, j) => `h${j}`),
        ],
        rows: order.map((word, place) => [
          place,
          sentence[word]!,
          change.without[word]!,
          change.with[word]!,
          ...data.states.subarray(place * hiddenWidth, (place + 1) * hiddenWidth),
        ]),
      },
    };
  },
});

/** A recurrent layer before attention encodes order, at the cost of one step per token. */
import { html, svg } from 'lit';
import { scaleLinear } from 'd3-scale';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls, type ViewOf } from '../../figures/figure.ts';
import { range } from '../../figures/shared_controls.ts';
import { horizontalAxis } from '../../plots/axis.ts';
import { signedScale } from '../../plots/colors.ts';
import { legend } from '../../plots/line_chart.ts';
import { matrixPlot, type Cell } from '../../plots/matrix_plot.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import { hiddenWidth, tokenWidth, type RecurrentOrder } from './jobs.ts';
import { words } from './recurrent_order_text.ts';
import { inputStyle } from './style.ts';

const controls = defineControls({
  shuffle: range(words.shuffle, { default: 2, min: 0, max: 20 }),
  seed: range(words.seed, { default: 1, min: 0, max: 99 }),
  length: range(
    words.length,
    { default: 12, min: 1, max: 512 },
    { symbol: 'N', hue: 'position', display: true },
  ),
});

type OrderView = ViewOf<typeof controls, typeof words.strings, RecurrentOrder, Cell>;

const rowHeight = 34;

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

/** The change of each word's output, in the order shown: a bar with the layer, a tick without. */
function bars(view: OrderView, width: number, label: string) {
  const { data, language, say } = view;
  const left = 70;
  const largest = Math.max(0.1, ...data.change.with);
  const x = scaleLinear([0, largest], [left, width - 20]);
  const top = 34;
  const bottom = top + data.order.length * rowHeight;
  const height = bottom + 44;
  const ticks = x.ticks(4).map((value) => ({ value, text: String(value) }));
  return html`<div class="plot">
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img"
      aria-label=${label}>
      ${data.order.map((word, place) => {
        const y = top + place * rowHeight;
        return svg`<text class="word" x=${left - 10} y=${y + 22} text-anchor="end">
            ${words.sentence[language][word]}</text>
          <rect class="bar" x=${left} y=${y + 6} height=${rowHeight - 12}
            width=${x(data.change.with[word]!) - left} />
          <line class="without" x1=${x(data.change.without[word]!)} x2=${x(data.change.without[word]!)}
            y1=${y + 4} y2=${y + rowHeight - 4} />`;
      })}
      ${horizontalAxis(
        { at: x, ticks, label: say.change, start: left, end: width - 20, width },
        bottom,
      )}
    </svg>
    ${legend(
      [
        { name: say.changes.with, look: 'position strong' },
        { name: say.changes.without, look: 'faint strong' },
      ],
      left,
    )}
  </div>`;
}

export default chartFigure({
  claims: ['C15'],
  text: words.strings,
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
    const half = width >= 800 ? (width - 40) / 2 : width;
    const tokens = Array.from({ length }, (_, t) => t + 1);
    const dots = length <= 64;
    const description = say.describe(
      order.map((word) => sentence[word]).join(' '),
      rounded(least, 1),
      fixed(largest, 3),
    );
    return {
      description,
      charts: [
        // The step in which each token is encoded: one after another, or all in the first.
        {
          before: html`<div class="pair">
            ${states(view, half, description)} ${bars(view, half, description)}
          </div>`,
          height: 300,
          x: { domain: [0, length + 1], values: tokens, label: say.step, whole: true },
          y: { domain: [0, length + 1], label: say.token, whole: true },
          series: [
            { name: say.recurrent, values: tokens, look: 'position', dots },
            {
              name: say.table,
              points: tokens.map((token) => [1, token] as const),
              look: 'plain',
              dots,
            },
          ],
          label: say.stairs(length),
        },
      ],
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

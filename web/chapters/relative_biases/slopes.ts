/** One slope per head, by three conventions, and the window that each slope leaves. */
import { html, svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls, type ViewOf } from '../../figures/figure.ts';
import { choice, modelRange, range } from '../../figures/shared_controls.ts';
import { textWidth, ticksEvery } from '../../plots/axis.ts';
import { magnitudeScale } from '../../plots/colors.ts';
import type { Point } from '../../plots/line_chart.ts';
import { matrixPlot, type Cell, type MatrixFrame } from '../../plots/matrix_plot.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { conventions, type Slopes } from './jobs.ts';
import { words } from './slopes_text.ts';
import { biasStyle } from './style.ts';

const controls = defineControls(
  {
    head: range(words.head, { default: 3, min: 1, max: 64 }, { symbol: 'h', display: true }),
    heads: modelRange('heads', words.heads, { default: 8, min: 1, max: 64 }),
    convention: choice(
      words.convention,
      { published: words.published, sorted: words.sorted, naive: words.naive },
      'published',
    ),
    keys: range(words.keys, { default: 512, min: 4, max: 512, step: 4 }, { symbol: 'N' }),
  },
  { head: ({ heads }) => heads },
);

type SlopeView = ViewOf<typeof controls, typeof words.strings, Slopes, Cell>;

/** Heads count from 1, as in the formula. */
const headOf = ({ focus, settings }: SlopeView) =>
  Math.min(settings.heads, focus === undefined ? settings.head : focus.row + 1);

const slopesOf = ({ data, settings }: SlopeView) => data.slopes[settings.convention];

function windows(view: SlopeView) {
  const { settings, data, say, theme, width } = view;
  const { heads, keys } = settings;
  const step = Math.max(1, Math.ceil(heads / 12));
  const apart = [1, 2, 5, 10, 20, 50, 100].find((each) => keys / each <= width / 80) ?? 100;
  const isSameSize = data.shares.length === heads * keys;
  return matrixPlot({
    id: 'windows',
    width,
    height: Math.min(420, Math.max(110, heads * 17)),
    matrix: { values: data.shares, rows: heads, columns: keys },
    scale: magnitudeScale(theme, 1),
    columns: {
      label: say.keyAxis,
      ticks: ticksEvery(keys, apart).map(({ value, text }) => ({ value: keys - 1 - value, text })),
    },
    rows: {
      label: say.headAxis,
      ticks: ticksEvery(heads, step, (head) => String(head + 1)),
    },
    legend: say.legend,
    label: say.mapLabel(heads, keys),
    cell: isSameSize ? view.focus : undefined,
    onCell: view.setFocus,
    onPick: ({ row }) => view.set({ head: row + 1 }),
    over: (frame) => edges(view, frame),
  });
}

/** Where each head has fallen to 1/e, its window's edge at distance 1 / slope, if in the text. */
function edges(view: SlopeView, frame: MatrixFrame) {
  const { keys, heads } = view.settings;
  const height = frame.height / heads;
  const cell = frame.width / keys;
  const marks = Array.from(slopesOf(view), (slope, h) => ({
    x: frame.x(keys - 1) - cell / slope,
    y: frame.top + h * height,
    text: rounded(1 / slope),
  })).filter(({ x }) => x >= frame.left);
  const steps = marks.map(({ x, y }) => `M${x},${y}v${height}`).join('');
  const named =
    height < 16 ? [] : marks.filter(({ x, text }) => x - 6 - textWidth(text) > frame.left);
  const mine = frame.top + (headOf(view) - 1) * height;
  return svg`<path class="window-halo" d=${steps} /><path class="window" d=${steps} />
    ${named.map(
      ({ x, y, text }) => svg`<text class="limit-label" x=${x - 5} y=${y + height / 2 + 4.5}
        text-anchor="end">${text}</text>`,
    )}
    <rect class="row-mark" x=${frame.left} y=${mine} width=${frame.width} height=${height} />`;
}

export default chartFigure({
  claims: ['C19'],
  text: words.strings,
  tries: words.tries,
  styles: biasStyle,
  controls,
  compute: ({ heads, keys, convention }, engine) => engine.alibiHeads({ heads, keys, convention }),
  show(view: SlopeView) {
    const { settings, data, language, focus, set, setFocus, say } = view;
    const { heads, keys, convention } = settings;
    const { published, sorted, naive } = data.slopes;
    const head = headOf(view);
    const slopes = slopesOf(view);
    const slope = slopes[head - 1]!;
    const cell = focus && focus.row < heads && focus.column < keys ? focus : undefined;
    const weightAt = (column: number) => data.weights[(head - 1) * keys + column]!;
    const points = (values: Float64Array) =>
      Array.from(values, (value, h): Point => [h + 1, value]);
    const rivals = conventions.filter(
      (other) => other !== convention && data.slopes[other].some((s, h) => s !== slopes[h]),
    );
    const headUnder = (at: number) => Math.min(heads, Math.max(1, Math.round(at)));
    const reach = [Math.max(...slopes), Math.min(...slopes)].map((s) => rounded(1 / s, 3));
    return {
      description: say.describe(slopes.length, reach[0]!, reach[1]!),
      charts: [
        {
          before: html`${windows(view)}`,
          height: 200,
          x: { domain: [0.4, heads + 0.6], label: say.headAxis, whole: true },
          y: { domain: [2 ** -8.6, 1.2], label: say.slopeAxis, scale: 'log' },
          series: [
            ...rivals.map((other) => ({
              name: say.others(words[other][language]),
              points: points(data.slopes[other]),
              look: other === 'naive' ? 'faint dashed' : 'faint',
            })),
            {
              name: words[convention][language],
              points: points(slopes),
              look: 'position',
              dots: true,
            },
            { name: say.chosen(head), points: [[head, slope]], look: 'bold plain', dots: true },
          ],
          onCursor: (at) =>
            setFocus(at === undefined ? undefined : { row: headUnder(at) - 1, column: keys - 1 }),
          onPick: (at) => set({ head: headUnder(at) }),
        },
      ],
      numbers: {
        slope: [say.slope(head), rounded(slope, 6)],
        window: [say.window(head), rounded(1 / slope, 4)],
        nearest: [say.nearest, fixed(weightAt(keys - 1), 5)],
        holding: [say.holding, `${data.holding[head - 1]} / ${keys}`],
        widest: [say.widest, rounded(1 / Math.min(...slopes), 4)],
        ...(cell && {
          cell: [say.cell(head, keys - 1 - cell.column), rounded(weightAt(cell.column), 3)],
        }),
      },
      table: {
        columns: say.columns,
        rows: Array.from(slopes, (each, h) => [
          h + 1,
          published[h]!,
          sorted[h]!,
          naive[h]!,
          1 / each,
          data.holding[h]!,
        ]),
      },
    };
  },
});

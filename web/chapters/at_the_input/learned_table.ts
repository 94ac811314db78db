/** A learned table has a fixed number of rows; reading past its end is an error. */
import { html, nothing, svg } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { range } from '../../figures/shared_controls.ts';
import { signedScale } from '../../plots/colors.ts';
import { matrixPlot, type Cell, type MatrixFrame } from '../../plots/matrix_plot.ts';
import { ticksEvery } from '../../plots/axis.ts';
import { fixed, whole } from '../../plots/number.ts';
import { errorIn } from '../../error_text.ts';
import type { LearnedRows } from './jobs.ts';
import { words } from './learned_table_text.ts';
import { inputStyle } from './style.ts';

const controls = defineControls({
  length: range(words.length, { default: 20, min: 1, max: 600 }, { symbol: 'N', hue: 'position' }),
  rows: range(words.rows, { default: 16, min: 1, max: 512 }),
  dim: range(words.dim, { default: 64, min: 4, max: 768, step: 4 }, { symbol: 'd' }),
});

type TableView = ViewOf<typeof controls, typeof words.strings, LearnedRows, Cell>;

/** Three standard deviations of the numbers that BERT begins with. */
const entryLimit = 0.06;

const ticks = (count: number, most: number) => {
  const step = [1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128].find((s) => count / s <= most);
  return ticksEvery(count, step ?? 128);
};

function map(view: TableView) {
  const { settings, data, say, theme, width } = view;
  const { rows, dim, length } = settings;
  const total = Math.max(rows, length);
  return matrixPlot({
    id: 'learned',
    width,
    height: Math.min(420, Math.max(200, total * 14)),
    matrix: { values: data.table, rows: total, columns: dim },
    scale: signedScale(theme, entryLimit),
    columns: { label: say.columnAxis, ticks: ticks(dim, width / 60) },
    rows: { label: say.rowAxis, ticks: ticks(total, 12) },
    legend: say.legend,
    label: describe(view),
    cell: view.focus ?? undefined,
    onCell: view.setFocus,
    over: (frame) => over(view, frame, total),
  });
}

/** How far the text reaches, and the rows that are not there. */
function over({ settings, say }: TableView, frame: MatrixFrame, total: number) {
  const { rows, length } = settings;
  const y = (row: number) => frame.top + (row * frame.height) / total;
  const right = frame.left + frame.width;
  const label = say.none(rows, length - 1);
  const gap = y(length) - y(rows);
  return svg`<path class="reach" d="M${right + 4},${y(0)}h5V${y(length)}h-5" />
    ${
      length > rows
        ? svg`<rect class="missing" x=${frame.left + 1} y=${y(rows) + 1}
            width=${frame.width - 2} height=${Math.max(2, gap - 2)} />
          ${
            gap > 22
              ? svg`<text class="missing-label" x=${frame.left + 12}
                  y=${y(rows) + gap / 2 + 5}>${label}</text>`
              : nothing
          }`
        : nothing
    }`;
}

function describe({ settings, say }: TableView): string {
  const { rows, length } = settings;
  return say.describe(rows, length, Math.max(0, length - rows));
}

function draw(view: TableView) {
  const { data, settings, language, say, focus } = view;
  const { rows, length, dim } = settings;
  const value = focus && data.table[focus.row * dim + focus.column];
  return html`
    ${map(view)}
    <p class="refusal values-only" role="status" data-number="refusal">${
      data.error ? say.says + errorIn(language, data.error) : nothing
    }</p>
    <p class="readout">${
      value === undefined || Number.isNaN(value)
        ? nothing
        : `p(${focus!.row}, ${focus!.column}) = ${fixed(value, 5)}`
    }</p>
    ${numbers({
      given: [say.given, whole(data.given)],
      missing: [say.missing, whole(Math.max(0, length - rows))],
      parameters: [say.parameters, whole(rows * dim)],
      sinusoid: [say.sinusoid, whole(data.sinusoid)],
    })}`;
}

export default defineFigure({
  claims: ['C14'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: ({ rows, dim, length }, engine) => engine.rowsOfTable({ rows, dim, length }),
  draw,
  describe,
  table: ({ data, settings, say }: TableView) => ({
    columns: [say.rowAxis, ...Array.from({ length: settings.dim }, (_, j) => String(j))],
    rows: Array.from({ length: settings.rows }, (_, t) => [
      t,
      ...data.table.subarray(t * settings.dim, (t + 1) * settings.dim),
    ]),
  }),
  styles: inputStyle,
});

/** The table of position vectors as a picture, and any column of it as a wave. */
import { html, nothing, svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls, type ViewOf } from '../../figures/figure.ts';
import { baseRange, choice, modelRange, range } from '../../figures/shared_controls.ts';
import { textWidth, ticksEvery } from '../../plots/axis.ts';
import { signedScale } from '../../plots/colors.ts';
import { nameIn, type Frame, type Point } from '../../plots/line_chart.ts';
import { matrixPlot, type Cell, type MatrixFrame } from '../../plots/matrix_plot.ts';
import { fixed, rounded } from '../../plots/number.ts';
import type { SinusoidTable } from './jobs.ts';
import { pairOf } from './layouts.ts';
import { words } from './heatmap_text.ts';
import { sinusoidStyle } from './style.ts';

const controls = defineControls(
  {
    positions: range(
      words.positions,
      { default: 50, min: 2, max: 512 },
      { symbol: 't', hue: 'position' },
    ),
    base: baseRange(2, 1e6),
    dim: modelRange('dim', words.dim, { default: 128, min: 4, max: 512 }),
    layout: choice(
      words.layout,
      { interleaved: words.interleaved, 'half-split': words.halfSplit },
      'interleaved',
    ),
    spacing: choice(
      words.spacing,
      { 'dim/2': { en: '2i/d', zh: '2i/d' }, 'dim/2-1': { en: 'i/(d/2 − 1)', zh: 'i/(d/2 − 1)' } },
      'dim/2',
    ),
    order: choice(
      words.order,
      { 'sin-first': words.sinFirst, 'cos-first': words.cosFirst },
      'sin-first',
    ),
    column: range(
      words.column,
      { default: 20, min: 0, max: 511 },
      { symbol: 'j', display: true, place: 'drawing' },
    ),
  },
  { column: ({ dim }) => dim - 1 },
);

type HeatmapView = ViewOf<typeof controls, typeof words.strings, SinusoidTable, Cell>;

/** The column in view: pointed at, or else chosen. */
function chosen({ settings, focus, data }: HeatmapView) {
  const column = Math.min(focus?.column ?? settings.column, settings.dim - 1);
  const pair = pairOf(column, settings);
  const isFirst = settings.layout === 'interleaved' ? column % 2 === 0 : column < settings.dim / 2;
  const wave = isFirst === (settings.order === 'sin-first') ? 'sin' : 'cos';
  return { column, pair, wave, wavelength: data.wavelengths[pair]! };
}

function map(view: HeatmapView, label: string) {
  const { settings, data, say, theme, width } = view;
  const { positions, dim } = settings;
  const columnStep = Math.max(1, 2 ** Math.ceil(Math.log2((dim * 62) / width)));
  const rowStep = [1, 2, 5, 10, 20, 50, 100].find((step) => positions / step <= 8) ?? 100;
  return matrixPlot({
    id: 'table',
    width,
    height: Math.round(Math.min(330, Math.max(240, ((width - 60) / dim) * positions))),
    matrix: { values: data.table, rows: positions, columns: dim },
    scale: signedScale(theme, 1),
    columns: { label: say.columnAxis, ticks: ticksEvery(dim, columnStep) },
    rows: { label: say.rowAxis, ticks: ticksEvery(positions, rowStep) },
    above: {
      label: say.wavelengthAxis,
      ticks: ticksEvery(dim, columnStep).map(({ value }) => ({
        value,
        text: rounded(data.wavelengths[pairOf(value, settings)]!),
      })),
    },
    legend: 'PE(t, j)',
    label,
    cell: view.focus ?? undefined,
    onCell: view.setFocus,
    onPick: ({ column }) => view.set({ column }),
    over: (frame) => turnLine(view, frame),
  });
}

/** Where the waves become longer than the table, and the chosen column. */
function turnLine(view: HeatmapView, frame: MatrixFrame) {
  const { settings, data, say } = view;
  const { dim, layout, positions } = settings;
  const slow = data.wavelengths.findIndex((wavelength) => wavelength > positions);
  const width = frame.width / dim;
  const at = (column: number) => frame.left + column * width;
  const starts = slow < 0 ? [] : layout === 'interleaved' ? [2 * slow] : [slow, dim / 2 + slow];
  const { column } = chosen(view);
  const bottom = frame.top + frame.height;
  const label = say.noTurn(positions);
  const isRoomy = frame.left + frame.width - at(starts[0] ?? 0) > 20 + textWidth(label);
  return svg`
    ${starts.map(
      (start) => svg`<path class="wavelength-halo" d="M${at(start)},${frame.top}v${frame.height}" />
        <path class="wavelength" d="M${at(start)},${frame.top}v${frame.height}" />`,
    )}
    ${
      starts.length === 1 && isRoomy
        ? svg`<defs><filter id="plate" x="-2%" width="104%" y="-5%" height="110%">
              <feFlood class="plate" result="plate" />
              <feMerge><feMergeNode in="plate" /><feMergeNode in="SourceGraphic" /></feMerge>
            </filter></defs>
            <text class="wavelength-label" filter="url(#plate)" x=${at(starts[0]!) + 10}
              y=${bottom - 8}>${label}</text>`
        : nothing
    }
    <path class="chosen" d="M${at(column + 0.5)},${frame.top + frame.height}l-5,8h10z" />`;
}

/** One wavelength, to scale, where it fits. */
function ruler(frame: Frame, wavelength: number, positions: number, text: string) {
  if (wavelength > positions - 1) return svg``;
  const { x } = frame;
  const level = frame.y(-1.24);
  return svg`<g class="ruler"><path d="M${x(0)},${level - 4}v8m0,-4H${x(wavelength)}m0,-4v8" />
    ${nameIn(frame, text, { x: x(wavelength) + 7, y: level + 4 }, '')}</g>`;
}

function readout(view: HeatmapView) {
  const { settings, data, focus, say } = view;
  const { column, pair, wave: name, wavelength } = chosen(view);
  const length = rounded(wavelength, 4);
  if (!focus) return say.column(column, name, pair, length);
  const value = data.table[focus.row * settings.dim + column]!;
  return say.cell(focus.row, column, fixed(value, 6), name, pair, length);
}

export default chartFigure({
  claims: ['C08', 'C12'],
  isWide: true,
  text: words.strings,
  tries: words.tries,
  styles: sinusoidStyle,
  controls,
  compute: ({ positions, dim, base, layout, spacing, order }, engine) =>
    engine.sinusoidTable({ positions, dim, base, layout, spacing, order }),
  show(view: HeatmapView) {
    const { settings, data, focus, setFocus, say } = view;
    const { positions, dim, layout } = settings;
    const { table, fine, fineTimes, closest, swing } = data;
    const { column, wavelength } = chosen(view);
    const description = say.describe(
      positions,
      fixed(swing.fast, 2),
      fixed(swing.slow, 2),
      layout === 'half-split',
    );
    const exact = Array.from({ length: positions }, (_, t) => table[t * dim + column]!);
    const halves = layout === 'interleaved' ? say.halves : say.halvesOfPairs;
    return {
      description,
      charts: [
        {
          before: html`${map(view, description)}
            <div class="column">
              ${view.control('column')}
              <p class="readout" data-number="readout">${readout(view)}</p>
            </div>`,
          height: 190,
          x: { domain: [0, positions - 1], label: say.rowAxis, whole: true },
          y: { domain: [-1.45, 1.15], label: say.waveAxis(column) },
          series: [
            {
              name: '',
              points: fineTimes.map((t, k): Point => [t, fine[k * dim + column]!]),
              look: 'position',
            },
            ...(positions <= 120
              ? [{ name: '', values: exact, look: 'position', dots: true }]
              : []),
          ],
          label: say.waveLabel(column, rounded(wavelength, 4)),
          cursor: focus?.row,
          digits: 4,
          onCursor: (t) => setFocus(t === undefined ? undefined : { row: Math.round(t), column }),
          below: (frame) => ruler(frame, wavelength, positions, say.oneTurn),
        },
      ],
      numbers: {
        'swing-fast': [halves.fast, fixed(swing.fast, 3)],
        'swing-slow': [halves.slow, fixed(swing.slow, 3)],
        closest: [say.closest(closest.first, closest.second), fixed(closest.distance, 4)],
      },
      table: {
        columns: [say.rowAxis, ...Array.from({ length: dim }, (_, j) => String(j))],
        rows: Array.from({ length: positions }, (_, t) => [
          t,
          ...table.subarray(t * dim, (t + 1) * dim),
        ]),
      },
    };
  },
});

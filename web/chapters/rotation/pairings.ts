/** Both pairings, element by element and as a matrix, and the permutation between them. */
import { html, svg } from 'lit';
import type { RotaryLayout } from 'ropewalk';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { choice, pairRange, range } from '../../figures/shared_controls.ts';
import { ticksEvery } from '../../plots/axis.ts';
import { signedScale } from '../../plots/colors.ts';
import { matrixPlot, type Cell } from '../../plots/matrix_plot.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { drawingTextSize } from '../../plots/text_size.ts';
import type { Pairing } from './jobs.ts';
import { entriesOf } from './layouts.ts';
import { words } from './pairings_text.ts';
import { rotationStyle } from './style.ts';

const longestVector = 12;

const controls = defineControls(
  {
    position: range(
      words.position,
      { default: 2, min: 0, max: 100 },
      { symbol: 'm', hue: 'position' },
    ),
    layout: choice(
      words.layout,
      { interleaved: words.interleaved, 'half-split': words.halfSplit },
      'interleaved',
    ),
    base: range(words.base, { default: 10000, min: 100, max: 1e7, step: 'log' }, { symbol: 'b' }),
    pair: pairRange(words.pair, { default: 1, max: longestVector / 2 - 1 }),
    vector: {
      kind: 'text',
      label: words.vector,
      default: '1 2 3 4 5 6 7 8',
      maxLength: 120,
    },
  },
  { pair: ({ vector }) => Math.max(2, Math.min(longestVector, numbersIn(vector).length)) / 2 - 1 },
);

type PairingView = ViewOf<typeof controls, typeof words.strings, Pairing, Cell>;

/** The numbers of a text, apart by spaces or commas. */
function numbersIn(text: string): number[] {
  return text
    .trim()
    .split(/[\s,，、]+/)
    .filter((word) => word !== '')
    .map((word) => Number(word.replace('\u2212', '-')));
}

const pairOf = ({ brushed, settings, data }: PairingView) =>
  Math.min(brushed ?? settings.pair, data.x.length / 2 - 1);

const entryHeight = 30;
const labelWidth = 96;
/** Of an entry; where labels stand above their rows, it has fewer digits. */
const leastEntry = { beside: 66, below: 34 };
const arcRoom = 46;

interface Grid {
  left: number;
  entry: number;
  width: number;
  /** The room for a label above its row. */
  head: number;
  x(column: number): number;
}

function gridOf({ width, data }: PairingView): Grid {
  const dim = data.x.length;
  const isBelow = width < labelWidth + dim * leastEntry.beside + 2;
  const left = isBelow ? 1 : labelWidth;
  const least = leastEntry[isBelow ? 'below' : 'beside'];
  const entry = Math.min(84, Math.max(least, (width - left - 2) / dim));
  const x = (column: number) => left + (column + 0.5) * entry;
  return { left, entry, width: left + dim * entry + 2, head: isBelow ? 22 : 0, x };
}

/** One row of numbers; the entries of the pair in view are tinted. */
function entries(grid: Grid, row: NumberRow) {
  const { top, label, values, mine, labelTop = top - grid.head } = row;
  const isBelow = grid.head > 0;
  const digitsOf = (value: number) =>
    Math.min(row.digits, !isBelow ? 3 : Math.abs(value) < 9.995 ? 2 : 1);
  // Five signs stand in the narrowest entry, apart from those of the next.
  const size = Math.min(drawingTextSize(), grid.entry / 3.5);
  const baseline = isBelow ? labelTop + 16 : top + 20;
  return svg`<text class="entry-text" x="0" y=${baseline}>${label}</text>
    ${Array.from(
      values,
      (value, column) => svg`<rect class=${mine.includes(column) ? 'entry mine' : 'entry'}
          x=${grid.left + column * grid.entry} y=${top} width=${grid.entry} height=${entryHeight} />
        <text class="entry-text" .style=${`font-size: ${size}px`} x=${grid.x(column)}
          y=${top + 20} text-anchor="middle">${fixed(value, digitsOf(value))}</text>`,
    )}`;
}

interface NumberRow {
  top: number;
  /** Of a label that is not beside the row. Default: it is above it. */
  labelTop?: number;
  label: string;
  values: ArrayLike<number>;
  digits: number;
  mine: readonly number[];
}

const pairs = (dim: number) => Array.from({ length: dim / 2 }, (_, pair) => pair);

/** From partner to partner above the row at y, or below it; wider arcs go farther. */
function arcs(view: PairingView, grid: Grid, layout: RotaryLayout, y: number, side: 1 | -1 = -1) {
  const { data, say } = view;
  const dim = data.x.length;
  const chosen = pairOf(view);
  return pairs(dim).map((pair) => {
    const [a, b] = entriesOf(layout, pair, dim).map(grid.x) as [number, number];
    const rise = layout === 'interleaved' ? 22 : 24 + (pair * 34) / dim;
    const end = y + side * rise * 1.3;
    const path = `M${a},${y}C${a},${end},${b},${end},${b},${y}`;
    return svg`<path class="arc ${pair === chosen ? 'is-chosen' : ''}" d=${path} />
      <path class="spot" d=${path} stroke="transparent" stroke-width="14"
        @pointerenter=${() => view.brush(pair)} @pointerleave=${() => view.brush(undefined)}
        @click=${() => view.set({ pair })}><title>${say.pair(pair)}</title></path>`;
  });
}

function strip(view: PairingView) {
  const { settings, data, say } = view;
  const grid = gridOf(view);
  const dim = data.x.length;
  const mine = entriesOf(settings.layout, pairOf(view), dim);
  const rows = [data.x, data.cos, data.perpendicular, data.sin, data.rotated];
  const isWhole = data.x.every(Number.isInteger);
  // The arcs reach the entries of the first row, whose label stands above them.
  const first = arcRoom + grid.head;
  const pitch = entryHeight + 5 + grid.head;
  const height = first + rows.length * pitch - grid.head;
  const rowOf = (values: ArrayLike<number>, k: number): NumberRow => ({
    top: first + k * pitch,
    label: say.rows[k]!,
    values,
    digits: isWhole && (k === 0 || k === 2) ? 0 : 3,
    mine,
  });
  return html`<div class="scrolling" tabindex="0" role="group" aria-label=${describe(view)}>
    <svg width=${grid.width} height=${height} viewBox="0 0 ${grid.width} ${height}" role="img"
      aria-label=${describe(view)}>
      ${arcs(view, grid, settings.layout, first)}
      ${rows.map((values, k) => entries(grid, rowOf(values, k)))}
    </svg>
  </div>`;
}

const digitsIn = (x: ArrayLike<number>) => (Array.from(x).every(Number.isInteger) ? 0 : 3);

/** The vector, with the arcs of one pairing above it and those of the other below. */
function both(view: PairingView) {
  const { data, say } = view;
  const grid = gridOf(view);
  const isBelow = grid.head > 0;
  const top = 36 + grid.head;
  const foot = top + entryHeight + arcRoom;
  const height = foot + grid.head;
  return html`<div class="scrolling" tabindex="0" role="group" aria-label=${describe(view)}>
    <svg width=${grid.width} height=${height} viewBox="0 0 ${grid.width} ${height}" role="img"
      aria-label=${describe(view)}>
      ${arcs(view, grid, 'interleaved', top)}
      ${arcs(view, grid, 'half-split', top + entryHeight, 1)}
      ${entries(grid, {
        top,
        label: isBelow ? '' : 'x',
        values: data.x,
        digits: digitsIn(data.x),
        mine: [],
      })}
      <text class="entry-text" y=${isBelow ? 26 : top - 8}>${say.interleavedOrder}</text>
      <text class="entry-text" y=${isBelow ? foot + 16 : top + entryHeight + 20}>${say.halfOrder}</text>
    </svg>
  </div>`;
}

/** Where each entry goes so that half-split pairs are what interleaved pairs were. */
function permutation(view: PairingView) {
  const { data, say } = view;
  const grid = gridOf(view);
  const dim = data.x.length;
  const pair = pairOf(view);
  const drop = 60;
  const top = grid.head;
  const bottom = top + entryHeight + drop;
  const foot = bottom + entryHeight + arcRoom;
  const height = foot + grid.head;
  const digits = digitsIn(data.x);
  return html`<p class="lead">${say.order}</p>
    <div class="scrolling" tabindex="0" role="group" aria-label=${say.order}>
      <svg width=${grid.width} height=${height} viewBox="0 0 ${grid.width} ${height}" role="img"
        aria-label=${say.permuted(Array.from(data.permuted).join(', '))}>
        ${Array.from(data.order, (from, to) => {
          const isMine = Math.floor(from / 2) === pair;
          return svg`<line class="arc ${isMine ? 'is-chosen' : ''}" x1=${grid.x(from)}
            y1=${top + entryHeight} x2=${grid.x(to)} y2=${bottom} />`;
        })}
        ${arcs(view, grid, 'half-split', bottom + entryHeight, 1)}
        ${entries(grid, {
          top,
          label: say.rows[0]!,
          values: data.x,
          digits,
          mine: entriesOf('interleaved', pair, dim),
        })}
        ${entries(grid, {
          top: bottom,
          // Outside the arcs.
          labelTop: foot,
          label: say.reorderedRow,
          values: data.permuted,
          digits,
          mine: entriesOf('half-split', pair, dim),
        })}
      </svg>
    </div>`;
}

function map(view: PairingView) {
  const { data, say, theme, width, focus } = view;
  const dim = data.x.length;
  const side = Math.min(180, width - 60);
  const ticks = ticksEvery(dim, 1);
  return matrixPlot({
    id: 'rotation',
    width: side + 60,
    height: side,
    matrix: { values: data.matrix, rows: dim, columns: dim },
    scale: signedScale(theme, 1),
    columns: { label: say.matrixColumns, ticks },
    rows: { label: say.matrixRows, ticks },
    legend: 'R',
    label: say.matrixLabel(dim),
    cell: focus && focus.row < dim && focus.column < dim ? focus : undefined,
    onCell: view.setFocus,
  });
}

function results(view: PairingView) {
  const { data, say, focus } = view;
  const dim = data.x.length;
  const cell = focus && focus.row < dim && focus.column < dim ? focus : undefined;
  const { interleaved, reordered, mixed } = data.score;
  return numbers({
    score: [say.score, fixed(interleaved, 4)],
    reordered: [say.reordered, fixed(reordered, 4)],
    mixed: [say.mixed, fixed(mixed, 4)],
    form: [say.form, rounded(data.formError, 2)],
    order: [say.orderError, rounded(data.orderError, 2)],
    ...(cell && {
      cell: [
        say.entry(cell.row, cell.column),
        fixed(data.matrix[cell.row * dim + cell.column]!, 6),
      ],
    }),
  });
}

/** The numbers of the chosen pair in both pairings. */
function describe(view: PairingView): string {
  const [neighbors, halves] = (['interleaved', 'half-split'] as const).map((layout) =>
    entriesOf(layout, pairOf(view), view.data.x.length).map((entry) => entry + 1),
  ) as [number[], number[]];
  return view.say.describe(neighbors, halves);
}

export default defineFigure({
  claims: ['C22'],
  isWide: true,
  text: words.strings,
  tries: words.tries,
  controls,
  compute: async ({ vector: text, layout, position, base }, engine, language) => {
    const vector = numbersIn(text);
    const isFit = vector.length >= 4 && vector.length <= longestVector && vector.length % 2 === 0;
    const count = vector.filter(Number.isFinite).length;
    if (!isFit || count < vector.length)
      throw new RangeError(words.strings[language].refusal(count));
    return engine.rotaryPairing({ vector, layout, position, base });
  },
  draw: (view: PairingView) => html`
    ${both(view)} ${permutation(view)} ${strip(view)}
    <div class="values-only">${map(view)}</div>
    ${results(view)}`,
  describe,
  table: ({ data, say }: PairingView) => ({
    columns: say.columns,
    rows: Array.from(data.x, (value, j) => [
      j,
      value,
      data.cos[j]!,
      data.perpendicular[j]!,
      data.sin[j]!,
      data.rotated[j]!,
      data.permuted[j]!,
    ]),
  }),
  styles: rotationStyle,
});

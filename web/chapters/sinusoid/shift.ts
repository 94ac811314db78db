/** An offset rotates every pair by an angle that does not depend on the position. */
import { html, nothing, svg } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { buttonSize, pairButtons, shownPair } from '../../figures/pair_buttons.ts';
import { baseRange, modelRange, pairRange, range } from '../../figures/shared_controls.ts';
import { textWidth, ticksEvery } from '../../plots/axis.ts';
import { signedScale } from '../../plots/colors.ts';
import { matrixPlot, type Cell } from '../../plots/matrix_plot.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { pairCircle, type Vector } from '../../plots/pair_circle.ts';
import '../../components/play.ts';
import { lastPosition, type Shift } from './jobs.ts';
import { words } from './shift_text.ts';
import { sinusoidStyle } from './style.ts';

const controls = defineControls({
  t: range(
    words.position,
    { default: 3, min: 0, max: lastPosition },
    { symbol: 't', hue: 'position', display: true },
  ),
  offset: range(words.offset, { default: 5, min: -50, max: 50 }, { symbol: 'Δ', hue: 'position' }),
  other: range(
    words.other,
    { default: 150, min: 0, max: lastPosition },
    { symbol: 't′', hue: 'position', display: true },
  ),
  pair: pairRange(words.pair, { default: 1, max: 31 }),
  dim: modelRange('dim', words.dim, { default: 16, min: 4, max: 64 }),
  base: baseRange(2, 1e6),
});

type ShiftView = ViewOf<typeof controls, typeof words.strings, Shift, Cell>;

/** One pair of the row of a table at t: its sine to the right and its cosine up. */
const pairOf = (table: Float32Array, t: number, dim: number, pair: number): Vector => ({
  x: table[t * dim + 2 * pair]!,
  y: table[t * dim + 2 * pair + 1]!,
});

const angleOf = ({ settings, data }: ShiftView, pair: number) =>
  settings.offset * data.frequencies[pair]!;

/** In few digits: clocks are small. */
function degrees(radians: number): string {
  const value = (radians * 180) / Math.PI;
  const size = Math.abs(value);
  return `${fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : 2)}°`;
}

const signed = (position: number) => String(position).replace('-', '−');

const largestCircle = 104;

/** A column per pair: its angle, and its clocks at t and at t′. */
function pairs(view: ShiftView) {
  const { settings, say, width } = view;
  const count = settings.dim / 2;
  const across = Math.min(count, Math.max(4, Math.floor(width / 78)));
  const size = buttonSize(width, across, largestCircle);
  const buttons = Array.from({ length: count }, (_, pair) => ({
    pair,
    label: say.clock(pair, fixed(angleOf(view, pair), 3)),
    drawing: drawPair(view, pair, size),
  }));
  return pairButtons(view, describe(view), buttons);
}

const line = 18;

function drawPair(view: ShiftView, pair: number, size: number) {
  const { t, other, offset } = view.settings;
  const step = size + line;
  const height = 2 * step + 2 * line;
  const middle = size / 2;
  const steps = [t, other].map((from) => `${from}→${signed(from + offset)}`);
  // Both rows say the same, with room on both sides.
  const isRoomy = steps.every((step) => textWidth(step) < size - 8);
  const stepText = (row: number, from: number) =>
    isRoomy ? steps[row] : `${row === 0 ? 't' : 't′'} = ${from}`;
  return html`<svg width=${size} height=${height} viewBox="0 0 ${size} ${height}" aria-hidden="true">
    <text class="angle" x=${middle} y="13" text-anchor="middle">${degrees(angleOf(view, pair))}</text>
    ${[t, other].map(
      (from, row) => svg`<g transform="translate(0, ${line + row * step})">
        ${drawClock(view, pair, from, size)}
        ${
          pair === shownPair(view)
            ? svg`<text x=${middle} y=${size + 10} text-anchor="middle">${stepText(row, from)}</text>`
            : nothing
        }
      </g>`,
    )}
    <text x=${middle} y=${height - 5} text-anchor="middle">i = ${pair}</text>
  </svg>`;
}

/** The hands of two positions and their angle, a spiral where it is more than a turn. */
function drawClock(view: ShiftView, pair: number, from: number, size: number) {
  const { settings, data } = view;
  const { dim } = settings;
  const circle = pairCircle(size, 9, 'top');
  const angle = angleOf(view, pair);
  const before = pairOf(data.table, from, dim, pair);
  return svg`${circle.outline()} ${circle.tick()}
    ${
      Math.abs(angle) < 2 * Math.PI
        ? circle.sector(before, angle, 0.6, 'wedge')
        : circle.spiral(before, angle, 0.6, 'spiral position')
    }
    ${circle.arrow(before, 'position')}
    ${circle.arrow(pairOf(data.shifted, from, dim, pair), 'plain')}`;
}

/** T's block for the pair times PE(t)'s pair equals PE(t + offset)'s pair, in numbers. */
function block(view: ShiftView) {
  const { settings, data } = view;
  const { dim, t, offset } = settings;
  const pair = shownPair(view);
  const entry = (row: number, column: number) =>
    fixed(data.map[(2 * pair + row) * dim + 2 * pair + column]!, 6);
  const before = pairOf(data.table, t, dim, pair);
  const after = pairOf(data.shifted, t, dim, pair);
  const cell = (value: string, id: string, hue: string) =>
    html`<td class=${hue} data-number=${id}>${value}</td>`;
  return html`<div class="equation">
    <table aria-label="T">
      <caption><i>T</i><sub>Δ</sub></caption>
      <tbody>
        <tr>${cell(entry(0, 0), 'block-00', '')}${cell(entry(0, 1), 'block-01', '')}</tr>
        <tr>${cell(entry(1, 0), 'block-10', '')}${cell(entry(1, 1), 'block-11', '')}</tr>
      </tbody>
    </table>
    <span aria-hidden="true">⋅</span>
    <table aria-label="PE(t)">
      <caption>PE(${t})</caption>
      <tbody>
        <tr>${cell(fixed(before.x, 6), 'before-sin', 'position')}</tr>
        <tr>${cell(fixed(before.y, 6), 'before-cos', 'position')}</tr>
      </tbody>
    </table>
    <div class="result">
    <span aria-hidden="true">=</span>
    <table aria-label="PE(t + Δ)">
      <caption>PE(${signed(t + offset)})</caption>
      <tbody>
        <tr>${cell(fixed(after.x, 6), 'after-sin', '')}</tr>
        <tr>${cell(fixed(after.y, 6), 'after-cos', '')}</tr>
      </tbody>
    </table>
    </div>
  </div>`;
}

function map(view: ShiftView) {
  const { settings, data, say, theme, width, focus } = view;
  const { dim } = settings;
  const pair = shownPair(view);
  const side = Math.min(220, width - 60);
  const step = Math.max(2, 2 ** Math.ceil(Math.log2(dim / 8)));
  const ticks = ticksEvery(dim, step);
  return matrixPlot({
    id: 'shift',
    width: side + 60,
    height: side,
    matrix: { values: data.map, rows: dim, columns: dim },
    scale: signedScale(theme, 1),
    columns: { label: say.mapColumns, ticks },
    rows: { label: say.mapRows, ticks },
    legend: 'T',
    label: say.mapLabel(dim),
    cell: focus,
    onCell: (cell) => {
      view.setFocus(cell);
      view.brush(cell && Math.floor(cell.column / 2));
    },
    onPick: ({ column }) => view.set({ pair: Math.floor(column / 2) }),
    over: ({ left, top, width: across, height }) => {
      const size = { x: across / (dim / 2), y: height / (dim / 2) };
      return svg`<rect class="block" x=${left + pair * size.x} y=${top + pair * size.y}
        width=${size.x} height=${size.y} />`;
    },
  });
}

function results(view: ShiftView) {
  const { settings, data, say, focus } = view;
  const { dim } = settings;
  const pair = shownPair(view);
  const angle = angleOf(view, pair);
  const cell = focus && focus.row < dim && focus.column < dim ? focus : undefined;
  return numbers({
    turn: [say.angleOf(pair), say.angle(fixed(angle, 4), fixed((angle * 180) / Math.PI, 1))],
    residual: [say.residual(lastPosition), rounded(data.residual, 2)],
    ...(cell && {
      cell: [say.cell(cell.row, cell.column), fixed(data.map[cell.row * dim + cell.column]!, 6)],
    }),
  });
}

function describe(view: ShiftView): string {
  const { t, other, offset, pair } = view.settings;
  const [near, far] = [t, other].map((from) => [from, signed(from + offset)] as const);
  return view.say.describe(near!, far!, pair, degrees(angleOf(view, pair)));
}

export default defineFigure({
  claims: ['C07'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: ({ dim, base, offset }, engine) => engine.sinusoidShift({ dim, base, offset }),
  draw: (view: ShiftView) => html`
    <rw-play
      .label=${view.say.play}
      @tick=${() => view.set({ t: (view.settings.t + 1) % (lastPosition + 1) })}
    ></rw-play>
    <p class="hands"><span class="position">● t, t′</span> <span>● t + Δ, t′ + Δ</span></p>
    ${pairs(view)}
    <div class="values-only">
      ${map(view)}
      <p class="lead">${view.say.blockOf(shownPair(view))}</p>
      ${block(view)}
    </div>
    ${results(view)}`,
  describe,
  table: ({ settings, data, say }: ShiftView) => {
    const { t, dim } = settings;
    return {
      columns: [say.mapColumns, `PE(${t})`, `PE(${t + settings.offset})`],
      rows: Array.from({ length: dim }, (_, j) => [
        j,
        data.table[t * dim + j]!,
        data.shifted[t * dim + j]!,
      ]),
    };
  },
  styles: sinusoidStyle,
});

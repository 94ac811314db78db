/**
 * `<rw-score-map>`: a matrix of scores with token labels on both axes, on a canvas the size of its
 * window. Only the cells in view are drawn, so a long text scrolls as smoothly as a short one and
 * the labels stay beside the cells. `.data` is shown, `.marked` gets a cross, and the event `point`
 * has every cell that the pointer, a tap or the arrow keys reach.
 */
import { html } from 'lit';
import {
  arrows,
  CanvasMap,
  cleared,
  clipped,
  fitted,
  remembered,
  type Inks,
} from './canvas_map.ts';
import { drawBracket, drawMargin, drawMark, drawNumbers, paintCells } from './score_map_cells.ts';
import type { Cell, ScoreMapData, Twins } from './score_map_data.ts';

export type { Cell, ScoreMapData };

const smallestCell = 14;
/** A map narrower than this shows its cells alone: words would take most of it. */
const leastForWords = 220;
const smallestBareCell = 4;
/** Room for the mark around a bare map. */
const frame = 2;
const largestCell = 46;
const longestLabel = 92;
const gap = 6;
const labelFont = 13;
/** Height of the column labels where each is narrower than its column; wider ones are rotated. */
const flatHeader = 24;
/** Width of the bars after the last column, which stay in view while the cells scroll. */
const marginWidth = 54;
/** Width of the bracket that joins rows of one label, before the bars. */
const bracketWidth = 20;

export class ScoreMap extends CanvasMap<Cell> {
  static override properties = { data: { attribute: false }, marked: { attribute: false } };
  declare data: ScoreMapData | undefined;
  #cell = largestCell;
  #left = 0;
  #top = 0;
  #right = 0;
  #bracket = 0;
  #isLaidOut = false;
  #cells = globalThis.document?.createElement('canvas');
  #inks: Inks | undefined;
  /** The rows of the label that is marked. */
  #twins: Twins | undefined;
  #widths = remembered<number>();

  constructor() {
    super();
    this.addEventListener('scroll', () => this.redraw(), { passive: true });
    this.addEventListener('keydown', (event) => this.#step(event));
  }

  protected override render() {
    const point = ({ offsetX, offsetY }: PointerEvent) => {
      const cell = this.#cellAt(offsetX, offsetY);
      if (cell) this.dispatchPoint(cell);
    };
    return html`<div><canvas @pointermove=${point} @pointerdown=${point}></canvas></div>
      ${this.inkSamples}`;
  }

  protected override updated(changed: Map<string, unknown>) {
    if (!changed.has('data')) return this.redraw();
    this.#isLaidOut = false;
    // The first time at once: a frame without the map would have less height.
    if (changed.get('data') === undefined) this.draw();
    else this.redraw();
  }

  protected resize() {
    this.#isLaidOut = false;
    this.redraw();
  }

  get #canvas(): HTMLCanvasElement {
    return this.querySelector('canvas')!;
  }

  protected draw() {
    if (!this.data || this.clientWidth === 0) return;
    if (!this.#isLaidOut) this.#layOut(this.data);
    this.#inks = this.inks;
    this.#twins = this.marked && this.data.twins?.(this.marked.row);
    this.#draw(this.data);
  }

  /** Sizes from the labels and the room; in the frame that draws, whose layout is due anyway. */
  #layOut(data: ScoreMapData) {
    this.#isLaidOut = true;
    const width = this.clientWidth;
    const widest = (labels: readonly string[]) =>
      labels.reduce(
        (most, label) => Math.max(most, Math.min(longestLabel, this.#widthOf(label))),
        0,
      );
    const isBare = width < leastForWords;
    this.#left = isBare ? frame : Math.ceil(widest(data.rows)) + gap;
    this.#bracket = data.twins && !isBare ? bracketWidth : 0;
    this.#right = this.#bracket + (data.margin ? marginWidth + gap : 0);
    const across = (width - this.#left - this.#right) / data.columns.length;
    // The style says how high a map may be before it scrolls.
    const tallest = parseFloat(getComputedStyle(this).maxHeight);
    const layUnder = (top: number) => {
      const down = (tallest - top) / data.rows.length;
      this.#top = Math.ceil(top);
      this.#cell = Math.max(
        isBare ? smallestBareCell : smallestCell,
        Math.min(largestCell, Math.floor(Math.min(across, down))),
      );
    };
    const header = isBare ? 0 : widest(data.columns);
    layUnder(isBare ? frame : flatHeader);
    if (header > this.#cell) layUnder(header + gap);
    const extent = this.#canvas.parentElement!.style;
    extent.width = `${this.#left + this.#cell * data.columns.length + this.#right}px`;
    extent.height = `${this.#top + this.#cell * data.rows.length}px`;
  }

  /** Returns the width of a label in bold. */
  #widthOf(label: string): number {
    return this.#widths(label, () => {
      const context = this.#canvas.getContext('2d')!;
      context.font = this.#font(700);
      return context.measureText(label).width;
    });
  }

  #font(weight = 400): string {
    return `${weight} ${labelFont}px ${getComputedStyle(this).fontFamily}`;
  }

  #draw(data: ScoreMapData) {
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this;
    const extent = this.#left + this.#cell * data.columns.length + this.#right;
    const full = Math.min(clientWidth, extent);
    const width = full - this.#right;
    const height = Math.min(clientHeight, this.#top + this.#cell * data.rows.length);
    const context = cleared(this.#canvas, full, height);
    const first = {
      row: Math.floor(scrollTop / this.#cell),
      column: Math.floor(scrollLeft / this.#cell),
    };
    const last = {
      row: Math.min(data.rows.length, Math.ceil((scrollTop + height) / this.#cell)),
      column: Math.min(data.columns.length, Math.ceil((scrollLeft + width) / this.#cell)),
    };
    const x = (column: number) => this.#left + column * this.#cell - scrollLeft;
    const y = (row: number) => this.#top + row * this.#cell - scrollTop;
    clipped(context, [this.#left, this.#top, width, height], () =>
      this.#drawCells(context, data, first, last, x, y),
    );
    clipped(context, [0, this.#top, this.#left, height], () =>
      this.#drawRowLabels(context, data.rows.slice(first.row, last.row), first.row, y),
    );
    clipped(context, [this.#left, 0, width, this.#top], () =>
      this.#drawColumnLabels(
        context,
        data.columns.slice(first.column, last.column),
        first.column,
        x,
      ),
    );
    const twins = this.#twins;
    if (twins && twins.rows.length > 1)
      clipped(context, [width, this.#top, width + this.#bracket, height], () => {
        const room = { left: width, width: this.#bracket, size: this.#cell, y };
        drawBracket(context, twins, room, this.#inks!.query);
      });
    if (data.margin) {
      const rows = { first: first.row, last: last.row };
      const room = {
        left: full - marginWidth,
        width: marginWidth,
        size: this.#cell,
        top: this.#top,
        y,
      };
      const look = { bar: this.#inks!.query, text: this.#inks!.ink, font: this.#font() };
      drawMargin(context, data.margin, rows, room, look);
    }
  }

  #drawCells(
    context: CanvasRenderingContext2D,
    data: ScoreMapData,
    first: Cell,
    last: Cell,
    x: (column: number) => number,
    y: (row: number) => number,
  ) {
    const size = this.#cell;
    const count = { rows: last.row - first.row, columns: last.column - first.column };
    paintCells(this.#cells!, data, first, count.rows, count.columns);
    context.imageSmoothingEnabled = false;
    const [left, top] = [x(first.column), y(first.row)];
    context.drawImage(this.#cells!, left, top, size * count.columns, size * count.rows);
    const hair = size > 24 ? 1 : 0.5;
    for (let row = first.row; row < last.row; row++)
      context.clearRect(left, y(row + 1) - hair, size * count.columns, hair);
    for (let column = first.column; column < last.column; column++)
      context.clearRect(x(column + 1) - hair, top, hair, size * count.rows);
    if (size >= 32) {
      context.font = `11px ${getComputedStyle(this).fontFamily}`;
      drawNumbers(context, data, first, last, (cell) => [
        x(cell.column) + size / 2,
        y(cell.row) + size / 2 + 0.5,
      ]);
    }
    if (!this.marked) return;
    const [query, cell] = [this.#inks!.query, this.#inks!.ink];
    const key = this.#inks![data.columnsAreKeys ? 'key' : 'faint'];
    drawMark(
      context,
      this.marked,
      this.#twins?.rows ?? [],
      data,
      { size, x, y },
      { query, key, cell },
    );
  }

  #drawRowLabels(
    context: CanvasRenderingContext2D,
    labels: readonly string[],
    first: number,
    y: (row: number) => number,
  ) {
    context.fillStyle = this.#inks!.query;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    labels.forEach((label, i) => {
      const isMarked = this.marked?.row === first + i || this.#twins?.rows.includes(first + i);
      context.font = this.#font(isMarked ? 700 : 400);
      const text = fitted(context, label, longestLabel);
      context.fillText(text, this.#left - gap, y(first + i) + this.#cell / 2);
    });
  }

  #drawColumnLabels(
    context: CanvasRenderingContext2D,
    labels: readonly string[],
    first: number,
    x: (column: number) => number,
  ) {
    context.fillStyle = this.#inks![this.data!.columnsAreKeys ? 'key' : 'faint'];
    const upright = this.#top === flatHeader;
    context.textAlign = upright ? 'center' : 'left';
    context.textBaseline = upright ? 'alphabetic' : 'middle';
    labels.forEach((label, i) => {
      context.font = this.#font(this.marked?.column === first + i ? 700 : 400);
      context.save();
      context.translate(x(first + i) + this.#cell / 2, this.#top - gap);
      if (!upright) context.rotate(-Math.PI / 2);
      context.fillText(fitted(context, label, longestLabel), 0, 0);
      context.restore();
    });
  }

  #cellAt(offsetX: number, offsetY: number): Cell | undefined {
    if (!this.data || offsetX < this.#left || offsetY < this.#top) return undefined;
    const isCell = offsetX < this.#canvas.clientWidth - this.#right;
    const column = Math.floor((offsetX - this.#left + this.scrollLeft) / this.#cell);
    const row = Math.floor((offsetY - this.#top + this.scrollTop) / this.#cell);
    const { rows, columns } = this.data;
    if (row >= rows.length || (isCell && column >= columns.length)) return undefined;
    // The margin belongs to its row: pointing at it keeps the column.
    return { row, column: isCell ? column : (this.marked?.column ?? 0) };
  }

  #step(event: KeyboardEvent) {
    const step = arrows[event.key];
    if (!step || !this.data) return;
    event.preventDefault();
    const { rows, columns } = this.data;
    const from = this.marked ?? { row: 0, column: 0 };
    const inside = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
    const cell = {
      row: inside(from.row + step[0], rows.length),
      column: inside(from.column + step[1], columns.length),
    };
    this.#reveal(cell);
    this.dispatchPoint(cell);
  }

  /** Scrolls as little as brings the cell into view. */
  #reveal({ row, column }: Cell) {
    const along = (at: number, scroll: number, room: number) =>
      Math.min(at, Math.max(scroll, at + this.#cell - room));
    this.scrollLeft = along(column * this.#cell, this.scrollLeft, this.clientWidth - this.#left);
    this.scrollTop = along(row * this.#cell, this.scrollTop, this.clientHeight - this.#top);
  }
}

// The build reads figures in Node, where there are no elements.
globalThis.customElements?.define('rw-score-map', ScoreMap);

/** What a score map draws with: cells, numbers and labels on a canvas. */
import { fixed } from '../plots/number.ts';
import { clipped } from './canvas_map.ts';
import type { Cell, ScoreMapData, Twins } from './score_map_data.ts';

/** One pixel per cell, to be enlarged: a rectangle each would take longer than a frame. */
export function paintCells(
  canvas: HTMLCanvasElement,
  data: ScoreMapData,
  first: Cell,
  rows: number,
  columns: number,
) {
  Object.assign(canvas, { width: Math.max(1, columns), height: Math.max(1, rows) });
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(canvas.width, canvas.height);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const color = data.color(data.value(first.row + row, first.column + column));
      if (!color) continue;
      const at = 4 * (row * columns + column);
      for (let part = 0; part < 3; part++) image.data[at + part] = color[part]!;
      image.data[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}

/** The value of every cell, in the context's font; `middle` is where a cell has its center. */
export function drawNumbers(
  context: CanvasRenderingContext2D,
  data: ScoreMapData,
  first: Cell,
  last: Cell,
  middle: (cell: Cell) => [x: number, y: number],
) {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let row = first.row; row < last.row; row++) {
    for (let column = first.column; column < last.column; column++) {
      const value = data.value(row, column);
      context.fillStyle = data.ink(value);
      context.fillText(data.format(value), ...middle({ row, column }));
    }
  }
}

/** Frames around the cell at which the reader is, its column, and the rows of its label. */
export function drawMark(
  context: CanvasRenderingContext2D,
  { row, column }: Cell,
  twins: readonly number[],
  { rows, columns }: ScoreMapData,
  { size, x, y }: { size: number; x(column: number): number; y(row: number): number },
  inks: { query: string; key: string; cell: string },
) {
  context.lineWidth = 1.5;
  context.strokeStyle = inks.query;
  for (const one of new Set([row, ...twins]))
    context.strokeRect(x(0) - 0.5, y(one) - 0.5, size * columns.length, size);
  if (column < 0) return;
  context.strokeStyle = inks.key;
  context.strokeRect(x(column) - 0.5, y(0) - 0.5, size, size * rows.length);
  context.lineWidth = 2.5;
  context.strokeStyle = inks.cell;
  context.strokeRect(x(column) - 0.5, y(row) - 0.5, size, size);
}

/** Joins rows of one label, to the right of their cells; a sign says whether they are equal. */
export function drawBracket(
  context: CanvasRenderingContext2D,
  { rows, areEqual }: Twins,
  { left, width, size, y }: { left: number; width: number; size: number; y(row: number): number },
  ink: string,
) {
  const [first, second, last] = [rows[0]!, rows[1]!, rows.at(-1)!];
  const middle = (row: number) => Math.round(y(row) + size / 2) - 0.5;
  const spine = left + width / 2;
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  context.beginPath();
  for (const row of rows) {
    context.moveTo(left + 2, middle(row));
    context.lineTo(spine, middle(row));
  }
  context.moveTo(spine, middle(first));
  context.lineTo(spine, middle(last));
  context.stroke();
  const center = Math.round((middle(first) + middle(second)) / 2);
  context.clearRect(left, center - 7, width, 14);
  context.fillStyle = ink;
  for (const at of [center - 3, center + 2]) context.fillRect(spine - 5, at, 10, 2);
  if (areEqual) return;
  context.beginPath();
  context.moveTo(spine - 3, center + 6);
  context.lineTo(spine + 3, center - 5);
  context.stroke();
}

/** Bars with their numbers beside the rows in view, in a column that does not scroll sideways. */
export function drawMargin(
  context: CanvasRenderingContext2D,
  { title, limit, value }: NonNullable<ScoreMapData['margin']>,
  rows: { first: number; last: number },
  room: { left: number; width: number; size: number; top: number; y(row: number): number },
  look: { bar: string; text: string; font: string },
) {
  const { left, width, size, top, y } = room;
  context.font = look.font;
  context.fillStyle = look.text;
  context.textAlign = 'right';
  context.textBaseline = 'alphabetic';
  context.fillText(title, left + width, top - 6);
  context.textBaseline = 'middle';
  clipped(context, [left, top, left + width, context.canvas.height], () => {
    for (let row = rows.first; row < rows.last; row++) {
      context.fillStyle = look.bar;
      context.fillRect(left, y(row) + size - 3, (width * value(row)) / limit, 2);
      context.fillStyle = look.text;
      context.fillText(fixed(value(row), 2), left + width, y(row) + size / 2);
    }
  });
}

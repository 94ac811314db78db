/** What a score map draws with: cells, numbers and labels on a canvas. */
import { fixed } from '../plots/number.ts';
import type { Cell, ScoreMapData } from './score_map_data.ts';

const mostRemembered = 10_000;

/** The same function, which returns remembered results for known labels. */
export function remembered(of: (label: string) => number): (label: string) => number {
  const known = new Map<string, number>();
  return (label) => {
    const before = known.get(label);
    if (before !== undefined) return before;
    if (known.size >= mostRemembered) known.clear();
    const result = of(label);
    known.set(label, result);
    return result;
  };
}

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

/** The canvas at a size in CSS pixels; a new size costs new memory, so only when it is one. */
export function cleared(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D {
  const density = devicePixelRatio;
  const [across, down] = [Math.round(width * density), Math.round(height * density)];
  const context = canvas.getContext('2d')!;
  if (canvas.width !== across || canvas.height !== down) {
    Object.assign(canvas, { width: across, height: down });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Draws inside a rectangle of the canvas only. */
export function clipped(
  context: CanvasRenderingContext2D,
  [x, y, right, bottom]: number[],
  draw: () => void,
) {
  context.save();
  context.beginPath();
  context.rect(x!, y!, right! - x!, bottom! - y!);
  context.clip();
  draw();
  context.restore();
}

/** A label that is too long keeps its beginning. */
export function fitted(context: CanvasRenderingContext2D, label: string, longest: number): string {
  if (context.measureText(label).width <= longest) return label;
  const letters = [...label];
  while (letters.length > 1 && context.measureText(`${letters.join('')}…`).width > longest)
    letters.pop();
  return `${letters.join('')}…`;
}

/** Frames around the row, the column and the cell at which the reader is. */
export function drawMark(
  context: CanvasRenderingContext2D,
  { row, column }: Cell,
  { rows, columns }: ScoreMapData,
  { size, x, y }: { size: number; x(column: number): number; y(row: number): number },
  inks: { query: string; key: string; cell: string },
) {
  context.lineWidth = 1.5;
  context.strokeStyle = inks.query;
  context.strokeRect(x(0) - 0.5, y(row) - 0.5, size * columns.length, size);
  context.strokeStyle = inks.key;
  context.strokeRect(x(column) - 0.5, y(0) - 0.5, size, size * rows.length);
  context.lineWidth = 2.5;
  context.strokeStyle = inks.cell;
  context.strokeRect(x(column) - 0.5, y(row) - 0.5, size, size);
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

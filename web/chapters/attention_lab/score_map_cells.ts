/** What a score map draws with: cells, numbers and labels on a canvas. */
import type { Cell, ScoreMapData } from './score_map_data.ts';

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

/** The value of every cell, in the context's font; `middle` is where a cell has its centre. */
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
export function fitted(
  context: CanvasRenderingContext2D,
  label: string,
  longest: number,
): string {
  if (context.measureText(label).width <= longest) return label;
  const letters = [...label];
  while (letters.length > 1 && context.measureText(`${letters.join('')}…`).width > longest)
    letters.pop();
  return `${letters.join('')}…`;
}

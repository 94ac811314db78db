/** An array as a map of colours: a cell per value, the last two axes across and down. */
import { UsageError } from './cli_rules.js';
import { png, type Deflate, type Picture } from './cli_png.js';
import type { WritableTensor } from './files.js';
import { elementCount, shapeText } from './tensor.js';

/** The page's scales, in steps of one twelfth: blue, paper, orange; and paper to dark blue. */
const signed = '123780 1a57a1 2378c2 599cd5 88bfe6 c1dbee f8f7f4 f4d7bd efb787 e28b5b d35e2c a83f24 7f211b';
const magnitudes = 'faf7e8 e2edcc cce3af b5d892 8dc897 61b89a 20a89b 039098 007a94 00638f 094c7e 18356e 1c1e5d';

/** An odd number of colours, so that one of them is zero's own; and one more that is none. */
const colours = 255;
const clear = 255;

function paletteOf(scale: string): Uint8Array {
  const stops = scale.split(' ').map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  const palette = new Uint8Array(3 * (colours + 1));
  for (let i = 0; i < colours; i++) {
    const place = (i / (colours - 1)) * (stops.length - 1);
    const stop = Math.min(Math.floor(place), stops.length - 2);
    const [from, to] = [stops[stop]!, stops[stop + 1]!];
    palette.set(from.map((part, j) => Math.round(part + (to[j]! - part) * (place - stop))), 3 * i);
  }
  return palette;
}

interface Plot extends Picture {
  /** The numbers at both ends of the scale. */
  range: [low: number, high: number];
  /** How many maps stand one below the other, and the height of each with its gap. */
  maps: number;
  pitch: number;
  rows: number;
  columns: number;
  cell: number;
}

const gap = 12;

function plotOf(format: string, { data, shape }: WritableTensor): Plot {
  if (shape.length < 2 || data.length === 0) {
    throw new UsageError(`--return must name an array of two axes or more for ${format}, got ${shapeText(shape)}`);
  }
  const [rows, columns] = shape.slice(-2) as [number, number];
  const maps = elementCount(shape.slice(0, -2));
  const cell = Math.max(1, Math.min(24, Math.floor(640 / Math.max(rows, columns))));
  const pitch = rows * cell + gap;
  const [width, height] = [columns * cell, maps * pitch - gap];
  const values = Float64Array.from(data as ArrayLike<number>, Number);
  const seen = values.filter(Number.isFinite);
  const limit = seen.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const low = seen.some((value) => value < 0) ? -limit : 0;
  const pixels = new Uint8Array(width * height).fill(clear);
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    const [x, row] = [(i % columns) * cell, Math.floor(i / columns)];
    const y = Math.floor(row / rows) * pitch + (row % rows) * cell;
    const colour = Math.round(((value - low) / (limit - low)) * (colours - 1));
    for (let line = y; line < y + cell; line++) pixels.fill(colour, line * width + x, line * width + x + cell);
  });
  const palette = paletteOf(low < 0 ? signed : magnitudes);
  return { width, height, pixels, palette, clear, range: [low, limit], maps, pitch, rows, columns, cell };
}

export const pngOf = (array: WritableTensor, deflate: Deflate) => png(plotOf('png', array), deflate);

const address = (bytes: Uint8Array) =>
  `data:image/png;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;

/** The scale from its highest colour down. */
const legend = (palette: Uint8Array): Picture =>
  ({ width: 1, height: colours, pixels: Uint8Array.from({ length: colours }, (_, i) => colours - 1 - i), palette, clear });

const number = (value: number) => String(Number(value.toPrecision(3)));

/** The map as SVG with its axes, the numbers of its colours and a text for who does not see it. */
export function svgOf(name: string, array: WritableTensor, deflate: Deflate): string {
  const plot = plotOf('svg', array);
  const { width, height, range: [low, high], maps, pitch, rows, columns, cell } = plot;
  const [left, top, bar] = [52, 40, Math.min(160, Math.max(60, height))];
  const text = (x: number, y: number, anchor: string, content: string) =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}">${content}</text>`;
  const image = (x: number, y: number, w: number, h: number, bytes: Uint8Array) =>
    `<image x="${x}" y="${y}" width="${w}" height="${h}" preserveAspectRatio="none" image-rendering="pixelated" href="${address(bytes)}"/>`;
  const title = `${name} ${shapeText(array.shape)}`;
  const rowNumbers = Array.from({ length: maps }, (_, map) => [0, ...(rows > 1 ? [rows - 1] : [])].map((row) =>
    text(left - 6, top + map * pitch + (row + 0.5) * cell + 4, 'end', String(row))).join(''));
  const columnNumbers = [0, ...(columns > 1 ? [columns - 1] : [])].map((column) =>
    text(left + (column + 0.5) * cell, top + height + 16, 'middle', String(column)));
  const scale = left + width + 24;
  const ends = [[high, 0], ...(low < 0 ? [[0, 0.5]] : []), [low, 1]] as const;
  const [fullWidth, fullHeight] = [Math.max(scale + 80, 240), top + Math.max(height, bar) + 32];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${fullWidth} ${fullHeight}" width="${fullWidth}" height="${fullHeight}"`
      + ' role="img" font-family="system-ui, sans-serif" font-size="12" fill="#333">',
    `<title>${title}</title>`,
    `<desc>A cell per value, colours from ${number(low)} to ${number(high)}; what is not finite has none.</desc>`,
    `<rect width="${fullWidth}" height="${fullHeight}" fill="#fff"/>`,
    text(left, 24, 'start', title),
    image(left, top, width, height, png(plot, deflate)),
    ...rowNumbers,
    ...columnNumbers,
    image(scale, top, 12, bar, png(legend(plot.palette), deflate)),
    ...ends.map(([value, place]) => text(scale + 18, top + place * bar + 4, 'start', number(value))),
    '</svg>\n',
  ].join('\n');
}

/** A drawing as data, and its conversion to SVG. */
import { png, type Deflate, type Picture } from './png.js';

export type Point = readonly [x: number, y: number];

export type Mark =
  | { kind: 'text'; at: Point; anchor: 'start' | 'middle' | 'end'; content: string; color: string }
  | { kind: 'line'; points: readonly Point[]; color: string; width: number }
  /** Each pixel of the picture becomes a cell. */
  | { kind: 'cells'; at: Point; size: Point; picture: Picture };

export interface Sheet {
  width: number;
  height: number;
  title: string;
  /** Text alternative, for readers who cannot see the drawing. */
  description: string;
  marks: Mark[];
}

export const paper = '#ffffff';
export const ink = '#33322f';
export const rule = '#d5d1c6';

/** Font size of all texts, in units of the sheet. */
export const fontSize = 12;

export function text(
  at: Point,
  anchor: 'start' | 'middle' | 'end',
  content: string,
  color = ink,
): Mark {
  return { kind: 'text', at, anchor, content, color };
}

export function line(points: readonly Point[], color: string, width = 1): Mark {
  return { kind: 'line', points, color, width };
}

const address = (bytes: Uint8Array) =>
  `data:image/png;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;

const escaped = (content: string) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function element(mark: Mark, deflate: Deflate): string {
  if (mark.kind === 'text') {
    const {
      at: [x, y],
      anchor,
      content,
      color,
    } = mark;
    return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${color}">${escaped(content)}</text>`;
  }
  if (mark.kind === 'line') {
    const points = mark.points
      .map((point) => point.map((place) => Number(place.toFixed(2))).join())
      .join(' ');
    return `<polyline points="${points}" fill="none" stroke="${mark.color}" stroke-width="${mark.width}" stroke-linejoin="round"/>`;
  }
  const {
    at: [x, y],
    size: [width, height],
    picture,
  } = mark;
  return (
    `<image x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="none"` +
    ` image-rendering="pixelated" href="${address(png(picture, deflate))}"/>`
  );
}

export function svgOf(
  { width, height, title, description, marks }: Sheet,
  deflate: Deflate,
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"` +
      ` role="img" font-family="system-ui, sans-serif" font-size="${fontSize}">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(description)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${paper}"/>`,
    ...marks.map((mark) => element(mark, deflate)),
    '</svg>\n',
  ].join('\n');
}

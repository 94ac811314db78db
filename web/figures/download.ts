/** A drawing and its numbers as files. */
import type { Table } from './figure.ts';
import type { Pixels } from '../plots/pixels.ts';

export function save(file: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function csvOf({ columns, rows }: Table): Blob {
  const lines = [columns, ...rows].map((row) => row.map(csvCell).join(','));
  return new Blob([`\ufeff${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' });
}

/** Text that a spreadsheet would run as a formula gets a quote in front. */
function csvCell(cell: number | string): string {
  if (typeof cell === 'number') return String(cell);
  const safe = /^[=+@\t\r-]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const kept = [
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin',
  'stroke-opacity', 'opacity', 'font-family', 'font-size', 'font-style', 'font-weight', 'text-anchor', 'visibility',
];

/** Every <svg> and matrix of a drawing in one SVG file, where they stand on screen. */
export function pictureOf(drawing: HTMLElement): Blob {
  const { text } = composed(drawing);
  return new Blob([text], { type: 'image/svg+xml' });
}

function composed(drawing: HTMLElement): { text: string; width: number; height: number } {
  const frame = drawing.getBoundingClientRect();
  const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const set = (element: Element, attributes: Record<string, string | number>) =>
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, String(value)));
  const { width, height } = frame;
  set(picture, { xmlns: picture.namespaceURI!, width, height, viewBox: `0 0 ${width} ${height}` });
  const paper = document.createElementNS(picture.namespaceURI!, 'rect') as Element;
  set(paper, { width, height, fill: getComputedStyle(drawing).getPropertyValue('background-color') });
  picture.append(paper);
  for (const part of drawing.querySelectorAll<SVGSVGElement | Pixels | HTMLCanvasElement>('svg, rw-pixels, canvas')) {
    const box = part.getBoundingClientRect();
    const place = { x: box.left - frame.left, y: box.top - frame.top, width: box.width, height: box.height };
    if (box.width === 0) continue;
    if (part instanceof SVGSVGElement) {
      const copy = part.cloneNode(true) as SVGSVGElement;
      inline(part, copy);
      set(copy, place);
      picture.append(copy);
    } else if (part instanceof HTMLCanvasElement) {
      const image = document.createElementNS(picture.namespaceURI!, 'image') as Element;
      set(image, { ...place, href: enlarged(part, place), preserveAspectRatio: 'none' });
      picture.append(image);
    }
  }
  return { text: new XMLSerializer().serializeToString(picture), width, height };
}

/** Cells as blocks of pixels: viewers smooth a small picture that they enlarge. */
function enlarged(canvas: HTMLCanvasElement, { width, height }: { width: number; height: number }): string {
  const times = Math.max(1, Math.ceil(Math.max((2 * width) / canvas.width, (2 * height) / canvas.height)));
  const large = document.createElement('canvas');
  large.width = canvas.width * times;
  large.height = canvas.height * times;
  const context = large.getContext('2d')!;
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, 0, 0, large.width, large.height);
  return large.toDataURL();
}

/** Copies computed styles into attributes: outside the page there is no style sheet. */
function inline(original: Element, copy: Element) {
  const style = getComputedStyle(original);
  for (const name of kept) {
    const value = style.getPropertyValue(name);
    if (value && !copy.hasAttribute('stop-color')) copy.setAttribute(name, value);
  }
  copy.removeAttribute('class');
  [...original.children].forEach((child, i) => inline(child, copy.children[i]!));
}

/** Twice the size on screen. */
export async function rasterOf(drawing: HTMLElement): Promise<Blob> {
  const { text, width, height } = composed(drawing);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  const context = canvas.getContext('2d')!;
  context.scale(2, 2);
  context.drawImage(image, 0, 0, width, height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large')))),
  );
}

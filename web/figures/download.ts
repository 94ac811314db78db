/** A drawing and its numbers as files. */
import type { Table } from './figure.ts';

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
  'fill',
  'fill-opacity',
  'flood-color',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-opacity',
  'opacity',
  'paint-order',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'text-anchor',
  'visibility',
];

/** Every <svg> and matrix of a drawing in one SVG file, where they stand on screen. */
export function pictureOf(drawing: HTMLElement): Blob {
  const { text } = composed(drawing);
  return new Blob([text], { type: 'image/svg+xml' });
}

const svgSpace = 'http://www.w3.org/2000/svg';

function make(name: string, attributes: Record<string, string | number>): Element {
  const element: Element = document.createElementNS(svgSpace, name);
  set(element, attributes);
  return element;
}

function set(element: Element, attributes: Record<string, string | number>) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

function composed(drawing: HTMLElement): { text: string; width: number; height: number } {
  const frame = drawing.getBoundingClientRect();
  const parts = [
    ...drawing.querySelectorAll<SVGSVGElement | HTMLCanvasElement>('svg:not(rw-play svg), canvas'),
  ]
    .map((part) => ({ part, box: part.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0);
  const { width } = frame;
  // Controls and results below the last part are no part of the picture.
  const height = Math.ceil(Math.max(0, ...parts.map(({ box }) => box.bottom - frame.top)) + 8);
  const picture = make('svg', {
    xmlns: svgSpace,
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  });
  picture.append(make('rect', { width, height, fill: getComputedStyle(drawing).backgroundColor }));
  for (const { part, box } of parts) {
    const place = {
      x: box.left - frame.left,
      y: box.top - frame.top,
      width: box.width,
      height: box.height,
    };
    picture.append(part instanceof SVGSVGElement ? copied(part, place) : pixelsOf(part, place));
  }
  for (const name of drawing.querySelectorAll('.legend li')) picture.append(written(name, frame));
  return { text: new XMLSerializer().serializeToString(picture), width, height };
}

type Place = Record<'x' | 'y' | 'width' | 'height', number>;

function copied(part: SVGSVGElement, place: Place): Element {
  const copy = part.cloneNode(true) as SVGSVGElement;
  inline(part, copy);
  set(copy, place);
  return copy;
}

const pixelsOf = (canvas: HTMLCanvasElement, place: Place): Element =>
  make('image', { ...place, href: enlarged(canvas, place), preserveAspectRatio: 'none' });

/** Words of a legend, which are HTML on the page, as text where they stand. */
function written(name: Element, frame: DOMRect): Element {
  const range = document.createRange();
  range.selectNodeContents(name);
  range.setStartAfter(name.firstElementChild ?? name.firstChild!);
  const box = range.getBoundingClientRect();
  const { color, fontFamily, fontSize } = getComputedStyle(name);
  const text = make('text', {
    x: box.left - frame.left,
    y: box.bottom - frame.top - box.height * 0.28,
    fill: color,
    'font-family': fontFamily,
    'font-size': fontSize,
  });
  text.textContent = name.textContent!.trim();
  return text;
}

/** Cells as blocks of pixels: viewers smooth a small picture that they enlarge. */
function enlarged(
  canvas: HTMLCanvasElement,
  { width, height }: { width: number; height: number },
): string {
  const times = Math.max(
    1,
    Math.ceil(Math.max((2 * width) / canvas.width, (2 * height) / canvas.height)),
  );
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

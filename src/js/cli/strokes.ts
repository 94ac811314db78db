/** A drawing as pixels. Letters are drawn as lines are, so that no font has to be found. */
import { png, type Deflate, type Picture } from './png.js';
import { fontSize, paper, type Mark, type Point, type Sheet } from './sheet.js';

/**
 * Strokes on a grid of 4 across and 8 down, a digit each: capitals begin at 0, small letters at 2,
 * all stand on 6. What is not here is left out.
 */
export const glyphs: Record<string, string> = {
  0: '103041453616050110',
  1: '112026 1636',
  2: '0110304142 4206 0646',
  3: '0110304142334445361605 1333',
  4: '300444 3036',
  5: '400002324345361605',
  6: '3010010516364543321203',
  7: '004016',
  8: '103041423313020110 1304051636454433',
  9: '1636454130100103143443',
  a: '12324346 441405163645',
  b: '0006 0312324345361605',
  c: '4332120305163645',
  d: '4046 4332120305163645',
  e: '04444332120305163645',
  f: '30201116 0232',
  g: '4247381807 4332120305163645',
  h: '0006 0312324346',
  i: '2226 2020',
  j: '222718 2020',
  k: '0006 4204 2346',
  l: '2026',
  m: '0206 03122326 23324346',
  n: '0206 0312324346',
  o: '123243453616050312',
  p: '0208 0312324345361605',
  q: '4248 4332120305163645',
  r: '0206 031232',
  s: '43321203143445361605',
  t: '202536 1232',
  u: '0205163645 4246',
  v: '022642',
  w: '0216243642',
  x: '0246 4206',
  y: '0226 4218',
  z: '02420646',
  E: '40000646 0343',
  S: '413010010213334445361605',
  '(': '20111526',
  ')': '10212516',
  '[': '30101737',
  ']': '10303717',
  ',': '2618',
  '.': '2626',
  '-': '0444',
  '+': '0444 2226',
  '=': '0343 0545',
};
const unit = fontSize / 8;
const space = 3;

/** A text's strokes from the origin, and how wide it is. */
function strokesOf(content: string): { strokes: Point[][]; width: number } {
  let at = 0;
  const strokes: Point[][] = [];
  for (const letter of content) {
    const lines = (glyphs[letter] ?? '')
      .split(' ')
      .map((path) =>
        (path.match(/\d\d/g) ?? []).map((pair) => [Number(pair[0]), Number(pair[1]) - 6] as const),
      );
    const across = lines.flat().map(([x]) => x);
    if (across.length === 0) {
      at += space;
      continue;
    }
    const [left, right] = [Math.min(...across), Math.max(...across)];
    for (const path of lines) {
      if (path.length > 0)
        strokes.push(path.map(([x, y]) => [(at + x - left) * unit, y * unit] as const));
    }
    at += right - left + 2;
  }
  return { strokes, width: Math.max(0, at - 2) * unit };
}

const partsOf = (colour: string) =>
  [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as [number, number, number];

class Canvas implements Picture {
  readonly pixels: Uint8Array;

  constructor(
    readonly width: number,
    readonly height: number,
    private readonly scale: number,
  ) {
    const colour = [...partsOf(paper), 255];
    this.pixels = Uint8Array.from({ length: 4 * width * height }, (_, i) => colour[i % 4]!);
  }

  private blend(x: number, y: number, colour: ArrayLike<number>, share: number): void {
    const at = 4 * (y * this.width + x);
    for (let i = 0; i < 3; i++)
      this.pixels[at + i] = Math.round(this.pixels[at + i]! * (1 - share) + colour[i]! * share);
  }

  /** A round pen: each pixel is covered by how near its middle comes to the stroke. */
  private segment(from: Point, to: Point, colour: number[], width: number): void {
    const [ax, ay, bx, by, reach] = [...from, ...to, width / 2].map(
      (each) => each * this.scale,
    ) as [number, number, number, number, number];
    const [dx, dy] = [bx - ax, by - ay];
    const length = dx * dx + dy * dy;
    const clipped = (place: number, most: number) => Math.min(most, Math.max(0, Math.floor(place)));
    for (
      let y = clipped(Math.min(ay, by) - reach - 1, this.height);
      y < clipped(Math.max(ay, by) + reach + 2, this.height);
      y++
    ) {
      for (
        let x = clipped(Math.min(ax, bx) - reach - 1, this.width);
        x < clipped(Math.max(ax, bx) + reach + 2, this.width);
        x++
      ) {
        const [px, py] = [x + 0.5 - ax, y + 0.5 - ay];
        const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
        const far = Math.hypot(px - along * dx, py - along * dy);
        this.blend(x, y, colour, Math.min(1, Math.max(0, reach + 0.5 - far)));
      }
    }
  }

  private stroke(points: readonly Point[], colour: string, width: number): void {
    const parts = partsOf(colour);
    for (let i = 0; i < Math.max(1, points.length - 1); i++) {
      this.segment(points[i]!, points[i + 1] ?? points[i]!, parts, width);
    }
  }

  draw(mark: Mark): void {
    if (mark.kind === 'line') return this.stroke(mark.points, mark.colour, mark.width);
    if (mark.kind === 'text') {
      const { strokes, width } = strokesOf(mark.content);
      const left = mark.at[0] - { start: 0, middle: width / 2, end: width }[mark.anchor];
      const placed = strokes.map((path) =>
        path.map(([x, y]) => [left + x, mark.at[1] + y] as const),
      );
      return placed.forEach((path) => this.stroke(path, mark.colour, fontSize / 10));
    }
    const {
      picture: { width, height, pixels },
    } = mark;
    const [left, top, across, down] = [...mark.at, ...mark.size].map((each) =>
      Math.round(each * this.scale),
    ) as [number, number, number, number];
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) {
        const from =
          4 * (Math.floor((y * height) / down) * width + Math.floor((x * width) / across));
        this.blend(left + x, top + y, pixels.subarray(from, from + 3), pixels[from + 3]! / 255);
      }
    }
  }
}

/** Twice as many pixels as units, so that it is sharp on most screens. */
const scale = 2;

export function pngOf({ width, height, marks }: Sheet, deflate: Deflate): Uint8Array {
  const canvas = new Canvas(Math.ceil(width * scale), Math.ceil(height * scale), scale);
  marks.forEach((mark) => canvas.draw(mark));
  return png(canvas, deflate);
}

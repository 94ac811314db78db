/**
 * The picture of a rope: three strands that are twisted together as far as the model is right, and
 * hang loose where it is wrong. `looseness` has a number per letter, from 0 (tight) to 1.
 */
import { svg, type SVGTemplateResult } from 'lit';

/** Half the height of a tight rope, and how far a loose strand may leave its middle. */
export const tight = 6.5;
export const loose = 27;

/** Length of a twist, in pixels. */
const twist = 27;

/** Distance of the points of a strand. */
const step = 1.5;

/** How far a rope stays from the ends of its row: a stroke is drawn to both sides of its path. */
const margin = 2;

const strandCount = 3;

/** A number from −1 to 1 that stays the same for the same numbers. */
function noise(...numbers: number[]): number {
  const sum = numbers.reduce(
    (total, number, i) => total + number * [12.9898, 78.233, 37.719][i]!,
    0,
  );
  const sine = Math.sin(sum) * 43758.5453;
  return 2 * (sine - Math.floor(sine)) - 1;
}

/** Noise that changes smoothly along the rope. */
function drift(strand: number, x: number, wavelength: number): number {
  const at = x / wavelength;
  const [before, share] = [Math.floor(at), at - Math.floor(at)];
  const smooth = share * share * (3 - 2 * share);
  return noise(strand, before) * (1 - smooth) + noise(strand, before + 1) * smooth;
}

/** Looseness at x: from letter to letter, smoothed over one letter to each side. */
function loosenessAt(looseness: readonly number[], x: number, cell: number): number {
  const at = x / cell - 0.5;
  const of = (letter: number) =>
    looseness[Math.min(looseness.length - 1, Math.max(0, letter))] ?? 0;
  const mean = (letter: number) => (of(letter - 1) + of(letter) + of(letter + 1)) / 3;
  const [before, share] = [Math.floor(at), at - Math.floor(at)];
  return mean(before) * (1 - share) + mean(before + 1) * share;
}

interface Rope {
  looseness: readonly number[];
  /** Width of a letter. */
  cell: number;
  /** Where the rope lies. */
  y: number;
  /** Tells ropes apart: each frays in its own way. */
  seed: number;
}

interface Strand {
  front: string;
  back: string;
}

/** A strand as two paths: where it runs above the others, and where below. */
function strand({ looseness, cell, y, seed }: Rope, index: number): Strand {
  const width = looseness.length * cell;
  const paths = { front: '', back: '' };
  let last: keyof Strand | undefined;
  for (let x = margin; x <= width - margin; x += step) {
    const free = loosenessAt(looseness, x, cell);
    const phase = (2 * Math.PI * x) / twist + (2 * Math.PI * index) / strandCount;
    const hanging =
      0.55 * (index - 1) +
      0.33 * drift(seed + index, x, 70) +
      0.12 * drift(seed + index + 9, x, 19);
    const offset = tight * (1 - free) * Math.sin(phase) + loose * free * hanging;
    const side = Math.cos(phase) > -0.25 || free > 0.4 ? 'front' : 'back';
    const point = `${x.toFixed(1)},${(y + offset).toFixed(1)}`;
    // Both paths have the point at which one follows the other.
    if (last !== side && last) paths[last] += `L${point}`;
    paths[side] += `${last === side ? 'L' : 'M'}${point}`;
    last = side;
  }
  return paths;
}

/** Draws a rope; the lower layer first. */
export function rope(rope: Rope): SVGTemplateResult {
  const strands = Array.from({ length: strandCount }, (_, index) => strand(rope, index));
  const of = (layer: keyof Strand) =>
    strands.map(
      (paths, index) => svg`<path class="casing" d=${paths[layer]} fill="none" />
        <path class="strand strand-${index} ${layer}" d=${paths[layer]} fill="none" />`,
    );
  return svg`${of('back')}${of('front')}`;
}

/** From integers to waves: the jobs of the chapter. They run in the worker. */
import type { Encodings } from '#in-parts';
import { errorTextOf, type ErrorText } from '../../worker/error_parts.ts';

export interface OneNumberRequest {
  /** Tokens of the longest training text, and of the text at hand. */
  trained: number;
  length: number;
}

export interface OneNumber {
  integers: Float32Array;
  /** The same tokens scaled to [0, 1], in a text of each length. */
  unit: { trained: Float32Array; text: Float32Array };
}

export function oneNumber(rw: Encodings, { trained, length }: OneNumberRequest): OneNumber {
  return {
    integers: rw.integerPositions({ positions: length }).data,
    unit: {
      trained: rw.unitInterval({ positions: trained }).data,
      text: rw.unitInterval({ positions: length }).data,
    },
  };
}

export interface BitsRequest {
  bits: number;
  /** Where the reader stands, between whole positions too. */
  t: number;
}

export interface BitsAndDials {
  /** [bits, 2^bits] and [bits, 2^bits * sinesPerPosition]: one row per bit and per wave. */
  bits: Float32Array;
  sines: Float32Array;
  /** Euclidean distance from position m to m + 1, for m = 0 ... 2^bits - 2. */
  bitSteps: number[];
  sineSteps: number[];
  /** No step is longer: every bit flips, or every sine moves by as much as its angle. */
  longest: { bits: number; sines: number };
  /** The two vectors at t; no bits between whole positions, and what the package says then. */
  now: { bits: Float32Array | undefined; sines: Float32Array; error: ErrorText | undefined };
}

/** Even, so that no sample falls on the border between two bits. */
export const sinesPerPosition = 8;

export function bitsAndDials(rw: Encodings, { bits, t }: BitsRequest): BitsAndDials {
  const count = 2 ** bits;
  const binary = rw.binary({ positions: count, bits }).data;
  const sines = rw.sineWaves({ positions: count, dim: bits }).data;
  const fineTimes = Array.from(
    { length: count * sinesPerPosition },
    (_, k) => (k + 0.5) / sinesPerPosition - 0.5,
  );
  return {
    bits: transposed(binary, bits),
    sines: transposed(rw.sineWaves({ positions: fineTimes, dim: bits }).data, bits),
    bitSteps: steps(binary, bits),
    sineSteps: steps(sines, bits),
    longest: { bits: Math.sqrt(bits), sines: Math.sqrt(((1 - 4 ** -bits) * 4) / 3) },
    now: {
      ...orError(() => rw.binary({ positions: [t], bits }).data),
      sines: rw.sineWaves({ positions: [t], dim: bits }).data,
    },
  };
}

/** Bits, or the package's own words where there are none. */
function orError(work: () => Float32Array) {
  try {
    return { bits: work(), error: undefined };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { bits: undefined, error: errorTextOf(error) };
  }
}

function transposed(rows: Float32Array, columns: number): Float32Array {
  const count = rows.length / columns;
  return Float32Array.from(rows, (_, k) => rows[(k % count) * columns + Math.floor(k / count)]!);
}

function steps(table: Float32Array, dim: number): number[] {
  return Array.from({ length: table.length / dim - 1 }, (_, m) =>
    distance(table, dim, m, table, m + 1),
  );
}

function distance(a: Float32Array, dim: number, row: number, b: Float32Array, other: number) {
  let squared = 0;
  for (let j = 0; j < dim; j++) squared += (a[row * dim + j]! - b[other * dim + j]!) ** 2;
  return Math.sqrt(squared);
}

export interface CurveRequest {
  frequencies: 'halving' | 'dim-1';
  base: number;
  /** How many whole positions the curve passes, from 0. */
  positions: number;
}

export interface DialCurve {
  /** [samples, 3]: the curve at every samplesPerPosition-th part of a position. */
  curve: Float32Array;
  /** For every distance in samples: the nearest that two points so far apart ever come. */
  nearest: number[];
  /** C06: the two moments, at least the shortest wavelength apart, that come nearest. */
  collision: { distance: number; first: number; second: number };
}

export const samplesPerPosition = 8;
const dim = 3;
export const shortestWavelength = 2 * Math.PI;
/** Vectors no farther apart than this are the same, in 32-bit numbers. */
const closed = 5e-5;

export function dialCurve(rw: Encodings, request: CurveRequest): DialCurve {
  const last = request.positions - 1;
  const count = last * samplesPerPosition + 1;
  const at = (positions: number[]) =>
    rw.sineWaves({ positions, dim, spacing: request.frequencies, base: request.base }).data;
  const curve = at(Array.from({ length: count }, (_, k) => k / samplesPerPosition));
  const nearest = new Array<number>(count).fill(0);
  let best = { distance: Infinity, first: 0, second: 0 };
  for (let gap = 1; gap < count; gap++) {
    let least = Infinity;
    let where = 0;
    for (let k = 0; k + gap < count; k++) {
      const here = distance(curve, dim, k, curve, k + gap);
      if (here < least) [least, where] = [here, k];
    }
    nearest[gap] = least;
    if (gap >= shortestWavelength * samplesPerPosition && least < best.distance) {
      const first = where / samplesPerPosition;
      best = { distance: least, first, second: first + gap / samplesPerPosition };
    }
  }
  const collision = refined(at, best, last);
  const gap = collision.second - collision.first;
  // A closed curve meets itself everywhere: then the start is the place to name.
  const fromStart = distance(at([0]), dim, 0, at([gap]), 0);
  const isClosed = collision.distance < closed && fromStart < closed;
  return {
    curve,
    nearest,
    collision: isClosed ? { distance: fromStart, first: 0, second: gap } : collision,
  };
}

const lookAround = 16;

/** The same search between the samples: around both moments, ever finer. */
function refined(
  at: (positions: number[]) => Float32Array,
  coarse: DialCurve['collision'],
  last: number,
): DialCurve['collision'] {
  let best = coarse;
  for (let step = 1 / samplesPerPosition / lookAround; step > 1e-7; step /= lookAround / 2) {
    const around = (middle: number) =>
      Array.from({ length: 2 * lookAround + 1 }, (_, k) => middle + (k - lookAround) * step).filter(
        (t) => t >= 0 && t <= last,
      );
    const [firsts, seconds] = [around(best.first), around(best.second)];
    const [a, b] = [at(firsts), at(seconds)];
    firsts.forEach((first, i) =>
      seconds.forEach((second, j) => {
        const here = distance(a, dim, i, b, j);
        if (second - first >= shortestWavelength && here < best.distance)
          best = { distance: here, first, second };
      }),
    );
  }
  return best;
}

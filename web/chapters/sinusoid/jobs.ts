/** The jobs of the chapter. They run in the worker. */
import type { Ropewalk } from 'ropewalk';
import type { Encodings } from '#in-parts';
import { pairOf } from './layouts.ts';

export interface TableRequest {
  positions: number;
  dim: number;
  base: number;
  layout: 'interleaved' | 'half-split';
  spacing: 'dim/2' | 'dim/2-1';
  order: 'sin-first' | 'cos-first';
}

export interface SinusoidTable {
  /** [positions, dim] */
  table: Float32Array;
  /** The same columns between the positions, [fineTimes.length, dim]: for drawing waves. */
  fine: Float32Array;
  fineTimes: number[];
  /** Wavelength of each pair, in positions. */
  wavelengths: Float64Array;
  /** C12: the two positions whose vectors are nearest. */
  closest: { distance: number; first: number; second: number };
  /** Mean of max - min over the columns of the faster and of the slower half of the pairs. */
  swing: { fast: number; slow: number };
}

const finePoints = 1000;

export function sinusoidTable(rw: Encodings, request: TableRequest): SinusoidTable {
  const { positions, dim } = request;
  const { data: table } = rw.sinusoidal(request);
  const fineTimes = Array.from(
    { length: finePoints + 1 },
    (_, k) => (k / finePoints) * (positions - 1),
  );
  const { data: fine } = rw.sinusoidal({ ...request, positions: fineTimes });
  const wavelengths = wavelengthsOf(rw, request);
  return {
    table,
    fine,
    fineTimes,
    wavelengths,
    closest: closest(table, positions, dim),
    swing: swing(table, request),
  };
}

/** Two pi over the frequency; the second spacing has the same span in one step less. */
function wavelengthsOf(rw: Encodings, { dim, base, spacing }: TableRequest): Float64Array {
  const { inverseFrequencies } = rw.rotaryFrequencies({ dim, base });
  const stretch = spacing === 'dim/2' ? 1 : dim / 2 / (dim / 2 - 1);
  return inverseFrequencies.map((frequency) => (2 * Math.PI) / frequency ** stretch);
}

function closest(table: Float32Array, positions: number, dim: number) {
  let least = { squared: Infinity, first: 0, second: 0 };
  for (let first = 0; first < positions; first++) {
    for (let second = first + 1; second < positions; second++) {
      let squared = 0;
      for (let j = 0; j < dim && squared < least.squared; j++) {
        squared += (table[first * dim + j]! - table[second * dim + j]!) ** 2;
      }
      // Rounding must not choose among neighbors that are all equally near.
      if (squared < least.squared * (1 - 1e-5)) least = { squared, first, second };
    }
  }
  return { distance: Math.sqrt(least.squared), first: least.first, second: least.second };
}

function swing(table: Float32Array, request: TableRequest) {
  const { positions, dim } = request;
  const halves = { fast: [] as number[], slow: [] as number[] };
  for (let column = 0; column < dim; column++) {
    let low = Infinity;
    let high = -Infinity;
    for (let t = 0; t < positions; t++) {
      low = Math.min(low, table[t * dim + column]!);
      high = Math.max(high, table[t * dim + column]!);
    }
    (pairOf(column, request) < dim / 4 ? halves.fast : halves.slow).push(high - low);
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { fast: mean(halves.fast), slow: mean(halves.slow) };
}

export interface CurveRequest {
  dim: number;
  base: number;
  /** The query's position, and how far away keys may stand on both sides. */
  position: number;
  range: number;
}

export interface DotCurves {
  /** Offsets of `reference` and `moved`: -range … range. */
  offsets: number[];
  /** PE_m . PE_n with m = referencePosition, and with the reader's m; NaN where n < 0. */
  reference: number[];
  moved: number[];
  largestDifference: number;
  /** For offsets 0 … range: the largest value from here to `horizon`, the smallest up to here. */
  upper: number[];
  lower: number[];
}

/** Far enough to look past every range of the figure. */
export const horizon = 4096;
export const referencePosition = 1000;

/** Scores of one query against keys, unscaled: attention's own dot products of position vectors. */
function dots(
  rw: Ropewalk,
  { dim, base }: CurveRequest,
  from: number,
  to: readonly number[],
): number[] {
  const query = rw.sinusoidal({ positions: [from], dim, base });
  const keys = rw.sinusoidal({ positions: to, dim, base });
  const { scores } = rw.attention(query, keys, keys, { scale: 1, intermediates: ['scores'] });
  return [...scores!.data];
}

export function dotCurves(rw: Ropewalk, request: CurveRequest): DotCurves {
  const { position, range } = request;
  const offsets = Array.from({ length: 2 * range + 1 }, (_, k) => k - range);
  const curve = (from: number) => {
    const there = offsets.filter((offset) => from - offset >= 0);
    const values = dots(
      rw,
      request,
      from,
      there.map((offset) => from - offset),
    );
    const known = new Map(there.map((offset, k) => [offset, values[k]!]));
    return offsets.map((offset) => known.get(offset) ?? NaN);
  };
  const reference = curve(referencePosition);
  const moved = curve(position);
  const differences = moved.map((value, k) =>
    Number.isNaN(value) ? 0 : Math.abs(value - reference[k]!),
  );
  const far = dots(
    rw,
    request,
    0,
    Array.from({ length: horizon + 1 }, (_, n) => n),
  );
  const upper = far.slice();
  for (let k = horizon - 1; k >= 0; k--) upper[k] = Math.max(upper[k]!, upper[k + 1]!);
  const lower = far.slice(0, range + 1);
  for (let k = 1; k <= range; k++) lower[k] = Math.min(lower[k]!, lower[k - 1]!);
  return {
    offsets,
    reference,
    moved,
    largestDifference: Math.max(...differences),
    upper: upper.slice(0, range + 1),
    lower,
  };
}

export interface ShiftRequest {
  dim: number;
  base: number;
  offset: number;
}

export interface Shift {
  /** T, [dim, dim] */
  map: Float32Array;
  /** PE(t) for t = 0 … lastPosition, [.., dim], and PE(t + offset) beside it. */
  table: Float32Array;
  shifted: Float32Array;
  /** C07: max over t and columns of |T PE(t) - PE(t + offset)|. */
  residual: number;
  frequencies: Float64Array;
}

export const lastPosition = 200;

export function sinusoidShift(rw: Encodings, { dim, base, offset }: ShiftRequest): Shift {
  const times = Array.from({ length: lastPosition + 1 }, (_, t) => t);
  const { data: map } = rw.sinusoidalShift({ dim, offset, base });
  const { data: table } = rw.sinusoidal({ positions: times, dim, base });
  const { data: shifted } = rw.sinusoidal({ positions: times.map((t) => t + offset), dim, base });
  let residual = 0;
  for (const t of times) {
    for (let row = 0; row < dim; row++) {
      let sum = 0;
      for (let column = 0; column < dim; column++)
        sum += map[row * dim + column]! * table[t * dim + column]!;
      residual = Math.max(residual, Math.abs(sum - shifted[t * dim + row]!));
    }
  }
  return {
    map,
    table,
    shifted,
    residual,
    frequencies: rw.rotaryFrequencies({ dim, base }).inverseFrequencies,
  };
}

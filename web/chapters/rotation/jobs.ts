/** The jobs of the chapter. They run in the worker. */
import type { RotaryFrequencies, RotaryLayout, Tensor } from 'ropewalk';
import type { Encodings } from '#in-parts';
import { normal, stream } from '../../toy/hash_random.ts';
import { entriesOf } from './layouts.ts';

/** The figures' own names of their draws, so that one seed gives different vectors. */
const draws = { query: 1, key: 2 };

function drawn(what: keyof typeof draws, seed: number, dim: number): Float32Array {
  const source = stream(0x726f7065, seed, draws[what]);
  return Float32Array.from({ length: dim }, (_, j) => normal(source, j));
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += a[j]! * b[j]!;
  return sum;
}

const norm = (x: ArrayLike<number>) => Math.sqrt(dot(x, x));

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let j = 0; j < a.length; j++) largest = Math.max(largest, Math.abs(a[j]! - b[j]!));
  return largest;
}

/** The rows of x, each rotated by its own position. */
function rotatedRows(
  rw: Encodings,
  x: Float32Array,
  frequencies: RotaryFrequencies,
  positions: readonly number[],
  layout: RotaryLayout = 'interleaved',
): Float32Array {
  const rows: Tensor = { data: x, shape: [positions.length, x.length / positions.length] };
  return rw.rotate(rows, frequencies, { positions: [...positions], layout }).data;
}

function repeated(x: Float32Array, count: number): Float32Array {
  const rows = new Float32Array(x.length * count);
  for (let row = 0; row < count; row++) rows.set(x, row * x.length);
  return rows;
}

export interface OffsetsRequest {
  dim: number;
  base: number;
  /** Positions of query and key, and what is added to both. */
  query: number;
  key: number;
  shift: number;
  seed: number;
}

export interface ScoreByOffset {
  frequencies: Float64Array;
  /** As drawn, rotated by their positions, and by their positions with the shift. */
  q: Float32Array;
  k: Float32Array;
  placedQ: Float32Array;
  placedK: Float32Array;
  rotatedQ: Float32Array;
  rotatedK: Float32Array;
  /** C20: as placed, both moved by the shift, and with positions exchanged. */
  score: { placed: number; moved: number; exchanged: number };
  /** C20: share of each pair in the score, [offsets, pairs], of a query standing elsewhere. */
  parts: Float32Array;
  /** C21 */
  norms: { before: number; after: number };
  /** C21: largest difference between rotating by n and back by m, and rotating by n - m. */
  backError: number;
  /** C23: largest difference of f(q, 0) from q. */
  zeroError: number;
}

export const farthest = 128;

/** The offsets of `parts`: from before the query to after it. */
export const offsets = Array.from({ length: 2 * farthest + 1 }, (_, k) => k - farthest);

export function rotaryClocks(rw: Encodings, request: OffsetsRequest): ScoreByOffset {
  const { dim, base, query, key, shift, seed } = request;
  const frequencies = rw.rotaryFrequencies({ dim, base });
  const q = drawn('query', seed, dim);
  const k = drawn('key', seed, dim);
  const at = (x: Float32Array, position: number) => rotatedRows(rw, x, frequencies, [position]);
  const score = (m: number, n: number) => dot(at(q, m), at(k, n));
  const [placedQ, placedK] = [at(q, query), at(k, key)];
  const rotatedQ = at(q, query + shift);
  const back = at(placedK, -query);
  return {
    frequencies: frequencies.inverseFrequencies,
    q,
    k,
    placedQ,
    placedK,
    rotatedQ,
    rotatedK: at(k, key + shift),
    score: {
      placed: dot(placedQ, placedK),
      moved: score(query + shift, key + shift),
      exchanged: score(key, query),
    },
    parts: partsByOffset(rw, q, k, frequencies),
    norms: { before: norm(q), after: norm(rotatedQ) },
    backError: largestDifference(back, at(k, key - query)),
    zeroError: largestDifference(at(q, 0), q),
  };
}

/** With the query where every key of the range has a place before or after it. */
function partsByOffset(
  rw: Encodings,
  q: Float32Array,
  k: Float32Array,
  frequencies: RotaryFrequencies,
): Float32Array {
  const pairs = q.length / 2;
  const query = rotatedRows(rw, q, frequencies, [farthest]);
  const places = offsets.map((offset) => farthest - offset);
  const keys = rotatedRows(rw, repeated(k, places.length), frequencies, places);
  const parts = new Float32Array(places.length * pairs);
  for (let row = 0; row < places.length; row++) {
    for (let i = 0; i < pairs; i++) {
      const at = row * q.length + 2 * i;
      parts[row * pairs + i] = query[2 * i]! * keys[at]! + query[2 * i + 1]! * keys[at + 1]!;
    }
  }
  return parts;
}

export interface PairingRequest {
  vector: readonly number[];
  layout: RotaryLayout;
  position: number;
  base: number;
}

export interface Pairing {
  x: Float32Array;
  /** C22: x ⊗ cos + perpendicular(x) ⊗ sin, entry by entry. */
  cos: Float64Array;
  perpendicular: Float32Array;
  sin: Float64Array;
  sum: Float64Array;
  /** [dim, dim] */
  matrix: Float32Array;
  /** The core's own result. */
  rotated: Float32Array;
  /** Largest difference of element-wise form and matrix form from the core's result. */
  formError: number;
  /** x in the half-split order, and where each of its entries stood. */
  permuted: Float32Array;
  order: Float32Array;
  /** Rotated as interleaved and then reordered, against reordered and rotated as half-split. */
  orderError: number;
  /**
   * Scores of x at the position with x at 0: interleaved; half-split on reordered x; and half-split
   * on x as it is.
   */
  score: { interleaved: number; reordered: number; mixed: number };
}

export function rotaryPairing(rw: Encodings, request: PairingRequest): Pairing {
  const { vector, layout, position, base } = request;
  const dim = vector.length;
  const x = Float32Array.from(vector);
  const frequencies = rw.rotaryFrequencies({ dim, base });
  const at = (row: Float32Array, wanted: RotaryLayout) =>
    rotatedRows(rw, row, frequencies, [position], wanted);
  const reordered = (row: Float32Array) =>
    rw.convertRotaryLayout(
      { data: row, shape: [1, dim] },
      { from: 'interleaved', to: 'half-split' },
    ).data;
  const form = elementWise(rw, request, x, frequencies);
  const matrix = matrixOf(rw, request, frequencies);
  const rotated = at(x, layout);
  const product = Float64Array.from(x, (_, row) =>
    dot(matrix.subarray(row * dim, (row + 1) * dim), x),
  );
  const permuted = reordered(x);
  const halves = at(permuted, 'half-split');
  return {
    x,
    ...form,
    matrix,
    rotated,
    formError: Math.max(largestDifference(form.sum, rotated), largestDifference(product, rotated)),
    permuted,
    order: reordered(Float32Array.from(x, (_, j) => j)),
    orderError: largestDifference(reordered(at(x, 'interleaved')), halves),
    score: {
      interleaved: dot(at(x, 'interleaved'), x),
      reordered: dot(halves, permuted),
      mixed: dot(at(x, 'half-split'), x),
    },
  };
}

function elementWise(
  rw: Encodings,
  { layout, position }: PairingRequest,
  x: Float32Array,
  frequencies: RotaryFrequencies,
) {
  const dim = x.length;
  const table = rw.rotaryTable(frequencies, { positions: [position] });
  const cos = new Float64Array(dim);
  const sin = new Float64Array(dim);
  const perpendicular = new Float32Array(dim);
  for (let i = 0; i < dim / 2; i++) {
    const [a, b] = entriesOf(layout, i, dim);
    cos[a] = cos[b] = table.cos[i]!;
    sin[a] = sin[b] = table.sin[i]!;
    perpendicular[a] = -x[b]!;
    perpendicular[b] = x[a]!;
  }
  return {
    cos,
    sin,
    perpendicular,
    sum: cos.map((value, j) => x[j]! * value + perpendicular[j]! * sin[j]!),
  };
}

/** Column j is what becomes of the j-th unit vector. */
function matrixOf(
  rw: Encodings,
  { vector, layout, position }: PairingRequest,
  frequencies: RotaryFrequencies,
): Float32Array {
  const dim = vector.length;
  const units = new Float32Array(dim * dim);
  for (let j = 0; j < dim; j++) units[j * dim + j] = 1;
  const columns = rotatedRows(
    rw,
    units,
    frequencies,
    new Array<number>(dim).fill(position),
    layout,
  );
  return columns.map((_, at) => columns[(at % dim) * dim + Math.floor(at / dim)]!);
}

export interface DecayRequest {
  dim: number;
  base: number;
  range: number;
  vectors: 'random' | 'ones';
  seed: number;
}

export interface Decay {
  /** C24: (2/d) Σ |S_j| at every offset from 0 to the range, and the same with base 10000. */
  mean: Float64Array;
  usual: Float64Array;
  score: Float64Array;
  magnitude: Float64Array;
  bound: Float64Array;
}

export const usualBase = 10000;

export function rotaryDecayCurves(rw: Encodings, request: DecayRequest): Decay {
  const { dim, base, range, vectors, seed } = request;
  const offsets = range + 1;
  const frequencies = rw.rotaryFrequencies({ dim, base });
  const usual = rw.rotaryFrequencies({ dim, base: usualBase });
  const ones = new Float32Array(dim).fill(1);
  const [q, k] =
    vectors === 'ones' ? [ones, ones] : [drawn('query', seed, dim), drawn('key', seed, dim)];
  return {
    mean: rw.rotaryDecay(frequencies, { offsets }).meanPartialSum,
    usual: rw.rotaryDecay(usual, { offsets }).meanPartialSum,
    ...rw.rotaryScoreBound(q, k, frequencies, { offsets, layout: 'interleaved' }),
  };
}

export interface WavelengthRequest {
  dim: number;
  base: number;
  length: number;
}

export interface Wavelengths {
  /** C25: wavelength of each pair, and full rotations of each within the length. */
  wavelengths: Float64Array;
  rotations: Float64Array;
}

export function rotaryReach(rw: Encodings, { dim, base, length }: WavelengthRequest): Wavelengths {
  const frequencies = rw.rotaryFrequencies({ dim, base });
  return {
    wavelengths: rw.rotaryWavelengths(frequencies),
    rotations: rw.rotaryTurns(frequencies, { length }),
  };
}

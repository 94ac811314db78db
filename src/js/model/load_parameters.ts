/** Copies the weights of a file into the parameters of a model, in pieces. */
import type { Place } from './description.js';
import type { Room } from '../formats/byte_source.js';
import { bytesOfFloats, type StoredWeights, type WeightFormat, type Weights } from './weights.js';
import { wrongShape, wrongValue } from '../runtime/errors.js';

/** A parameter of the core. */
export interface ModelParameter {
  name: string;
  rows: number;
  cols: number;
}

/** The parameters that the core lists, one a line. */
export const parameterLines = (lines: string): ModelParameter[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name, rows, cols] = line.split(' ') as [string, string, string];
      return { name, rows: Number(rows), cols: Number(cols) };
    });

/** Rows of a parameter, from `first` on. */
export interface Piece {
  first: number;
  count: number;
  bytes: Uint8Array;
  format: WeightFormat;
}

/** Bytes read at once; the core takes some milliseconds for them. */
const pieceSize = 2 ** 22;

const elements = (shape: readonly number[]) =>
  shape.reduce((product, extent) => product * extent, 1);

/** The rows and columns of a tensor; a list of numbers is one row. */
function matrixOf(shape: readonly number[]): { rows: number; cols: number } {
  const cols = shape.at(-1) ?? 1;
  return { rows: cols === 0 ? 0 : elements(shape) / cols, cols };
}

/** Bytes of so many values. */
export const bytesOfValues = (format: WeightFormat, count: number): number =>
  format === 'q8_0' ? (count / 32) * 34 : count * (format === 'f32' ? 4 : 2);

/** The runs of columns of each row, side by side. */
function pickedColumns(
  bytes: Uint8Array,
  rows: number,
  format: WeightFormat,
  runs: readonly (readonly [number, number])[],
): Uint8Array {
  const perRow = bytes.length / rows;
  const count = runs.reduce((sum, run) => sum + run[1], 0);
  const picked = new Uint8Array(rows * bytesOfValues(format, count));
  let at = 0;
  for (let row = 0; row < rows; ++row)
    for (const [first, length] of runs) {
      const start = row * perRow + bytesOfValues(format, first);
      const run = bytes.subarray(start, start + bytesOfValues(format, length));
      picked.set(run, at);
      at += run.length;
    }
  return picked;
}

/** A whole tensor whose rows are the columns of a parameter. */
async function* transposedPieces(
  weights: Weights,
  { name, rows, cols }: ModelParameter,
  tensor: string,
  { shape, format }: StoredWeights,
  room: Room,
): AsyncGenerator<Piece> {
  if (shape.length !== 2 || shape[0] !== cols || shape[1] !== rows || format === 'q8_0')
    throw wrongShape(`weights: ${tensor}`, `must fit ${name}, ${cols} × ${rows} floats`, shape);
  const size = bytesOfValues(format, 1);
  const Values = size === 4 ? Uint32Array : Uint16Array;
  const whole = new Values(rows * cols);
  const mostRead = Math.max(1, Math.floor(pieceSize / (rows * size)));
  for (let col = 0; col < cols; col += mostRead) {
    const count = Math.min(mostRead, cols - col);
    const bytes = await weights.rows(tensor, col, count, room);
    // A copy begins at a multiple of the size of a value.
    const values = new Values(bytes.slice().buffer);
    for (let i = 0; i < values.length; ++i)
      whole[(i % rows) * cols + col + Math.floor(i / rows)] = values[i]!;
  }
  const most = Math.max(1, Math.floor(pieceSize / (cols * size)));
  for (let first = 0; first < rows; first += most) {
    const count = Math.min(most, rows - first);
    const bytes = new Uint8Array(whole.buffer, first * cols * size, count * cols * size);
    yield { first, count, bytes, format };
  }
}

/**
 * The values of one parameter, piece by piece; a piece is valid until the next one.
 * @throws RangeError when the tensor is missing or has another shape
 */
export async function* piecesOf(
  weights: Weights,
  { name, rows, cols }: ModelParameter,
  { tensor, runs, along = 'rows', absent, isTransposed }: Place,
  room: Room,
): AsyncGenerator<Piece> {
  const { shape, format } = weights.stored(tensor) ?? {};
  if (!shape || !format) {
    if (absent === undefined)
      throw wrongValue(`weights: ${tensor}`, `is missing; it has ${name}`, undefined, '');
    const values = new Float32Array(rows * cols).fill(absent);
    return yield { first: 0, count: rows, bytes: bytesOfFloats(values), format: 'f32' };
  }
  if (isTransposed)
    return yield* transposedPieces(weights, { name, rows, cols }, tensor, { shape, format }, room);
  const stored = matrixOf(shape);
  // A bias is one row of as many values as its matrix has rows.
  const isList = shape.length === 1;
  const picksColumns = isList || along === 'columns';
  const chosen = runs ?? [[0, picksColumns ? stored.cols : stored.rows] as const];
  const count = chosen.reduce((sum, run) => sum + run[1], 0);
  const end = Math.max(...chosen.map(([first, length]) => first + length));
  const fits = picksColumns
    ? count === cols && stored.rows === rows && end <= stored.cols
    : count === rows && stored.cols === cols && end <= stored.rows;
  if (!fits) throw wrongShape(`weights: ${tensor}`, `must fit ${name}, ${rows} × ${cols}`, shape);
  const most = Math.max(1, Math.floor(pieceSize / bytesOfValues(format, stored.cols)));
  let at = 0;
  for (const [first, length] of picksColumns ? [[0, rows] as const] : chosen)
    for (let row = 0; row < length; row += most) {
      const own = Math.min(most, length - row);
      const bytes = await weights.rows(tensor, first + row, own, room);
      const isWhole = !picksColumns || (chosen.length === 1 && count === stored.cols);
      const picked = isWhole ? bytes : pickedColumns(bytes, own, format, chosen);
      yield { first: at, count: own, bytes: picked, format };
      at += own;
    }
}

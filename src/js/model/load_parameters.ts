/** Copies the weights of a file into the parameters of a model, in pieces. */
import type { Place } from './description.js';
import type { Weights } from './weights.js';
import { wrongShape, wrongValue } from '../runtime/errors.js';

/** A parameter of the core. */
export interface ModelParameter {
  name: string;
  rows: number;
  cols: number;
}

/** Values read at once: 4 MB of floats. */
const pieceSize = 2 ** 20;

const elements = (shape: readonly number[]) =>
  shape.reduce((product, extent) => product * extent, 1);

/** The rows and columns of a tensor; a list of numbers is one row. */
function matrixOf(shape: readonly number[]): { rows: number; cols: number } {
  const cols = shape.at(-1) ?? 1;
  return { rows: cols === 0 ? 0 : elements(shape) / cols, cols };
}

function requireFinite(tensor: string, values: Float32Array): void {
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw wrongValue(`weights: ${tensor}`, 'must be finite', wrong);
}

/**
 * Writes the values of one parameter.
 * @param write takes the values from `at` on, counted within the parameter
 * @throws RangeError when the tensor is missing, has another shape or values that are not finite
 */
export async function loadParameter(
  weights: Weights,
  { name, rows, cols }: ModelParameter,
  { tensor, runs, along = 'rows', offset = 0, absent }: Place,
  write: (at: number, values: Float32Array) => void,
): Promise<void> {
  const shape = weights.shapeOf(tensor);
  if (!shape) {
    if (absent === undefined)
      throw wrongValue(`weights: ${tensor}`, `is missing; it has ${name}`, undefined, '');
    return write(0, new Float32Array(rows * cols).fill(absent));
  }
  const stored = matrixOf(shape);
  // A bias is one row of as many values as its matrix has rows.
  const isList = shape.length === 1;
  const chosen = runs ?? [[0, isList || along === 'columns' ? stored.cols : stored.rows] as const];
  const count = chosen.reduce((sum, run) => sum + run[1], 0);
  const end = Math.max(...chosen.map(([first, length]) => first + length));
  const fits = isList
    ? rows === 1 && count === cols && end <= stored.cols
    : along === 'rows'
      ? count === rows && stored.cols === cols && end <= stored.rows
      : count === cols && stored.rows === rows && end <= stored.cols;
  if (!fits) throw wrongShape(`weights: ${tensor}`, `must fit ${name}, ${rows} × ${cols}`, shape);
  const put = (at: number, values: Float32Array) => {
    requireFinite(tensor, values);
    write(at, offset === 0 ? values : values.map((value) => value + offset));
  };
  let at = 0;
  const picked = (values: Float32Array, from: number) => {
    for (const [first, length] of chosen) {
      put(at, values.subarray(from + first, from + first + length));
      at += length;
    }
  };
  const perPiece = Math.max(1, Math.floor(pieceSize / stored.cols));
  if (isList) return picked(await weights.rows(tensor, 0, 1), 0);
  if (along === 'columns') {
    for (let row = 0; row < stored.rows; row += perPiece) {
      const piece = Math.min(perPiece, stored.rows - row);
      const values = await weights.rows(tensor, row, piece);
      for (let i = 0; i < piece; ++i) picked(values, i * stored.cols);
    }
    return;
  }
  for (const [first, length] of chosen)
    for (let row = 0; row < length; row += perPiece) {
      const piece = Math.min(perPiece, length - row);
      put(at, await weights.rows(tensor, first + row, piece));
      at += piece * cols;
    }
}

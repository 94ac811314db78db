/**
 * How a map of N × N weights is cut up, for the worker that fills it and the page that shows it.
 *
 * A map has levels: a texel of level L stands for 2^L × 2^L cells. The rows come in blocks, since a
 * softmax needs whole rows and no more. Every block yields its coarse levels, which the page keeps;
 * of the two finest levels, far too large to keep, it requests the tiles that are in view.
 */

/** Query rows that are computed at a time. */
export const blockRows = 256;
/** Texels across a tile of a fine level; down, a tile is as high as its block. */
export const tileWidth = 256;
/**
 * The finest level that every block yields, and the coarsest. Lengths are multiples of 2^coarsest.
 */
export const firstKept = 2;
export const coarsest = 6;

/** What the texels of one piece of the map stand for: the mean and the largest of their cells. */
export interface Piece {
  level: number;
  /** The first cell. */
  row: number;
  column: number;
  /** In texels. */
  width: number;
  height: number;
  /** NaN where no query of the texel may see any of its keys. */
  mean: Float32Array;
  max: Float32Array;
}

export type Measure = 'mean' | 'max';

/** Which keys a query may see: none after itself, none `window` or more away. */
export interface Sees {
  causal: boolean;
  window: number;
}

/** Whether all cells of a square are hidden. */
function isHidden({ causal, window }: Sees, row: number, column: number, side: number) {
  const ahead = column - (row + side - 1);
  const behind = row - (column + side - 1);
  return (causal && ahead > 0) || behind >= window || ahead >= window;
}

/** A part of a block of weights, `stride` per row; cells beyond the last column are hidden ones. */
export interface Cells {
  weights: Float32Array;
  stride: number;
  /** The cell of the map at which the weights begin. */
  firstRow: number;
}

/** The piece of a level that begins at a cell, straight from the weights. */
export function reduced(
  { weights, stride, firstRow }: Cells,
  { level, row, column, width, height }: Omit<Piece, Measure>,
): Piece {
  const mean = new Float32Array(width * height);
  const max = level === 0 ? mean : new Float32Array(width * height);
  const columns = Math.min(width << level, stride - column);
  for (let r = 0; r < height << level; r++) {
    const from = (row - firstRow + r) * stride + column;
    const to = (r >> level) * width;
    for (let c = 0; c < columns; c++) {
      const weight = weights[from + c]!;
      const at = to + (c >> level);
      mean[at]! += weight;
      if (weight > max[at]!) max[at] = weight;
    }
  }
  const share = 1 / (1 << (2 * level));
  if (level > 0) for (let at = 0; at < mean.length; at++) mean[at]! *= share;
  return { level, row, column, width, height, mean, max };
}

/** The next coarser level of a piece. */
export function halved(fine: Piece): Piece {
  const [width, height] = [fine.width / 2, fine.height / 2];
  const mean = new Float32Array(width * height);
  const max = new Float32Array(width * height);
  for (let y = 0; y < fine.height; y++) {
    for (let x = 0; x < fine.width; x++) {
      const from = y * fine.width + x;
      const to = (y >> 1) * width + (x >> 1);
      mean[to]! += fine.mean[from]! / 4;
      max[to] = Math.max(max[to]!, fine.max[from]!);
    }
  }
  return { ...fine, level: fine.level + 1, width, height, mean, max };
}

/** Writes NaN where nothing may be seen: a hidden cell is not the same as a weight of 0. */
export function withHidden(piece: Piece, sees: Sees): Piece {
  const side = 1 << piece.level;
  for (let y = 0; y < piece.height; y++) {
    for (let x = 0; x < piece.width; x++) {
      if (!isHidden(sees, piece.row + y * side, piece.column + x * side, side)) continue;
      const at = y * piece.width + x;
      piece.mean[at] = piece.max[at] = NaN;
    }
  }
  return piece;
}

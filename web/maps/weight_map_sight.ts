/** Which part of a square map is in view: plain geometry, in cells. */
export interface Sight {
  /** The cell coordinates of the middle. */
  x: number;
  y: number;
  /** Cells from one side to the other. */
  span: number;
}

/** Fewer cells than this are never shown. */
export const leastSpan = 8;

const between = (low: number, value: number, high: number) => Math.max(low, Math.min(high, value));

/** The nearest sight that shows nothing but map. */
export function within({ x, y, span }: Sight, length: number): Sight {
  const across = between(Math.min(leastSpan, length), span, length);
  const inside = (middle: number) => between(across / 2, middle, length - across / 2);
  return { x: inside(x), y: inside(y), span: across };
}

/** What was under a point (shares of the window) stays there, `factor` times as large. */
export function zoomed(sight: Sight, factor: number, at: [number, number], length: number): Sight {
  const span = between(Math.min(leastSpan, length), sight.span / factor, length);
  const moved = (middle: number, share: number) => middle + (share - 0.5) * (sight.span - span);
  return within({ x: moved(sight.x, at[0]), y: moved(sight.y, at[1]), span }, length);
}

/** Moved by shares of the window. */
export function moved(sight: Sight, dx: number, dy: number, length: number): Sight {
  return within({ ...sight, x: sight.x + dx * sight.span, y: sight.y + dy * sight.span }, length);
}

/** Just so far that a square of cells is in view. */
export function revealing(
  sight: Sight,
  { row, column, side }: { row: number; column: number; side: number },
  length: number,
): Sight {
  const along = (middle: number, at: number) =>
    between(at + side - sight.span / 2, middle, at + sight.span / 2);
  return within({ ...sight, x: along(sight.x, column), y: along(sight.y, row) }, length);
}

/** Cells in view, as first and last. */
export function edges(middle: number, span: number, length: number): [number, number] {
  const first = Math.max(0, Math.floor(middle - span / 2 + 1e-9));
  return [first, Math.min(length, Math.ceil(middle + span / 2 - 1e-9)) - 1];
}

/** The level whose texels come nearest to one pixel. */
export function levelFor(pixelsPerCell: number, coarsest: number): number {
  return between(0, Math.round(-Math.log2(pixelsPerCell)), coarsest);
}

/** The jobs of the chapter. They run in the worker. */
import type { Encodings } from '#in-parts';

/** Axes of a position: time, row, column. */
export const axes = ['t', 'h', 'w'] as const;

/** Qwen3.5: 64 rotated numbers of a head, and how many pairs each axis rotates. */
const qwen = { dim: 64, base: 1e7, sections: [11, 11, 10] } as const;

/** A text with a clip of two frames in it, counted as Qwen2-VL does. */
const clip = { before: 4, frames: 2, height: 2, width: 3, after: 3 } as const;

export interface Token {
  /** Position on each axis. */
  at: readonly [t: number, h: number, w: number];
  /** Place in the clip; none for a token of the text. */
  patch?: { frame: number; row: number; column: number };
}

export const orders = ['interleaved', 'consecutive'] as const;
export type Order = (typeof orders)[number];

export interface MropeAxes {
  tokens: Token[];
  /** C47: the axis of each pair, 0 to 2, in turns and in blocks. */
  axisOfPair: Record<Order, Float64Array>;
  /** Positions for one turn of each pair. */
  wavelengths: Float64Array;
  /**
   * C47: how many pairs of each token rotate in both orders as plain RoPE rotates them at the
   * token's time.
   */
  plainPairs: number[];
}

const text = (count: number, from: number): Token[] =>
  Array.from({ length: count }, (_, k) => ({ at: [from + k, from + k, from + k] }));

function tokensOf(rw: Encodings): Token[] {
  const { before, frames, height, width, after } = clip;
  const grid = rw.gridPositions({ frames, height, width });
  const count = frames * height * width;
  const patches = Array.from({ length: count }, (_, k): Token => {
    const frame = Math.floor(k / (height * width));
    const [row, column] = [grid[k]!, grid[count + k]!];
    return { at: [before + frame, before + row, before + column], patch: { frame, row, column } };
  });
  const largest = Math.max(...patches.flatMap(({ at }) => at));
  return [...text(before, 0), ...patches, ...text(after, largest + 1)];
}

export function mropeAxes(rw: Encodings): MropeAxes {
  const { dim, base, sections } = qwen;
  const plain = rw.rotaryFrequencies({ dim, base });
  const sectioned = (order: Order) => rw.sectionedFrequencies(plain, { sections, order });
  const [interleaved, consecutive] = [sectioned('interleaved'), sectioned('consecutive')];
  const tokens = tokensOf(rw);
  const positions = axes.flatMap((_, axis) => tokens.map(({ at }) => at[axis]!));
  const tables = [interleaved, consecutive].map((one) => rw.rotaryTable(one, { positions }));
  const usual = rw.rotaryTable(plain, { positions: tokens.map(({ at }) => at[0]) });
  const pairs = dim / 2;
  const isPlain = (at: number) =>
    tables.every(({ cos, sin }) => cos[at] === usual.cos[at] && sin[at] === usual.sin[at]);
  return {
    tokens,
    axisOfPair: {
      interleaved: interleaved.axisOfPair,
      consecutive: consecutive.axisOfPair,
    },
    wavelengths: rw.rotaryWavelengths(plain),
    plainPairs: tokens.map(
      (_, token) =>
        Array.from({ length: pairs }, (__, pair) => token * pairs + pair).filter(isPlain).length,
    ),
  };
}

/** What a weight map shows: pieces of N × N weights that arrive one after the other. */
import type { Piece, Sees } from './weight_map_pieces.ts';

/** A square of cells: what a texel of a level stands for. */
export interface Square {
  row: number;
  column: number;
  side: number;
}

/** Cells in view, first and last, and the level that shows them best. */
export interface Region {
  level: number;
  rows: [number, number];
  columns: [number, number];
}

export interface WeightMapData {
  /** N. */
  readonly length: number;
  readonly tokens: readonly string[];
  readonly sees: Sees;
  /** The distance of each token from its copy, where the text repeats. */
  readonly copyAt: number | undefined;
  /** Blocks of rows: how many there are, and how many have arrived. */
  readonly blockCount: number;
  readonly progress: number;
  /** Nothing is missing, in view or of the whole. */
  readonly isComplete: boolean;
  readonly fault: Error | undefined;
  /** Called when a piece has arrived, or none will. */
  changed: () => void;
  /** Requests what is missing of a region before anything else, and of close-ups at last. */
  look(region: Region, closeUps?: readonly Region[]): void;
  /** Requests nothing more. */
  stop(): void;
  /** The pieces to draw a region with, coarse before fine. */
  pieces(region: Region): Piece[];
  /** The pieces that stay, for every region. */
  kept(): Piece[];
  /** The pieces of the small map in the corner. */
  overview(): Piece[];
}

/** The messages between the notebook and its worker, and the types of the cells. */
import type { AttentionResult, Ropewalk } from 'ropewalk';
import type { FileTensor, WritableTensor } from 'ropewalk/files';
import type { ErrorText } from '../error_text.ts';

export interface Settings {
  base: number;
  layout: 'half-split' | 'interleaved';
  causal: false | 'top-left' | 'bottom-right';
}

/** An array in a list of the page. */
export interface Listed {
  name: string;
  format: string;
  shape: number[];
  /** Its first numbers. */
  first: number[];
}

/** A result of Ropewalk, with its file for download. */
export interface Result extends Listed {
  bytes: Uint8Array;
}

export interface Comparison {
  name: string;
  largest: number;
  place: number[];
  tolerance: number;
  agrees: boolean;
}

/** What the page shows under each cell: results or errors. */
export interface CellResults {
  arrays: Listed[];
  results: Result[];
  /** The first head's rows of weights. */
  weights: number[][];
  comparisons: Comparison[];
  /** Error messages, each with its cell, and the file or array they are about. */
  errors: { cell: 'arrays' | 'table' | 'attention' | 'compare'; about: string; error: ErrorText }[];
  /** Arrays that attention still needs. */
  missing: string[];
}

export const emptyResults = (): CellResults => ({
  arrays: [],
  results: [],
  weights: [],
  comparisons: [],
  errors: [],
  missing: ['q', 'k', 'v'],
});

/** Arrays with at least one dimension. */
export type Inputs = Record<'q' | 'k' | 'v', { shape: { at(index: -1): number } } & FileTensor>;

export type ReadArrays = (file: string, bytes: Uint8Array) => Map<string, FileTensor>;

export type RotaryTable = (
  rw: Ropewalk,
  options: { positions: number; dim: number; base: number },
) => WritableTensor;

export type Attend = (rw: Ropewalk, inputs: Inputs, settings: Settings) => AttentionResult;

export type Compare = (ours: WritableTensor, theirs: FileTensor) => { largest: number; at: number };

export type WriteFile = (tensor: WritableTensor) => Uint8Array;

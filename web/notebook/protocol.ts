/** What the notebook asks of its worker: everything at once, from the files to the differences. */

export interface Settings {
  base: number;
  layout: 'half-split' | 'interleaved';
  causal: false | 'top-left' | 'bottom-right';
}

export interface Question {
  id: number;
  files: { file: string; bytes: Uint8Array }[];
  settings: Settings;
}

/** An array as the page tells it. */
export interface Listed {
  name: string;
  format: string;
  shape: number[];
  /** Its first numbers. */
  first: number[];
}

/** A result of ours, and the file to take away. */
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

/** What stands under each cell: results, or why there are none. */
export interface Answer {
  id: number;
  arrays: Listed[];
  results: Result[];
  /** The first head's rows of weights. */
  weights: number[][];
  comparisons: Comparison[];
  /** Refusals, by the cell that they stand under. */
  refused: { cell: 'arrays' | 'table' | 'attention' | 'compare'; text: string }[];
  /** Arrays that attention waits for. */
  missing: string[];
}

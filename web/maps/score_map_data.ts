import type { Rgb } from '../plots/colors.ts';

/** What a score map shows, and where in it the reader is. */
export interface ScoreMapData {
  /** Labels of the rows (queries) and of the columns (keys or dimensions). */
  rows: readonly string[];
  columns: readonly string[];
  /** The columns are keys, and take their hue. */
  columnsAreKeys: boolean;
  /** Called for the cells in view only. */
  value(row: number, column: number): number;
  /** The color of a value, undefined where there is none; and a CSS color for text on it. */
  color(value: number): Rgb | undefined;
  ink(value: number): string;
  /** One number of each row, as a bar from 0 to the limit after the last column. */
  margin?: { title: string; limit: number; value(row: number): number };
  /** The rows of the same label, which a bracket joins with a sign: are all of them equal? */
  twins?(row: number): Twins;
  /** Text for a cell that has room. */
  format(value: number): string;
}

export interface Twins {
  rows: readonly number[];
  areEqual: boolean;
}

export interface Cell {
  row: number;
  /** Below 0 to mark a row alone. */
  column: number;
}

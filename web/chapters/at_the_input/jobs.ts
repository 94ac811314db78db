/**
 * Learned, recurrent, multiplied, joined: the jobs of the chapter. They run in the worker.
 */
import type { Ropewalk, Tensor } from 'ropewalk';
import { errorTextOf, type ErrorText } from '../../worker/error_parts.ts';
import { embed, modelWidth, shuffledOrder, takeRows } from '../../toy/toy_model.ts';

export interface TableRequest {
  /** How many positions have a row. */
  rows: number;
  dim: number;
  /** Tokens of the text. */
  length: number;
}

export interface LearnedRows {
  /** [max(rows, length), dim]: the table, and NaN where the table has no row. */
  table: Float32Array;
  /** How many rows the text was given: all of its length, or none and the package's own words. */
  given: number;
  error: ErrorText | undefined;
  /** How many rows the sinusoid has for the same text. */
  sinusoid: number;
}

const tableSeed = 1;

export function rowsOfTable(rw: Ropewalk, { rows, dim, length }: TableRequest): LearnedRows {
  const learned = rw.learnedTable({ rows, dim, seed: tableSeed });
  const table = new Float32Array(Math.max(rows, length) * dim).fill(NaN);
  table.set(learned.data);
  const sinusoid = rw.sinusoidal({ positions: length, dim }).shape[0]!;
  try {
    const given = rw.learnedRows(learned, { positions: length }).shape[0]!;
    return { table, given, error: undefined, sinusoid };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { table, given: 0, error: errorTextOf(error), sinusoid };
  }
}

export interface RecurrentRequest {
  words: readonly string[];
  /** 0 leaves the words in their order; any other number shuffles them its own way. */
  shuffle: number;
  seed: number;
}

export interface RecurrentOrder {
  /** order[place] = which word stands there. */
  order: number[];
  /** [words, hidden]: the state after each place, in the order shown. */
  states: Float32Array;
  /** C15: per word, the largest change of its attention output through the shuffle. */
  change: { without: number[]; with: number[] };
}

export const hiddenWidth = 16;
export const tokenWidth = modelWidth;

export function recurrentOrder(rw: Ropewalk, request: RecurrentRequest): RecurrentOrder {
  const { words, shuffle, seed } = request;
  const x = embed(words, seed);
  const order = shuffledOrder(words.length, shuffle);
  const shuffled = takeRows(x, order, modelWidth);
  const weights = rw.recurrentWeights({ dim: modelWidth, hidden: hiddenWidth, seed });
  const tokens = (data: Float32Array): Tensor => ({ data, shape: [words.length, modelWidth] });
  const through = (data: Float32Array) => rw.recurrent(tokens(data), { weights });
  const outputs = (each: Tensor) => rw.attention(each, each, each).output;
  const states = through(shuffled);
  return {
    order,
    states: states.data.slice(),
    change: {
      without: changes(outputs(tokens(x)), outputs(tokens(shuffled)), order),
      with: changes(outputs(through(x)), outputs(states), order),
    },
  };
}

/** Per word: the largest difference between its row as written and its row where it now stands. */
function changes(written: Tensor, shown: Tensor, order: readonly number[]): number[] {
  const width = written.shape.at(-1)!;
  const change = new Array<number>(order.length).fill(0);
  order.forEach((word, place) => {
    for (let j = 0; j < width; j++) {
      const now = shown.data[place * width + j]!;
      change[word] = Math.max(change[word]!, Math.abs(now - written.data[word * width + j]!));
    }
  });
  return change;
}

export const ways = ['add', 'multiply', 'concatenate'] as const;
export type Way = (typeof ways)[number];

export interface CombineRequest {
  words: readonly string[];
  /** Factor on the word vectors; their entries are standard normal numbers. */
  size: number;
}

/** One way's scores [words, words], and what is left of them without words and positions alone. */
export interface Combined {
  scores: Float32Array;
  rest: Float32Array;
  largestRest: number;
  width: number;
}

export interface CombinedScores {
  /** x(m) . x(n) and p(m) . p(n), scaled alike. */
  content: Float32Array;
  position: Float32Array;
  ways: Record<Way, Combined>;
  /** The largest |score| of all, for one scale of colors. */
  limit: number;
}

const combineSeed = 3;

export function combinedScores(rw: Ropewalk, { words, size }: CombineRequest): CombinedScores {
  const shape = [words.length, modelWidth];
  const x = { data: embed(words, combineSeed).map((value) => size * value), shape };
  const p = rw.sinusoidal({ positions: words.length, dim: modelWidth });
  const scoresOf = (rows: Tensor) => {
    const scale = 1 / Math.sqrt(modelWidth);
    return rw.attention(rows, rows, rows, { scale, intermediates: ['scores'] }).scores!.data;
  };
  const content = scoresOf(x);
  const position = scoresOf(p);
  let limit = 0;
  const combined = (by: Way): Combined => {
    const rows = rw.combine(x, p, { by });
    const scores = scoresOf(rows);
    const rest = scores.map((score, k) => score - content[k]! - position[k]!);
    limit = scores.reduce((most, score) => Math.max(most, Math.abs(score)), limit);
    const largestRest = rest.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    return { scores, rest, largestRest, width: rows.shape.at(-1)! };
  };
  const byWay = {
    add: combined('add'),
    multiply: combined('multiply'),
    concatenate: combined('concatenate'),
  };
  return { content, position, ways: byWay, limit };
}

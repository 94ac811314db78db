/** One row of attention by hand; three words in each of their six orders. Runs in the worker. */
import type { Ropewalk } from 'ropewalk';
import { runLab } from '../../toy/forward.ts';
import type { SchemeName } from '../../toy/schemes.ts';

export interface WordOrder {
  /** orders[k][place] = which word stands there; orders[0] is as written. */
  orders: number[][];
  /** One entry per order: [word, word] weights, by word and not by place. */
  without: number[][];
  with: number[][];
  /** C01: the largest change that any order makes to any weight. */
  change: { without: number; with: number };
}

const orders = [
  [0, 1, 2],
  [2, 1, 0],
  [1, 0, 2],
  [0, 2, 1],
  [2, 0, 1],
  [1, 2, 0],
];

/**
 * The toy model. Of the seeds 1 to 300, this is one with which word order changes the weights much,
 * in both languages; the figure's caption gives the median.
 */
const model = {
  heads: 1,
  head: 0,
  headDim: 8,
  seed: 271,
  likeness: 0,
  causal: false,
  offset: 0,
  shuffle: 0,
};

export function wordOrder(rw: Ropewalk, words: readonly string[]): WordOrder {
  const without = weightsInOrders(rw, words, 'none', model.seed);
  const withPosition = weightsInOrders(rw, words, 'sinusoidal', model.seed);
  return {
    orders,
    without,
    with: withPosition,
    change: { without: largestChange(without), with: largestChange(withPosition) },
  };
}

/** The largest change that any order makes to any weight with position, with another seed. */
export const changeOfOrder = (rw: Ropewalk, words: readonly string[], seed: number): number =>
  largestChange(weightsInOrders(rw, words, 'sinusoidal', seed));

function weightsInOrders(
  rw: Ropewalk,
  words: readonly string[],
  scheme: SchemeName,
  seed: number,
): number[][] {
  return orders.map((order) => {
    const tokens = order.map((word) => words[word]!);
    const { weights: byPlace } = runLab(rw, { ...model, seed, tokens, scheme }).written;
    const byWord = new Array<number>(words.length ** 2);
    order.forEach((query, row) =>
      order.forEach((key, column) => {
        byWord[query * words.length + key] = byPlace[row * words.length + column]!;
      }),
    );
    return byWord;
  });
}

function largestChange([written, ...others]: number[][]): number {
  return Math.max(
    ...others.flatMap((weights) => weights.map((weight, i) => Math.abs(weight - written![i]!))),
  );
}

export interface SameWordRequest {
  word: string;
  scheme: Exclude<SchemeName, 'none'>;
  seed: number;
}

/** Scores of a word with itself so many places back, 0 ... farthest. */
export interface SameWord {
  without: number[];
  with: number[];
}

export const farthest = 64;

export function sameWord(rw: Ropewalk, { word, scheme, seed }: SameWordRequest): SameWord {
  const tokens = new Array<string>(farthest + 1).fill(word);
  const scores = (each: SchemeName) => {
    const request = { ...model, headDim: 16, likeness: 1, seed, tokens, scheme: each };
    const { biased } = runLab(rw, request).written;
    // The query is the last word, so distances count backwards from the end of its row.
    return [...biased.slice(farthest * tokens.length)].reverse();
  };
  return { without: scores('none'), with: scores(scheme) };
}

/** Keys and values of three tokens; the query is that of the token `querying`. */
export const tokens = {
  keys: [
    [1, 0],
    [0, 1],
    [1, 1],
  ],
  values: [
    [4, 0],
    [0, 1],
    [2, 4],
  ],
  querying: 1,
} as const;

export interface AttentionRowRequest {
  query: readonly [number, number];
  /** Hides the keys after the query. */
  causal: boolean;
}

/** Per token, except for the output. */
export interface AttentionRow {
  /** q · k. */
  products: number[];
  /** q · k / √d; −Infinity for a hidden key. */
  scores: number[];
  weights: number[];
  output: number[];
}

export function attentionRow(rw: Ropewalk, { query, causal }: AttentionRowRequest): AttentionRow {
  const tensor = (rows: readonly (readonly number[])[]) => ({
    data: Float32Array.from(rows.flat()),
    shape: [rows.length, 2],
  });
  const [q, k, v] = [tensor([query]), tensor(tokens.keys), tensor(tokens.values)];
  const mask = tokens.keys.map((_, key) => !causal || key <= tokens.querying);
  const { scores } = rw.attention(q, k, v, { scale: 1, intermediates: ['scores'] });
  const { biased, weights, output } = rw.attention(q, k, v, {
    mask,
    intermediates: ['biased', 'weights'],
  });
  return {
    products: [...scores!.data],
    scores: [...biased!.data],
    weights: [...weights!.data],
    output: [...output.data],
  };
}

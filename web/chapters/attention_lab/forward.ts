/**
 * The lab's question and its answer: one forward pass of the toy model as written, one with the
 * tokens in another order, and what the order and the offset changed. Runs in the worker.
 */
import type { Ropewalk, Tensor } from 'ropewalk';
import { schemes, type SchemeName } from './schemes.ts';
import {
  embed,
  modelWidth,
  project,
  roles,
  shuffledOrder,
  takeRows,
  weightsOf,
  type Model,
} from './toy_model.ts';

export interface LabQuestion extends Model {
  tokens: string[];
  scheme: SchemeName;
  /** Which head the maps belong to, from 0. */
  head: number;
  causal: boolean;
  /** Position of the first token. */
  offset: number;
  /** 0 leaves the tokens in their order; any other number shuffles them its own way. */
  shuffle: number;
}

/** Everything one head computed on one order of the tokens; maps are [tokens, tokens], row = query. */
export interface Pass {
  /** order[place] = which token of the sentence stands there. */
  order: number[];
  /** What enters the layer, [tokens, C]: token vectors, and position where the scheme adds it. */
  input: Float32Array;
  /** scale q kT as if there were no position. */
  content: Float32Array;
  scores: Float32Array;
  /** Added to the scores, without the mask; undefined where the scheme adds nothing. */
  bias: Float32Array | undefined;
  /** scores + bias, -Infinity where masked. */
  biased: Float32Array;
  weights: Float32Array;
  /** What the weights mix, and the mixture, [tokens, headDim]. */
  values: Float32Array;
  output: Float32Array;
  /** Largest finite |value| of each map, for its colours. */
  limits: Record<MapName, number>;
  /** Weights of every head as small square pictures. */
  pictures: Picture[];
}

export type MapName = 'input' | 'content' | 'scores' | 'bias' | 'biased' | 'weights' | 'output';

export interface Picture {
  side: number;
  /** [side, side]; a cell is the largest weight of the block that it stands for. */
  values: Float32Array;
  limit: number;
}

export interface LabAnswer {
  question: LabQuestion;
  positions: number[];
  scale: number;
  written: Pass;
  /** The same as written where nothing is shuffled. */
  shown: Pass;
  /** C01, over all heads: max |output(shuffled) - output(written)| of each token, and of all. */
  outputChange: { perToken: Float64Array; largest: number };
  /** Over all heads: max |weight(offset) - weight(0)|. */
  offsetChange: number;
}

export function runLab(rw: Ropewalk, question: LabQuestion): LabAnswer {
  const { tokens, headDim, offset, seed, shuffle } = question;
  const x = embed(tokens, seed);
  const layer = new Layer(rw, question);
  const inOrder = shuffledOrder(tokens.length, 0);
  const positions = inOrder.map((place) => place + offset);

  const written = layer.attend(x, positions);
  const order = shuffledOrder(tokens.length, shuffle);
  const reordered = shuffle === 0 ? x : takeRows(x, order, modelWidth);
  const shown = shuffle === 0 ? written : layer.attend(reordered, positions);
  const atZero = offset === 0 ? written : layer.attend(x, inOrder);
  const perToken = changePerToken(written.output, shown.output, order);
  const writtenPass = layer.pass(written, x, inOrder);
  return {
    question,
    positions,
    scale: 1 / Math.sqrt(headDim),
    written: writtenPass,
    shown: shuffle === 0 ? writtenPass : layer.pass(shown, reordered, order),
    outputChange: { perToken, largest: Math.max(...perToken) },
    offsetChange: largestDifference(written.weights.data, atZero.weights.data),
  };
}

/** What attention gives back for all heads, and what went into it. */
type Attended = Record<'values' | 'scores' | 'biased' | 'weights' | 'output', Tensor> & {
  input: Float32Array;
};

/** The layer with its weights drawn, ready for any order and any positions. */
class Layer {
  #rw: Ropewalk;
  #question: LabQuestion;
  #weights: Float32Array[];

  constructor(rw: Ropewalk, question: LabQuestion) {
    this.#rw = rw;
    this.#question = question;
    this.#weights = roles.map((role) => weightsOf(role, question));
  }

  attend(x: Float32Array, positions: number[]): Attended {
    const question = this.#question;
    const scheme = schemes[question.scheme];
    const added = scheme.input?.(this.#rw, positions).data;
    const input = added ? x.map((value, i) => value + added[i]!) : x;
    const [q, k, v] = this.#weights.map((weights) => projected(input, weights, question));
    const { scores, biased, weights, output } = this.#rw.attention(q!, k!, v!, {
      causal: question.causal && 'top-left',
      position: scheme.position?.(this.#rw, question, positions) ?? { type: 'none' },
      return: ['scores', 'biased', 'weights'],
    });
    return { input, values: v!, scores: scores!, biased: biased!, weights: weights!, output };
  }

  /** The asked head of what was attended; copies, so that each can move to the page on its own. */
  pass(attended: Attended, x: Float32Array, order: number[]): Pass {
    const question = this.#question;
    const tokens = order.length;
    const bias = schemes[question.scheme].bias?.(this.#rw, question, tokens);
    const map = (tensor: Tensor) => headOf(tensor.data, question.head, tokens * tokens);
    const vectors = (tensor: Tensor) =>
      headOf(tensor.data, question.head, tokens * question.headDim);
    const maps = {
      input: attended.input,
      content: this.#content(x),
      scores: map(attended.scores),
      bias: bias && map(bias),
      biased: map(attended.biased),
      weights: map(attended.weights),
      output: vectors(attended.output),
    };
    const pictures = Array.from({ length: question.heads }, (_, head) =>
      pictureOf(
        attended.weights.data.subarray(head * tokens ** 2, (head + 1) * tokens ** 2),
        tokens,
      ),
    );
    return { order, ...maps, values: vectors(attended.values), limits: limitsOf(maps), pictures };
  }

  /** scale q kT of the asked head without any position. */
  #content(x: Float32Array): Float32Array {
    const one = { ...this.#question, heads: 1 };
    const [q, k] = this.#weights
      .slice(0, 2)
      .map((weights) => projected(x, headOf(weights, one.head, modelWidth * one.headDim), one));
    return this.#rw.attention(q!, k!, k!, { return: ['scores'] }).scores!.data;
  }
}

function projected(x: Float32Array, weights: Float32Array, model: Model): Tensor {
  const shape = [model.heads, x.length / modelWidth, model.headDim];
  return { data: project(x, weights, model), shape };
}

function limitsOf(maps: Record<MapName, Float32Array | undefined>): Record<MapName, number> {
  const entries = Object.entries(maps).map(([name, values]) => [
    name,
    values ? largestFinite(values) : 0,
  ]);
  return Object.fromEntries(entries) as Record<MapName, number>;
}

function largestFinite(values: Float32Array): number {
  let largest = 0;
  for (const value of values) {
    const size = Math.abs(value);
    if (size > largest && size !== Infinity) largest = size;
  }
  return largest;
}

const largestPicture = 64;

function pictureOf(weights: Float32Array, tokens: number): Picture {
  const side = Math.min(tokens, largestPicture);
  const values = new Float32Array(side * side);
  const place = (token: number) => Math.floor((token * side) / tokens);
  for (let row = 0; row < tokens; row++) {
    for (let column = 0; column < tokens; column++) {
      const at = place(row) * side + place(column);
      values[at] = Math.max(values[at]!, weights[row * tokens + column]!);
    }
  }
  return { side, values, limit: largestFinite(values) };
}

function headOf(all: Float32Array, head: number, size: number): Float32Array {
  return all.slice(head * size, (head + 1) * size);
}

/** For each token of the sentence, the largest change of its output in any head and dimension. */
function changePerToken(written: Tensor, shown: Tensor, order: readonly number[]): Float64Array {
  const [heads, tokens, dim] = written.shape as [number, number, number];
  const change = new Float64Array(tokens);
  order.forEach((token, place) => {
    for (let head = 0; head < heads; head++) {
      const was = (head * tokens + token) * dim;
      const is = (head * tokens + place) * dim;
      for (let d = 0; d < dim; d++) {
        const difference = Math.abs(shown.data[is + d]! - written.data[was + d]!);
        if (difference > change[token]!) change[token] = difference;
      }
    }
  });
  return change;
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!));
  return largest;
}

/**
 * Attention over a long text, in the worker: never the whole N × N matrix, only the rows of one
 * block at a time, and of those what is requested. Each block is a call as a decoder with a cache
 * makes it: the keys before its first query are the past.
 */
import type { AttentionIntermediate, Ropewalk, Tensor } from 'ropewalk';
import {
  blockRows,
  coarsest,
  firstKept,
  halved,
  reduced,
  tileWidth,
  withHidden,
  type Cells,
  type Piece,
  type Sees,
} from '../../maps/weight_map_pieces.ts';
import { longSchemes, type LongModel, type LongSchemeName } from './long_text_schemes.ts';
import { readText, type TextFault } from '../../toy/tokens.ts';
import { embed, modelWidth, project, weightsOf, type Role } from '../../toy/toy_model.ts';

/** Heads of the layer. Only one of them is computed. */
const longHeads = 8;
const longHeadDim = 32;
/** Fewer characters than this are read; of their tokens, the first N. */
const longCharacterLimit = 60_000;

export interface LongTextRequest {
  text: string;
  /** N. A shorter text is read again from its beginning. */
  length: number;
  scheme: LongSchemeName;
  /** From 0. */
  head: number;
  seed: number;
  likeness: number;
  causal: boolean;
}

export type LongTextReading =
  | { tokens: string[]; /** How many the text itself has. */ count: number; fault?: undefined }
  | { tokens?: undefined; fault: TextFault };

/** What one block adds to the map, and to the numbers about all of it. */
export interface LongTextBlock {
  pieces: Piece[];
  /** Sum of the block's weights by distance |m - n|. */
  byDistance: Float64Array;
  /** Sum over the block's queries of exp(entropy): the keys that each attends to, as it were. */
  attended: number;
  /** Weights that tokens read a second time give themselves and their copies, summed. */
  own: number;
  copy: number;
}

/** One cell, as the layer computes it: product × scale + bias = logit, and its softmax. */
export interface LongTextCell {
  product: number;
  scale: number;
  score: number;
  bias: number;
  logit: number;
  /** Logarithm of the row's sum of exp(logit). */
  logSumExp: number;
  weight: number;
}

class LongText {
  readonly tokens: string[];
  readonly sees: Sees;
  /** Tokens of the text itself: a query's copy is as far back. */
  readonly count: number;
  #rw: Ropewalk;
  #model: LongModel;
  #request: LongTextRequest;
  #queries: Float32Array;
  #keys: Float32Array;
  /** The weights of the blocks requested last: neighboring tiles share them. */
  #blocks = new Map<number, Float32Array>();

  constructor(rw: Ropewalk, request: LongTextRequest, text: readonly string[]) {
    const { length, scheme, head, seed, likeness, causal } = request;
    this.#rw = rw;
    this.#request = request;
    this.#model = { heads: longHeads, headDim: longHeadDim, head, seed, likeness, causal };
    this.count = text.length;
    this.tokens = Array.from({ length }, (_, at) => text[at % text.length]!);
    this.sees = { causal, window: longSchemes[scheme].window ?? Infinity };
    const input = this.#input();
    this.#queries = this.#projected('query', input);
    this.#keys = this.#projected('key', input);
  }

  #input(): Float32Array {
    const x = embed(this.tokens, this.#request.seed);
    const positions = this.tokens.map((_, position) => position);
    const added = longSchemes[this.#request.scheme].input?.(this.#rw, positions).data;
    return added ? x.map((value, i) => value + added[i]!) : x;
  }

  #projected(role: Role, input: Float32Array): Float32Array {
    const { head } = this.#request;
    const size = modelWidth * longHeadDim;
    const weights = weightsOf(role, this.#model).slice(head * size, (head + 1) * size);
    return project(input, weights, { ...this.#model, heads: 1 });
  }

  /** Attention of `count` queries; under a causal mask the keys end with the last of them. */
  rows(first: number, count: number, steps: readonly AttentionIntermediate[]) {
    const { causal, length } = this.#request;
    const scheme = longSchemes[this.#request.scheme];
    const keys = causal ? first + count : length;
    const part = (rows: Float32Array, from: number, to: number): Tensor => ({
      data: rows.subarray(from * longHeadDim, to * longHeadDim),
      shape: [1, to - from, longHeadDim],
    });
    // The output is not used, so the values are as narrow as can be.
    const values = (rows: number): Tensor => ({
      data: new Float32Array(rows),
      shape: [1, rows, 1],
    });
    const { window } = this.sees;
    const past = { k: part(this.#keys, 0, first), v: values(first) };
    return this.#rw.attention(
      part(this.#queries, first, first + count),
      part(this.#keys, first, keys),
      values(keys - first),
      {
        causal: causal && 'after-past',
        position: scheme.position?.(this.#rw, this.#model) ?? { type: 'none' },
        intermediates: steps,
        ...(first > 0 && { past }),
        ...(window < Infinity && {
          window: {
            lookback: window - 1,
            lookahead: causal ? 0 : window - 1,
            align: 'after-past' as const,
          },
        }),
      },
    );
  }

  height(block: number): number {
    return Math.min(blockRows, this.#request.length - block * blockRows);
  }

  weights(block: number): Float32Array {
    const known = this.#blocks.get(block);
    if (known) return known;
    const first = block * blockRows;
    const fresh = this.rows(first, this.height(block), ['weights']).weights!.data;
    const oldest = this.#blocks.keys().next();
    if (this.#blocks.size >= 4) this.#blocks.delete(oldest.value!);
    this.#blocks.set(block, fresh);
    return fresh;
  }
}

let last: { key: string; text: LongText } | undefined;

/** The requests for one map come one after the other: only the last map's text is kept. */
function textOf(rw: Ropewalk, request: LongTextRequest): LongText {
  const key = JSON.stringify(request);
  if (last?.key !== key) {
    const { tokens } = read(request.text);
    if (!tokens) throw new RangeError('text must have at least one token');
    last = { key, text: new LongText(rw, request, tokens) };
  }
  return last.text;
}

const read = (text: string) =>
  readText(text, undefined, { characters: longCharacterLimit, tokens: Infinity });

export function longText(rw: Ropewalk, request: LongTextRequest): LongTextReading {
  const { tokens, fault } = read(request.text);
  if (fault) return { fault };
  return { tokens: [...textOf(rw, request).tokens], count: tokens.length };
}

const sketchLevel = 4;

/** The whole map at a coarse level, in which one row of cells stands for all of a texel. */
export function longTextSketch(rw: Ropewalk, request: LongTextRequest): Piece {
  const text = textOf(rw, request);
  const side = 1 << sketchLevel;
  const width = request.length / side;
  const [mean, max] = [new Float32Array(width ** 2), new Float32Array(width ** 2)];
  for (let y = 0; y < width; y++) {
    const weights = text.rows(y * side + side / 2, 1, ['weights']).weights!.data;
    weights.forEach((weight, column) => {
      const at = y * width + (column >> sketchLevel);
      mean[at]! += weight / side;
      max[at] = Math.max(max[at]!, weight);
    });
  }
  return withHidden(
    { level: sketchLevel, row: 0, column: 0, width, height: width, mean, max },
    text.sees,
  );
}

/** The coarse levels of a block of rows. */
export function longTextBlock(
  rw: Ropewalk,
  request: LongTextRequest,
  block: number,
): LongTextBlock {
  const text = textOf(rw, request);
  const firstRow = block * blockRows;
  const height = text.height(block);
  const weights = text.weights(block);
  const stride = weights.length / height;
  const finest = reduced(
    { weights, stride, firstRow },
    {
      level: firstKept,
      row: firstRow,
      column: 0,
      width: request.length >> firstKept,
      height: height >> firstKept,
    },
  );
  const pieces = [finest];
  while (pieces.length <= coarsest - firstKept) pieces.push(halved(pieces.at(-1)!));
  return {
    pieces: pieces.map((piece) => withHidden(piece, text.sees)),
    ...summed({ weights, stride, firstRow }, request.length, text.count),
  };
}

function summed({ weights, stride, firstRow }: Cells, length: number, count: number) {
  const byDistance = new Float64Array(length);
  let [attended, own, copy] = [0, 0, 0];
  for (let at = 0, row = firstRow; at < weights.length; at += stride, row++) {
    let entropy = 0;
    for (let column = 0; column < stride; column++) {
      const weight = weights[at + column]!;
      if (weight === 0) continue;
      byDistance[Math.abs(row - column)]! += weight;
      entropy -= weight * Math.log(weight);
    }
    attended += Math.exp(entropy);
    if (row < count) continue;
    own += weights[at + row]!;
    copy += weights[at + row - count]!;
  }
  return { byDistance, attended, own, copy };
}

/** A tile of a level finer than those that every block yields: the `across`-th of its block. */
export function longTextTile(
  rw: Ropewalk,
  request: LongTextRequest,
  { level, block, across }: { level: number; block: number; across: number },
): Piece {
  const text = textOf(rw, request);
  const height = text.height(block);
  const weights = text.weights(block);
  const column = across * (tileWidth << level);
  const piece = reduced(
    { weights, stride: weights.length / height, firstRow: block * blockRows },
    {
      level,
      row: block * blockRows,
      column,
      width: Math.min(tileWidth, (request.length - column) >> level),
      height: height >> level,
    },
  );
  return withHidden(piece, text.sees);
}

export function longTextCell(
  rw: Ropewalk,
  request: LongTextRequest,
  row: number,
  column: number,
): LongTextCell {
  const steps = ['scores', 'biased', 'weights', 'logSumExp'] as const;
  const { scores, biased, weights, logSumExp } = textOf(rw, request).rows(row, 1, steps);
  // Beyond the keys of a causal row, all is hidden.
  const [score, logit] = [scores!.data[column] ?? NaN, biased!.data[column] ?? -Infinity];
  const scale = 1 / Math.sqrt(longHeadDim);
  return {
    product: score / scale,
    scale,
    score,
    bias: logit - score,
    logit,
    logSumExp: logSumExp!.data[0]!,
    weight: weights!.data[column] ?? 0,
  };
}

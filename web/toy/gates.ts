/**
 * What schemes whose positions come from the text need besides queries and keys: projections of the
 * token vectors with random weights, drawn as those of the toy model. Equal tokens get equal
 * numbers.
 */
import type { Ropewalk, Tensor } from 'ropewalk';
import { normal, stream, textHash } from './hash_random.ts';
import { project, type Model } from './toy_model.ts';

/** A projection names its weights; every head has its own. */
export type Projection =
  'gate' | 'increment' | 'position' | 'direction' | 'channel' | 'pair' | 'row query' | 'row key';

/** What a projection sees: the model, the token vectors, and gates that the reader changed. */
export interface TextSituation extends Model {
  /** Token vectors, [tokens, C]. */
  x: Float32Array;
  /** C, of a token vector. */
  width: number;
  /** Logits by place that take the place of the projected ones, in every head. */
  gateLogits?: Readonly<Record<number, number>> | undefined;
}

/** Most gates are open: the mean of their logits. */
const openLogit = 2;

/** x W + mean for every head, [heads, tokens, width]; entries of x W have variance 1. */
export function projected(
  name: Projection,
  { x, width: tokenWidth, ...model }: TextSituation,
  width: number,
  mean = 0,
): Tensor {
  const perHead = tokenWidth * width;
  const weights = new Float32Array(model.heads * perHead);
  const scale = 1 / Math.sqrt(tokenWidth);
  for (let head = 0; head < model.heads; head++) {
    const draws = stream(model.seed, textHash(name), head);
    for (let i = 0; i < perHead; i++) weights[head * perHead + i] = scale * normal(draws, i);
  }
  const data = project(x, weights, { ...model, headDim: width });
  return {
    data: mean === 0 ? data : data.map((value) => value + mean),
    shape: [model.heads, x.length / tokenWidth, width],
  };
}

/** One logit per head and token, [heads, tokens]. */
export function gateLogitsOf(situation: TextSituation): Tensor {
  const { data, shape } = projected('gate', situation, 1, openLogit);
  return { data: changed(data, shape, situation), shape: shape.slice(0, 2) };
}

/** Numbers [heads, tokens, width] with the changed logits in their places. */
export function changed(
  data: Float32Array,
  [heads, tokens, width]: readonly number[],
  { gateLogits = {} }: TextSituation,
): Float32Array {
  const result = data.slice();
  for (const [place, logit] of Object.entries(gateLogits)) {
    for (let head = 0; head < heads!; head++) {
      const first = (head * tokens! + Number(place)) * width!;
      result.fill(logit, first, first + width!);
    }
  }
  return result;
}

/** σ of each number: CoPE's position of a key alone. */
export function sigmoids(rw: Pick<Ropewalk, 'copePositions'>, logits: Tensor): Float32Array {
  const alone = { data: logits.data, shape: [logits.data.length, 1, 1] };
  return rw.copePositions(alone, { rows: 2 }).data;
}

/** Each row divided by its length, [..., width]. */
export function normalized({ data, shape }: Tensor): Tensor {
  const width = shape[shape.length - 1]!;
  const result = data.slice();
  for (let row = 0; row < data.length; row += width) {
    let squares = 0;
    for (let i = row; i < row + width; i++) squares += data[i]! ** 2;
    for (let i = row; i < row + width; i++) result[i]! /= Math.sqrt(squares);
  }
  return { data: result, shape };
}

/** RePo in one hidden unit: position = 3 · silu(logit) · x w, [heads, tokens]. */
export function textPositions(
  rw: Pick<Ropewalk, 'copePositions'>,
  situation: TextSituation,
): Tensor {
  const logits = gateLogitsOf(situation);
  const gates = sigmoids(rw, logits);
  const { data } = projected('position', situation, 1);
  const positions = data.map((value, i) => 3 * logits.data[i]! * gates[i]! * value);
  return { data: positions, shape: logits.shape };
}

/** Selective RoPE: each gate times 1 + half a projection per pair, [heads, tokens, pairs]. */
export function angleIncrements(
  rw: Pick<Ropewalk, 'copePositions'>,
  situation: TextSituation,
  pairs: number,
): Tensor {
  const gates = sigmoids(rw, gateLogitsOf(situation));
  const { data, shape } = projected('increment', situation, pairs);
  const increments = data.map((value, i) => gates[Math.floor(i / pairs)]! * (1 + value / 2));
  return { data: increments, shape };
}

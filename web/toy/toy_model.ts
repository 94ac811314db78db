/**
 * One attention layer with random weights, small enough to follow by hand: token vectors x drawn
 * from the token's own text (equal tokens, equal vectors) and q = x Wq, k = x Wk, v = x Wv per
 * head. Nothing is trained; what the page shows about position holds for any weights.
 */
import { below, mix, normal, stream, textHash } from './hash_random.ts';

/** Width C of a token vector, independent of the number of heads. */
export const modelWidth = 64;

export interface Model {
  heads: number;
  headDim: number;
  seed: number;
  /** How alike Wq and Wk are: 0 unrelated, 1 the same matrix (a token then seeks its own kind). */
  likeness: number;
}

export const roles = ['query', 'key', 'value'] as const;
export type Role = (typeof roles)[number];

/** Token vectors, [tokens, C], independent normals. */
export function embed(tokens: readonly string[], seed: number): Float32Array {
  const x = new Float32Array(tokens.length * modelWidth);
  tokens.forEach((token, t) => {
    const draws = stream(seed, textHash(token));
    for (let c = 0; c < modelWidth; c++) x[t * modelWidth + c] = normal(draws, c);
  });
  return x;
}

/**
 * Weights of one role, [heads, C, headDim], entries of variance 1 / C. A head's numbers do not
 * depend on how many heads there are. Wk = likeness Wq + sqrt(1 - likeness^2) fresh.
 */
export function weightsOf(role: Role, model: Model): Float32Array {
  const own = drawWeights(role, model);
  if (role !== 'key' || model.likeness === 0) return own;
  const queryWeights = drawWeights('query', model);
  const fresh = Math.sqrt(1 - model.likeness * model.likeness);
  return own.map((value, i) => model.likeness * queryWeights[i]! + fresh * value);
}

function drawWeights(role: Role, { heads, headDim, seed }: Model): Float32Array {
  const perHead = modelWidth * headDim;
  const weights = new Float32Array(heads * perHead);
  const scale = 1 / Math.sqrt(modelWidth);
  for (let head = 0; head < heads; head++) {
    const draws = stream(seed, roles.indexOf(role), head, headDim);
    for (let i = 0; i < perHead; i++) weights[head * perHead + i] = scale * normal(draws, i);
  }
  return weights;
}

/** x W for every head, [heads, tokens, headDim]; sums in double, rounded once. */
export function project(
  x: Float32Array,
  weights: Float32Array,
  { heads, headDim }: Pick<Model, 'heads' | 'headDim'>,
): Float32Array {
  const width = weights.length / (heads * headDim);
  const tokens = x.length / width;
  const out = new Float32Array(heads * tokens * headDim);
  const sums = new Float64Array(headDim);
  for (let head = 0; head < heads; head++) {
    for (let t = 0; t < tokens; t++) {
      sums.fill(0);
      for (let c = 0; c < width; c++) {
        const value = x[t * width + c]!;
        const row = (head * width + c) * headDim;
        for (let d = 0; d < headDim; d++) sums[d]! += value * weights[row + d]!;
      }
      out.set(sums, (head * tokens + t) * headDim);
    }
  }
  return out;
}

/** Rows of a matrix in another order: row i of the result is row order[i]. */
export function takeRows(
  rows: Float32Array,
  order: readonly number[],
  width: number,
): Float32Array {
  const taken = new Float32Array(order.length * width);
  order.forEach((row, i) => taken.set(rows.subarray(row * width, (row + 1) * width), i * width));
  return taken;
}

/**
 * order[place] = which token stands there. Seed 0 leaves the order; any other shuffles (Fisher,
 * Yates).
 */
export function shuffledOrder(count: number, seed: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  if (seed === 0) return order;
  const draws = mix(seed);
  for (let last = count - 1; last > 0; last--) {
    const other = below(last + 1, draws, last);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

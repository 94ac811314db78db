/** C13: a score of tokens with positions added, taken apart. Runs in the worker. */
import type { Ropewalk } from 'ropewalk';
import { embed, modelWidth, weightsOf } from '../../toy/toy_model.ts';

export interface FourTermsRequest {
  /** How many tokens, and where the first of them stands. */
  tokens: number;
  start: number;
  /** Compare x + p as they are, or through random matrices in the place of learned ones. */
  weights: 'none' | 'random';
  seed: number;
}

export const termNames = [
  'contentContent',
  'contentPosition',
  'positionContent',
  'positionPosition',
] as const;
export type TermName = (typeof termNames)[number];

export interface Term {
  /** [tokens, tokens], row = query. */
  values: Float32Array;
  /** C09: how far apart two pairs of the same offset can be. */
  spread: number;
  /** C10: the largest |a(m, n) - a(n, m)|. */
  asymmetry: number;
  /** Largest magnitude: each map has colors of its own, or small terms would be dark. */
  limit: number;
}

export interface ScoreInFour {
  terms: Record<TermName, Term>;
  /** Attention's own score of x + p, and how far the sum of the terms is from it. */
  scores: Float32Array;
  residual: number;
}

export function scoreInFour(rw: Ropewalk, request: FourTermsRequest): ScoreInFour {
  const { tokens, start, weights, seed } = request;
  const shape = [tokens, modelWidth];
  const words = Array.from({ length: tokens }, (_, token) => String(token));
  const x = { data: embed(words, seed), shape };
  const positions = words.map((_, place) => start + place);
  const p = rw.sinusoidal({ positions, dim: modelWidth });
  const model = { heads: 1, headDim: modelWidth, seed, likeness: 0 };
  const square = [modelWidth, modelWidth];
  const matrix = (role: 'query' | 'key') => ({ data: weightsOf(role, model), shape: square });
  const between =
    weights === 'none' ? {} : { queryWeights: matrix('query'), keyWeights: matrix('key') };
  const split = rw.fourTerms(x, p, between);
  const both = { data: x.data.map((value, i) => value + p.data[i]!), shape };
  const none = { data: new Float32Array(both.data.length), shape };
  const scores = rw.fourTerms(both, none, between).contentContent.data;
  const terms = Object.fromEntries(
    termNames.map((name) => [name, measured(split[name].data, tokens)]),
  ) as Record<TermName, Term>;
  const all = termNames.map((name) => terms[name].values);
  const sums = scores.map((_, pair) => all.reduce((sum, values) => sum + values[pair]!, 0));
  return {
    terms,
    scores,
    residual: largest(sums, (sum, pair) => sum - scores[pair]!),
  };
}

function largest(values: Float32Array, of: (value: number, index: number) => number): number {
  return values.reduce((most, value, index) => Math.max(most, Math.abs(of(value, index))), 0);
}

function measured(values: Float32Array, tokens: number): Term {
  let spread = 0;
  let asymmetry = 0;
  for (let offset = 1 - tokens; offset < tokens; offset++) {
    let [low, high] = [Infinity, -Infinity];
    for (let n = Math.max(0, -offset); n < Math.min(tokens, tokens - offset); n++) {
      const value = values[(n + offset) * tokens + n]!;
      [low, high] = [Math.min(low, value), Math.max(high, value)];
      asymmetry = Math.max(asymmetry, Math.abs(value - values[n * tokens + n + offset]!));
    }
    spread = Math.max(spread, high - low);
  }
  return { values, spread, asymmetry, limit: largest(values, (value) => value) };
}

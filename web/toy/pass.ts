/** What one pass through the layer computes, for one head. */
import type { FourTerms } from 'ropewalk';

/**
 * Everything one head computed on one order of the tokens; maps are [tokens, tokens], row = query.
 */
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
  /** -sum w ln w of each row of weights, in nats. */
  entropy: Float32Array;
  /** What each query's scores are multiplied by besides the scale, where the scheme does that. */
  temperature: Float64Array | undefined;
  /** The scores of both rotations, of which distance chooses one. */
  rotations: { window: number; near: Float32Array; far: Float32Array } | undefined;
  /** C13: what the scores are the sum of, where position is added to the input. */
  terms: Terms | undefined;
  /** Largest finite |value| of each map, for its colors. */
  limits: Record<MapName, number>;
  /** Weights of every head as small square pictures. */
  pictures: Picture[];
}

export type MapName = 'input' | 'content' | 'scores' | 'bias' | 'biased' | 'weights' | 'output';

export type TermName = keyof FourTerms;

export interface Terms {
  maps: Record<TermName, Float32Array>;
  limit: number;
}

/** All weights of a head as a small square picture. */
export interface Picture {
  side: number;
  /** [side, side]; a cell is the largest weight of the block that it stands for. */
  values: Float32Array;
  limit: number;
}

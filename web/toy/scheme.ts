/** What a scheme of the lab is: where it acts, and what it does there. */
import type { AttentionPosition, Ropewalk, Tensor } from 'ropewalk';
import type { TextSituation } from './gates.ts';

/** Where a scheme acts, in the order in which the layer comes by. */
export const places = [
  'nowhere',
  'input',
  'rotation',
  'score',
  'two',
  'text',
  'temperature',
  'softmax',
] as const;
export type Place = (typeof places)[number];

/**
 * What a scheme may know: the model, the token vectors, where the tokens stand, and whether keys
 * ahead are hidden.
 */
export interface Situation extends TextSituation {
  positions: readonly number[];
  causal: boolean;
  sinusoidLayout: 'interleaved' | 'half-split';
}

/** The two rotations that ReRoPE chooses between, by distance. */
export interface TwoRotations {
  window: number;
  near: AttentionPosition;
  far: AttentionPosition;
}

export interface Scheme {
  place: Place;
  /** How many positions it knows, where they end. */
  rows?: number;
  /** It is defined only where keys ahead are hidden. */
  isCausal?: true;
  /** Which coordinates it rotates together; weights trained with the other layout are reordered. */
  layout?: 'interleaved' | 'half-split';
  /** Added to the token vectors, [tokens, C]. */
  input?(rw: Ropewalk, situation: Situation): Tensor;
  /** Queries or keys after the scheme, where attention does not have it. */
  rotate?(rw: Ropewalk, vectors: Tensor, role: 'query' | 'key', situation: Situation): Tensor;
  /** Passed to attention: a rotation of q and k, or a bias. */
  position?(rw: Ropewalk, situation: Situation): AttentionPosition;
  /** The bias that attention will add, [heads, tokens, tokens], for the reader to see. */
  bias?(rw: Ropewalk, situation: Situation): Tensor;
  /** A bias that needs the queries and keys, [heads, tokens, tokens]. */
  scoreBias?(rw: Ropewalk, q: Tensor, k: Tensor, situation: Situation): Tensor;
  /** Both scores that a pair could get, where distance decides between them. */
  rotations?(rw: Ropewalk, situation: Situation): TwoRotations;
  /** One factor per query, or per head and query, on its whole row of scores. */
  temperature?(rw: Ropewalk, situation: Situation): Float64Array;
}

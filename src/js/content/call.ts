/** Positions, tables and sizes of the functions with score terms of content and distance. */
import { equal, type FourAxes } from '../attention/operands.js';
import {
  countOf,
  fitting,
  positionList,
  tensor,
  type CheckedPositions,
} from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongShape } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import type { Schema } from '../runtime/schema.js';
import { type IndexTensor, type Positions, type Tensor } from '../runtime/tensor.js';

/** The positions of queries and keys: whole numbers, or a count for 0, 1, … */
export interface RelativePositions {
  /** Default: the last positions of the keys, one per query (after a cache or memory). */
  queries?: Positions;
  /** Default 0, 1, …: one per key, or one per query in functions without keys. */
  keys?: Positions;
}

export const positionSchema = {
  queries: option.wholePositions.optional(),
  keys: option.wholePositions.optional(),
} satisfies Schema<RelativePositions>;

/** The same after their checks. */
export interface CheckedPairs {
  queries?: CheckedPositions;
  keys?: CheckedPositions;
}

/** The positions of queries and keys, and the scale of the terms. */
export interface RelativeOptions extends RelativePositions {
  /** Multiplies every term, as attention's scale multiplies q · k. Default 1/√dim. */
  scale?: number;
}

export const relativeSchema = {
  ...positionSchema,
  scale: option.finite.optional(),
} satisfies Schema<RelativeOptions>;

/** A call without positions, tables and scale. */
const blank = {
  scheme: 'shaw' as 'shaw' | 'relative-key' | 'causal-distance' | 'deberta',
  reach: 0,
  buckets: 0,
  maxDistance: 0,
  keyReading: 'query-minus-key' as 'query-minus-key' | 'key-minus-query',
  heads: 1,
  outer: 1,
  queries: 0,
  keys: 0,
  dim: 0,
  tableHeads: 1,
  queryRows: 0,
  keyRows: 0,
  scale: 1,
};

/** The arguments of the raw functions; arrays go into the transfer buffers. */
export type RelativeCall = typeof blank;

/** The positions of queries and keys, one per row. */
export function positionsOf(
  given: CheckedPairs,
  queryCount: number,
  keyCount?: number,
): [Float64Array, Float64Array] {
  // A wrong count throws before a list is made of it.
  const own = given.keys ?? keyCount ?? queryCount;
  if (keyCount !== undefined) equal("keys and k's length", countOf(own), keyCount);
  const count =
    given.queries === undefined ? Math.min(countOf(own), queryCount) : countOf(given.queries);
  equal("queries and the number of q's rows", count, queryCount);
  const keys = positionList('keys', own);
  const queries =
    given.queries === undefined
      ? keys.slice(keys.length - queryCount)
      : positionList('queries', given.queries);
  return [queries, keys];
}

export interface Table {
  data: Float32Array;
  heads: number;
  rows: number;
}

/** [rows, dim] for all heads, or [heads, rows, dim]. */
export function tableOf(name: string, value: Tensor, heads: number, dim: number): Table {
  const { data, shape } = tensor(name, value);
  const [ofHeads, rows, width] = (shape.length === 2 ? [1, ...shape] : shape) as [
    number,
    number,
    number,
  ];
  if (
    shape.length < 2 ||
    shape.length > 3 ||
    width !== dim ||
    (ofHeads !== 1 && ofHeads !== heads)
  ) {
    throw wrongShape(name, `must be [rows, ${dim}] or [${heads}, rows, ${dim}]`, shape);
  }
  return { data, heads: ofHeads, rows };
}

export function sameHeads(q: FourAxes, k: FourAxes): void {
  equal('batch of q and k', q.shape[0], k.shape[0]);
  equal('heads of q and k', q.shape[1], k.shape[1]);
  equal('dim of q and k', q.shape[3], k.shape[3]);
}

/** Sizes, positions (sent) and scale of one call; the caller adds its scheme and tables. */
export function relativeCall(
  core: Core,
  q: FourAxes,
  given: CheckedPairs & { scale?: number },
  keyCount?: number,
): RelativeCall {
  const [batch, heads, queryCount, dim] = q.shape;
  const [queries, keys] = positionsOf(given, queryCount, keyCount);
  const outer = batch * heads;
  fitting('a bias of batch × heads × queries × keys', outer * queries.length * keys.length);
  fitting('an index of queries × keys', queries.length * keys.length, 8);
  const { scale = NaN } = given;
  core.sendDoubles([queries, keys]);
  return { ...blank, heads, outer, queries: queries.length, keys: keys.length, dim, scale };
}

export function scores(
  { leading }: FourAxes,
  { queries, keys }: RelativeCall,
  data: Float32Array,
): Tensor {
  return { data, shape: [...leading, queries, keys] };
}

/** The table rows that a scheme reads, [queries, keys]. */
export function relativeIndices(
  core: Core,
  given: Required<CheckedPairs>,
  scheme: Partial<RelativeCall>,
): IndexTensor {
  fitting('an index of queries × keys', countOf(given.queries) * countOf(given.keys), 8);
  const queries = positionList('queries', given.queries);
  const keys = positionList('keys', given.keys);
  core.sendDoubles([queries, keys]);
  const call = { ...blank, ...scheme, queries: queries.length, keys: keys.length };
  return {
    data: core.integers(core.raw.relativeIndices(call)),
    shape: [queries.length, keys.length],
  };
}

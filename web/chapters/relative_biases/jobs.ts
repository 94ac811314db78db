/** The jobs of the chapter. They run in the worker. */
import type { Ropewalk, SlopeConvention, Tensor } from 'ropewalk';

/** Rows of zeros: all words alike, so that weights show the bias and nothing else. */
const alike = (heads: number, length: number): Tensor => ({
  data: new Float32Array(heads * length),
  shape: [heads, length, 1],
});

export interface BucketRequest {
  direction: 'causal' | 'bidirectional';
  buckets: number;
  maxDistance: number;
  /** The bucket that has a value other than 0, the value, and the query's position. */
  bucket: number;
  scalar: number;
  query: number;
}

export interface Buckets {
  /** C18: key - query, and the bucket of each. */
  relative: number[];
  bucketOf: Int32Array;
  /** Weight of every key for the row's query, and the bucket of every key. */
  weights: Float32Array;
  keyBuckets: Int32Array;
}

/** Keys of the attention row. */
export const rowKeys = 96;

export function t5Row(rw: Ropewalk, request: BucketRequest): Buckets {
  const { direction, buckets, maxDistance, bucket, scalar, query } = request;
  const far = Math.ceil(maxDistance * 1.3);
  const last = direction === 'causal' ? 0 : far;
  const relative = Array.from({ length: far + last + 1 }, (_, at) => at - far);
  const scheme = { direction, buckets, maxDistance };
  const table = { data: new Float32Array(buckets), shape: [buckets, 1] };
  table.data[bucket] = scalar;
  const words = alike(1, rowKeys);
  const { weights } = rw.attention(words, words, words, {
    scale: 1,
    causal: direction === 'causal' && 'top-left',
    position: { type: 't5', table, direction, maxDistance },
    intermediates: ['weights'],
  });
  return {
    relative,
    bucketOf: rw.t5Buckets(relative, scheme),
    weights: weights!.data.slice(query * rowKeys, (query + 1) * rowKeys),
    keyBuckets: rw.t5Buckets(
      Array.from({ length: rowKeys }, (_, key) => key - query),
      scheme,
    ),
  };
}

export interface SlopeRequest {
  heads: number;
  keys: number;
  convention: SlopeConvention;
}

export const conventions = ['published', 'sorted', 'naive'] as const;

export interface Slopes {
  /** C19: one slope per head, by each convention. */
  slopes: Record<SlopeConvention, Float64Array>;
  /** The last query's weights on every key, [heads, keys]. */
  weights: Float32Array;
  /** The same as shares of the weight of the nearest key. */
  shares: Float32Array;
  /** How many of the nearest keys hold 95% of the weight, per head. */
  holding: number[];
}

const mostOfIt = 0.95;

export function alibiHeads(rw: Ropewalk, { heads, keys, convention }: SlopeRequest): Slopes {
  const byConvention = conventions.map(
    (each) => [each, rw.alibiSlopes({ heads, convention: each })] as const,
  );
  const past = alike(heads, keys);
  const { weights } = rw.attention(alike(heads, 1), past, past, {
    causal: 'bottom-right',
    position: { type: 'alibi', convention },
    intermediates: ['weights'],
  });
  const rows = Array.from({ length: heads }, (_, head) =>
    weights!.data.subarray(head * keys, (head + 1) * keys),
  );
  return {
    slopes: Object.fromEntries(byConvention) as Record<SlopeConvention, Float64Array>,
    weights: weights!.data,
    shares: Float32Array.from(rows.flatMap((row) => Array.from(row, (w) => w / row.at(-1)!))),
    holding: rows.map(nearestHolding),
  };
}

function nearestHolding(row: Float32Array): number {
  let sum = 0;
  for (let count = 1; count < row.length; count++) {
    sum += row[row.length - count]!;
    if (sum >= mostOfIt) return count;
  }
  return row.length;
}

/** DeBERTa's disentangled attention. */
import { equal, fourAxes } from '../attention/operands.js';
import { pairsSchema, type BiasPairs } from '../bias/distance_table.js';
import { positionList, wholeNumber } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import {
  relativeCall,
  relativeIndices,
  relativeSchema,
  sameHeads,
  scores,
  tableOf,
} from './call.js';
import type { RelativeCall, RelativeOptions } from './call.js';
import type { IndexTensor, Positions, Tensor } from '../runtime/tensor.js';

export interface DebertaBucketOptions {
  /** position_buckets: distances up to half of it keep their value. */
  buckets: number;
  /**
   * max_relative_positions (max_position in the authors' function): distance of the last bucket.
   */
  maxDistance: number;
}

const bucketSchema = {
  buckets: option.whole,
  maxDistance: option.whole,
} satisfies Schema<DebertaBucketOptions>;

const optionalBucketSchema = {
  buckets: option.whole.optional(),
  maxDistance: option.whole.optional(),
} satisfies Schema<Partial<DebertaBucketOptions>>;

/** The pairs, and how DeBERTa's distances become rows of its tables. */
export interface DebertaIndexOptions extends BiasPairs, Partial<DebertaBucketOptions> {
  /** Half the rows of a table: the number of buckets, or the longest distance without them. */
  span: number;
}

const indexSchema = {
  ...pairsSchema,
  span: option.whole,
  ...optionalBucketSchema,
} satisfies Schema<DebertaIndexOptions>;

/** DeBERTa's tables, and how distances become their rows. */
export interface DebertaOptions extends RelativeOptions, Partial<DebertaBucketOptions> {
  /**
   * Content to position (c2p): projected keys of the distances, [2 span, dim] or [heads, 2 span,
   * dim].
   */
  positionKeys?: Tensor;
  /** Position to content (p2c): projected queries of the distances. */
  positionQueries?: Tensor;
  /**
   * The distance that p2c reads. 'published' (default): query − key, as in the authors' code and
   * transformers. 'paper': key − query, as in equation 4.
   */
  convention?: 'published' | 'paper';
}

const debertaSchema = {
  ...relativeSchema,
  positionKeys: option.tensor.optional(),
  positionQueries: option.tensor.optional(),
  ...optionalBucketSchema,
  convention: option.oneOf('published', 'paper').default('published'),
} satisfies Schema<DebertaOptions>;

/** Both or neither. */
function bucketsOf({ buckets, maxDistance }: Partial<DebertaBucketOptions>): DebertaBucketOptions {
  if (buckets === undefined && maxDistance === undefined) return { buckets: 0, maxDistance: 0 };
  return {
    buckets: wholeNumber('buckets', buckets),
    maxDistance: wholeNumber('maxDistance', maxDistance),
  };
}

export const disentangled = (core: Core) => ({
  /**
   * DeBERTa-v2's bucket of each relative position, query − key: distances up to buckets / 2 keep
   * their value, longer ones grow logarithmically, with their sign.
   * @param relativePositions query − key of each pair
   * @returns one signed bucket each
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see transformers' make_log_bucket_position (the authors' code)
   */
  debertaBuckets(relativePositions: Positions, settings: DebertaBucketOptions): Int32Array {
    const checked = option.wholePositions.read('relativePositions', relativePositions);
    const relativeList = positionList('relativePositions', checked);
    const { buckets, maxDistance } = read('debertaBuckets options', settings, bucketSchema);
    core.sendDoubles([relativeList]);
    return core.integers(core.raw.debertaBuckets(relativeList.length, buckets, maxDistance));
  },

  /**
   * The row of DeBERTa's tables that each pair reads: m − n, bucketed if buckets are given, + span,
   * within 0 … 2 span − 1.
   * @returns whole numbers [queries, keys]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see He et al. 2021, DeBERTa, equation 3
   */
  debertaIndices(settings: DebertaIndexOptions): IndexTensor {
    const given = read('debertaIndices options', settings, indexSchema);
    return relativeIndices(core, given, {
      scheme: 'deberta',
      reach: given.span,
      ...bucketsOf(given),
    });
  },

  /**
   * DeBERTa's terms, scale · (q_m · positionKeys[δ] + k_n · positionQueries[δ]), either or both.
   * Give attention the same scale: 1/√(dim · (1 + number of terms)) by default.
   * @param q a tensor [length, dim], [heads, length, dim] or [batch, heads, length, dim]
   * @param k the same with its own length
   * @returns a tensor [..., queries, keys] that attention takes as `bias`
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see He et al. 2021, DeBERTa, equation 4
   */
  deberta(q: Tensor, k: Tensor, settings: DebertaOptions): Tensor {
    const given = read('deberta options', settings, debertaSchema);
    const [queries, keys] = [fourAxes('q', q), fourAxes('k', k)];
    sameHeads(queries, keys);
    const [, heads, , dim] = queries.shape;
    const of = (name: 'positionKeys' | 'positionQueries') =>
      given[name] === undefined ? undefined : tableOf(name, given[name], heads, dim);
    const [onQueries, onKeys] = [of('positionKeys'), of('positionQueries')];
    const first = onQueries ?? onKeys;
    if (first === undefined)
      throw wrongKind('deberta', 'needs positionKeys, positionQueries or both', given, '');
    if (onQueries && onKeys) {
      equal('rows of positionKeys and positionQueries', onQueries.rows, onKeys.rows);
      equal('heads of positionKeys and positionQueries', onQueries.heads, onKeys.heads);
    }
    if (first.rows % 2 !== 0) {
      const name = onQueries ? 'positionKeys' : 'positionQueries';
      throw wrongValue(name, 'must have 2 · span rows', first.rows);
    }
    const sizes: RelativeCall = {
      ...relativeCall(core, queries, given, keys.shape[2]),
      scheme: 'deberta',
      reach: first.rows / 2,
      ...bucketsOf(given),
      keyReading: given.convention === 'paper' ? 'key-minus-query' : 'query-minus-key',
      tableHeads: first.heads,
      queryRows: onQueries?.rows ?? 0,
      keyRows: onKeys?.rows ?? 0,
    };
    const sent = [onQueries && queries, onKeys && keys, onQueries, onKeys];
    core.send(sent.flatMap((operand) => (operand ? [operand.data] : [])));
    return scores(queries, sizes, core.floats(core.raw.relativeProducts(sizes)));
  },
});

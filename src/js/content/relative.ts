/**
 * Score terms of content and distance. Each function returns the terms that its scheme adds to
 * scale · q · k, times the same scale, as a tensor that attention takes as `bias`.
 */
import { fourAxes } from '../attention/operands.js';
import { pairsSchema, type BiasPairs } from '../bias/distance_table.js';
import { fitting, tensor } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import {
  positionSchema,
  relativeCall,
  relativeIndices,
  relativeSchema,
  sameHeads,
  scores,
  tableOf,
} from './call.js';
import type { CheckedPairs, RelativeCall, RelativeOptions, RelativePositions } from './call.js';
import { elementCount, type IndexTensor, type Tensor } from '../runtime/tensor.js';

/** The products with BERT's table, and the positions of its rows. */
export interface RelativeKeyOptions extends RelativeOptions {
  /** The products with the table, by their names in transformers. */
  type: 'relative_key' | 'relative_key_query';
}

const relativeKeySchema = {
  ...relativeSchema,
  type: option.oneOf('relative_key', 'relative_key_query'),
} satisfies Schema<RelativeKeyOptions>;

/** The two learned biases of Transformer-XL, and the positions. */
export interface TransformerXlOptions extends RelativeOptions {
  /** u of the paper (r_w_bias): [heads, dim], or [dim] for one head. */
  contentBias: Tensor;
  /** v of the paper (r_r_bias). */
  positionBias: Tensor;
}

const transformerXlSchema = {
  ...relativeSchema,
  contentBias: option.tensor,
  positionBias: option.tensor,
} satisfies Schema<TransformerXlOptions>;

/** The pairs, and where Shaw's distances are clipped. */
export interface ShawIndexOptions extends BiasPairs {
  /** The longest distance; longer ones are clipped to it. */
  clip: number;
}

const shawIndexSchema = {
  ...pairsSchema,
  clip: option.wholeFrom(0),
} satisfies Schema<ShawIndexOptions>;

function oddRows(name: string, rows: number): number {
  if (rows % 2 === 0)
    throw wrongValue(name, 'must have an odd number of rows, 2 · longest distance + 1', rows);
  return (rows - 1) / 2;
}

/** A bias of one table, multiplied with the queries. */
function queryBias(
  core: Core,
  q: Tensor,
  table: Tensor,
  given: CheckedPairs & { scale?: number },
  scheme: RelativeCall['scheme'],
  reachOf: (rows: number) => number,
): Tensor {
  const queries = fourAxes('q', q);
  const { data, heads, rows } = tableOf('table', table, queries.shape[1], queries.shape[3]);
  const sizes = {
    ...relativeCall(core, queries, given, undefined),
    scheme,
    reach: reachOf(rows),
    tableHeads: heads,
    queryRows: rows,
  };
  core.send([queries.data, data]);
  return scores(queries, sizes, core.floats(core.raw.relativeProducts(sizes)));
}

export const relative = (core: Core) => ({
  /**
   * Shaw's term on the key side, scale · q_m · table[clip(n − m) + clip].
   * @param q a tensor [length, dim], [heads, length, dim] or [batch, heads, length, dim]
   * @param table a^K, [2 clip + 1, dim] or [heads, 2 clip + 1, dim]
   * @returns a tensor [..., queries, keys] that attention takes as `bias`
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Shaw, Uszkoreit, Vaswani 2018, Self-Attention with Relative Position Representations,
   * equation 4
   */
  shaw(q: Tensor, table: Tensor, settings: RelativeOptions = {}): Tensor {
    const given = read('shaw options', settings, relativeSchema);
    return queryBias(core, q, table, given, 'shaw', (rows) => oddRows('table', rows));
  },

  /**
   * Shaw's term on the value side, Σ over n of weights(m, n) · table[clip(n − m) + clip]: to be
   * added to the output.
   * @param weights attention's weights, [..., queries, keys]
   * @param table a^V, [2 clip + 1, value dim] or with heads in front
   * @returns a tensor [..., queries, value dim]
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Shaw, Uszkoreit, Vaswani 2018, equation 3
   */
  shawValues(weights: Tensor, table: Tensor, settings: RelativePositions = {}): Tensor {
    const given = read('shawValues options', settings, positionSchema);
    const rows = fourAxes('weights', weights);
    const held = tensor('table', table);
    const dim = held.shape.at(-1)!;
    const { data, heads, rows: tableRows } = tableOf('table', held, rows.shape[1], dim);
    const reach = oddRows('table', tableRows);
    const sizes = {
      ...relativeCall(core, rows, given, rows.shape[3]),
      dim,
      reach,
      tableHeads: heads,
      queryRows: tableRows,
    };
    fitting('the values', sizes.outer * sizes.queries * dim);
    core.send([rows.data, data]);
    return {
      data: core.floats(core.raw.relativeValues(sizes)),
      shape: [...rows.leading, rows.shape[2], dim],
    };
  },

  /**
   * The row of Shaw's tables that each pair reads: clip(n − m) + clip.
   * @returns whole numbers [queries, keys]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Shaw, Uszkoreit, Vaswani 2018, section 3.2
   */
  shawIndices(settings: ShawIndexOptions): IndexTensor {
    const given = read('shawIndices options', settings, shawIndexSchema);
    return relativeIndices(core, given, { reach: given.clip });
  },

  /**
   * BERT's relative positions: scale · q_m · table[m − n + longest], and for 'relative_key_query'
   * scale · k_n · table[m − n + longest] too. A distance without a row is a RangeError.
   * @param q a tensor [length, dim], [heads, length, dim] or [batch, heads, length, dim]
   * @param k the same with its own length
   * @param table [2 max_positions − 1, dim] or with heads in front
   * @returns a tensor [..., queries, keys] that attention takes as `bias`
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Huang et al. 2020, Improve Transformer Models with Better Relative Position Embeddings,
   * methods 3 and 4
   */
  relativeKey(q: Tensor, k: Tensor, table: Tensor, settings: RelativeKeyOptions): Tensor {
    const given = read('relativeKey options', settings, relativeKeySchema);
    const [queries, keys] = [fourAxes('q', q), fourAxes('k', k)];
    sameHeads(queries, keys);
    const { data, heads, rows } = tableOf('table', table, queries.shape[1], queries.shape[3]);
    const onKeys = given.type === 'relative_key_query';
    const sizes: RelativeCall = {
      ...relativeCall(core, queries, given, keys.shape[2]),
      scheme: 'relative-key',
      reach: oddRows('table', rows) + 1,
      tableHeads: heads,
      queryRows: rows,
      keyRows: onKeys ? rows : 0,
    };
    core.send(onKeys ? [queries.data, keys.data, data, data] : [queries.data, data]);
    return scores(queries, sizes, core.floats(core.raw.relativeProducts(sizes)));
  },

  /**
   * Music Transformer's term, scale · q_m · table[rows − 1 − (m − n)], 0 for keys after the query
   * (hide them with a causal mask). The last row is distance 0; a distance without a row is a
   * RangeError.
   * @param q a tensor [length, dim], [heads, length, dim] or [batch, heads, length, dim]
   * @param table E^r, [rows, dim] or [heads, rows, dim]
   * @returns a tensor [..., queries, keys] that attention takes as `bias`
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Huang et al. 2019, Music Transformer, section 3.4
   */
  musicTransformer(q: Tensor, table: Tensor, settings: RelativeOptions = {}): Tensor {
    const given = read('musicTransformer options', settings, relativeSchema);
    return queryBias(core, q, table, given, 'causal-distance', (rows) => rows);
  },

  /**
   * Shifts the products with a table of distances so that they line up with the keys: Music
   * Transformer's skewing, Transformer-XL's relative shift. Row m moves left by queries − 1 − m.
   * The part after the query holds a zero and values of the next row, as in the papers' code.
   * @param x a tensor [..., queries, rows]
   * @returns a new tensor of the same shape
   * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
   * @see Huang et al. 2019, section 3.4.1; Dai et al. 2019, Transformer-XL, appendix B
   */
  relativeShift(x: Tensor): Tensor {
    const { data, shape } = tensor('x', x);
    if (shape.length < 2) throw wrongShape('x', 'must be [..., queries, rows]', shape);
    const [rows, cols] = shape.slice(-2) as [number, number];
    core.send([data]);
    const shifted = core.floats(
      core.raw.relativeShift(elementCount(shape.slice(0, -2)), rows, cols),
    );
    return { data: shifted, shape: [...shape] };
  },

  /**
   * Transformer-XL's terms, scale · ((q_m + v) · r[rows − 1 − (m − n)] + u · k_n), without the
   * distance part for keys after the query (hide them: causal 'bottom-right', since memory comes
   * before the queries).
   * @param q a tensor [length, dim], [heads, length, dim] or [batch, heads, length, dim]
   * @param k the same with its own length, memory included
   * @param r projected sinusoids, the longest distance first and distance 0 last: [rows, dim] or
   * [heads, rows, dim]
   * @returns a tensor [..., queries, keys] that attention takes as `bias`
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Dai et al. 2019, Transformer-XL, section 3.3
   */
  transformerXl(q: Tensor, k: Tensor, r: Tensor, settings: TransformerXlOptions): Tensor {
    const given = read('transformerXl options', settings, transformerXlSchema);
    const [queries, keys] = [fourAxes('q', q), fourAxes('k', k)];
    sameHeads(queries, keys);
    const [, heads, , dim] = queries.shape;
    const table = tableOf('r', r, heads, dim);
    const [u, v] = (['contentBias', 'positionBias'] as const).map((name) => {
      const { data, shape } = given[name];
      if (data.length !== heads * dim || shape.at(-1) !== dim) {
        throw wrongShape(name, `must be [${heads}, ${dim}]`, shape);
      }
      return data;
    }) as [Float32Array, Float32Array];
    const sizes: RelativeCall = {
      ...relativeCall(core, queries, given, keys.shape[2]),
      scheme: 'causal-distance',
      reach: table.rows,
      tableHeads: table.heads,
      queryRows: table.rows,
    };
    core.send([queries.data, keys.data, table.data, u, v]);
    return scores(queries, sizes, core.floats(core.raw.transformerXl(sizes)));
  },
});

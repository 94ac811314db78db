/** CoPE: positions that are sums of gates, which depend on the content. */
import { equal, fourAxes } from '../attention/operands.js';
import type { Core } from '../runtime/core.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { positionSchema, positionsOf, tableOf, type RelativePositions } from './call.js';
import type { Tensor } from '../runtime/tensor.js';

/** The rows of CoPE's table, and which queries and keys the logits have. */
export interface CopePositionsOptions extends RelativePositions {
  /** Rows of the table that the positions read: they are at most rows − 1. */
  rows: number;
}

const copePositionsSchema = {
  ...positionSchema,
  rows: option.whole,
} satisfies Schema<CopePositionsOptions>;

export const contextual = (core: Core) => ({
  /**
   * CoPE's positions: the sum of sigmoid(logits(m, k)) over the keys k from n to the query, at most
   * rows − 1.
   * @param logits the scaled scores before any bias, [..., queries, keys]
   * @returns a tensor of the same shape, 0 for keys after the query
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Golovneva et al. 2024, Contextual Position Encoding, equations 3 and 4
   */
  copePositions(logits: Tensor, settings: CopePositionsOptions): Tensor {
    const given = read('copePositions options', settings, copePositionsSchema);
    const { data, shape, leading } = fourAxes('logits', logits);
    const [queries, keys] = positionsOf(given, shape[2], shape[3]);
    core.send([data]);
    core.sendDoubles([queries, keys]);
    const positions = core.raw.copePositions(shape[0] * shape[1], shape[2], shape[3], given.rows);
    return { data: core.floats(positions), shape: [...leading, shape[2], shape[3]] };
  },

  /**
   * CoPE's bias, q_m · table[position], linear between the rows around a fraction; 0 for keys after
   * the query.
   * @param q a tensor [length, dim], [heads, length, dim] or [batch, heads, length, dim]
   * @param logits the scaled scores before any bias, [..., queries, keys]
   * @param table [rows, dim] or [heads, rows, dim]
   * @returns a tensor [..., queries, keys] that attention takes as `bias`
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Golovneva et al. 2024, Contextual Position Encoding, equation 5
   */
  cope(q: Tensor, logits: Tensor, table: Tensor, settings: RelativePositions = {}): Tensor {
    const given = read('cope options', settings, positionSchema);
    const [queries, before] = [fourAxes('q', q), fourAxes('logits', logits)];
    const [batch, heads, length, dim] = queries.shape;
    equal('batch of q and logits', batch, before.shape[0]);
    equal('heads of q and logits', heads, before.shape[1]);
    equal('queries of q and logits', length, before.shape[2]);
    const keyCount = before.shape[3];
    const positions = positionsOf(given, length, keyCount);
    const rows = tableOf('table', table, heads, dim);
    core.send([queries.data, before.data, rows.data]);
    core.sendDoubles(positions);
    const data = core.floats(
      core.raw.cope(batch * heads, length, keyCount, dim, rows.heads, rows.rows),
    );
    return { data, shape: [...before.leading, length, keyCount] };
  },
});

/** A distance bias as a full tensor, for positions at any distance. */
import { countOf, fitting, wholeNumber, positionList } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import {
  distanceTable,
  headsOf,
  sendTable,
  type DistanceEntry,
  type DistanceTable,
} from './distance_table.js';
import type { Positions, Tensor } from '../runtime/tensor.js';

/** The queries and keys of a bias: a count (positions 0, 1, …), or whole positions. */
export interface BiasPairs {
  queries: Positions;
  keys: Positions;
}

/** The same with heads, for schemes whose parameters do not imply their number. */
export interface BiasSize extends BiasPairs {
  heads?: number;
}

/** The largest number of columns of a table per pair that reads it. */
const columnsPerPair = 64;

/** Reads the bias of each pair from one table per run of distances without a long gap. */
function byRuns(
  core: Core,
  tableOf: (first: number, count: number) => DistanceTable,
  heads: number,
  offsets: Float64Array,
): Float32Array {
  const data = new Float32Array(heads * offsets.length);
  const order = Uint32Array.from(offsets.keys()).sort((a, b) => offsets[a]! - offsets[b]!);
  for (let at = 0, end = 0; at < order.length; at = end) {
    const first = offsets[order[at]!]!;
    let last = first;
    while (end < order.length && offsets[order[end]!]! - last <= columnsPerPair)
      last = offsets[order[end++]!]!;
    const count = last - first + 1;
    const table = core.floats(core.raw.distanceTable(...sendTable(core, tableOf(first, count))));
    for (const pair of order.subarray(at, end)) {
      const column = offsets[pair]! - first;
      for (let head = 0; head < heads; head++)
        data[head * offsets.length + pair] = table[head * count + column]!;
    }
  }
  return data;
}

export const pairsSchema = {
  queries: option.wholePositions,
  keys: option.wholePositions,
} satisfies Schema<BiasPairs>;
const sizeSchema = {
  heads: option.whole.optional(),
  ...pairsSchema,
} satisfies Schema<BiasSize>;

/** The schema of a tensor's function: `heads` where no parameter must have a value per head. */
function schemaOf({ schema, perHead }: DistanceEntry): Schema<BiasPairs> {
  const impliesHeads = perHead.some(([name]) => schema[name]!.isRequired);
  return { ...schema, ...(impliesHeads ? pairsSchema : sizeSchema) };
}

const schemas = new WeakMap<DistanceEntry, Schema<BiasPairs>>();

/** A distance bias as a full tensor [heads, queries, keys], for the function `name`. */
export function expanded(
  core: Core,
  entry: DistanceEntry,
  settings: BiasSize,
  name: string,
): Tensor {
  const schema = schemas.get(entry) ?? schemaOf(entry);
  schemas.set(entry, schema);
  const what = `${name} options`;
  const options = read(what, settings as BiasPairs, schema);
  const given = options as unknown as Record<string, unknown>;
  const { heads = headsOf(entry, given, '') ?? wholeNumber('heads', undefined) } =
    options as BiasSize;
  const size = 'a bias of heads × queries × keys';
  fitting(size, heads * countOf(options.queries) * countOf(options.keys));
  const queries = positionList('queries', options.queries);
  const keys = positionList('keys', options.keys);
  const least = (list: Float64Array) => list.reduce((a, b) => Math.min(a, b));
  const most = (list: Float64Array) => list.reduce((a, b) => Math.max(a, b));
  const first = least(keys) - most(queries);
  const count = most(keys) - least(queries) - first + 1;
  const shape = [heads, queries.length, keys.length];
  const tableOf = (from: number, columns: number) =>
    distanceTable(entry, given, what, '', heads, from, columns);
  if (count > columnsPerPair * queries.length * keys.length) {
    const offsets = new Float64Array(queries.length * keys.length);
    queries.forEach((query, m) =>
      offsets.set(
        keys.map((key) => key - query),
        m * keys.length,
      ),
    );
    return { data: byRuns(core, tableOf, heads, offsets), shape };
  }
  const sent = sendTable(core, tableOf(first, count), queries, keys);
  return { data: core.floats(core.raw.distanceBias(...sent, queries.length, keys.length)), shape };
}

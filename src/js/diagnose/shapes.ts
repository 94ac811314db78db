/** Brings arrays to one order of axes, and finds the true positions of their rows. */
import type { Tensor } from '../runtime/tensor.js';
import type { DumpArray, LayerDump } from './dump.js';
import type { Model } from './model.js';
import type { Sequence } from './tables.js';

/** [batch, length, heads, dim] as [batch, heads, length, dim]. */
function headsFirst(data: Float32Array, shape: readonly number[]): Tensor {
  const [batch, length, heads, dim] = shape as [number, number, number, number];
  const result = new Float32Array(data.length);
  let from = 0;
  for (let b = 0; b < batch; b++)
    for (let row = 0; row < length; row++)
      for (let h = 0; h < heads; h++, from += dim)
        result.set(data.subarray(from, from + dim), ((b * heads + h) * length + row) * dim);
  return { data: result, shape: [batch, heads, length, dim] };
}

/** Widths that the last axis of q or k may have. */
function widthsOf({ rotary }: Model): number[] {
  if (!rotary) return [];
  const { headDim, part, recipe } = rotary;
  return part === 'trailing' ? [headDim, recipe.dim] : [headDim];
}

/** Whether rows come before heads: the number of heads tells, else that of rows. */
function isRowMajor(
  [, second, third]: readonly number[],
  heads: number | undefined,
  rows: number | undefined,
): boolean {
  if (second === heads) return false;
  if (third === heads && heads !== undefined) return true;
  // One head of keys may serve all: then more heads than the model has are rows.
  if (third === 1 && heads !== undefined && second! > heads) return rows !== 1;
  return second === rows && third !== rows;
}

/**
 * q or k as [batch, heads, rows, dim], from that or [heads, rows, dim], [rows, dim],
 * [batch, rows, heads, dim], [batch, rows, heads · dim].
 * @param rows how many rows there are, where something says so
 */
export function headTensor(array: DumpArray, model: Model, rows: number | undefined): Tensor {
  const { data } = array;
  const extents = [...array.shape];
  while (extents.length > 4 && extents[0] === 1) extents.shift();
  const heads = array.role.startsWith('k') ? model.keyHeads : model.heads;
  if (extents.length === 4)
    return isRowMajor(extents, heads, rows) ? headsFirst(data, extents) : { data, shape: extents };
  const width = extents.at(-1)!;
  const dim = widthsOf(model).find((each) => width !== each && width % each === 0);
  const isFlat = dim !== undefined && !widthsOf(model).includes(width) && extents.length <= 3;
  if (isFlat) {
    const [batch, length] = [extents.length === 3 ? extents[0]! : 1, extents.at(-2) ?? 1];
    return headsFirst(data, [batch, length, width / dim, dim]);
  }
  // Several lists of one head are a batch.
  const isBatch = extents.length === 3 && heads === 1 && extents[0] !== 1;
  const shape = isBatch
    ? [extents[0]!, 1, ...extents.slice(1)]
    : [...Array<number>(Math.max(0, 4 - extents.length)).fill(1), ...extents];
  return isRowMajor(shape, heads, rows) ? headsFirst(data, shape) : { data, shape };
}

/** Which rows are padding: where the attention mask [batch, length] is 0. */
function paddingOf(dump: LayerDump, batches: number, rows: number): Uint8Array | undefined {
  const mask = dump.get('attention_mask');
  if (!mask || mask.shape.length > 2) return undefined;
  const length = mask.shape.at(-1)!;
  const lists = mask.data.length / length;
  if (length < rows || (lists !== 1 && lists !== batches)) return undefined;
  return Uint8Array.from({ length: batches * rows }, (_, at) => {
    const batch = lists === 1 ? 0 : Math.floor(at / rows);
    // The last rows, where a cache holds the earlier ones.
    return Number(mask.data[batch * length + (length - rows) + (at % rows)] === 0);
  });
}

/** What the attention mask says: real tokens counted from 0. */
function countedPositions(padding: Uint8Array, batches: number, rows: number): Float64Array {
  const positions = new Float64Array(batches * rows);
  for (let batch = 0; batch < batches; batch++) {
    let count = 0;
    for (let row = 0; row < rows; row++) {
      const at = batch * rows + row;
      positions[at] = Math.max(count - 1, 0);
      if (padding[at]) continue;
      positions[at] = count++;
    }
  }
  return positions;
}

/**
 * The true positions of `rows` rows of each batch: position_ids, else what the attention mask says,
 * else 0, 1, ….
 * @param last whether fewer rows than positions are the last ones, as queries after a cache
 */
export function sequenceOf(
  dump: LayerDump,
  model: Model,
  batches: number,
  rows: number,
  last: boolean,
): Sequence {
  const padding = paddingOf(dump, batches, rows);
  const own = padding?.some((flag) => flag === 1) ? { padding } : {};
  const ids = dump.get('position_ids');
  const axes = model.rotary?.sections?.pairs.length ?? 1;
  if (ids) {
    const length = ids.shape.at(-1)!;
    const lists = ids.data.length / length;
    const isPerAxis = axes > 1 && ids.shape.length > 1 && ids.shape[0] === axes;
    const ownAxes = isPerAxis ? axes : 1;
    const ownBatches = lists / ownAxes;
    const fits = length === rows || (last && length > rows);
    if (fits && (ownBatches === 1 || ownBatches === batches)) {
      const skipped = length - rows;
      const positions = new Float64Array(ownAxes * batches * rows);
      for (let at = 0; at < positions.length; at++) {
        const [list, row] = [Math.floor(at / rows), at % rows];
        const [axis, batch] = [Math.floor(list / batches), list % batches];
        const from = axis * ownBatches + (ownBatches === 1 ? 0 : batch);
        positions[at] = ids.data[from * length + skipped + row]!;
      }
      const numbers = Array.from({ length: rows }, (_, row) => skipped + row);
      const named = skipped > 0 ? { numbers } : {};
      return { axes: ownAxes, batches, rows, positions, ...named, ...own };
    }
  }
  if (padding) {
    return { axes: 1, batches, rows, positions: countedPositions(padding, batches, rows), ...own };
  }
  const first = last ? Math.max(0, (rowsOfKeys(dump, model) ?? rows) - rows) : 0;
  const positions = Float64Array.from({ length: batches * rows }, (_, at) => first + (at % rows));
  return { axes: 1, batches, rows, positions };
}

/** How many keys the scores of a dump have. */
export function keyCount(dump: LayerDump): number | undefined {
  const scores = dump.get('scores') ?? dump.get('weights');
  return scores?.shape.at(-1);
}

/** How many keys a dump has, also without scores. */
function rowsOfKeys(dump: LayerDump, model: Model): number | undefined {
  const keys = dump.get('k') ?? dump.get('k_rot');
  return keyCount(dump) ?? (keys && headTensor(keys, model, undefined).shape[2]);
}

/** The largest true position and one: the length that the model sees; undefined without rows. */
export function lengthOf(dump: LayerDump): number | undefined {
  const ids = dump.get('position_ids');
  if (ids) return ids.data.reduce((most, each) => Math.max(most, each), 0) + 1;
  const mask = dump.get('attention_mask');
  if (mask) {
    const length = mask.shape.at(-1)!;
    const lists = Array.from({ length: mask.data.length / length }, (_, at) =>
      mask.data.subarray(at * length, (at + 1) * length).reduce((sum, each) => sum + each, 0),
    );
    return Math.max(1, ...lists);
  }
  const keys = keyCount(dump);
  if (keys !== undefined) return keys;
  for (const role of ['q_rot', 'k_rot', 'q', 'k', 'cos'] as const) {
    const array = dump.get(role);
    if (array && array.shape.length > 1) return array.shape.at(-2)!;
  }
  return undefined;
}

/** A tensor of [batch, heads, queries, keys] from one with fewer axes. */
export function fourAxes({
  data,
  shape,
}: {
  data: Float32Array;
  shape: readonly number[];
}): Tensor {
  const extents = [...shape];
  while (extents.length > 4 && extents[0] === 1) extents.shift();
  return { data, shape: [...Array<number>(Math.max(0, 4 - extents.length)).fill(1), ...extents] };
}

/** Returns rows that represent a long array: the first, runs in between, and the last. */
export function sampledRows(rows: number): number[] {
  const [ends, runs, run] = [16, 10, 8];
  if (rows <= 2 * ends + runs * run) return [...Array(rows).keys()];
  const kept = new Set<number>();
  for (let row = 0; row < ends; row++) kept.add(row).add(rows - 1 - row);
  for (let i = 1; i <= runs; i++) {
    const start = Math.floor((i * (rows - run)) / (runs + 1));
    for (let row = start; row < start + run; row++) kept.add(row);
  }
  return [...kept].sort((a, b) => a - b);
}

/** Returns the second row, which is the first that turns, others far apart, and the last. */
export function fewRows(rows: number): number[] {
  const last = rows - 1;
  return [...new Set([1, last >> 1, (3 * last) >> 2, last].map((row) => Math.min(row, last)))];
}

/** Some rows of some heads. */
export function selected(x: Tensor, heads: readonly number[], rows: readonly number[]): Tensor {
  const [batch = 1, ownHeads = 1, ownRows = 1, width = 1] = x.shape;
  const data = new Float32Array(batch * heads.length * rows.length * width);
  let to = 0;
  for (let b = 0; b < batch; b++)
    for (const head of heads)
      for (const row of rows) {
        const from = ((b * ownHeads + head) * ownRows + row) * width;
        data.set(x.data.subarray(from, from + width), to);
        to += width;
      }
  return { data, shape: [batch, heads.length, rows.length, width] };
}

/** The positions of some rows. */
export function selectedPositions(sequence: Sequence, kept: readonly number[]): Sequence {
  const { axes, batches, rows, positions, padding } = sequence;
  const lists = Array.from({ length: axes * batches }, (_, at) => at * rows);
  const pick = (list: ArrayLike<number>, from: number) => kept.map((row) => list[from + row]!);
  return {
    axes,
    batches,
    rows: kept.length,
    numbers: kept.map((row) => sequence.numbers?.[row] ?? row),
    positions: Float64Array.from(lists.flatMap((from) => pick(positions, from))),
    ...(padding && {
      padding: Uint8Array.from(lists.slice(0, batches).flatMap((from) => pick(padding, from))),
    }),
  };
}

/** Faults of the positions of some rows: keys of an evicted cache, rows after an image. */
import { fault, ofRotary, rotaryOf, type Variant, type World } from './fault.js';
import type { PositionChange } from './model.js';
import { rowsOf } from './rows.js';

const evicted = fault({
  id: 'evicted_positions_lag',
  part: 'positions',
  variants: (world, change) =>
    rowsOf(world, change).flatMap(({ side, truth, used, numbers }): Variant[] => {
      if (side !== 'k') return [];
      const rows = [...truth.keys()];
      const isMoved = (row: number) => used[row] !== truth[row];
      const [first, last] = [rows.findIndex(isMoved), rows.findLastIndex(isMoved)];
      if (first < 0) return [];
      const shift = used[first]! - truth[first]!;
      const moved = rows.slice(first, last + 1);
      if (!moved.every((row) => used[row]! - truth[row]! === shift)) return [];
      const sinks = numbers[first]!;
      // Of all keys alike, it is rather the queries that are behind, if only scores show it.
      const isRelative = sinks === 0 && !world.rotary.some(({ role }) => role === 'k');
      const isSmall = Math.abs(shift) <= 2;
      const end = last === truth.length - 1 ? Infinity : numbers[last]! + 1;
      const of: PositionChange['of'] = (positions, all) =>
        Float64Array.from(positions, (own, i) =>
          all[i]! >= sinks && all[i]! < end ? own + shift : own,
        );
      return [
        {
          parameters: { evicted: shift, sinks, ...(end < Infinity && { cached_rows: end }) },
          cost: isRelative ? (isSmall ? 1.3 : 1.17) : sinks === 0 && isSmall ? 1.2 : 1,
          apply: ofRotary((rotary) => (rotary.keyPositions ? undefined : { keyPositions: { of } })),
        },
      ];
    }),
  says: ({ evicted: shift, sinks, cached_rows: end }) =>
    `Keys from row ${sinks}${end === undefined ? '' : ` to ${end - 1}`} on are ${Math.abs(shift)} positions too ${shift > 0 ? 'high' : 'low'}: ` +
    'they keep those of before tokens were evicted.',
  fix: 'Rotate the remaining keys again after an eviction (llama_memory_seq_add of llama.cpp, SinkCache of Hugging Face), keep keys unrotated in the cache (StreamingLLM), or let the queries go on with the old positions (RotatingKVCache of MLX, vLLM).',
});

/** The ids of the first sequence by axis, and the first row after its last image. */
export function imageOf(world: World): { ids: Float32Array[]; after: number } | undefined {
  const axes = rotaryOf(world)?.sections?.pairs.length ?? 1;
  const array = world.dumps[0]?.get('position_ids');
  if (!array || axes < 2 || array.shape.length < 2 || array.shape[0] !== axes) return undefined;
  const length = array.shape.at(-1)!;
  const batches = array.data.length / (axes * length);
  const ids = Array.from({ length: axes }, (_, axis) =>
    array.data.subarray(axis * batches * length, axis * batches * length + length),
  );
  const rows = [...Array(length).keys()];
  const after = 1 + rows.findLastIndex((row) => ids.some((list) => list[row] !== ids[0]![row]));
  return after > 0 && after < length ? { ids, after } : undefined;
}

/** How far the position after an image is beyond the one that follows its first. */
function extentOf({ ids, after }: { ids: ArrayLike<number>[]; after: number }): number {
  let first = after;
  const isImage = (row: number) => ids.some((list) => list[row] !== ids[0]![row]);
  while (first > 0 && (isImage(first - 1) || ids[0]![first - 1] === ids[0]![after - 1])) first--;
  const start = Math.min(...ids.map((list) => list[first]!));
  return ids[0]![after]! - start;
}

const mostDecodeRows = 48;

const decoded = fault({
  id: 'mrope_decode_positions',
  part: 'positions',
  variants(world) {
    const image = imageOf(world);
    if (!image) return [];
    const { ids, after } = image;
    const extent = extentOf(image);
    const count = Math.min(ids[0]!.length - after, mostDecodeRows);
    const froms = Array.from({ length: count }, (_, i) => after + i);
    const modes: [string, (from: number) => (own: number, row: number) => number][] = [
      ['row_index', () => (_, row) => row],
      ['restart', (from) => (_, row) => row - from],
      ['no_extent', () => (own) => own - extent + 1],
      ['no_extent', () => (own) => own - extent],
    ];
    return froms.flatMap((from, i) =>
      modes.map(([mode, made], j): Variant => {
        const position = made(from);
        const of: PositionChange['of'] = (positions, rows) =>
          Float64Array.from(positions, (own, at) =>
            rows[at]! >= from ? position(own, rows[at]!) : own,
          );
        const change = { of };
        return {
          parameters: { decode_from: from, mode },
          cost: 1 + 0.001 * i + 0.0001 * j,
          apply: ofRotary((rotary) =>
            rotary.sections ? { queryPositions: change, keyPositions: change } : undefined,
          ),
        };
      }),
    );
  },
  says: ({ decode_from: from, mode }) =>
    `Rows from ${from} on, after the image, ` +
    (mode === 'row_index'
      ? 'have their row numbers as positions: the offset of the image is lost.'
      : mode === 'restart'
        ? 'start again at 0.'
        : 'go on as if the image were one token.'),
  fix: 'Go on from the largest id of the prompt plus one, the same on all axes: rope_deltas of get_rope_index kept for decoding (Hugging Face), mrope_position_delta (vLLM), llama_batch.pos of all axes (llama.cpp), rope_deltas in the cache (mlx-vlm), position_ids [3, N] (ONNX).',
});

export const rowFaults = [evicted, decoded];

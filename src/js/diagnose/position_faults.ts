/** Faults of positions: what rows were rotated by, measured where the data allow it. */
import { fault, ofRotary, rotaryOf, type Fault, type Variant, type World } from './fault.js';
import type { PositionChange } from './model.js';
import { imageOf, rowFaults } from './row_faults.js';
import { rowsOf, truths } from './rows.js';

const both = (change: PositionChange) =>
  ofRotary((rotary) =>
    rotary.queryPositions || rotary.keyPositions
      ? undefined
      : { queryPositions: change, keyPositions: change },
  );
const queriesOnly = (change: PositionChange) =>
  ofRotary((rotary) => (rotary.queryPositions ? undefined : { queryPositions: change }));

const each = (of: (position: number, row: number) => number): PositionChange => ({
  of: (positions, rows) => Float64Array.from(positions, (own, i) => of(own, rows[i]!)),
});

/** For q and k, and for q alone at a higher cost. */
function forBoth(parameters: object, cost: number, change: PositionChange): Variant[] {
  return [
    { parameters: { ...parameters }, cost, apply: both(change) },
    {
      parameters: { ...parameters, applies_to: 'q' },
      cost: cost + 0.1,
      apply: queriesOnly(change),
    },
  ];
}

/** Lengths that tables have: powers of two, and those of the config. */
function isTableLength(world: World, length: number): boolean {
  const isPower = length >= 512 && Math.log2(length) % 1 === 0;
  const named = ['max_position_embeddings', 'n_positions', 'seq_length', 'sliding_window'];
  return isPower || named.some((name) => world.config[name] === length);
}

const tableLengths = (world: World, longest: number) =>
  [
    ...Array.from({ length: 12 }, (_, i) => 2 ** (6 + i)),
    world.config['max_position_embeddings'],
  ].filter((length): length is number => typeof length === 'number' && length < longest + 1);

const maximum = (lists: readonly Float64Array[]) =>
  lists.reduce((most, list) => list.reduce((a, b) => Math.max(a, b), most), 0);

const unique = (values: Iterable<number>) => [...new Set(values)].filter(Number.isFinite);

const frozen = fault({
  id: 'positions_frozen',
  part: 'positions',
  variants(world, change) {
    const rows = rowsOf(world, change);
    const whole = rows
      .filter(({ used }) => used.length > 1 && used.every((position) => position === used[0]))
      .map(({ used }) => used[0]!);
    const parts = rows.flatMap(({ truth, used }) => {
      const from = used.findIndex((position, row) => position !== truth[row]);
      // The row before may have that position already.
      return [from - 1, from]
        .filter((row) => row > 0 && used.slice(row).every((position) => position === used[row]))
        .map((row) => ({ from: truth[row]!, at: used[row]! }));
    });
    const constant = (parameters: object, position: number, from: number, cost: number) =>
      forBoth(
        parameters,
        cost,
        each((own) => (own >= from ? position : own)),
      );
    return [
      ...unique([...whole, 0]).flatMap((position) =>
        constant({ frozen: position }, position, -Infinity, position === 0 ? 1.15 : 1.1),
      ),
      ...parts.flatMap(({ from, at }) => constant({ frozen: at, from }, at, from, 1.15)),
    ];
  },
  says: ({ frozen, from }) =>
    from === undefined
      ? `All rows have position ${frozen}${frozen === 0 ? ', or are not rotated at all' : ''}.`
      : `All rows from position ${from} on have position ${frozen}.`,
  fix: 'Advance the position with every token: position_ids or cache_position (Hugging Face), positions (vLLM), llama_batch.pos (llama.cpp), offset of nn.RoPE (MLX), position_ids (ONNX).',
});

const shifted = fault({
  id: 'positions_shifted',
  part: 'positions',
  variants(world, change) {
    const measured = rowsOf(world, change).flatMap(({ truth, used }) => {
      const shift = used[0]! - truth[0]!;
      return used.every((position, row) => position - truth[row]! === shift) ? [shift] : [];
    });
    const usual = measured.length ? [1, -1] : [1, -1, 2, -2, 3, -3, 4, -4, 5, 8, 16];
    const shifts = unique([...usual, ...measured]).filter((shift) => shift !== 0);
    return shifts.flatMap((shift) =>
      forBoth(
        { shift },
        Math.abs(shift) <= 2 ? 1.1 : 1.15,
        each((own) => own + shift),
      ),
    );
  },
  says: ({ shift, applies_to: to }) =>
    `Positions${to ? ` of ${to} only` : ''} are ${Math.abs(shift)} too ${shift > 0 ? 'high' : 'low'}.`,
  fix: 'Start at 0, at the number of cached tokens for the first new one: cache_position (Hugging Face), n_past (llama.cpp), offset=cache.offset (MLX), past_sequence_length (ONNX).',
});

const restarted = fault({
  id: 'positions_restart_after_cache',
  part: 'positions',
  variants(world, change) {
    const measured = rowsOf(world, change);
    const firsts = [
      ...truths(world).map((list) => list[0]!),
      ...measured.flatMap(({ truth, used }) => {
        const from = used.findIndex((position, row) => position !== truth[row]);
        // Of a long text only some rows are measured: the first may be left out.
        return from < 0 ? [] : [truth[from]!, truth[from]! - used[from]!];
      }),
      ...guessedCaches(world),
    ];
    // Where every row is beyond it and none starts there, all move by the same step: a shift.
    const lists = world.rotary.length > 0 ? truths(world) : measured.map(({ truth }) => truth);
    const isRestart = (first: number) =>
      lists.length === 0 ||
      lists.some((list) => list[0] === first || list.some((own) => own < first));
    return unique(firsts)
      .filter((first) => first > 0 && isRestart(first))
      .flatMap((first) =>
        forBoth(
          { restart: first },
          imageOf(world) ? 1.1 : 1.02,
          each((own) => (own >= first ? own - first : own)),
        ),
      );
  },
  says: ({ restart }) => `Rows from position ${restart} on start again at 0.`,
  fix: 'Add the cache length: cache_position (Hugging Face), positions (vLLM), n_past (llama.cpp), offset=cache.offset (MLX), past_sequence_length (ONNX).',
});

/** So few rows that a cache may end at each of them. */
const fewRows = 32;

/** Without measured positions: where a cache may end. */
function guessedCaches(world: World): number[] {
  const { rotary, dumps, length } = world;
  const image = imageOf(world);
  if (image) return [...image.ids[0]!].slice(image.after);
  if (rotary.length > 0 || length === undefined) return [];
  const queries = dumps[0]?.get('scores')?.shape.at(-2) ?? length;
  if (queries < length) return [length - queries];
  return length <= fewRows ? [...Array(length).keys()] : [];
}

const padded = fault({
  id: 'positions_from_padding',
  part: 'positions',
  variants: (world) =>
    world.dumps.some((dump) => dump.get('attention_mask'))
      ? forBoth(
          { padding: true },
          0.95,
          each((_, row) => row),
        )
      : [],
  says: () => 'Positions count the left padding: 0, 1, 2, … from the first padded token.',
  fix: 'Use attention_mask.cumsum(-1) − 1 as position_ids (Hugging Face), or pad on the right.',
});

const clamped = fault({
  id: 'table_too_short_clamped',
  part: 'positions',
  variants(world, change) {
    const longest = maximum(truths(world));
    const measured = rowsOf(world, change).map(({ used }) => maximum([used]) + 1);
    return unique([...measured, ...tableLengths(world, longest)])
      .filter((length) => length >= 1 && length <= longest && length % 1 === 0)
      .flatMap((length) =>
        forBoth(
          { clamp: length },
          isTableLength(world, length) ? 1.01 : 1.3,
          each((own) => Math.min(own, length - 1)),
        ),
      );
  },
  says: ({ clamp }) => `Positions beyond ${clamp - 1} use the last of ${clamp} rows.`,
  fix: 'Make the table longer: max_position_embeddings (Hugging Face), --max-model-len (vLLM), --ctx-size (llama.cpp), rows of cos_cache and sin_cache (ONNX).',
});

const wrapped = fault({
  id: 'table_too_short_wrapped',
  part: 'positions',
  variants(world, change) {
    const longest = maximum(truths(world));
    const measured = rowsOf(world, change).flatMap(({ truth, used }) => {
      const steps = Array.from(truth, (position, row) => Math.abs(position - used[row]!));
      const least = Math.min(...steps.filter((step) => step > 0));
      return Number.isFinite(least) ? [least] : [];
    });
    return unique([...measured, ...tableLengths(world, longest)])
      .filter((length) => length >= 2 && length <= longest && length % 1 === 0)
      .flatMap((length) =>
        forBoth(
          { wrap: length },
          isTableLength(world, length) ? 1.01 : 1.3,
          each((own) => own % length),
        ),
      );
  },
  says: ({ wrap }) => `Positions are taken modulo ${wrap}, the length of a table.`,
  fix: 'Make the table longer than the text: max_position_embeddings (Hugging Face), --max-model-len (vLLM), --ctx-size (llama.cpp), rows of cos_cache and sin_cache (ONNX).',
});

const hasRotation = (own: Fault): Fault => ({
  ...own,
  candidates: (world, change) => (rotaryOf(world) ? own.candidates(world, change) : []),
});

export const positionFaults: Fault[] = [
  padded,
  restarted,
  clamped,
  wrapped,
  frozen,
  shifted,
  ...rowFaults,
].map(hasRotation);

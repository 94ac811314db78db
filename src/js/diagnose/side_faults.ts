/**
 * Faults of one side: queries or keys rotated twice or not at all, keys of an older cache, the
 * output not rotated back.
 */
import type { Evidence } from './evidence.js';
import {
  fault,
  ofRotary,
  rotaryOf,
  type Candidate,
  type Fault,
  type Variant,
  type World,
} from './fault.js';
import { anglesOf, fitted, measuredFrequencies } from './measure.js';
import type { Recipe, Times } from './model.js';
import { frequenciesOf } from './tables.js';

const hasScores = ({ dumps }: World) =>
  dumps.some((dump) => dump.get('scores') ?? dump.get('weights'));

/** Whether the data show both sides, of which one may then be wrong. */
const showsBoth = (world: World) =>
  hasScores(world) || ['q', 'k'].every((role) => world.rotary.some((own) => own.role === role));

const timesOf = (times: Times): Candidate['apply'] =>
  ofRotary((rotary) => (rotary.rotates ? { times } : undefined));

const sides: [string, (usual: number, other: number) => Times][] = [
  ['q', (usual, other) => ({ query: other, key: usual })],
  ['k', (usual, other) => ({ query: usual, key: other })],
];

const twice = fault({
  id: 'rotated_twice',
  part: 'times',
  variants: (world) => {
    // Angles p/f that are doubled are also those of half the linear factor, which is named first.
    const cost = rotaryOf(world)?.recipe.scaling.type === 'linear' ? 1.2 : 1;
    return [
      { parameters: { times: 2 }, cost, apply: timesOf({ query: 2, key: 2 }) },
      ...sides.map(([side, of]): Variant => ({
        parameters: { times: 2, applies_to: side },
        cost: cost + 0.05,
        apply: timesOf(of(1, 2)),
      })),
    ];
  },
  says: ({ applies_to: side }) =>
    side ? `${side} is rotated twice.` : 'Queries and keys are rotated twice.',
  fix: 'Rotate once: in the model or in the attention kernel (Hugging Face, vLLM, SGLang, TensorRT-LLM), before the cache or after it, do_rotary of GroupQueryAttention or a RotaryEmbedding node (ONNX), not both.',
});

const oneSide = fault({
  id: 'one_side_unrotated',
  part: 'times',
  variants: (world) =>
    sides.map(([side, of], i): Variant => ({
      parameters: { unrotated: side },
      cost: (showsBoth(world) ? 1 : 1.3) + 0.01 * i,
      apply: timesOf(of(1, 0)),
    })),
  says: ({ unrotated }) => `${unrotated} is not rotated${unrotated === 'k' ? ', q is' : ''}.`,
  fix: 'Rotate queries and keys by the same table, also where keys come from a cache: apply_rotary_pos_emb (Hugging Face), rotary_emb(positions, q, k) (vLLM), ggml_rope_ext on both (llama.cpp), self.rope on both (MLX), both inputs (ONNX).',
});

/** Lengths for which dynamic NTK has the frequencies of the first keys. */
function lengthsOf(world: World, recipe: Recipe, rows: number): number[] {
  const { scaling } = recipe;
  if (scaling.type !== 'dynamic-ntk') return [];
  return world.rotary.flatMap((evidence) => {
    const { role, sequence, nominal } = evidence;
    const data = role === 'k' ? evidence.measured(nominal) : undefined;
    if (!data || !sequence || sequence.axes > 1) return [];
    const { pairs } = data;
    const count = Math.min(rows, sequence.rows);
    const angles = anglesOf(data, nominal.rotary!).subarray(0, count * pairs);
    const found = measuredFrequencies(angles, sequence.positions.subarray(0, count), pairs);
    return [1, 0.75, 0.5].flatMap((share) => {
      const pair = Math.max(1, Math.round(share * pairs) - 1);
      const at = (length: number) => {
        const own = { ...recipe, scaling: { ...scaling, length: Math.round(length) } };
        return frequenciesOf(world.rw, own).inverseFrequencies[pair]!;
      };
      const length = fitted(at, found[pair]!, scaling.originalLength, 2 ** 22);
      return length === undefined ? [] : [-1, 0, 1].map((step) => Math.round(length) + step);
    });
  });
}

/** Tables that rotated the keys of an older cache of some rows. */
function olderRecipes(world: World, recipe: Recipe, rows: number): [object, Recipe, number][] {
  const { scaling } = recipe;
  if (scaling.type === 'none' || scaling.type === 'proportional') return [];
  const plain: [object, Recipe, number] = [
    { type: 'default' },
    { ...recipe, scaling: { type: 'none' } },
    1,
  ];
  if (scaling.type === 'longrope') {
    const short = { ...scaling, length: scaling.originalLength };
    return [[{ longrope_use: 'short' }, { ...recipe, scaling: short }, 0.95], plain];
  }
  if (scaling.type !== 'dynamic-ntk') return [plain];
  const { originalLength } = scaling;
  const length = scaling.length ?? originalLength;
  const powers = Array.from({ length: 12 }, (_, i) => 2 ** (9 + i));
  const found = lengthsOf(world, recipe, rows);
  const lengths = [...new Set([originalLength, rows, ...powers, ...found])].filter(
    (each) => each >= originalLength && each < length,
  );
  return lengths.map((each) => [
    { seq_len: each },
    { ...recipe, scaling: { ...scaling, length: each } },
    each === originalLength ? 1 : 1.01,
  ]);
}

/** Differences that may show an older key, as shares of the tolerance: they may be rounding. */
const shares = [1, 0.3, 0.1, 0.03];

/** Where older keys may end: after the last key that differs from the model by a share. */
function olderRows({ evidence, rotary }: World): number[] {
  const keys = new Set<Evidence>(rotary.filter(({ role }) => role === 'k'));
  const ends = shares.map(() => 0);
  for (const each of evidence) {
    if (!keys.has(each) && !each.sides) continue;
    each.compare(each.nominal, undefined, (observed, predicted, tolerance) => {
      for (let i = 0; i < observed.length; i++) {
        const allowed = tolerance?.(i) ?? 0;
        const difference = Math.abs(observed[i]! - predicted[i]!);
        if (allowed === 0 || !(difference > shares.at(-1)! * allowed)) continue;
        const { key, row } = each.placeOf(i).at;
        shares.forEach((share, j) => {
          if (difference > share * allowed) ends[j] = Math.max(ends[j]!, 1 + (key ?? row!));
        });
      }
    });
  }
  return [...new Set(ends)].filter((rows) => rows > 0);
}

const olderTable = fault({
  id: 'cache_rotated_by_other_table',
  part: 'cache',
  variants(world) {
    const rotary = rotaryOf(world);
    if (!rotary) return [];
    const { type } = rotary.recipe.scaling;
    if (type === 'none' || type === 'proportional') return [];
    return olderRows(world).flatMap((rows) =>
      olderRecipes(world, rotary.recipe, rows).map(([parameters, recipe, cost]): Variant => ({
        parameters: { cached_rows: rows, ...parameters },
        cost,
        apply: ofRotary(() => ({ cached: { rows, recipe } })),
      })),
    );
  },
  says: ({ cached_rows: rows, seq_len: length, longrope_use: list }) =>
    `The first ${rows} keys carry an older table: ` +
    (length !== undefined
      ? `that of a text of up to ${length} tokens.`
      : list !== undefined
        ? 'that of short_factor.'
        : 'one without the scaling.'),
  fix: 'Rotate cached keys again when the table changes, or keep keys unrotated in the cache; do not restore a cache from a run with other rope settings (Hugging Face, vLLM, --cache-reuse and session files of llama.cpp, MLX, past_key of ONNX).',
});

/** Where keys are values too, the output is rotated back. */
const outputFault = fault({
  id: 'output_not_derotated',
  part: 'output',
  variants: () =>
    (['none', 'forward'] as const).map((output, i) => ({
      parameters: { output: output === 'none' ? 'raw' : output },
      cost: 1 + 0.01 * i,
      apply: (model) => (model.output === 'back' ? { ...model, output } : undefined),
    })),
  says: ({ output }) =>
    output === 'raw'
      ? 'The output is not rotated back: its values still have the positions of their keys.'
      : 'The output is rotated forward by the position of the query, not back.',
  fix: 'Rotate the last qk_rope_head_dim channels of the attention output by minus the angle of the query before the output projection: cos and −sin in apply_rotary_pos_emb (Hugging Face, vLLM), ggml_rope_ext_back (llama.cpp), negated positions or sin (MLX, ONNX).',
});

export const sideFaults: Fault[] = [twice, oneSide, olderTable, outputFault];

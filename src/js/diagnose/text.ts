/** The sentences of a diagnosis. */
import type { Functions } from '../ropewalk.js';
import { shapeText } from '../runtime/tensor.js';
import type { Dump, Role } from './dump.js';
import type { Place } from './evidence.js';
import { modelsOf, type Candidate, type World } from './fault.js';
import { faultOf } from './faults.js';
import type { Model } from './model.js';
import { frequenciesOf, temperatureOf } from './tables.js';

const roleText: Record<Role, string> = {
  inv_freq: 'inverse frequencies',
  cos: 'cosines',
  sin: 'sines',
  cos_sin: 'cosines and sines',
  q: 'queries before rotation',
  k: 'keys before rotation',
  q_rot: 'queries after rotation',
  k_rot: 'keys after rotation',
  q_nope: 'unrotated part of the queries',
  k_nope: 'unrotated part of the keys',
  position_ids: 'positions',
  attention_mask: 'attention mask',
  scores: 'scores before the softmax',
  weights: 'attention weights',
  bias: 'bias on the scores',
  slopes: 'ALiBi slopes',
  t5_table: 'T5 table of biases',
  sinks: 'attention sinks',
  output: 'output of the attention',
  output_before: 'output before it is rotated back',
  q_weight: 'weights of the queries',
  k_weight: 'weights of the keys',
};

export const dataText = ({ arrays }: Dump): string[] =>
  arrays.map(({ name, role, shape, format }) => {
    const text = `${roleText[role]} ${shapeText(shape)}`;
    return `${name}: ${text}${format === 'f32' ? '' : `, ${format}`}`;
  });

const short = (value: number) => Number(value.toPrecision(5));

function rotaryText(rw: Functions, { rotary, runtime }: Model): string {
  const { recipe, layout, rotates, headDim, sections } = rotary!;
  if (!rotates) return 'no rotation in this layer';
  const { inverseFrequencies } = frequenciesOf(rw, recipe);
  const { cosSin, softmax } = temperatureOf(rw, rotary!);
  const { type, ...options } = recipe.scaling;
  const numbers = Object.entries(options).filter(([, value]) => typeof value !== 'object');
  const parts = [
    `RoPE on ${2 * inverseFrequencies.length} of ${headDim} channels`,
    `${layout} pairs${runtime === 'llama.cpp' ? ' in llama.cpp' : ''}`,
    `base ${recipe.base}`,
    ...(type === 'none'
      ? []
      : [`scaling ${type} (${numbers.map(([name, value]) => `${name} ${value}`).join(', ')})`]),
    ...(cosSin === 1 ? [] : [`attention factor ${short(cosSin)} on cos and sin`]),
    ...(softmax === 1 ? [] : [`softmax scale times ${short(softmax)}`]),
    ...(sections ? [`sections ${sections.pairs.join(', ')}`] : []),
  ];
  return parts.join(', ');
}

function modelText(rw: Functions, model: Model): string {
  if (model.rotary) return rotaryText(rw, model);
  if (model.alibi) return `ALiBi, ${model.heads} heads, published slopes`;
  if (model.t5) return `T5 buckets, ${model.t5.direction}, no softmax scale`;
  return `position scheme ${model.scheme}`;
}

/** What the configuration says, once for each kind of layer that may be meant. */
export function expectedText(rw: Functions, worlds: readonly World[], isGiven: boolean): string[] {
  const texts = new Set(worlds.flatMap((world) => modelsOf(world).map((m) => modelText(rw, m))));
  return [...texts].map((text) => (isGiven ? text : `no config; assumed: ${text}`));
}

/**
 * That scores may be divided or not, and which of both the data show.
 * @param found the world of the likeliest hypothesis that fits
 */
export function divisionText([first]: readonly World[], found: World | undefined): string[] {
  if (first?.isDivided === undefined) return [];
  if (!found) return ['scores divided by √d or not (both readings are accepted)'];
  return [
    found.isDivided
      ? 'scores divided by √d (as the data are; the code of the model does not divide them: both readings are accepted)'
      : 'scores not divided by √d (as the data are; both readings are accepted)',
  ];
}

export function saysOf(candidates: readonly Candidate[]): string {
  if (candidates.length === 0) return 'The data are what the config says.';
  return candidates.map(({ id, parameters }) => faultOf(id).says(parameters)).join(' ');
}

/** "q_rot: head 0, row 1, position 1, pair 0" */
export const placeText = ({ array, at }: Place): string =>
  `${array}: ${Object.entries(at)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}`;

/** Which array each kind of fault shows in. */
const shownBy: [RegExp, (Role | 'reference')[], string][] = [
  [/attention_factor|scale/, ['scores'], 'scores with q and k before rotation'],
  [
    /causal_alignment|mask|window|softcap/,
    ['weights'],
    'attn_weights, with fewer queries than keys',
  ],
  [/positions|table_too_short|rotation|swapped/, ['q', 'q_rot'], 'q before and after rotation'],
  [/base|scaling|length|dim_|yarn|longrope|partial/, ['inv_freq'], 'inv_freq'],
  [/layout|permuted/, ['q', 'q_rot'], 'q before and after rotation, beside a reference'],
  [/mrope/, ['q', 'q_rot'], 'q before and after rotation for an image'],
  [/permuted/, ['reference'], 'q, or q_proj.weight, of a correct program as reference'],
];

/** The first missing array in which the hypotheses would differ. */
export function furtherArray(
  { arrays }: Dump,
  hypotheses: readonly { faults: readonly string[] }[],
): string | undefined {
  const ids = hypotheses.flatMap(({ faults }) => faults);
  const has = (role: Role | 'reference') => arrays.some((array) => array.role === role);
  return shownBy.find(
    ([pattern, roles]) => ids.some((id) => pattern.test(id)) && !roles.every(has),
  )?.[2];
}

/**
 * The notes of an account, as codes with values, so that each language has its own sentences.
 */
import { wrongKind } from '../runtime/errors.js';

/** Notes without values, in English. */
const plain = {
  // What a key means.
  architecture: 'which architecture',
  heads: 'heads',
  'model-width': 'width of the model',
  'head-width': 'width of a head',
  'position-count': 'how many positions there are',
  'original-length': 'how many positions training saw',
  'table-length': 'how many positions the table is made for',
  'longest-length': 'longest length',
  base: 'base of the frequencies',
  'base-factor': 'multiplies the base',
  'sliding-base': 'base of the frequencies in sliding layers',
  'rotated-share': 'share of a head that is rotated',
  'rotated-width': 'how many values of a head are rotated',
  'unrotated-width': 'how many are not rotated',
  extension: 'which extension',
  'older-extension': 'which extension, older spelling',
  scheme: 'which scheme of position',
  factor: 'how many times further to reach',
  'frequency-divisor': 'divides every frequency',
  alpha: 'base · alpha^(d/(d−2)), whatever the length',
  'mixed-exponent': "exponent of Su's mixed form",
  'dynamic-base': 'the base follows the length, in powers of two',
  'llama3-on': "Llama 3.1's extension on?",
  temperature: 'temperature: multiplies cos and sin',
  'temperature-numerator': 'temperature, numerator',
  'temperature-denominator': 'temperature, denominator, and on the softmax scale',
  'whole-ramp': 'are the ends of the ramp whole pairs?',
  'kept-from': 'turns from which a pair is kept',
  'interpolated-up-to': 'turns up to which a pair is interpolated',
  'short-divisors': 'one divisor per pair, up to the training length',
  'long-divisors': 'one divisor per pair, beyond it',
  sections: 'pairs that follow time, height and width',
  'interleaved-sections': 'are the sections interleaved?',
  'layers-with-position': '1: positions; 0: none in that layer',
  'layer-count': 'how many layers',
  'layer-kinds': 'which attention each layer has',
  'layer-pattern': 'one full layer in so many, or L for each sliding one and G for the full one',
  'unrotated-interval': 'one layer without positions in so many',
  window: "how many keys a sliding layer sees, the query's own included",
  chunk: 'positions of a block of chunked attention',
  'temperature-on': 'do layers without positions have a temperature?',
  'llama4-scale': "strength of Llama 4's temperature",
  'llama4-step': 'positions per step of it',
  deinterleaves: 'interleaved pairs in, half-split order out',
  buckets: 'one bias per bucket and head',
  'last-bucket': 'from here on one bucket',
  'slope-exponent': 'slopes are 2^(−this · h/H)',
  'alibi-on': 'ALiBi on?',
  'furthest-distance': 'furthest distance with a value of its own, or −1',
  'log-buckets': 'log buckets on either side, or −1',
  'score-terms': 'terms of the score besides content',
  'input-positions': 'are positions also added at the input?',
  // What was assumed.
  'default-extension': 'not given: default',
  'default-base': 'not given: 10000, as in the paper and as transformers assumes',
  't5-buckets': 'not given: 32, as T5 has',
  't5-distance': 'not given: 128, which older files leave out',
  'mpt-alibi': 'not given: ALiBi, as MPT has',
  'longest-instead': 'not given: the longest length is used',
  'model-default': 'not given: what this model type does',
  'short-list': 'no length given: the short list',
  'no-extension': 'no rope_scaling or rope_parameters: nothing is extended',
  'sliding-unscaled': 'sliding layers have a base of their own and no extension',
  'one-rope': 'one rope serves every kind of layer',
  'unknown-model':
    'unknown model type: pairs (i, i + dim/2), as nearly all of transformers has them',
  'unknown-scheme': 'unknown model type: its scheme is read as its keys say',
  'unknown-layers': 'unknown model type: its layers are read as their keys say',
  'original-params':
    'the params.json of Meta or Mistral, whose weights have pairs (2i, 2i + 1), unlike those of transformers',
  'meta-factor': "not given: 8, as in Meta's code; the config.json of Llama 3.2 1B and 3B has 32",
  'baichuan-13b': 'Baichuan with 5120 values is the 13B model, which has ALiBi',
  'unscaled-softmax':
    "mscale_all_dim is in the factor of cos and sin; only DeepSeek's attention, which has qk_rope_head_dim, multiplies the softmax scale by it too",
  // What contradicts.
  'disputed-softmax':
    'transformers multiplies the softmax scale by it from 5.17 on, as here; Mistral’s own settings (apply_scale: false) do not',
  'lone-mscale': 'has no effect on cos and sin unless the other one is given too',
  'below-one': 'brings the reach nearer: transformers warns that it must be at least 1',
  'beyond-longest': 'is more than max_position_embeddings, about which transformers warns',
  'unknown-kind': 'no known kind of layer: read as attention to all keys',
  unread: 'is about rotation by its name, but it is not read here',
  'unread-layers': 'is about layers by its name, but it is not read here',
  'nested-truncate': 'transformers looks for it one level up only, and would truncate here',
} as const;

/** A code whose sentence has no values: 'base', 'heads', 'default-base', … */
export type PlainNoteCode = keyof typeof plain;

/** The values of the other codes. */
export interface NoteValues {
  quotient: { dividend: number; divisor: number };
  'layer-settings': { types: string; chosen: string };
  'part-type': { stated: string };
  'rows-before': { rows: number };
  'block-wins': { winner: string };
  'other-wins': { winner: string; value: string | number };
  indivisible: { heads: number; width: number };
  'factor-wins': { original: number; quotient: number; factor: number };
  'dynamic-length': { length: number };
  'attention-factor-wins': { attentionFactor: number };
  unused: { type: string };
  'section-sum': { sum: number; rotated: number };
}

/** Says what a key means, why a value was assumed, or which keys contradict each other. */
export type NoteMeaning =
  | { code: PlainNoteCode; values?: undefined }
  | { [Code in keyof NoteValues]: { code: Code; values: NoteValues[Code] } }[keyof NoteValues];

/** A sentence for each code, with its values where it has some. */
export type NoteSentences = Readonly<Record<PlainNoteCode, string>> & {
  readonly [Code in keyof NoteValues]: (values: NoteValues[Code]) => string;
};

const english: NoteSentences = {
  ...plain,
  quotient: ({ dividend, divisor }) => `not given: ${dividend} / ${divisor}`,
  'layer-settings': ({ types, chosen }) =>
    `every kind of layer has its own settings (${types}); these are for ${chosen}`,
  'part-type': ({ stated }) =>
    `not ${JSON.stringify(stated)}: a model of this type is read with the text part that it usually has`,
  'rows-before': ({ rows }) => `this model type leaves ${rows} rows before position 0`,
  'block-wins': ({ winner }) => `${winner} is there too, and wins, as in transformers 5`,
  'other-wins': ({ winner, value }) => `${winner} says ${JSON.stringify(value)}, and wins`,
  indivisible: ({ heads, width }) =>
    `${heads} heads do not divide it; transformers drops the remainder: ${width}`,
  'factor-wins': ({ original, quotient, factor }) =>
    `over ${original} it is ${quotient} times, but factor says ${factor}, and wins`,
  'dynamic-length': ({ length }) =>
    `dynamic counts from max_position_embeddings, ${length}, in transformers`,
  'attention-factor-wins': ({ attentionFactor }) =>
    `attention_factor ${attentionFactor} wins over mscale and mscale_all_dim`,
  'section-sum': ({ sum, rotated }) =>
    `has ${sum} pairs, but ${rotated} are rotated: transformers fails, and no axes are given here`,
  unused: ({ type }) => `has no effect with rope_type ${JSON.stringify(type)}`,
};

/**
 * The sentence of a note, with its values.
 * @param note a note of an account
 * @param language a sentence for each code; default: English
 * @returns the sentence
 * @throws TypeError when the code is unknown
 * @see ConfigAccount
 */
export function describeNote(note: NoteMeaning, language: NoteSentences = english): string {
  if (!Object.hasOwn(language, note.code))
    throw wrongKind('note.code', 'must be a code of notes', note.code);
  const sentence = language[note.code] as string | ((values: unknown) => string);
  return typeof sentence === 'string' ? sentence : sentence(note.values);
}

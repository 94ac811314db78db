/** Converts the rope block of a configuration to a RotaryScaling: one function per rope_type. */
import type { PlainNoteCode } from './notes.js';
import {
  missing,
  numberOfEither,
  quoted,
  rules,
  type ConfigSection,
  type ConfigValue,
} from './reader.js';
import type { RotaryScaling } from '../rotary/scaling.js';
import { wrongValue } from '../runtime/errors.js';

interface ScalingInput {
  config: ConfigSection;
  /** rope_scaling or rope_parameters. */
  block: ConfigSection;
  /** The rope_type. */
  type: string;
  /** Whether each kind of layer has its own block. */
  nested: boolean;
  /** The number of rotated pairs; LongRoPE has one divisor per pair. */
  pairs: number;
  /** The current number of positions. */
  length?: number;
}

/**
 * Returns L₀: `original_max_position_embeddings` of the configuration (Phi-3) or of the block, else
 * the model's maximum length.
 */
function readOriginalLength({ config, block }: ScalingInput): number {
  const key = 'original_max_position_embeddings';
  return (
    numberOfEither([config, key], [block, key], rules.originalLength, 'original-length') ??
    maximumLength(config, key)
  );
}

export const lengthNames = ['max_position_embeddings', 'seq_length', 'max_seq_len', 'n_positions'];

/**
 * Returns the model's maximum length.
 * @param missingKey the absent key that this length replaces, for a note
 */
function maximumLength(config: ConfigSection, missingKey?: string): number {
  const length = config.needed(lengthNames, rules.originalLength, 'longest-length');
  return missingKey ? config.assume(missingKey, length, { code: 'longest-instead' }) : length;
}

/**
 * Returns the block's `factor`, or the quotient of the two lengths when the block has none. Adds a
 * note when the factor and the quotient differ.
 */
function readFactor(input: ScalingInput, original?: number): number {
  const { config, block } = input;
  const stated = block.number('factor', rules.factor, 'factor');
  if (stated !== undefined && stated < 1) block.contradict('factor', stated, { code: 'below-one' });
  const maxLength =
    original === undefined
      ? undefined
      : config.number('max_position_embeddings', rules.originalLength, 'longest-length');
  if (maxLength === undefined || original === undefined) {
    if (stated === undefined) throw missing(block.key('factor'), 'must be a number greater than 0');
    return stated;
  }
  if (stated === undefined)
    return block.assume('factor', maxLength / original, {
      code: 'quotient',
      values: { dividend: maxLength, divisor: original },
    });
  if (maxLength !== original && maxLength / original !== stated) {
    const values = { original, quotient: maxLength / original, factor: stated };
    config.contradict('max_position_embeddings', maxLength, { code: 'factor-wins', values });
  }
  return stated;
}

const original = { originalLength: 'original_max_position_embeddings' };

/**
 * The keys of a rope block by the options that they give, for scalings whose type is the rope_type:
 * what writes a block has them from here.
 */
export const blockKeys: { readonly [Type in RotaryScaling['type']]?: Record<string, string> } = {
  none: {},
  linear: { factor: 'factor' },
  yarn: { factor: 'factor', ...original, betaFast: 'beta_fast', betaSlow: 'beta_slow' },
  longrope: { ...original, shortFactor: 'short_factor', longFactor: 'long_factor' },
  llama3: {
    factor: 'factor',
    ...original,
    lowFreqFactor: 'low_freq_factor',
    highFreqFactor: 'high_freq_factor',
  },
  proportional: { factor: 'factor' },
};

function linear(input: ScalingInput): RotaryScaling {
  return { type: 'linear', factor: readFactor(input) };
}

function alphaScaling({ block }: ScalingInput): RotaryScaling {
  return {
    type: 'ntk-alpha',
    alpha: block.needed(['alpha'], rules.factor, 'alpha'),
  };
}

function dynamic(input: ScalingInput): RotaryScaling {
  const { config, block, length } = input;
  if (block.has('alpha')) return alphaScaling(input);
  // InternLM 7B; its class takes 1 where the factor is absent.
  const factor = block.has('base')
    ? (block.number('scaling_factor', rules.factor, 'factor') ??
      block.assume('scaling_factor', 1, { code: 'model-default' }))
    : readFactor(input);
  const maxLength = maximumLength(config);
  const stated = block.number(
    'original_max_position_embeddings',
    rules.originalLength,
    'original-length',
  );
  if (stated !== undefined && stated !== maxLength) {
    block.contradict('original_max_position_embeddings', stated, {
      code: 'dynamic-length',
      values: { length: maxLength },
    });
  }
  return { type: 'dynamic-ntk', factor, originalLength: maxLength, ...(length && { length }) };
}

function vllmNtk(input: ScalingInput): RotaryScaling {
  const exponent = input.block.number('mixed_b', rules.weight, 'mixed-exponent');
  const form = exponent === undefined ? 'su-fixed' : 'su-mixed';
  return {
    type: 'ntk',
    factor: readFactor(input),
    form,
    ...(exponent !== undefined && { exponent }),
  };
}

/** Leaves out an option that is 0: transformers treats 0 as not given. */
const optional = (name: string, value: number | undefined) => (value ? { [name]: value } : {});

/** Adds a note for each temperature parameter of a YaRN block that has no effect. */
function noteUnusedTemperature(
  block: ConfigSection,
  attentionFactor: number,
  mscale: number,
  mscaleAllDim: number,
): void {
  if (attentionFactor && (mscale || mscaleAllDim)) {
    const values = { attentionFactor };
    block.contradict('mscale', mscale, { code: 'attention-factor-wins', values });
  }
  if (Boolean(mscale) !== Boolean(mscaleAllDim)) {
    const alone = mscale ? 'mscale' : 'mscale_all_dim';
    block.contradict(alone, mscale || mscaleAllDim, { code: 'lone-mscale' });
  }
}

function yarn(input: ScalingInput): RotaryScaling {
  const { config, block, nested } = input;
  const original = readOriginalLength(input);
  const factor = readFactor(input, original);
  const numberOrZero = (name: string, code: PlainNoteCode) =>
    block.number(name, rules.weight, code) ?? 0;
  const usual = config.family?.unfactored ? 1 : 0;
  const attentionFactor = numberOrZero('attention_factor', 'temperature') || usual;
  const mscale = numberOrZero('mscale', 'temperature-numerator');
  const mscaleAllDim = numberOrZero('mscale_all_dim', 'temperature-denominator');
  noteUnusedTemperature(block, attentionFactor, mscale, mscaleAllDim);
  const truncate = block.boolean('truncate', 'whole-ramp') ?? true;
  if (nested && !truncate) {
    block.contradict('truncate', truncate, { code: 'nested-truncate' });
  }
  const betaFast = numberOrZero('beta_fast', 'kept-from');
  const betaSlow = numberOrZero('beta_slow', 'interpolated-up-to');
  if ((betaFast || 32) < (betaSlow || 1)) {
    throw wrongValue(
      block.key('beta_fast'),
      `must be at least beta_slow, ${betaSlow || 1}`,
      betaFast || 32,
    );
  }
  // DeepSeek's attention, and what was made after it, has separate widths of a head's two parts.
  const scalesSoftmax = config.has('qk_rope_head_dim');
  if (mscaleAllDim && !scalesSoftmax)
    config.assume('softmax_scale', 1, { code: 'unscaled-softmax' });
  else if (mscaleAllDim && config.value('model_type') === 'mistral4')
    block.contradict('mscale_all_dim', mscaleAllDim, { code: 'disputed-softmax' });
  return {
    type: 'yarn',
    factor,
    originalLength: original,
    truncate,
    ...(mscaleAllDim && !scalesSoftmax && { scalesSoftmax }),
    ...optional('betaFast', betaFast),
    ...optional('betaSlow', betaSlow),
    ...optional('attentionFactor', attentionFactor),
    ...optional('mscale', mscale),
    ...optional('mscaleAllDim', mscaleAllDim),
  };
}

function readDivisors({ block, pairs }: ScalingInput, name: string, code: PlainNoteCode): number[] {
  const list = block.numbers(name, rules.factor, code);
  if (list?.length === pairs) return list;
  const got = list ? `got ${list.length}` : 'it is missing';
  throw wrongValue(
    block.key(name),
    `must have one divisor per pair, ${pairs}; ${got}`,
    list?.length,
    '',
  );
}

function longrope(input: ScalingInput): RotaryScaling {
  const { config, block, length } = input;
  const original = readOriginalLength(input);
  const factor = readFactor(input, original);
  const shortFactor = readDivisors(input, 'short_factor', 'short-divisors');
  const longFactor = readDivisors(input, 'long_factor', 'long-divisors');
  if (length === undefined) config.assume('length', original, { code: 'short-list' });
  // Phi-3.5-MoE has one for each list.
  const long = block.number('long_mscale', rules.weight, 'temperature');
  const short = block.number('short_mscale', rules.weight, 'temperature');
  const attentionFactor =
    (length !== undefined && length > original ? long : short) ??
    block.number('attention_factor', rules.weight, 'temperature');
  return {
    type: 'longrope',
    shortFactor,
    longFactor,
    originalLength: original,
    factor,
    ...optional('length', length),
    ...optional('attentionFactor', attentionFactor),
  };
}

function llama3(input: ScalingInput): RotaryScaling {
  const { block } = input;
  const factor = readFactor(input);
  const lowFreqFactor = block.needed(['low_freq_factor'], rules.factor, 'interpolated-up-to');
  const highFreqFactor = block.needed(['high_freq_factor'], rules.factor, 'kept-from');
  if (highFreqFactor < lowFreqFactor) {
    const key = block.key('high_freq_factor');
    throw wrongValue(key, `must be at least low_freq_factor, ${lowFreqFactor}`, highFreqFactor);
  }
  const originalLength = readOriginalLength(input);
  const longest = input.config.value('max_position_embeddings');
  if (typeof longest === 'number' && longest < originalLength)
    block.contradict(original.originalLength, originalLength, { code: 'beyond-longest' });
  return {
    type: 'llama3',
    factor,
    originalLength,
    lowFreqFactor,
    highFreqFactor,
  };
}

function proportional({ block }: ScalingInput): RotaryScaling {
  const factor = block.number('factor', rules.factor, 'frequency-divisor');
  return { type: 'proportional', ...optional('factor', factor) };
}

const unscaled = (): RotaryScaling => ({ type: 'none' });

/** Adds a note for each key of the block that its rope_type does not use. */
function noteUnused(block: ConfigSection, type: string): void {
  const readElsewhere = [
    'rope_theta',
    'partial_rotary_factor',
    'mrope_section',
    'mrope_interleaved',
    'llama_4_scaling_beta',
  ];
  const unused = block
    .names()
    .filter((name) => block.owns(name) && block.has(name))
    .filter((name) => !block.wasRead(name) && !readElsewhere.includes(name));
  for (const name of unused.slice(0, 20)) {
    const value = block.value(name);
    const shown = typeof value === 'object' ? null : (value as ConfigValue);
    block.contradict(name.slice(0, 100), shown, { code: 'unused', values: { type } });
  }
}

const scalings = new Map<string, (input: ScalingInput) => RotaryScaling>([
  ['default', unscaled],
  ['mrope', unscaled],
  ['origin', unscaled],
  ['linear', linear],
  ['dynamic', dynamic],
  ['xdrope', alphaScaling],
  ['ntk', vllmNtk],
  ['yarn', yarn],
  ['deepseek_yarn', yarn],
  ['longrope', longrope],
  ['su', longrope],
  ['llama3', llama3],
  ['proportional', proportional],
]);

const hymbaLength = 'orig_max_position_embeddings';

/** Hymba and Nemotron-Flash have no rope block, but a rope_type beside this length. */
export const isOfHymba = (config: ConfigSection) =>
  config.value('rope_type') === 'ntk' && config.has(hymbaLength);

/** Their base is that of dynamic NTK at the longest length, whatever the current one. */
function hymbaScaling(config: ConfigSection): RotaryScaling {
  return {
    type: 'dynamic-ntk',
    factor: config.assume('rope_scaling_factor', 2, { code: 'model-default' }),
    originalLength: config.needed([hymbaLength], rules.originalLength, 'original-length'),
    length: maximumLength(config),
  };
}

/** Qwen 1 has no rope block: the flag `use_dynamic_ntk` selects dynamic NTK. */
function flaggedScaling(config: ConfigSection, length: number | undefined): RotaryScaling {
  if (isOfHymba(config)) return hymbaScaling(config);
  for (const name of ['rotary_scaling_factor', 'rotary_emb_scaling_factor']) {
    const factor = config.value(name) ?? 1;
    const rule = 'must be null: this extension is not described here';
    if (factor !== 1) throw wrongValue(config.key(name), rule, factor, quoted(factor));
  }
  if (config.value('use_dynamic_ntk') !== true) return { type: 'none' };
  config.boolean('use_dynamic_ntk', 'dynamic-base');
  const original = config.needed(['seq_length'], rules.originalLength, 'original-length');
  return {
    type: 'dynamic-ntk',
    form: 'rounded',
    factor: 1,
    originalLength: original,
    ...(length && { length }),
  };
}

/** Returns the scaling of a configuration; `block` is undefined when it has no rope block. */
export function scalingOf(
  input: Omit<ScalingInput, 'block'> & { block?: ConfigSection },
): RotaryScaling {
  const { config, block, type, length } = input;
  if (!block) return flaggedScaling(config, length);
  // Phi-3 has named its lists YaRN.
  const convert = scalings.get(type === 'yarn' && block.has('long_factor') ? 'longrope' : type);
  if (!convert) {
    const known = [...scalings.keys()].join(', ');
    throw wrongValue(block.key('rope_type'), `must be one of ${known}`, type, quoted(type));
  }
  const scaling = convert({ ...input, block });
  noteUnused(block, type);
  return scaling;
}

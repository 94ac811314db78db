/** The extension of a configuration: what its rope block means, type by type. */
import type { PlainNoteCode } from './notes.js';
import { agreeing, quoted, rules, type ConfigSection, type ConfigValue } from './reader.js';
import type { RotaryScaling } from '../rotary/scaling.js';

interface Extension {
  config: ConfigSection;
  block: ConfigSection;
  type: string;
  nested: boolean;
  /** How many pairs are rotated: LongRoPE has a divisor for each. */
  pairs: number;
  length?: number;
}

/** L₀ stands in the block, beside it (Phi-3), or is the longest length of the model. */
function originalLength({ config, block }: Extension): number {
  const key = 'original_max_position_embeddings';
  return (
    agreeing([config, key], [block, key], rules.trainedLength, 'trained-length') ??
    longest(config, key)
  );
}

export const lengthNames = ['max_position_embeddings', 'seq_length', 'max_seq_len', 'n_positions'];

export function longest(config: ConfigSection, insteadOf?: string): number {
  const length = config.needed(lengthNames, rules.trainedLength, 'longest-length');
  return insteadOf ? config.assume(insteadOf, length, { code: 'longest-instead' }) : length;
}

/** The factor as stated; or what the two lengths say, with a note when they disagree. */
function factorOf(extension: Extension, original?: number): number {
  const { config, block } = extension;
  const stated = block.number('factor', rules.factor, 'factor');
  const most =
    original === undefined
      ? undefined
      : config.number('max_position_embeddings', rules.trainedLength, 'longest-length');
  if (most === undefined || original === undefined) {
    if (stated === undefined)
      throw new RangeError(`${block.key('factor')} is missing; it must be a number greater than 0`);
    return stated;
  }
  if (stated === undefined)
    return block.assume('factor', most / original, {
      code: 'quotient',
      values: { dividend: most, divisor: original },
    });
  if (most !== original && most / original !== stated) {
    const values = { original, quotient: most / original, factor: stated };
    config.contradict('max_position_embeddings', most, { code: 'factor-wins', values });
  }
  return stated;
}

function linear(extension: Extension): RotaryScaling {
  return { type: 'linear', factor: factorOf(extension) };
}

function alphaScaling({ block }: Extension): RotaryScaling {
  return {
    type: 'ntk-alpha',
    alpha: block.needed(['alpha'], rules.factor, 'alpha'),
  };
}

function dynamic(extension: Extension): RotaryScaling {
  const { config, block, length } = extension;
  if (block.has('alpha')) return alphaScaling(extension);
  const factor = factorOf(extension);
  const most = longest(config);
  const stated = block.number(
    'original_max_position_embeddings',
    rules.trainedLength,
    'trained-length',
  );
  if (stated !== undefined && stated !== most) {
    block.contradict('original_max_position_embeddings', stated, {
      code: 'dynamic-length',
      values: { length: most },
    });
  }
  return { type: 'dynamic-ntk', factor, originalLength: most, ...(length && { length }) };
}

function vllmNtk(extension: Extension): RotaryScaling {
  const exponent = extension.block.number('mixed_b', rules.weight, 'mixed-exponent');
  const form = exponent === undefined ? 'su-fixed' : 'su-mixed';
  return {
    type: 'ntk',
    factor: factorOf(extension),
    form,
    ...(exponent !== undefined && { exponent }),
  };
}

/** transformers reads 0 as not given. */
const optional = (name: string, value: number | undefined) => (value ? { [name]: value } : {});

/** What a YaRN block says and does not do. */
function noteIdleTemperature(
  block: ConfigSection,
  attentionFactor: number,
  mscale: number,
  allDim: number,
): void {
  if (attentionFactor && (mscale || allDim)) {
    const values = { attentionFactor };
    block.contradict('mscale', mscale, { code: 'attention-factor-wins', values });
  }
  if (Boolean(mscale) !== Boolean(allDim)) {
    const alone = mscale ? 'mscale' : 'mscale_all_dim';
    block.contradict(alone, mscale || allDim, { code: 'lone-mscale' });
  }
}

function yarn(extension: Extension): RotaryScaling {
  const { block, nested } = extension;
  const original = originalLength(extension);
  const factor = factorOf(extension, original);
  const weight = (name: string, code: PlainNoteCode) => block.number(name, rules.weight, code) ?? 0;
  const attentionFactor = weight('attention_factor', 'temperature');
  const mscale = weight('mscale', 'temperature-numerator');
  const mscaleAllDim = weight('mscale_all_dim', 'temperature-denominator');
  noteIdleTemperature(block, attentionFactor, mscale, mscaleAllDim);
  const truncate = block.truth('truncate', 'whole-ramp') ?? true;
  if (nested && !truncate) {
    block.contradict('truncate', truncate, { code: 'nested-truncate' });
  }
  const betaFast = weight('beta_fast', 'kept-from');
  const betaSlow = weight('beta_slow', 'interpolated-up-to');
  if ((betaFast || 32) < (betaSlow || 1)) {
    throw new RangeError(
      `${block.key('beta_fast')} must be at least beta_slow, ${betaSlow || 1}, got ${betaFast || 32}`,
    );
  }
  return {
    type: 'yarn',
    factor,
    originalLength: original,
    truncate,
    ...optional('betaFast', betaFast),
    ...optional('betaSlow', betaSlow),
    ...optional('attentionFactor', attentionFactor),
    ...optional('mscale', mscale),
    ...optional('mscaleAllDim', mscaleAllDim),
  };
}

function divisors({ block, pairs }: Extension, name: string, code: PlainNoteCode): number[] {
  const list = block.numbers(name, rules.factor, code);
  if (list?.length === pairs) return list;
  const got = list ? `got ${list.length}` : 'it is missing';
  throw new RangeError(`${block.key(name)} must have one divisor per pair, ${pairs}; ${got}`);
}

function longrope(extension: Extension): RotaryScaling {
  const { config, block, length } = extension;
  const original = originalLength(extension);
  const factor = factorOf(extension, original);
  const shortFactor = divisors(extension, 'short_factor', 'short-divisors');
  const longFactor = divisors(extension, 'long_factor', 'long-divisors');
  if (length === undefined) config.assume('length', original, { code: 'short-list' });
  const attentionFactor = block.number('attention_factor', rules.weight, 'temperature');
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

function llama3(extension: Extension): RotaryScaling {
  const { block } = extension;
  const factor = factorOf(extension);
  const lowFreqFactor = block.needed(['low_freq_factor'], rules.factor, 'interpolated-up-to');
  const highFreqFactor = block.needed(['high_freq_factor'], rules.factor, 'kept-from');
  if (highFreqFactor <= lowFreqFactor) {
    const key = block.key('high_freq_factor');
    throw new RangeError(
      `${key} must be greater than low_freq_factor, ${lowFreqFactor}, got ${highFreqFactor}`,
    );
  }
  return {
    type: 'llama3',
    factor,
    originalLength: originalLength(extension),
    lowFreqFactor,
    highFreqFactor,
  };
}

function proportional({ block }: Extension): RotaryScaling {
  const factor = block.number('factor', rules.factor, 'frequency-divisor');
  return { type: 'proportional', ...optional('factor', factor) };
}

const unscaled = (): RotaryScaling => ({ type: 'none' });

/** What a block says beyond what its rope_type looks at. */
function noteUnused(block: ConfigSection, type: string): void {
  const elsewhere = ['rope_theta', 'partial_rotary_factor', 'mrope_section', 'mrope_interleaved'];
  const unused = block
    .names()
    .filter((name) => !block.wasRead(name) && !elsewhere.includes(name) && block.has(name));
  for (const name of unused.slice(0, 20)) {
    const value = block.value(name);
    const shown = typeof value === 'object' ? null : (value as ConfigValue);
    block.contradict(name.slice(0, 100), shown, { code: 'unused', values: { type } });
  }
}

const extensions = new Map<string, (extension: Extension) => RotaryScaling>([
  ['default', unscaled],
  ['mrope', unscaled],
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

/** Qwen 1: a flag instead of a block. */
function flaggedScaling(config: ConfigSection, length: number | undefined): RotaryScaling {
  if (config.value('use_dynamic_ntk') !== true) return { type: 'none' };
  config.truth('use_dynamic_ntk', 'dynamic-base');
  const original = config.needed(['seq_length'], rules.trainedLength, 'trained-length');
  return {
    type: 'dynamic-ntk',
    form: 'rounded',
    factor: 1,
    originalLength: original,
    ...(length && { length }),
  };
}

/** `extension.block` is missing where a configuration has none. */
export function scalingOf(
  extension: Omit<Extension, 'block'> & { block?: ConfigSection },
): RotaryScaling {
  const { config, block, type, length } = extension;
  if (!block) return flaggedScaling(config, length);
  const read = extensions.get(type);
  if (!read) {
    const known = [...extensions.keys()].join(', ');
    throw new RangeError(`${block.key('rope_type')} must be one of ${known}, got ${quoted(type)}`);
  }
  const scaling = read({ ...extension, block });
  noteUnused(block, type);
  return scaling;
}

/** The extensions of rotary frequencies for longer contexts, one entry each, with their derivation. */
import {
  finiteNumber, numbers, oneOf, options, positiveNumber, truth, wholeNumber,
} from './checks.js';
import { copied, type Core } from './core.js';

/** One name, four formulas: see FrequencyScaling. */
export type NtkForm = 'bloc97' | 'su-old' | 'su-fixed' | 'su-mixed';

interface ByPartsOptions {
  /** L₀: how many positions training saw. */
  originalLength: number;
  /** Turns within L₀ from which a pair is kept. Default 32. */
  betaFast?: number;
  /** Turns within L₀ up to which a pair is interpolated. Default 1. */
  betaSlow?: number;
  /**
   * 'coded' (default; the authors' code, Hugging Face, vLLM, llama.cpp): the ramp is linear in the index of
   * the pair. 'published' (the paper's text): linear in the number of turns.
   */
  ramp?: 'coded' | 'published';
  /** Coded ramp: floor and ceil its two ends. Default true; gpt-oss does not. */
  truncate?: boolean;
  /** Of which the blend is a mean. Default 'frequencies'. */
  blend?: 'frequencies' | 'wavelengths';
}

interface YarnOptions extends ByPartsOptions {
  /** Replaces the temperature that the factor gives. */
  attentionFactor?: number;
  /** Together with mscaleAllDim: cos and sin are multiplied by the quotient of the two (DeepSeek). */
  mscale?: number;
  /** DeepSeek: multiplies the softmax scale by (0.1 · mscaleAllDim · ln factor + 1)². */
  mscaleAllDim?: number;
  /**
   * Where the temperature acts. 'cos-sin' (default; all shipped code) reaches rotated values only; 'logits'
   * (the paper) every value of a head; 'none' leaves it out.
   */
  temperature?: 'cos-sin' | 'logits' | 'none';
}

/**
 * How frequencies trained on L₀ positions are changed to reach further.
 *
 * - none: direct extrapolation; nothing changes.
 * - linear: Position Interpolation, f/factor (Chen et al. 2023).
 * - ntk: 'bloc97' base·factor^(d/(d−2)); 'su-old' base·factor; 'su-fixed' f·factor^(−2(i+1)/d);
 *   'su-mixed' f·exp(−a(i+1)^exponent), a = ln factor/(d/2)^exponent (Su, kexue.fm/archives/9706).
 * - ntk-alpha: base·alpha^(d/(d−2)), Hunyuan's name for bloc97's.
 * - dynamic-ntk: bloc97's with a factor from the length: 'current' s·L/L₀ − (s − 1) (Hugging Face),
 *   'vllm-constant' s² − (s − 1) whatever the length, 'rounded' max(2^⌈log₂(L/L₀) + 1⌉ − 1, 1) (Qwen, lmdeploy).
 * - ntk-by-parts: YaRN's frequencies without its temperature (Peng et al. 2023, section 3.2).
 * - part-ntk: what the YaRN repository used before YaRN.
 * - yarn: by parts, and the temperature 0.1 ln factor + 1. dynamic-yarn: factor = max(1, L/L₀).
 * - longrope: a divisor for every pair, from the long list when the deciding length exceeds L₀ (Ding et al. 2024).
 * - llama3: by wavelength (Meta, Llama 3.1).
 * - proportional: only the first share `partial` of the pairs turns, over the whole width (Gemma 4).
 */
export type RotaryScaling =
  | { type: 'none' }
  | { type: 'linear'; factor: number }
  | { type: 'ntk'; factor: number; form?: NtkForm; /** su-mixed only; default 0.625. */ exponent?: number }
  | { type: 'ntk-alpha'; alpha: number }
  | {
      type: 'dynamic-ntk';
      factor: number;
      originalLength: number;
      /** Default originalLength; shorter lengths count as that. */
      length?: number;
      form?: 'current' | 'vllm-constant' | 'rounded';
    }
  | ({ type: 'ntk-by-parts'; factor: number } & ByPartsOptions)
  | {
      type: 'part-ntk';
      factor: number;
      originalLength: number;
      ntkFactor?: number;
      extrapolationFactor?: number;
      beta0?: number;
      beta1?: number;
      gamma0?: number;
      gamma1?: number;
    }
  | ({ type: 'yarn'; factor: number } & YarnOptions)
  | ({ type: 'dynamic-yarn'; length: number } & YarnOptions)
  | {
      type: 'longrope';
      /** One divisor per pair, for up to originalLength positions. */
      shortFactor: ArrayLike<number>;
      /** One divisor per pair, beyond it. */
      longFactor: ArrayLike<number>;
      originalLength: number;
      /** How many positions there are now. Default originalLength. */
      length?: number;
      /** The longest that will be served. */
      maxLength?: number;
      /** Which of the two picks the list: the current one (Hugging Face; default) or the served one (vLLM). */
      decideBy?: 'length' | 'max-length';
      /** For the temperature √(1 + ln factor/ln L₀). Default maxLength/originalLength. */
      factor?: number;
      attentionFactor?: number;
    }
  | { type: 'llama3'; factor: number; originalLength: number; lowFreqFactor?: number; highFreqFactor?: number }
  | { type: 'proportional'; factor?: number };

/** One number that took part, and the rule that gave it. */
export interface DerivationStep {
  name: string;
  value: number;
  rule: string;
}

/** What an extension made of the trained frequencies. */
export interface Scaled {
  inverse: Float64Array;
  /** Per pair the share of the trained frequency, where a scheme blends. */
  kept?: Float64Array;
  base: number;
  factor: number;
  attentionFactor: number;
  softmaxScale: number;
  rule: string;
  steps: DerivationStep[];
}

export interface Width {
  /** How many values of a head turn. */
  dim: number;
  base: number;
  /** For the proportional scheme: which share of the pairs turns. */
  partial: number;
}

type OfType<Type extends RotaryScaling['type']> = Extract<RotaryScaling, { type: Type }>;

const byPartsNames = ['originalLength', 'betaFast', 'betaSlow', 'ramp', 'truncate', 'blend'] as const;
const yarnNames = [...byPartsNames, 'attentionFactor', 'mscale', 'mscaleAllDim', 'temperature'] as const;

const step = (name: string, value: number, rule: string): DerivationStep => ({ name, value, rule });

const orElse = (name: string, value: unknown, otherwise: number) =>
  value === undefined ? otherwise : positiveNumber(name, value);

const lengthOf = (name: string, value: unknown) => wholeNumber(`scaling.${name}`, value, name === 'originalLength' ? 2 : 1);

/** The core's packed answer: frequencies, base, both ends of the ramp, and the kept shares if any. */
function unpacked(packed: Float64Array, pairs: number) {
  const [base, from, to] = packed.subarray(pairs, pairs + 3) as unknown as [number, number, number];
  const kept = packed.slice(pairs + 3);
  return { inverse: packed.slice(0, pairs), base, from, to, ...(kept.length > 0 && { kept }) };
}

const plain = { attentionFactor: 1, softmaxScale: 1 };

function linear(core: Core, { dim, base }: Width, given: OfType<'linear'>): Scaled {
  const factor = positiveNumber('scaling.factor', given.factor);
  const { inverse } = unpacked(copied(core.raw.positionInterpolation(dim, base, factor)), dim / 2);
  return { inverse, base, factor, ...plain, rule: 'f / factor, the same as position / factor', steps: [step('factor', factor, 'as given')] };
}

const ntkRules: Record<NtkForm, string> = {
  bloc97: 'base · factor^(dim / (dim − 2))',
  'su-old': 'base · factor',
  'su-fixed': 'f · factor^(−2(i + 1) / dim)',
  'su-mixed': 'f · exp(−ln factor · ((i + 1) / (dim / 2))^exponent)',
};

function byBase(core: Core, { dim, base }: Width, factor: number, form: NtkForm, exponent: number) {
  const made = unpacked(copied(core.raw.ntk(dim, base, factor, form, exponent)), dim / 2);
  const steps = made.base === base ? [] : [step('base', made.base, ntkRules[form])];
  return { inverse: made.inverse, base: made.base, factor, ...plain, rule: ntkRules[form], steps };
}

function ntk(core: Core, width: Width, given: OfType<'ntk'>): Scaled {
  const factor = positiveNumber('scaling.factor', given.factor);
  const form = oneOf('scaling.form', given.form ?? 'bloc97', ['bloc97', 'su-old', 'su-fixed', 'su-mixed'] as const);
  if (given.exponent !== undefined && form !== 'su-mixed') {
    throw new TypeError(`scaling.exponent belongs to the form 'su-mixed', got form '${form}'`);
  }
  const exponent = finiteNumber('scaling.exponent', given.exponent ?? 0.625);
  const made = byBase(core, width, factor, form, exponent);
  const chosen = form === 'su-mixed' ? [step('exponent', exponent, given.exponent === undefined ? "Su's default" : 'as given')] : [];
  return { ...made, steps: [step('factor', factor, 'as given'), ...chosen, ...made.steps] };
}

function ntkAlpha(core: Core, width: Width, given: OfType<'ntk-alpha'>): Scaled {
  const alpha = positiveNumber('scaling.alpha', given.alpha);
  const made = byBase(core, width, alpha, 'bloc97', 1);
  return { ...made, steps: [step('alpha', alpha, 'as given'), ...made.steps] };
}

const dynamicRules = {
  current: 'factor · L / L₀ − (factor − 1), with L at least L₀',
  'vllm-constant': 'factor² − (factor − 1), whatever the length',
  rounded: 'max(2^⌈log₂(L / L₀) + 1⌉ − 1, 1)',
};

function dynamicNtk(core: Core, width: Width, given: OfType<'dynamic-ntk'>): Scaled {
  const factor = positiveNumber('scaling.factor', given.factor);
  const originalLength = lengthOf('originalLength', given.originalLength);
  const length = lengthOf('length', given.length ?? originalLength);
  const form = oneOf('scaling.form', given.form ?? 'current', ['current', 'vllm-constant', 'rounded'] as const);
  const [grown] = copied(core.raw.dynamicNtkFactor(factor, length, originalLength, form)) as unknown as [number];
  const made = byBase(core, width, grown, 'bloc97', 1);
  const steps = [
    step('length', length, given.length === undefined ? 'L₀, since no length is given' : 'as given'),
    step('factor', grown, dynamicRules[form]),
    ...made.steps,
  ];
  return { ...made, rule: `${made.rule}, factor = ${dynamicRules[form]}`, steps };
}

function partsOf(core: Core, { dim, base }: Width, given: ByPartsOptions, factor: number) {
  const originalLength = lengthOf('originalLength', given.originalLength);
  const fast = orElse('scaling.betaFast', given.betaFast, 32), slow = orElse('scaling.betaSlow', given.betaSlow, 1);
  const ramp = oneOf('scaling.ramp', given.ramp ?? 'coded', ['coded', 'published'] as const);
  const truncate = truth('scaling.truncate', given.truncate ?? true);
  const blend = oneOf('scaling.blend', given.blend ?? 'frequencies', ['frequencies', 'wavelengths'] as const);
  const packed = copied(core.raw.ntkByParts(dim, base, factor, originalLength, fast, slow, ramp, truncate, blend));
  const { inverse, kept, from, to } = unpacked(packed, dim / 2);
  const end = (turns: number, what: string) =>
    ramp === 'published' ? `turns within L₀: ${what}` : `pair that turns ${turns} times within L₀${truncate ? `, ${what}` : ''}`;
  return {
    inverse, kept, base, factor, ...plain,
    rule: blend === 'frequencies' ? 'kept · f + (1 − kept) · f / factor' : 'f / (kept + (1 − kept) · factor)',
    steps: [
      step('factor', factor, 'as given'),
      step('rampFrom', from, end(fast, ramp === 'coded' ? 'floored, at least 0' : 'kept from here on')),
      step('rampTo', to, end(slow, ramp === 'coded' ? 'ceiled, at most dim − 1' : 'interpolated up to here')),
    ],
  };
}

function ntkByParts(core: Core, width: Width, given: OfType<'ntk-by-parts'>): Scaled {
  return partsOf(core, width, given, positiveNumber('scaling.factor', given.factor));
}

function partNtk(core: Core, { dim, base }: Width, given: OfType<'part-ntk'>): Scaled {
  const factor = positiveNumber('scaling.factor', given.factor);
  const originalLength = lengthOf('originalLength', given.originalLength);
  const ntkFactor = finiteNumber('scaling.ntkFactor', given.ntkFactor ?? 1);
  const extrapolation = finiteNumber('scaling.extrapolationFactor', given.extrapolationFactor ?? 1);
  const turns = Float64Array.of(
    orElse('scaling.beta0', given.beta0, 1.25), orElse('scaling.beta1', given.beta1, 0.75),
    orElse('scaling.gamma0', given.gamma0, 16), orElse('scaling.gamma1', given.gamma1, 2),
  );
  core.sendDoubles([turns]);
  const packed = copied(core.raw.partNtk(dim, base, factor, originalLength, ntkFactor, extrapolation));
  const { inverse, kept, from, to } = unpacked(packed, dim / 2);
  const rule = 'a ramp from f / factor to bloc97’s NTK, then one from that to f';
  const steps = [step('factor', factor, 'as given'), step('rampFrom', from, 'second ramp: gamma0 turns'), step('rampTo', to, 'second ramp: gamma1 turns')];
  return { inverse, kept, base, factor, ...plain, rule, steps };
}

/** Which rule gives YaRN's temperature, and where it acts. */
function temperatureOf(core: Core, given: YarnOptions, factor: number) {
  const explicit = orElse('scaling.attentionFactor', given.attentionFactor, 0);
  const nonNegative = (name: string, value = 0) => {
    if (finiteNumber(name, value) < 0) throw new RangeError(`${name} must be at least 0, got ${value}`);
    return value;
  };
  const mscale = nonNegative('scaling.mscale', given.mscale);
  const allDim = nonNegative('scaling.mscaleAllDim', given.mscaleAllDim);
  const where = oneOf('scaling.temperature', given.temperature ?? 'cos-sin', ['cos-sin', 'logits', 'none'] as const);
  if (where === 'none') return { ...plain, steps: [step('attentionFactor', 1, 'no temperature')] };
  const [cosSin, softmax] = copied(core.raw.yarnTemperature(factor, explicit, mscale, allDim)) as unknown as [number, number];
  const quotient = mscale > 0 && allDim > 0;
  const rule =
    explicit > 0 ? 'attentionFactor as given: it wins over every rule'
    : quotient ? '(0.1 · mscale · ln factor + 1) / (0.1 · mscaleAllDim · ln factor + 1)'
    : '0.1 · ln factor + 1, and 1 for a factor up to 1';
  const steps = [step('attentionFactor', cosSin, `${rule}; multiplies ${where === 'cos-sin' ? 'cos and sin' : 'the root of the logits'}`)];
  if (allDim > 0) steps.push(step('softmaxScale', softmax, '(0.1 · mscaleAllDim · ln factor + 1)², in DeepSeek’s models only'));
  return where === 'cos-sin'
    ? { attentionFactor: cosSin, softmaxScale: softmax, steps }
    : { attentionFactor: 1, softmaxScale: softmax * cosSin ** 2, steps };
}

function yarnWith(core: Core, width: Width, given: YarnOptions, factor: number): Scaled {
  const parts = partsOf(core, width, given, factor);
  const temperature = temperatureOf(core, given, factor);
  return { ...parts, ...temperature, steps: [...parts.steps, ...temperature.steps] };
}

function yarn(core: Core, width: Width, given: OfType<'yarn'>): Scaled {
  return yarnWith(core, width, given, positiveNumber('scaling.factor', given.factor));
}

function dynamicYarn(core: Core, width: Width, given: OfType<'dynamic-yarn'>): Scaled {
  const length = lengthOf('length', given.length), originalLength = lengthOf('originalLength', given.originalLength);
  const [factor] = copied(core.raw.dynamicYarnFactor(length, originalLength)) as unknown as [number];
  const made = yarnWith(core, width, given, factor);
  const [, ...rest] = made.steps;
  return { ...made, steps: [step('length', length, 'as given'), step('factor', factor, 'max(1, L / L₀)'), ...rest] };
}

function longrope(core: Core, { dim, base }: Width, given: OfType<'longrope'>): Scaled {
  const short = numbers('scaling.shortFactor', given.shortFactor), long = numbers('scaling.longFactor', given.longFactor);
  const originalLength = lengthOf('originalLength', given.originalLength);
  const maxLength = given.maxLength === undefined ? undefined : lengthOf('maxLength', given.maxLength);
  const decideBy = oneOf('scaling.decideBy', given.decideBy ?? 'length', ['length', 'max-length'] as const);
  if (decideBy === 'max-length' && maxLength === undefined) {
    throw new TypeError("scaling.maxLength must be given when scaling.decideBy is 'max-length'");
  }
  const current = lengthOf('length', given.length ?? originalLength);
  const deciding = decideBy === 'length' ? current : maxLength!;
  core.sendDoubles([short, long]);
  const packed = copied(core.raw.longrope(dim, base, short.length, long.length, deciding, originalLength));
  const factor = orElse('scaling.factor', given.factor, (maxLength ?? originalLength) / originalLength);
  const explicit = orElse('scaling.attentionFactor', given.attentionFactor, 0);
  const [published] = copied(core.raw.longropeAttentionFactor(factor, originalLength)) as unknown as [number];
  const list = deciding > originalLength ? 'long' : 'short';
  return {
    inverse: unpacked(packed, dim / 2).inverse,
    base, factor, attentionFactor: explicit || published, softmaxScale: 1,
    rule: `f / divisor of the pair, from the ${list} list`,
    steps: [
      step('length', deciding, `decides: ${list} list, since it ${list === 'long' ? 'exceeds' : 'does not exceed'} L₀ = ${originalLength}`),
      step('factor', factor, given.factor === undefined ? 'maxLength / originalLength' : 'as given'),
      step('attentionFactor', explicit || published, explicit ? 'as given: it wins' : '√(1 + ln factor / ln L₀), and 1 for a factor up to 1'),
    ],
  };
}

function llama3(core: Core, { dim, base }: Width, given: OfType<'llama3'>): Scaled {
  const factor = positiveNumber('scaling.factor', given.factor);
  const originalLength = lengthOf('originalLength', given.originalLength);
  const low = orElse('scaling.lowFreqFactor', given.lowFreqFactor, 1);
  const high = orElse('scaling.highFreqFactor', given.highFreqFactor, 4);
  const { inverse, kept } = unpacked(copied(core.raw.llama3(dim, base, factor, originalLength, low, high)), dim / 2);
  const steps = [
    step('factor', factor, 'as given'),
    step('keptBelow', originalLength / high, 'wavelength L₀ / highFreqFactor: shorter ones are kept'),
    step('interpolatedAbove', originalLength / low, 'wavelength L₀ / lowFreqFactor: longer ones are interpolated'),
  ];
  return { inverse, kept, base, factor, ...plain, rule: 'kept · f + (1 − kept) · f / factor', steps };
}

function proportional(core: Core, { dim, base, partial }: Width, given: OfType<'proportional'>): Scaled {
  const factor = orElse('scaling.factor', given.factor, 1);
  const { inverse } = unpacked(copied(core.raw.proportional(dim, base, partial, factor)), dim / 2);
  const turning = inverse.findLastIndex((frequency) => frequency > 0) + 1;
  const steps = [step('factor', factor, 'as given'), step('turningPairs', turning, '⌊partial · dim / 2⌋ pairs turn, the others stand still')];
  return { inverse, base, factor, ...plain, rule: 'base^(−2i / dim) / factor for the turning pairs, else 0', steps };
}

function none(core: Core, { dim, base }: Width): Scaled {
  const inverse = copied(core.raw.rotaryFrequencies(dim, base));
  return { inverse, base, factor: 1, ...plain, rule: 'base^(−2i / dim)', steps: [] };
}

type Make<Type extends RotaryScaling['type']> = (core: Core, width: Width, given: OfType<Type>) => Scaled;

/** Every scheme: its option names and what it makes. A Map, since the type comes from outside. */
const schemes = {
  none: [[], none],
  linear: [['factor'], linear],
  ntk: [['factor', 'form', 'exponent'], ntk],
  'ntk-alpha': [['alpha'], ntkAlpha],
  'dynamic-ntk': [['factor', 'originalLength', 'length', 'form'], dynamicNtk],
  'ntk-by-parts': [['factor', ...byPartsNames], ntkByParts],
  'part-ntk': [['factor', 'originalLength', 'ntkFactor', 'extrapolationFactor', 'beta0', 'beta1', 'gamma0', 'gamma1'], partNtk],
  yarn: [['factor', ...yarnNames], yarn],
  'dynamic-yarn': [['length', ...yarnNames], dynamicYarn],
  longrope: [['shortFactor', 'longFactor', 'originalLength', 'length', 'maxLength', 'decideBy', 'factor', 'attentionFactor'], longrope],
  llama3: [['factor', 'originalLength', 'lowFreqFactor', 'highFreqFactor'], llama3],
  proportional: [['factor'], proportional],
} as const satisfies { [Type in RotaryScaling['type']]: readonly [readonly (keyof OfType<Type>)[], Make<Type>] };

export const scalingTypes = Object.keys(schemes) as RotaryScaling['type'][];

export function scaledFrequencies(core: Core, width: Width, scaling: RotaryScaling): Scaled {
  if (typeof scaling !== 'object' || scaling === null) options('scaling', scaling, []);
  const [names, make] = schemes[oneOf('scaling.type', scaling.type, scalingTypes)];
  options(`scaling (type '${scaling.type}')`, scaling, ['type', ...names] as (keyof RotaryScaling)[]);
  return (make as Make<RotaryScaling['type']>)(core, width, scaling);
}

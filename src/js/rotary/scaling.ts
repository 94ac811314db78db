/**
 * The extensions of rotary frequencies for longer contexts: the options of all, what they give, and
 * those that have no file of their own.
 */
import type { Core } from '../runtime/core.js';
import { wrongKind } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import type { Checked, Schema } from '../runtime/schema.js';

/** One name, four formulas: see RotaryScaling. */
export type NtkForm = 'bloc97' | 'su-old' | 'su-fixed' | 'su-mixed';

/** Which pairs an extension keeps, which it interpolates, and how it blends between. */
export interface ByPartsOptions {
  /** L₀: how many positions training saw. */
  originalLength: number;
  /** Turns within L₀ from which a pair is kept. Default 32. */
  betaFast?: number;
  /** Turns within L₀ up to which a pair is interpolated. Default 1. */
  betaSlow?: number;
  /**
   * 'coded' (default; the authors' code, Hugging Face, vLLM, llama.cpp): the ramp is linear in the
   * index of the pair. 'published' (the paper's text): linear in the number of turns.
   */
  ramp?: 'coded' | 'published';
  /** Coded ramp: floor and ceil its two ends. Default true; gpt-oss does not. */
  truncate?: boolean;
  /** What is averaged: frequencies or wavelengths. Default 'frequencies'. */
  blend?: 'frequencies' | 'wavelengths';
}

/** Options of NTK-by-parts with YaRN's temperature. */
export interface YarnOptions extends ByPartsOptions {
  /** Replaces the temperature that the factor gives. */
  attentionFactor?: number;
  /** With mscaleAllDim: cos and sin are multiplied by the quotient of the two (DeepSeek). */
  mscale?: number;
  /** With scalesSoftmax: multiplies the softmax scale by (0.1 · mscaleAllDim · ln factor + 1)². */
  mscaleAllDim?: number;
  /**
   * Whether mscaleAllDim acts on the softmax scale too. Default true: the attention of DeepSeek
   * (V2, V3, Kimi K2). false: models that take the quotient alone, such as Ministral 3.
   */
  scalesSoftmax?: boolean;
  /**
   * Where the temperature acts. 'cos-sin' (default; all shipped code) reaches rotated values only;
   * 'logits' (the paper) every value of a head; 'none' leaves it out.
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
 *   'vllm-constant' s² − (s − 1) whatever the length, 'rounded' max(2^(⌈log₂(L/L₀) + 1⌉) − 1, 1)
 *   (Qwen, lmdeploy).
 * - ntk-by-parts: YaRN's frequencies without its temperature (Peng et al. 2023, section 3.2).
 * - part-ntk: what the YaRN repository used before YaRN.
 * - yarn: by parts, and the temperature 0.1 ln factor + 1. dynamic-yarn: factor = max(1, L/L₀).
 * - longrope: a divisor for every pair, from the long list when the deciding length exceeds L₀
 *   (Ding et al. 2024).
 * - llama3: by wavelength (Meta, Llama 3.1).
 * - proportional: only the first share `rotaryFraction` of the pairs is rotated, over all widths
 *   (Gemma 4).
 */
export type RotaryScaling =
  | { type: 'none' }
  | { type: 'linear'; factor: number }
  | {
      type: 'ntk';
      factor: number;
      form?: NtkForm;
      /** su-mixed only; default 0.625. */ exponent?: number;
    }
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
      /** Which picks the list: the current one (Hugging Face; default) or the served one (vLLM). */
      decideBy?: 'length' | 'max-length';
      /** For the temperature √(1 + ln factor/ln L₀). Default maxLength/originalLength. */
      factor?: number;
      attentionFactor?: number;
    }
  | {
      type: 'llama3';
      factor: number;
      originalLength: number;
      lowFreqFactor?: number;
      highFreqFactor?: number;
    }
  | { type: 'proportional'; factor?: number };

/** One number that took part, and the rule that gave it. */
export interface DerivationStep {
  /** What the step computes. */
  name: string;
  /** Its result. */
  value: number;
  /** The formula, in words or symbols. */
  rule: string;
}

/** What an extension made of the trained frequencies. */
export interface Scaled {
  inverseFrequencies: Float64Array;
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
  /** How many values of a head are rotated. */
  dim: number;
  base: number;
  /** For the proportional scheme: which share of the pairs is rotated. */
  rotaryFraction: number;
}

type CoreScheme = Parameters<Core['raw']['scaledFrequencies']>[0];

/** The options of one extension. */
export type OptionsOf<Type extends RotaryScaling['type']> = Omit<
  Extract<RotaryScaling, { type: Type }>,
  'type'
>;

/** A number with its source: the caller, or the rule `otherwise`. */
export type Step = (name: string, value: number, otherwise?: string) => DerivationStep;

/** One extension: its options and the function that scales trained frequencies. */
export interface Extension<
  Type extends RotaryScaling['type'],
  Description extends Schema<OptionsOf<Type>>,
> {
  schema: Description;
  scaled(
    core: Core,
    width: Width,
    options: Checked<OptionsOf<Type>, Description>,
    step: Step,
  ): Scaled;
}

export const withoutTemperature = { attentionFactor: 1, softmaxScale: 1 } satisfies Partial<Scaled>;

/** Calls the core with `given`, the options in their order; `from` and `to` are ends of a ramp. */
export function scaledBy(
  core: Core,
  name: CoreScheme,
  { dim, base }: Width,
  given: ArrayLike<number>,
) {
  core.sendDoubles([Float64Array.from(given)]);
  const packed = core.doubles(core.raw.scaledFrequencies(name, dim, base));
  const pairs = dim / 2;
  const [from = 0, to = 0] = packed.subarray(pairs + 1, pairs + 3);
  const kept = packed.slice(pairs + 3);
  return {
    inverseFrequencies: packed.slice(0, pairs),
    base: packed[pairs]!,
    from,
    to,
    ...withoutTemperature,
    ...(kept.length > 0 && { kept }),
  };
}

const none: Extension<'none', object> = {
  schema: {},
  scaled(core, { dim, base }) {
    const inverseFrequencies = core.doubles(core.raw.rotaryFrequencies(dim, base));
    return {
      inverseFrequencies,
      base,
      factor: 1,
      ...withoutTemperature,
      rule: 'base^(−2i / dim)',
      steps: [],
    };
  },
};

const linearSchema = { factor: option.positive } satisfies Schema<OptionsOf<'linear'>>;

const linear: Extension<'linear', typeof linearSchema> = {
  schema: linearSchema,
  scaled(core, width, { factor }, step) {
    return {
      ...scaledBy(core, 'linear', width, [factor]),
      factor,
      rule: 'f / factor, the same as position / factor',
      steps: [step('factor', factor)],
    };
  },
};

const longropeSchema = {
  shortFactor: option.positives.shaped('pairs'),
  longFactor: option.positives.shaped('pairs'),
  originalLength: option.wholeFrom(2),
  length: option.whole.optional(),
  maxLength: option.whole.optional(),
  decideBy: option.oneOf('length', 'max-length').default('length'),
  factor: option.positive.optional(),
  attentionFactor: option.positive.optional(),
} satisfies Schema<OptionsOf<'longrope'>>;

/** The length that selects a list of divisors. */
function decidingLength({
  decideBy,
  originalLength,
  length = originalLength,
  maxLength,
}: OptionsOf<'longrope'>): number {
  if (decideBy === 'length') return length;
  if (maxLength !== undefined) return maxLength;
  throw wrongKind(
    'scaling.maxLength',
    "must be given when scaling.decideBy is 'max-length'",
    maxLength,
    '',
  );
}

const longrope: Extension<'longrope', typeof longropeSchema> = {
  schema: longropeSchema,
  scaled(core, width, options, step) {
    const { shortFactor: short, longFactor: long, originalLength } = options;
    const length = decidingLength(options);
    const { maxLength = originalLength, factor = maxLength / originalLength } = options;
    const computed = core.doubles(core.raw.longropeAttentionFactor(factor, originalLength))[0]!;
    const { attentionFactor = computed } = options;
    const lists = [short.length, ...short, ...long];
    const made = scaledBy(core, 'longrope', width, [length, originalLength, ...lists]);
    const list = length > originalLength ? 'long' : 'short';
    const decision = `picks the ${list} list; the long one is for more than L₀ = ${originalLength}`;
    const steps = [
      { name: 'length', value: length, rule: decision },
      step('factor', factor, 'maxLength / originalLength'),
      step(
        'attentionFactor',
        attentionFactor,
        '√(1 + ln factor / ln L₀), and 1 for a factor up to 1',
      ),
    ];
    const rule = `f / divisor of the pair, from the ${list} list`;
    return { ...made, factor, attentionFactor, rule, steps };
  },
};

const llama3Schema = {
  factor: option.positive,
  originalLength: option.wholeFrom(2),
  lowFreqFactor: option.positive.default(1),
  highFreqFactor: option.positive.default(4),
} satisfies Schema<OptionsOf<'llama3'>>;

const llama3: Extension<'llama3', typeof llama3Schema> = {
  schema: llama3Schema,
  scaled(core, width, { factor, originalLength, lowFreqFactor, highFreqFactor }, step) {
    const given = [factor, originalLength, lowFreqFactor, highFreqFactor];
    const steps = [
      step('factor', factor),
      {
        name: 'keptBelow',
        value: originalLength / highFreqFactor,
        rule: 'wavelength L₀ / highFreqFactor',
      },
      {
        name: 'interpolatedAbove',
        value: originalLength / lowFreqFactor,
        rule: 'wavelength L₀ / lowFreqFactor',
      },
    ];
    const rule = 'kept · f + (1 − kept) · f / factor';
    return { ...scaledBy(core, 'llama3', width, given), factor, rule, steps };
  },
};

const proportionalSchema = {
  factor: option.positive.default(1),
} satisfies Schema<OptionsOf<'proportional'>>;

const proportional: Extension<'proportional', typeof proportionalSchema> = {
  schema: proportionalSchema,
  scaled(core, width, { factor }, step) {
    const made = scaledBy(core, 'proportional', width, [width.rotaryFraction, factor]);
    const rotated = made.inverseFrequencies.findLastIndex((frequency) => frequency > 0) + 1;
    const rule = 'base^(−2i / dim) / factor for the turning pairs, else 0';
    const steps = [
      step('factor', factor),
      { name: 'rotatedPairs', value: rotated, rule: '⌊rotaryFraction · dim / 2⌋' },
    ];
    return { ...made, factor, rule, steps };
  },
};

/** Those that have no file of their own, by type. */
export const extensions = { none, linear, longrope, llama3, proportional };

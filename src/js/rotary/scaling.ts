/** The extensions of rotary frequencies for longer contexts: their options and what they give. */

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

/** The same, with YaRN's temperature. */
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
 *   'vllm-constant' s² − (s − 1) whatever the length, 'rounded' max(2^⌈log₂(L/L₀) + 1⌉ − 1, 1)
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
  name: string;
  value: number;
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

/**
 * The frequency of each pair of a rotary scheme: the base, and the extensions for longer contexts.
 */
import { fitting, numbers, wholeNumber } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { DerivationStep, RotaryScaling, Scaled } from './scaling.js';
import { scaledFrequencies } from './schemes.js';

/** The frequency of each pair of a head, as all rotary functions take it. */
export interface RotaryFrequencies {
  /** Radians per position, one per pair. */
  inverseFrequencies: Float64Array;
  /** Multiplies cos and sin, and so multiplies logits by its square; 1 without a temperature. */
  attentionFactor: number;
  /** Multiplies the scores of attention, also of values that are not rotated. Default 1. */
  softmaxScale?: number;
  /** Number of rotated values of a head: 2 · inverseFrequencies.length. */
  dim: number;
  /** Number of axes of a position, such as time, height and width. Default 1. */
  axes?: number;
  /** The axis by whose position each pair is rotated, when there are several. */
  axisOfPair?: ArrayLike<number>;
}

/**
 * 'kept' as trained; 'interpolated' divided by the factor; 'blended' between the two; 'rescaled' by
 * something else; 'unrotated' has the frequency 0.
 */
export type PairFate = 'kept' | 'blended' | 'interpolated' | 'rescaled' | 'unrotated';

/** The derivation of the frequencies, number by number. */
export interface RotaryDerivation {
  /** The formula that made the frequencies; f is the trained one. */
  rule: string;
  /** All parameters of the formula, in the order in which they act. */
  steps: DerivationStep[];
  /** The base of the frequencies; NTK changes it. */
  base: number;
  /** The frequencies of training, base^(−2i/dim). */
  trained: Float64Array;
  /** Where the scheme blends: per pair the share of the trained frequency, 1 … 0. */
  kept?: Float64Array;
  /** The change of each pair. */
  pairs: PairFate[];
  /** Total factor on the logits, for rotated and for unrotated values of a head. */
  logits: { rotated: number; others: number };
}

/** Frequencies with their derivation. */
export interface DerivedRotaryFrequencies extends RotaryFrequencies {
  /**
   * Factor on the softmax scale 1/√d; 1 except for a temperature that acts there.
   */
  softmaxScale: number;
  /** The derivation of the frequencies. */
  derivation: RotaryDerivation;
}

/** Options of rotaryFrequencies. */
export interface RotaryFrequencyOptions {
  /** Width of a head, or of the part of it that is rotated; even. */
  dim: number;
  /** Default 10000. */
  base?: number;
  /**
   * Fraction of `dim` that is rotated, rounded down to whole values (partial_rotary_factor).
   * Default 1.
   */
  rotaryFraction?: number;
  /** Default { type: 'none' }. */
  scaling?: RotaryScaling;
}

export const rotaryFrequencySchema = {
  dim: option.even,
  base: option.positive.default(10000),
  rotaryFraction: option.finite.default(1),
  scaling: option.given('scaling'),
} satisfies Schema<RotaryFrequencyOptions>;

/** Frequencies of JavaScript may lack members that the type requires. */
interface GivenFrequencies extends Partial<
  Omit<DerivedRotaryFrequencies, 'inverseFrequencies' | 'axisOfPair'>
> {
  inverseFrequencies: ArrayLike<number>;
  axisOfPair?: ArrayLike<number>;
}

const frequencySchema = {
  inverseFrequencies: option.numbers,
  attentionFactor: option.finite.default(1),
  dim: option.whole.optional(),
  axes: option.whole.default(1),
  axisOfPair: option.numbers.optional(),
  softmaxScale: option.float.default(1),
  derivation: option.given('derivation'),
} satisfies Schema<GivenFrequencies>;

const readFrequencies = (name: string, value: GivenFrequencies) =>
  read(name, value, frequencySchema, `${name}.`);

/** A checked copy of the caller's frequencies. */
export function givenFrequencies<Given extends RotaryFrequencies>(
  name: string,
  value: Given,
): Given {
  return { ...readFrequencies(name, value) } as RotaryFrequencies as Given;
}

/** Checked frequencies as doubles, with all fields; axisOfPair is empty for one axis. */
export type CheckedFrequencies = Required<RotaryFrequencies> & { axisOfPair: Float64Array };

export function checkedFrequencies(name: string, value: RotaryFrequencies): CheckedFrequencies {
  const given = readFrequencies(name, value);
  const { inverseFrequencies, dim, attentionFactor, softmaxScale, axes } = given;
  if (inverseFrequencies.length === 0)
    throw wrongValue(
      `${name}.inverseFrequencies`,
      'must hold at least one frequency',
      inverseFrequencies,
      '',
    );
  if (dim !== undefined && dim !== 2 * inverseFrequencies.length) {
    throw wrongValue(
      `${name}.dim`,
      `must be twice the number of frequencies, ${2 * inverseFrequencies.length}`,
      dim,
    );
  }
  const axisOfPair =
    axes === 1 ? new Float64Array(0) : numbers(`${name}.axisOfPair`, given.axisOfPair);
  if (axes > 1 && axisOfPair.length !== inverseFrequencies.length) {
    throw wrongValue(
      `${name}.axisOfPair`,
      `must have one axis per pair, ${inverseFrequencies.length}`,
      axisOfPair.length,
    );
  }
  axisOfPair.forEach((axis, pair) => wholeNumber(`${name}.axisOfPair[${pair}]`, axis, 0));
  return {
    inverseFrequencies,
    attentionFactor,
    softmaxScale,
    dim: 2 * inverseFrequencies.length,
    axes,
    axisOfPair,
  };
}

export const frequencies = new option.Option<RotaryFrequencies, CheckedFrequencies>({
  kind: 'object',
  check: (name, value) => checkedFrequencies(name, value as RotaryFrequencies),
});

/** Throws for frequencies with several axes, in functions that are defined for one. */
export function requireOneAxis(name: string, { axes }: CheckedFrequencies): void {
  if (axes > 1) throw wrongValue(name, 'must have one axis here', axes);
}

/** Throws if the frequencies rotate more values than a row has. */
export function requireWidth(name: string, frequencies: { dim: number }, dim: number): void {
  if (frequencies.dim > dim) {
    throw wrongValue(name, `must rotate at most the ${dim} values of a row`, frequencies.dim);
  }
}

/** Two doubles that differ by rounding only. */
const same = (a: number, b: number) => Math.abs(a - b) <= 1e-12 * Math.abs(b);

function fateOf(frequency: number, trained: number, factor: number): PairFate {
  if (frequency === 0) return 'unrotated';
  if (same(frequency, trained)) return 'kept';
  if (same(frequency * factor, trained)) return 'interpolated';
  const between = frequency < trained && frequency * factor > trained;
  return between ? 'blended' : 'rescaled';
}

function derivationOf(scaled: Scaled, trained: Float64Array): RotaryDerivation {
  const { rule, steps, base, kept, inverseFrequencies, factor, attentionFactor, softmaxScale } =
    scaled;
  return {
    rule,
    steps,
    base,
    trained,
    ...(kept && { kept }),
    pairs: Array.from(inverseFrequencies, (frequency, i) => fateOf(frequency, trained[i]!, factor)),
    logits: { rotated: attentionFactor ** 2 * softmaxScale, others: softmaxScale },
  };
}

/** The width that is rotated: all of it when the scheme itself leaves pairs unrotated. */
export function rotatedWidth(
  dim: number,
  rotaryFraction: number,
  scaling: RotaryScaling['type'],
): number {
  if (!(rotaryFraction > 0 && rotaryFraction <= 1)) {
    throw wrongValue('rotaryFraction', 'must be greater than 0 and at most 1', rotaryFraction);
  }
  if (scaling === 'proportional') return dim;
  const rotated = Math.floor(dim * rotaryFraction);
  if (rotated < 2 || rotated % 2 !== 0) {
    throw wrongValue(
      'rotaryFraction',
      '· dim must give an even number of rotated values',
      rotated,
      `${rotaryFraction} · ${dim} = ${rotated}`,
    );
  }
  return rotated;
}

export const rotaryFrequencies = (core: Core) => ({
  /**
   * The frequency of each pair: base^(−2i/dim) for i = 0 … dim/2 − 1, or what an extension for
   * longer contexts makes of it, with the derivation as data.
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Su et al. 2021, RoFormer, section 3.2.2; RotaryScaling for the extensions and their papers
   */
  rotaryFrequencies(settings: RotaryFrequencyOptions): DerivedRotaryFrequencies {
    const options = read('rotaryFrequencies options', settings, rotaryFrequencySchema);
    const { base, rotaryFraction, scaling = { type: 'none' } } = options;
    const dim = rotatedWidth(fitting('dim', options.dim, 32), rotaryFraction, scaling.type);
    const scaled = scaledFrequencies(core, { dim, base, rotaryFraction }, scaling);
    const trained = core.doubles(core.raw.rotaryFrequencies(dim, base));
    return {
      inverseFrequencies: scaled.inverseFrequencies,
      attentionFactor: scaled.attentionFactor,
      dim,
      softmaxScale: scaled.softmaxScale,
      derivation: derivationOf(scaled, trained),
    };
  },
});

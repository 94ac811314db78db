/** How fast each pair of a rotary scheme turns, with extensions for longer contexts. */
import { evenNumber, finiteNumber, fitting, numbers, options, positiveNumber, wholeNumber } from './checks.js';
import { copied, type Core } from './core.js';
import type { DerivationStep, RotaryScaling, Scaled } from './rotary_scaling.js';
import { scaledFrequencies } from './rotary_schemes.js';

export interface RotaryFrequencies {
  /** Radians per position, one per pair. */
  inverse: Float64Array;
  /** Multiplies cos and sin, so logits of rotated values by its square; 1 without a temperature. */
  attentionFactor: number;
  /** How many values of a head they turn: 2 · inverse.length. */
  dim: number;
}

/**
 * 'kept' as trained; 'interpolated' divided by the factor; 'blended' between the two; 'rescaled' by
 * something else; 'still' does not turn.
 */
export type PairFate = 'kept' | 'blended' | 'interpolated' | 'rescaled' | 'still';

export interface RotaryDerivation {
  /** The formula that made the frequencies; f is the trained one. */
  rule: string;
  /** Every number that took part, in the order in which it acts. */
  steps: DerivationStep[];
  /** The base that the frequencies are formed from; NTK changes it. */
  base: number;
  /** The frequencies of training, base^(−2i/dim). */
  trained: Float64Array;
  /** Where the scheme blends: per pair the share of the trained frequency, 1 … 0. */
  kept?: Float64Array;
  pairs: PairFate[];
  /** What the logits are multiplied by in all, for rotated and for other values of a head. */
  logits: { rotated: number; others: number };
}

export interface DerivedRotaryFrequencies extends RotaryFrequencies {
  /** What to multiply the softmax scale 1/√d by: 1, unless a temperature acts there. */
  softmaxScale: number;
  derivation: RotaryDerivation;
}

export interface RotaryFrequencyOptions {
  /** Width of a head, or of the part of it that turns; even. */
  dim: number;
  /** Default 10000. */
  base?: number;
  /** Which share of `dim` turns, rounded down (partial_rotary_factor). Default 1. */
  partial?: number;
  /** Default { type: 'none' }. */
  scaling?: RotaryScaling;
}

const frequencyNames = ['inverse', 'attentionFactor', 'dim', 'softmaxScale', 'derivation'] as const;

export function checkedFrequencies(name: string, value: RotaryFrequencies): RotaryFrequencies {
  const { inverse, attentionFactor, dim } = options<DerivedRotaryFrequencies>(
    name,
    value as DerivedRotaryFrequencies,
    frequencyNames,
  );
  const list = numbers(`${name}.inverse`, inverse);
  if (list.length === 0) throw new RangeError(`${name}.inverse must hold at least one frequency`);
  if (dim !== undefined && wholeNumber(`${name}.dim`, dim) !== 2 * list.length) {
    throw new RangeError(`${name}.dim must be twice the number of frequencies, ${2 * list.length}, got ${dim}`);
  }
  return {
    inverse: list,
    attentionFactor: finiteNumber(`${name}.attentionFactor`, attentionFactor ?? 1),
    dim: 2 * list.length,
  };
}

/** The frequencies may turn fewer values than a row has, never more. */
export function requireWidth(name: string, frequencies: RotaryFrequencies, dim: number): void {
  if (frequencies.dim > dim) {
    throw new RangeError(`${name} turns ${frequencies.dim} values, but a row has ${dim}`);
  }
}

/** Two doubles that differ by rounding only. */
const same = (a: number, b: number) => Math.abs(a - b) <= 1e-12 * Math.abs(b);

function fateOf(frequency: number, trained: number, factor: number): PairFate {
  if (frequency === 0) return 'still';
  if (same(frequency, trained)) return 'kept';
  if (same(frequency * factor, trained)) return 'interpolated';
  const between = frequency < trained && frequency * factor > trained;
  return between ? 'blended' : 'rescaled';
}

function derivationOf(scaled: Scaled, trained: Float64Array): RotaryDerivation {
  const { rule, steps, base, kept, inverse, factor, attentionFactor, softmaxScale } = scaled;
  return {
    rule,
    steps,
    base,
    trained,
    ...(kept && { kept }),
    pairs: Array.from(inverse, (frequency, i) => fateOf(frequency, trained[i]!, factor)),
    logits: { rotated: attentionFactor ** 2 * softmaxScale, others: softmaxScale },
  };
}

/** The width that turns: all of it when the scheme itself leaves pairs still. */
function turningWidth(dim: number, partial: number, scaling: RotaryScaling['type']): number {
  if (!(partial > 0 && partial <= 1)) {
    throw new RangeError(`partial must be greater than 0 and at most 1, got ${partial}`);
  }
  if (scaling === 'proportional') return dim;
  const turning = Math.floor(dim * partial);
  if (turning < 2 || turning % 2 !== 0) {
    throw new RangeError(
      `partial · dim must leave an even number of values to turn, got ${partial} · ${dim} = ${turning}`,
    );
  }
  return turning;
}

export function derivedFrequencies(
  core: Core,
  settings: RotaryFrequencyOptions,
): DerivedRotaryFrequencies {
  const given = options('rotaryFrequencies options', settings, [
    'dim',
    'base',
    'partial',
    'scaling',
  ]);
  const width = fitting('dim', evenNumber('dim', given.dim));
  const base = positiveNumber('base', given.base ?? 10000);
  const partial = finiteNumber('partial', given.partial ?? 1);
  const scaling = given.scaling === undefined ? { type: 'none' as const } : given.scaling;
  const dim = turningWidth(width, partial, scaling?.type);
  const scaled = scaledFrequencies(core, { dim, base, partial }, scaling);
  const trained = copied(core.raw.rotaryFrequencies(dim, base));
  return {
    inverse: scaled.inverse,
    attentionFactor: scaled.attentionFactor,
    dim,
    softmaxScale: scaled.softmaxScale,
    derivation: derivationOf(scaled, trained),
  };
}

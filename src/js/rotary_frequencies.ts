/** How fast each pair of a rotary scheme turns: the base, and the extensions for longer contexts. */
import { evenNumber, finiteNumber, fitting, numbers, options, positiveNumber, wholeNumber } from './checks.js';
import { copied, type Core } from './core.js';

export interface RotaryFrequencies {
  /** Radians per position, one per pair. */
  inverse: Float64Array;
  /** Multiplies the rotated values (YaRN's temperature); 1 without an extension. */
  attentionFactor: number;
  /** How many values of a head they turn: 2 · inverse.length. */
  dim: number;
}

export interface RotaryFrequencyOptions {
  /** How many values of a head turn; even. */
  dim: number;
  /** Default 10000. */
  base?: number;
}

export function checkedFrequencies(name: string, value: RotaryFrequencies): RotaryFrequencies {
  const { inverse, attentionFactor, dim } = options(name, value, ['inverse', 'attentionFactor', 'dim']);
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

export const rotaryFrequencies = (core: Core) => ({
  /**
   * The angular frequencies base^(−2i/dim), i = 0 … dim/2 − 1.
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Su et al. 2021, RoFormer, section 3.2.2
   */
  rotaryFrequencies(settings: RotaryFrequencyOptions): RotaryFrequencies {
    const given = options('rotaryFrequencies options', settings, ['dim', 'base']);
    const dim = fitting('dim', evenNumber('dim', given.dim));
    const inverse = copied(core.raw.rotaryFrequencies(dim, positiveNumber('base', given.base ?? 10000)));
    return { inverse, attentionFactor: 1, dim };
  },
});

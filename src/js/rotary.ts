/** Rotary positions: queries and keys turn, each by its own position. */
import { evenNumber, finiteNumber, fitting, numbers, oneOf, options, positionList, positiveNumber, tensor, wholeNumber } from './checks.js';
import { copied, type Core } from './core.js';
import { elementCount, type Positions, type Tensor } from './tensor.js';

/** Interleaved pairs (2i, 2i+1): the paper, GPT-J, Meta. Half-split (i, i+dim/2): GPT-NeoX, Hugging Face. */
export type RotaryLayout = 'interleaved' | 'half-split';

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

export interface RotateOptions {
  /** Position of each row. Default 0 … length − 1. */
  positions?: Positions;
  layout: RotaryLayout;
}

export const rotaryLayouts = ['interleaved', 'half-split'] as const;

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

export const rotary = (core: Core) => ({
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

  /**
   * Rotary position embedding: each pair (a, b) of a row at position m becomes
   * (a cos mf − b sin mf, a sin mf + b cos mf), f the pair's frequency. Angles are formed in double.
   * Values of a row beyond `frequencies.dim` pass through (partial rotary).
   * @param x a tensor […, length, dim]
   * @returns a new tensor of the same shape
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Su et al. 2021, equations 14, 15 and 34
   */
  rotate(x: Tensor, frequencies: RotaryFrequencies, settings: RotateOptions): Tensor {
    const { data, shape } = tensor('x', x);
    if (shape.length < 2) throw new RangeError(`x.shape must be [..., length, dim], got [${shape}]`);
    const [length, dim] = shape.slice(-2) as [number, number];
    const turning = checkedFrequencies('frequencies', frequencies);
    requireWidth('frequencies', turning, dim);
    const given = options('rotate options', settings, ['positions', 'layout']);
    const layout = oneOf('layout', given.layout, rotaryLayouts);
    const positions = positionList('positions', given.positions ?? length, length);
    core.send([data]);
    core.sendDoubles([positions, turning.inverse]);
    const outer = elementCount(shape.slice(0, -2));
    const { inverse, attentionFactor } = turning;
    const rotated = core.raw.rotate(outer, length, dim, inverse.length, attentionFactor, layout);
    return { data: copied(rotated), shape: [...shape] };
  },
});

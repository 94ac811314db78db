/** Rotary positions: queries and keys turn, each by its own position. */
import { oneOf, options, positionList, tensor } from './checks.js';
import { copied, type Core } from './core.js';
import { checkedFrequencies, requireWidth, type RotaryFrequencies } from './rotary_frequencies.js';
import { elementCount, type Positions, type Tensor } from './tensor.js';

/** Interleaved pairs (2i, 2i+1): the paper, GPT-J, Meta. Half-split (i, i+dim/2): GPT-NeoX, Hugging Face. */
export type RotaryLayout = 'interleaved' | 'half-split';

export interface RotateOptions {
  /** Position of each row. Default 0 … length − 1. */
  positions?: Positions;
  layout: RotaryLayout;
}

export const rotaryLayouts = ['interleaved', 'half-split'] as const;

export const rotary = (core: Core) => ({
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

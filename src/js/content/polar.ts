/** PoPE: queries and keys whose sizes come from the text and whose phases from positions. */
import { headsOf } from './selective.js';
import { fitting, rowPositions, tensor } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { type Positions, type Tensor } from '../runtime/tensor.js';

/** Positions, phases and frequencies of the polar form. */
export interface PolarOptions {
  /** Positions of the rows. Default 0, 1, … */
  positions?: Positions;
  /** Phases of the keys, [heads, width] or [width], limited to [−2π, 0]. Default 0: of queries. */
  phases?: Tensor;
  /** How many channels become polar, the first ones. Default: all. */
  width?: number;
  /** Default 10000. */
  base?: number;
  /**
   * 'half-split' (default): all cosines, then all sines (x-transformers). 'interleaved': cosine and
   * sine of each channel side by side (PoPE-pytorch). Products are the same.
   */
  layout?: 'half-split' | 'interleaved';
}

const polarSchema = {
  positions: option.positions.optional(),
  phases: option.tensor.optional(),
  width: option.whole.optional(),
  base: option.positive.default(10000),
  layout: option.oneOf('half-split', 'interleaved').default('half-split'),
} satisfies Schema<PolarOptions>;

export const polarFunctions = (core: Core) => ({
  /**
   * Queries or keys in polar form: channel c of a row at position t becomes softplus(x) times
   * (cos a, sin a), a = t · base^(−c/width) + phase. Attention takes the results as q and k, with
   * the scale 1/√dim of the width before.
   * @param x a tensor [..., heads, length, dim]
   * @returns a tensor [..., heads, length, dim + width]
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Gopalakrishnan et al. 2025, PoPE, section 3
   */
  polar(x: Tensor, settings: PolarOptions = {}): Tensor {
    const given = read('polar options', settings, polarSchema);
    const { data, leading, heads, own } = headsOf('x', tensor('x', x), 2);
    const [length, dim] = own as [number, number];
    const { width = dim, phases, base, layout } = given;
    if (width > dim) throw wrongValue('width', `must be at most ${dim}`, width);
    const perHead = phases && phases.data.length / width;
    if (perHead && perHead !== 1 && perHead !== leading[leading.length - 1])
      throw wrongShape(
        'phases',
        `must be [${leading[leading.length - 1] ?? 1}, ${width}]`,
        phases.shape,
      );
    const positions = rowPositions('positions', given.positions ?? length, length);
    fitting('the polar rows', heads * length * (dim + width));
    core.send([data, ...(phases ? [phases.data] : [])]);
    core.sendDoubles([positions]);
    const rows = core.raw.polar(heads, length, dim, width, phases?.data.length ?? 0, base, layout);
    return { data: core.floats(rows), shape: [...leading, length, dim + width] };
  },
});

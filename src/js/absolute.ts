/** Absolute positions: tables that meet the tokens at the input. */
import { evenNumber, finiteNumber, fitting, oneOf, options, positionList, positiveNumber, wholeNumber } from './checks.js';
import { copied, type Core } from './core.js';
import type { Positions, Tensor } from './tensor.js';

export interface SinusoidalOptions {
  /** A count, or the positions themselves (fractions allowed). */
  positions: Positions;
  /** Width of a position's vector. */
  dim: number;
  /** Default 10000: wavelengths run from 2π to 2π · base. */
  base?: number;
  /** The two values of a pair side by side (the paper; default), or all first and then all second ones. */
  layout?: 'interleaved' | 'concatenated';
  /** Exponent 2i/dim (the paper; default), or i/(dim/2 − 1) as in tensor2tensor, fairseq and Whisper. */
  spacing?: 'dim/2' | 'dim/2-1';
  /** Which of a pair comes first. Default 'sin-first'. */
  order?: 'sin-first' | 'cos-first';
}

export interface SinusoidalShiftOptions {
  /** Width of a position's vector; even. */
  dim: number;
  /** How far the map moves a position. */
  offset: number;
  /** Default 10000. */
  base?: number;
}

export const absolute = (core: Core) => ({
  /**
   * Sinusoidal position vectors: PE(t, 2i) = sin(t · base^(−2i/dim)), PE(t, 2i+1) = cos of the same.
   *
   * Angles are formed in double; every value is within 1e-7 of the exact one for |t| up to 2^24.
   * An odd dim ends with a lone sine (spacing 'dim/2') or a zero ('dim/2-1').
   * @returns a tensor [positions, dim]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Vaswani et al. 2017, Attention Is All You Need, section 3.5
   */
  sinusoidal(settings: SinusoidalOptions): Tensor {
    const given = options('sinusoidal options', settings, ['positions', 'dim', 'base', 'layout', 'spacing', 'order']);
    const dim = wholeNumber('dim', given.dim);
    const base = positiveNumber('base', given.base ?? 10000);
    const layout = oneOf('layout', given.layout ?? 'interleaved', ['interleaved', 'concatenated'] as const);
    const spacing = oneOf('spacing', given.spacing ?? 'dim/2', ['dim/2', 'dim/2-1'] as const);
    const order = oneOf('order', given.order ?? 'sin-first', ['sin-first', 'cos-first'] as const);
    const room = (count: number) => fitting('a table of positions × dim', count * dim);
    if (typeof given.positions === 'number') room(wholeNumber('positions', given.positions));
    const positions = positionList('positions', given.positions);
    room(positions.length);
    core.sendDoubles([positions]);
    const data = copied(core.raw.sinusoidal(positions.length, dim, base, layout, spacing, order));
    return { data, shape: [positions.length, dim] };
  },

  /**
   * The linear map T with PE(t + offset) = T · PE(t) for every t: block-diagonal, one rotation by
   * offset · base^(−2i/dim) per pair (interleaved layout, sine first).
   * @returns a tensor [dim, dim]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Vaswani et al. 2017, section 3.5 ("can be represented as a linear function")
   */
  sinusoidalShift(settings: SinusoidalShiftOptions): Tensor {
    const given = options('sinusoidalShift options', settings, ['dim', 'offset', 'base']);
    const dim = evenNumber('dim', given.dim);
    fitting('a map of dim × dim', dim * dim);
    const offset = finiteNumber('offset', given.offset);
    const data = copied(core.raw.sinusoidalShift(dim, offset, positiveNumber('base', given.base ?? 10000)));
    return { data, shape: [dim, dim] };
  },
});

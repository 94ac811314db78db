/** Absolute positions of more than one dimension: images and points in space. */
import { pairLayout, sinusoidBytes } from './absolute.js';
import { fitting } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { type Tensor } from '../runtime/tensor.js';

export interface SinusoidalGridOptions {
  /** Rows of the grid. */
  rows: number;
  /** Columns of the grid. */
  columns: number;
  /** Width of a position's vector, a multiple of 4: half for each coordinate. */
  dim: number;
  /** Default 10000. */
  base?: number;
  /** Within each half. Default 'half-split' (MAE). */
  layout?: 'interleaved' | 'half-split';
  /** Which coordinate fills the first half. Default 'column-first' (MAE). */
  order?: 'column-first' | 'row-first';
  /** One row of zeros before the grid, for the class token. Default false. */
  classToken?: boolean;
}

const sinusoidalGridSchema = {
  rows: option.whole,
  columns: option.whole,
  dim: option.whole,
  base: option.positive.default(10000),
  layout: pairLayout.default('half-split'),
  order: option.oneOf('column-first', 'row-first').default('column-first'),
  classToken: option.truth.default(false),
} satisfies Schema<SinusoidalGridOptions>;

export interface SinusoidalMaskOptions {
  /** [rows, columns]: not 0 for pixels, 0 for padding. */
  mask: Tensor;
  /** Channels, a multiple of 4: half for each coordinate. */
  dim: number;
  /** Default 10000. */
  base?: number;
  /**
   * Divides coordinates by the image's extent: count / (last count + 1e-6) · scale. Default false.
   */
  normalize?: boolean;
  /** Default 2π; without effect unless normalized. */
  scale?: number;
}

const sinusoidalMaskSchema = {
  mask: option.tensor,
  dim: option.whole,
  base: option.positive.default(10000),
  normalize: option.truth.default(false),
  scale: option.positive.default(2 * Math.PI),
} satisfies Schema<SinusoidalMaskOptions>;

export interface FourierFeaturesOptions {
  /** Points one after another, a coordinate in [−1, 1] for each axis. */
  coordinates: ArrayLike<number>;
  /** One number per axis: the highest frequency is half of it. */
  resolution: ArrayLike<number>;
  /** Frequencies per axis. */
  bands: number;
  /** Default true: a row starts with the coordinates themselves. */
  withCoordinates?: boolean;
  /** Default false: sines and cosines. */
  sinesOnly?: boolean;
}

const fourierFeaturesSchema = {
  coordinates: option.numbers,
  resolution: option.numbers,
  bands: option.whole,
  withCoordinates: option.truth.default(true),
  sinesOnly: option.truth.default(false),
} satisfies Schema<FourierFeaturesOptions>;

export const grid = (core: Core) => ({
  /**
   * Sinusoids of an image's cells: half of each vector encodes the column, half the row.
   * @returns a tensor [rows · columns, dim], cells row by row; one more row with the class token
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see He et al. 2021, Masked Autoencoders Are Scalable Vision Learners
   */
  sinusoidalGrid(settings: SinusoidalGridOptions): Tensor {
    const { rows, columns, dim, base, layout, order, classToken } = read(
      'sinusoidalGrid options',
      settings,
      sinusoidalGridSchema,
    );
    const count = rows * columns + (classToken ? 1 : 0);
    fitting('a table of cells × dim', count * dim);
    fitting('dim', dim / 2, sinusoidBytes(Math.max(rows, columns)));
    const data = core.floats(
      core.raw.sinusoidalGrid(rows, columns, dim, base, layout, order, classToken),
    );
    return { data, shape: [count, dim] };
  },

  /**
   * Sinusoids of a padded image's pixels, channels first. The coordinates of a pixel count the real
   * pixels up to and including it, in its column and in its row; half of the channels encode each.
   * @returns a tensor [dim, rows, columns]
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Carion et al. 2020, End-to-End Object Detection with Transformers (DETR)
   */
  sinusoidalMask(settings: SinusoidalMaskOptions): Tensor {
    const { mask, dim, base, normalize, scale } = read(
      'sinusoidalMask options',
      settings,
      sinusoidalMaskSchema,
    );
    if (mask.shape.length !== 2) {
      throw wrongShape('mask', 'must be [rows, columns]', mask.shape);
    }
    const [rows, columns] = mask.shape as [number, number];
    fitting('a table of dim × cells', rows * columns * dim);
    fitting('dim', dim / 2, sinusoidBytes(rows * columns));
    core.send([mask.data]);
    const data = core.floats(core.raw.sinusoidalMask(rows, columns, dim, base, normalize, scale));
    return { data, shape: [dim, rows, columns] };
  },

  /**
   * Fourier features: the coordinates, then sin(π f x) and cos(π f x) for each axis at `bands`
   * frequencies f spread evenly from 1 to half the resolution.
   * @returns a tensor [points, axes + 2 · axes · bands], fewer columns for omitted parts
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Jaegle et al. 2021, Perceiver: General Perception with Iterative Attention, section 3.2
   */
  fourierFeatures(settings: FourierFeaturesOptions): Tensor {
    const { coordinates, resolution, bands, withCoordinates, sinesOnly } = read(
      'fourierFeatures options',
      settings,
      fourierFeaturesSchema,
    );
    const axes = resolution.length;
    if (axes === 0)
      throw wrongValue('resolution', 'must hold at least one number, one per axis', resolution, '');
    if (coordinates.length === 0 || coordinates.length % axes !== 0) {
      throw wrongValue(
        'coordinates',
        `must hold ${axes} per point, one per axis`,
        coordinates.length,
      );
    }
    const points = coordinates.length / axes;
    const width = (withCoordinates ? axes : 0) + axes * bands * (sinesOnly ? 1 : 2);
    fitting('a table of points × features', points * width);
    fitting('bands', axes * bands, 24);
    core.sendDoubles([coordinates, resolution]);
    const data = core.floats(
      core.raw.fourierFeatures(points, axes, bands, withCoordinates, sinesOnly),
    );
    return { data, shape: [points, width] };
  },
});

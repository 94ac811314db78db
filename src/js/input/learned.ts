/** Positions at the input: learned tables, recurrent layers, and combining a table with tokens. */
import { fitting, positionList, tensor } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongShape } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { object, read, type Schema } from '../runtime/schema.js';
import { elementCount, type Positions, type Tensor } from '../runtime/tensor.js';

export interface LearnedTableOptions {
  /** Rows of the table: the length of the longest sequence. */
  rows: number;
  /** Width of a position's vector. */
  dim: number;
  /** Default 0: one seed, one table, on every machine. */
  seed?: number;
  /** Standard deviation of the values. Default 0.02, as in BERT. */
  std?: number;
}

const learnedTableSchema = {
  rows: option.whole,
  dim: option.whole,
  seed: option.wholeFrom(0).default(0),
  std: option.nonNegative.default(0.02),
} satisfies Schema<LearnedTableOptions>;

export interface LearnedRowsOptions {
  /** The rows to read: a count, or positions (0 is the first row). */
  positions: Positions;
}

const learnedRowsSchema = { positions: option.positions } satisfies Schema<LearnedRowsOptions>;

export interface RecurrentWeightsOptions {
  /** Width of the tokens. */
  dim: number;
  /** Width of the layer. */
  hidden: number;
  /** Default 0. */
  seed?: number;
}

const recurrentWeightsSchema = {
  dim: option.whole,
  hidden: option.whole,
  seed: option.wholeFrom(0).default(0),
} satisfies Schema<RecurrentWeightsOptions>;

/** Weights of a recurrent layer: state = activation(token · input + state · hidden + bias). */
export interface RecurrentWeights {
  /** [dim, hidden]: multiplies the token. */
  input: Tensor;
  /** [hidden, hidden]: multiplies the previous state. */
  hidden: Tensor;
  /** [hidden] */
  bias: Tensor;
}

const weightsSchema = {
  input: option.tensor,
  hidden: option.tensor,
  bias: option.tensor,
} satisfies Schema<RecurrentWeights>;

export interface RecurrentOptions {
  /** The weights of the cell, as recurrentWeights() makes them. */
  weights: RecurrentWeights;
  /** Default 'tanh'. */
  activation?: 'tanh' | 'identity';
  /** [hidden]: the state before the first token. Default zeros. */
  initial?: Tensor;
}

const recurrentSchema = {
  weights: object<RecurrentWeights, typeof weightsSchema>(weightsSchema),
  activation: option.oneOf('tanh', 'identity').default('tanh'),
  initial: option.tensor.optional(),
} satisfies Schema<RecurrentOptions>;

export interface CombineOptions {
  /** 'add' x + p (default), 'multiply' x · p element by element, 'concatenate' [x ; p]. */
  by?: 'add' | 'multiply' | 'concatenate';
}

const combineSchema = {
  by: option.oneOf('add', 'multiply', 'concatenate').default('add'),
} satisfies Schema<CombineOptions>;

/** Checks a tensor's shape; null stands for any extent. */
function shaped(
  name: string,
  value: Tensor,
  wanted: readonly (number | null)[],
  text: string,
): Tensor {
  const { data, shape } = value;
  const fits = wanted.every((extent, axis) => extent === null || extent === shape[axis]);
  if (!fits || shape.length !== wanted.length) throw wrongShape(name, `must be ${text}`, shape);
  return { data, shape };
}

/** Rows of tokens: [..., length, dim]. */
function tokenRows(name: string, value: Tensor) {
  const { data, shape } = tensor(name, value);
  if (shape.length < 2) throw wrongShape(name, 'must be [..., length, dim]', shape);
  const [length, dim] = shape.slice(-2) as [number, number];
  const leading = shape.slice(0, -2);
  return { data, leading, outer: elementCount(leading), length, dim };
}

export const inputs = (core: Core) => ({
  /**
   * The initial values of a learned position table: seeded normal numbers.
   * @returns a tensor [rows, dim]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Devlin et al. 2019, BERT: Pre-training of Deep Bidirectional Transformers
   */
  learnedTable(settings: LearnedTableOptions): Tensor {
    const { rows, dim, seed, std } = read('learnedTable options', settings, learnedTableSchema);
    fitting('a table of rows × dim', rows * dim);
    return {
      data: core.floats(core.raw.learnedTable(rows, dim, seed, std)),
      shape: [rows, dim],
    };
  },

  /**
   * Returns the rows of a learned table at the given positions. A position past the table's end
   * throws; it is never wrapped or clamped.
   * @param table a tensor [rows, dim]
   * @returns a tensor [positions, dim]
   * @throws TypeError, RangeError on a wrong kind or value, or a position without a row
   * @see Devlin et al. 2019, BERT; Lewis et al. 2020, BART
   */
  learnedRows(table: Tensor, settings: LearnedRowsOptions): Tensor {
    const { data, shape } = shaped('table', tensor('table', table), [null, null], '[rows, dim]');
    const [rows, dim] = shape as [number, number];
    const given = read('learnedRows options', settings, learnedRowsSchema);
    const positions = positionList('positions', given.positions, Math.max(4 * dim, 8));
    core.send([data]);
    core.sendDoubles([positions]);
    return {
      data: core.floats(core.raw.learnedRows(rows, dim, positions.length)),
      shape: [positions.length, dim],
    };
  },

  /**
   * The initial weights of a recurrent layer: seeded, uniform in ±1/√hidden.
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Elman 1990, Finding Structure in Time (the layer); PyTorch, RNN (the distribution)
   */
  recurrentWeights(settings: RecurrentWeightsOptions): RecurrentWeights {
    const { dim, hidden, seed } = read(
      'recurrentWeights options',
      settings,
      recurrentWeightsSchema,
    );
    fitting('weights of (dim + hidden + 1) × hidden', (dim + hidden + 1) * hidden);
    const all = core.floats(core.raw.recurrentWeights(dim, hidden, seed));
    const part = (first: number, shape: number[]) => ({
      data: all.slice(first, first + elementCount(shape)),
      shape,
    });
    return {
      input: part(0, [dim, hidden]),
      hidden: part(dim * hidden, [hidden, hidden]),
      bias: part((dim + hidden) * hidden, [hidden]),
    };
  },

  /**
   * A recurrent layer h(t) = tanh(x(t) W + h(t−1) U + b), which encodes order without position
   * vectors, at any length. Its steps cannot run in parallel and need length · hidden ·
   * (dim + hidden) products, where a table needs length · dim.
   * @param x a tensor [..., length, dim]; every sequence starts from the initial state
   * @returns a tensor [..., length, hidden]
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Liu et al. 2020, Learning to Encode Position with Continuous Dynamical Model (FLOATER)
   */
  recurrent(x: Tensor, settings: RecurrentOptions): Tensor {
    const { data, leading, outer, length, dim } = tokenRows('x', x);
    const given = read('recurrent options', settings, recurrentSchema);
    const { weights } = given;
    const input = shaped('weights.input', weights.input, [dim, null], `[${dim}, hidden]`);
    const hidden = input.shape[1]!;
    const square = shaped(
      'weights.hidden',
      weights.hidden,
      [hidden, hidden],
      `[${hidden}, ${hidden}]`,
    );
    const bias = shaped('weights.bias', weights.bias, [hidden], `[${hidden}]`);
    const zeros = { data: new Float32Array(hidden), shape: [hidden] };
    const initial = shaped('initial', given.initial ?? zeros, [hidden], `[${hidden}]`);
    fitting('states of length × hidden', outer * length * hidden);
    core.send([data, input.data, square.data, bias.data, initial.data]);
    const states = core.floats(core.raw.recurrent(outer, length, dim, hidden, given.activation));
    return { data: states, shape: [...leading, length, hidden] };
  },

  /**
   * Combines a table of positions with tokens: adds, multiplies or concatenates.
   * @param tokens a tensor [..., length, dim]
   * @param table a tensor [length, dim], or [length, 1] for the same value in every dimension; any
   * width with 'concatenate'
   * @returns a tensor [..., length, dim], or [..., length, dim + width] with 'concatenate'
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Vaswani et al. 2017, section 3.5 (add)
   */
  combine(tokens: Tensor, table: Tensor, settings?: CombineOptions): Tensor {
    const { data, leading, outer, length, dim } = tokenRows('tokens', tokens);
    const { by } = read('combine options', settings, combineSchema);
    const positions = shaped(
      'table',
      tensor('table', table),
      [length, null],
      `[${length}, width], one row per token`,
    );
    const width = positions.shape[1]!;
    if (by !== 'concatenate' && width !== dim && width !== 1) {
      throw wrongShape('table', `must be [${length}, ${dim}] or [${length}, 1]`, positions.shape);
    }
    const outDim = by === 'concatenate' ? dim + width : dim;
    fitting('tokens with their positions', outer * length * outDim);
    core.send([data, positions.data]);
    return {
      data: core.floats(core.raw.combine(outer, length, dim, width, by)),
      shape: [...leading, length, outDim],
    };
  },
});

/** The layers of a decoder. */
import { numbers, positiveNumber, tensor } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { ResidentTensor } from '../runtime/resident.js';
import { read, type Schema } from '../runtime/schema.js';
import { elementCount, shapeText, type Tensor } from '../runtime/tensor.js';

/** The weights of a layer: a tensor, or one that resident() keeps in this instance. */
export type Parameter = Tensor | ResidentTensor;

/** The form of a linear layer. */
export interface LinearOptions {
  /** The axes of w: 'in-out' (default), or 'out-in' as PyTorch stores them. */
  order?: 'in-out' | 'out-in';
  /** Added to each row: [out]. Default none. */
  bias?: ArrayLike<number>;
}

const linearSchema = {
  order: option.oneOf('in-out', 'out-in').default('in-out'),
  bias: option.numbers.optional(),
} satisfies Schema<LinearOptions>;

/** @internal */
export const widthOf = ({ shape }: { shape: readonly number[] }) => shape[shape.length - 1] ?? 1;

/** @internal */
export function vector(
  name: string,
  values: ArrayLike<number>,
  length: number,
  what = 'the width of x',
): Float32Array {
  const list = Float32Array.from(numbers(name, values));
  if (list.length !== length)
    throw wrongValue(name, `must have ${length} values, ${what}`, list.length);
  return list;
}

/** @internal */
export function idsOf(name: string, ids: ArrayLike<number>): Float64Array {
  const list = numbers(name, ids);
  list.forEach((id, i) => {
    if (!Number.isInteger(id) || id < 0)
      throw wrongValue(`${name}[${i}]`, 'must be a whole number of at least 0', id);
  });
  return list;
}

/** @internal */
export function sameShape(name: string, { shape }: Tensor, expected: Tensor): void {
  if (shapeText(shape) !== shapeText(expected.shape))
    throw wrongShape(name, `must be ${shapeText(expected.shape)}`, shape);
}

/** A matrix of weights: the arrays to send, or the address of those in the core. */
function matrix(core: Core, name: string, value: Parameter, inFewerBits = false) {
  const stored = value instanceof ResidentTensor ? value : undefined;
  const { data, shape } = stored
    ? { data: undefined, shape: stored.shape }
    : tensor(name, value as Tensor);
  if (shape.length !== 2) throw wrongShape(name, 'must have 2 axes', shape);
  const [rows, cols] = shape as [number, number];
  const address =
    stored && (inFewerBits ? stored.addressIn(core, name) : stored.floatsIn(core, name));
  return { rows, cols, sent: data ? [data] : [], address: address ?? 0 };
}

export const layers = (core: Core) => {
  const norm = (
    kind: 'rms' | 'layer',
    x: Tensor,
    gain: ArrayLike<number>,
    bias: readonly ArrayLike<number>[],
    epsilon: number,
  ): Tensor => {
    const { data, shape } = tensor('x', x);
    const width = widthOf({ shape });
    positiveNumber('epsilon', epsilon);
    const added = bias.map((list) => vector('bias', list, width));
    core.send([data, vector('gain', gain, width), ...added]);
    const y = core.floats(core.raw.norm(kind, data.length / width, width, epsilon));
    return { data: y, shape: [...shape] };
  };
  const activation = (kind: 'gelu' | 'silu', x: Tensor, factors: Tensor[] = []): Tensor => {
    core.send([x.data, ...factors.map(({ data }) => data)]);
    const y = core.floats(core.raw.activation(kind, x.data.length, factors.length > 0));
    return { data: y, shape: [...x.shape] };
  };

  return {
    /**
     * RMSNorm over the last axis: x · gain / √(mean(x²) + epsilon).
     * @param x [..., width]
     * @param gain width values
     * @param epsilon added to the mean square; default 1e-6
     * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
     * @see Zhang and Sennrich 2019, equation 4
     */
    rmsNorm: (x: Tensor, gain: ArrayLike<number>, epsilon = 1e-6): Tensor =>
      norm('rms', x, gain, [], epsilon),

    /**
     * LayerNorm over the last axis: (x − mean) / √(variance + epsilon) · gain + bias.
     * @param x [..., width]
     * @param gain width values
     * @param bias width values
     * @param epsilon added to the variance; default 1e-5
     * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
     * @see Ba, Kiros, Hinton 2016, equation 4
     */
    layerNorm: (
      x: Tensor,
      gain: ArrayLike<number>,
      bias: ArrayLike<number>,
      epsilon = 1e-5,
    ): Tensor => norm('layer', x, gain, [bias], epsilon),

    /**
     * GELU in its tanh form, element by element.
     * @param x a tensor of any shape
     * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
     * @see Hendrycks and Gimpel 2016
     */
    gelu: (x: Tensor): Tensor => activation('gelu', tensor('x', x)),

    /**
     * SiLU, x σ(x), element by element.
     * @param x a tensor of any shape
     * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
     * @see Elfwing, Uchibe, Doya 2018
     */
    silu: (x: Tensor): Tensor => activation('silu', tensor('x', x)),

    /**
     * The gated activation of Llama's feed-forward layers: silu(gate) · up, element by element.
     * @param gate [...]: the product with W_gate (W1)
     * @param up the same with W_up (W3)
     * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
     * @see Shazeer 2020, GLU Variants Improve Transformer, equation 6
     */
    swiglu(gate: Tensor, up: Tensor): Tensor {
      const x = tensor('gate', gate);
      const factor = tensor('up', up);
      sameShape('up', factor, x);
      return activation('silu', x, [factor]);
    },

    /**
     * A linear layer: x · w, or x · wᵀ with w as PyTorch stores it, and a bias.
     * @param x [..., in]
     * @param w [in, out], or [out, in] with the order 'out-in'; may be resident, with the order
     *   'out-in' also in fewer bits
     * @returns [..., out]
     * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
     * @see Vaswani et al. 2017, section 3.3
     */
    linear(x: Tensor, w: Parameter, settings?: LinearOptions): Tensor {
      const { order, bias } = read('linear options', settings, linearSchema);
      const { data, shape } = tensor('x', x);
      const isOutIn = order === 'out-in';
      if (!isOutIn && w instanceof ResidentTensor && w.dtype !== 'float32')
        throw wrongValue('order', `must be 'out-in' for w of dtype '${w.dtype}'`, order);
      const { rows, cols, sent, address } = matrix(core, 'w', w, true);
      const [width, out] = isOutIn ? [cols, rows] : [rows, cols];
      if (width !== widthOf({ shape }))
        throw wrongShape(
          'w',
          `must fit x, ${isOutIn ? `[out, ${widthOf({ shape })}]` : `[${widthOf({ shape })}, out]`}`,
          [rows, cols],
        );
      const added = bias === undefined ? [] : [vector('bias', bias, out, 'as w')];
      core.send([data, ...sent, ...added]);
      const count = elementCount(shape.slice(0, -1));
      const y = core.raw.linear(address, count, width, out, isOutIn, added.length > 0);
      return { data: core.floats(y), shape: [...shape.slice(0, -1), out] };
    },

    /**
     * Rows of a table.
     * @param table [rows, width]; may be resident
     * @param ids whole numbers below rows
     * @returns [ids, width]
     * @throws TypeError, RangeError on a wrong kind or shape, or an id without a row
     * @see Vaswani et al. 2017, section 3.4
     */
    embedding(table: Parameter, ids: ArrayLike<number>): Tensor {
      const { rows, cols, sent, address } = matrix(core, 'table', table);
      const list = idsOf('ids', ids);
      core.send(sent);
      core.sendDoubles([list]);
      const data = core.floats(core.raw.embedding(address, rows, cols, list.length));
      return { data, shape: [list.length, cols] };
    },
  };
};

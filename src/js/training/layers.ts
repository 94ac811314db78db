/** The layers of a small transformer, each with its gradient. */
import { numbers, positiveNumber, tensor } from '../runtime/checks.js';
import { wrongShape, wrongValue } from '../runtime/errors.js';
import { shapeText, type Tensor } from '../runtime/tensor.js';
import type { TrainingCore } from '../runtime/train_module.js';

const widthOf = ({ shape }: Tensor) => shape[shape.length - 1]!;

function sameShape(name: string, { shape }: Tensor, expected: Tensor): void {
  if (shapeText(shape) !== shapeText(expected.shape))
    throw wrongShape(name, `must be ${shapeText(expected.shape)}`, shape);
}

function vector(name: string, values: ArrayLike<number>, length: number): Float32Array {
  const list = Float32Array.from(numbers(name, values));
  if (list.length !== length) throw wrongValue(name, `must have ${length} values`, list.length);
  return list;
}

function idsOf(name: string, ids: ArrayLike<number>): Float64Array {
  const list = numbers(name, ids);
  list.forEach((id, i) => {
    if (!Number.isInteger(id) || id < 0)
      throw wrongValue(`${name}[${i}]`, 'must be a whole number of at least 0', id);
  });
  return list;
}

export const layers = (core: TrainingCore) => {
  const norm = (
    kind: 'rms' | 'layer',
    name: string,
    x: Tensor,
    gain: ArrayLike<number>,
    bias: ArrayLike<number> | undefined,
    epsilon: number,
    dOutput?: Tensor,
  ) => {
    const input = tensor(`${name}: x`, x);
    const width = widthOf(input);
    const rows = input.data.length / Math.max(width, 1);
    positiveNumber(`${name}: epsilon`, epsilon);
    const upstream = dOutput && tensor(`${name}: dOutput`, dOutput);
    if (upstream) sameShape(`${name}: dOutput`, upstream, input);
    core.send([
      input.data,
      vector(`${name}: gain`, gain, width),
      ...(bias ? [vector(`${name}: bias`, bias, width)] : []),
      ...(upstream ? [upstream.data] : []),
    ]);
    const result = core.floats(
      core.training.norm(kind, upstream !== undefined, rows, width, epsilon),
    );
    const size = rows * width;
    return {
      tensor: { data: result.slice(0, size), shape: [...input.shape] },
      gain: result.slice(size, size + width),
      bias: result.slice(size + width),
    };
  };

  return {
    /**
     * RMSNorm over the last axis: x · gain / √(mean(x²) + epsilon).
     * @param x [..., width]
     * @param gain width values
     * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
     * @see Zhang and Sennrich 2019, equation 4
     */
    rmsNorm: (x: Tensor, gain: ArrayLike<number>, epsilon = 1e-6): Tensor =>
      norm('rms', 'rmsNorm', x, gain, undefined, epsilon).tensor,

    /**
     * Gradients of rmsNorm, given that of its result.
     * @returns x in its shape, gain [width]
     * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
     * @see Zhang and Sennrich 2019, equation 4
     */
    rmsNormBackward(dOutput: Tensor, x: Tensor, gain: ArrayLike<number>, epsilon = 1e-6) {
      const d = norm('rms', 'rmsNormBackward', x, gain, undefined, epsilon, dOutput);
      return { x: d.tensor, gain: d.gain };
    },

    /**
     * LayerNorm over the last axis: (x − mean) / √(variance + epsilon) · gain + bias.
     * @param x [..., width]
     * @param gain width values
     * @param bias width values
     * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
     * @see Ba, Kiros, Hinton 2016, equation 4
     */
    layerNorm: (
      x: Tensor,
      gain: ArrayLike<number>,
      bias: ArrayLike<number>,
      epsilon = 1e-5,
    ): Tensor => norm('layer', 'layerNorm', x, gain, bias, epsilon).tensor,

    /**
     * Gradients of layerNorm, given that of its result.
     * @returns x in its shape, gain and bias [width]
     * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
     * @see Ba, Kiros, Hinton 2016, equation 4
     */
    layerNormBackward(
      dOutput: Tensor,
      x: Tensor,
      gain: ArrayLike<number>,
      bias: ArrayLike<number>,
      epsilon = 1e-5,
    ) {
      const d = norm('layer', 'layerNormBackward', x, gain, bias, epsilon, dOutput);
      return { x: d.tensor, gain: d.gain, bias: d.bias };
    },

    /**
     * GELU in its tanh form, element by element.
     * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
     * @see Hendrycks and Gimpel 2016
     */
    gelu(x: Tensor): Tensor {
      const { data, shape } = tensor('gelu: x', x);
      core.send([data]);
      return { data: core.floats(core.training.gelu(false, data.length)), shape: [...shape] };
    },

    /**
     * Gradient of gelu, given that of its result.
     * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
     * @see Hendrycks and Gimpel 2016
     */
    geluBackward(dOutput: Tensor, x: Tensor): Tensor {
      const input = tensor('geluBackward: x', x);
      const upstream = tensor('geluBackward: dOutput', dOutput);
      sameShape('geluBackward: dOutput', upstream, input);
      core.send([input.data, upstream.data]);
      const data = core.floats(core.training.gelu(true, input.data.length));
      return { data, shape: [...input.shape] };
    },

    /**
     * A linear layer without bias: x · w.
     * @param x [..., in]
     * @param w [in, out]
     * @returns [..., out]
     * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
     */
    linear(x: Tensor, w: Tensor): Tensor {
      const { rows, width, out, arrays, leading } = linearOperands('linear', x, w);
      core.send(arrays);
      const data = core.floats(core.training.linear(false, rows, width, out));
      return { data, shape: [...leading, out] };
    },

    /**
     * Gradients of linear, given that of its result.
     * @returns x and w in their shapes
     * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
     */
    linearBackward(dOutput: Tensor, x: Tensor, w: Tensor): { x: Tensor; w: Tensor } {
      const { rows, width, out, arrays, leading } = linearOperands('linearBackward', x, w);
      const upstream = tensor('linearBackward: dOutput', dOutput);
      sameShape('linearBackward: dOutput', upstream, {
        data: upstream.data,
        shape: [...leading, out],
      });
      core.send([...arrays, upstream.data]);
      const d = core.floats(core.training.linear(true, rows, width, out));
      return {
        x: { data: d.slice(0, rows * width), shape: [...leading, width] },
        w: { data: d.slice(rows * width), shape: [width, out] },
      };
    },

    /**
     * Rows of a table.
     * @param table [rows, width]
     * @param ids whole numbers below rows
     * @returns [ids, width]
     * @throws TypeError, RangeError on a wrong kind or shape, or an id without a row
     */
    embedding(table: Tensor, ids: ArrayLike<number>): Tensor {
      const { data, shape } = tensor('embedding: table', table);
      const [rows, width] = [shape[0]!, widthOf(table)];
      const list = idsOf('embedding: ids', ids);
      core.send([data]);
      core.sendDoubles([list]);
      const result = core.floats(core.training.embedding(false, rows, width, list.length));
      return { data: result, shape: [list.length, width] };
    },

    /**
     * Gradient of embedding's table: the sum over all reads of a row.
     * @param dOutput [ids, width]
     * @param rows of the table
     * @returns [rows, width]
     * @throws TypeError, RangeError on a wrong kind or shape, or an id without a row
     */
    embeddingBackward(dOutput: Tensor, ids: ArrayLike<number>, rows: number): Tensor {
      const { data } = tensor('embeddingBackward: dOutput', dOutput);
      const list = idsOf('embeddingBackward: ids', ids);
      const width = widthOf(dOutput);
      core.send([data]);
      core.sendDoubles([list]);
      const result = core.floats(core.training.embedding(true, rows, width, list.length));
      return { data: result, shape: [rows, width] };
    },

    /**
     * Cross-entropy, Σ w (−ln softmax(logits)[target]) / Σ w, and its gradient.
     * @param logits [..., classes]
     * @param targets one class per row
     * @param weights one per row; 0: the row does not count. Default 1
     * @returns the loss, and its gradient in the shape of logits
     * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
     */
    crossEntropy(
      logits: Tensor,
      targets: ArrayLike<number>,
      weights?: ArrayLike<number>,
    ): { loss: number; logits: Tensor } {
      const { data, shape } = tensor('crossEntropy: logits', logits);
      const classes = widthOf(logits);
      const rows = data.length / Math.max(classes, 1);
      const list = idsOf('crossEntropy: targets', targets);
      if (list.length !== rows)
        throw wrongValue('crossEntropy: targets', `must have ${rows} values`, list.length);
      const counted = weights ?? new Float32Array(rows).fill(1);
      core.send([data, vector('crossEntropy: weights', counted, rows)]);
      core.sendDoubles([list]);
      const result = core.doubles(core.training.crossEntropy(rows, classes));
      return {
        loss: result[result.length - 1]!,
        logits: { data: Float32Array.from(result.subarray(0, -1)), shape: [...shape] },
      };
    },
  };
};

function linearOperands(name: string, x: Tensor, w: Tensor) {
  const input = tensor(`${name}: x`, x);
  const weights = tensor(`${name}: w`, w);
  const width = widthOf(input);
  if (weights.shape.length !== 2 || weights.shape[0] !== width)
    throw wrongShape(`${name}: w`, `must be [${width}, out]`, weights.shape);
  return {
    rows: input.data.length / Math.max(width, 1),
    width,
    out: weights.shape[1]!,
    arrays: [input.data, weights.data],
    leading: input.shape.slice(0, -1),
  };
}

/** The gradients of layers. */
import { idsOf, sameShape, vector, widthOf } from '../model/layers.js';
import { positiveNumber, tensor } from '../runtime/checks.js';
import { wrongShape, wrongValue } from '../runtime/errors.js';
import type { Tensor } from '../runtime/tensor.js';
import type { TrainingCore } from '../runtime/train_module.js';

export const layerGradients = (core: TrainingCore) => {
  const normBackward = (
    kind: 'rms' | 'layer',
    dOutput: Tensor,
    x: Tensor,
    gain: ArrayLike<number>,
    epsilon: number,
  ) => {
    const input = tensor('x', x);
    const width = widthOf(input);
    positiveNumber('epsilon', epsilon);
    const upstream = tensor('dOutput', dOutput);
    sameShape('dOutput', upstream, input);
    core.send([input.data, vector('gain', gain, width), upstream.data]);
    const size = input.data.length;
    const d = core.floats(core.training.normBackward(kind, size / width, width, epsilon));
    return {
      x: { data: d.slice(0, size), shape: [...input.shape] },
      gain: d.slice(size, size + width),
      bias: d.slice(size + width),
    };
  };

  return {
    /**
     * Gradients of rmsNorm, given that of its result.
     * @param dOutput in the shape of x
     * @param x [..., width], as rmsNorm had it
     * @param gain width values
     * @param epsilon as rmsNorm had it; default 1e-6
     * @returns x in its shape, gain [width]
     * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
     * @see Zhang and Sennrich 2019, equation 4
     */
    rmsNormBackward(
      dOutput: Tensor,
      x: Tensor,
      gain: ArrayLike<number>,
      epsilon = 1e-6,
    ): { x: Tensor; gain: Float32Array } {
      const d = normBackward('rms', dOutput, x, gain, epsilon);
      return { x: d.x, gain: d.gain };
    },

    /**
     * Gradients of layerNorm, given that of its result.
     * @param dOutput in the shape of x
     * @param x [..., width], as layerNorm had it
     * @param gain width values
     * @param bias width values
     * @param epsilon as layerNorm had it; default 1e-5
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
    ): { x: Tensor; gain: Float32Array; bias: Float32Array } {
      vector('bias', bias, widthOf(tensor('x', x)));
      return normBackward('layer', dOutput, x, gain, epsilon);
    },

    /**
     * Gradient of gelu, given that of its result.
     * @param dOutput in the shape of x
     * @param x as gelu had it
     * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
     * @see Hendrycks and Gimpel 2016
     */
    geluBackward(dOutput: Tensor, x: Tensor): Tensor {
      const input = tensor('x', x);
      const upstream = tensor('dOutput', dOutput);
      sameShape('dOutput', upstream, input);
      core.send([input.data, upstream.data]);
      const data = core.floats(core.training.geluBackward(input.data.length));
      return { data, shape: [...input.shape] };
    },

    /**
     * Gradients of linear, given that of its result.
     * @param dOutput [..., out]
     * @param x [..., in]
     * @param w [in, out]
     * @returns x and w in their shapes
     * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
     * @see Rumelhart, Hinton, Williams 1986 (backpropagation)
     */
    linearBackward(dOutput: Tensor, x: Tensor, w: Tensor): { x: Tensor; w: Tensor } {
      const { rows, width, out, arrays, leading } = linearOperands(x, w);
      const upstream = tensor('dOutput', dOutput);
      sameShape('dOutput', upstream, {
        data: upstream.data,
        shape: [...leading, out],
      });
      core.send([...arrays, upstream.data]);
      const d = core.floats(core.training.linearBackward(rows, width, out));
      return {
        x: { data: d.slice(0, rows * width), shape: [...leading, width] },
        w: { data: d.slice(rows * width), shape: [width, out] },
      };
    },

    /**
     * Gradient of embedding's table: the sum over all reads of a row.
     * @param dOutput [ids, width]
     * @param ids those that were read
     * @param rows of the table
     * @returns [rows, width]
     * @throws TypeError, RangeError on a wrong kind or shape, or an id without a row
     * @see Rumelhart, Hinton, Williams 1986 (backpropagation)
     */
    embeddingBackward(dOutput: Tensor, ids: ArrayLike<number>, rows: number): Tensor {
      const { data } = tensor('dOutput', dOutput);
      const list = idsOf('ids', ids);
      const width = widthOf(dOutput);
      core.send([data]);
      core.sendDoubles([list]);
      const result = core.floats(core.training.embeddingBackward(rows, width, list.length));
      return { data: result, shape: [rows, width] };
    },

    /**
     * Cross-entropy, Σ w (−ln softmax(logits)[target]) / Σ w, and its gradient.
     * @param logits [..., classes]
     * @param targets one class per row
     * @param weights one per row; 0: the row does not count. Default 1
     * @returns the loss, and its gradient in the shape of logits
     * @throws TypeError, RangeError on a wrong kind or shape, naming the parameter
     * @see Bishop 2006, Pattern Recognition and Machine Learning, equation 4.108
     */
    crossEntropy(
      logits: Tensor,
      targets: ArrayLike<number>,
      weights?: ArrayLike<number>,
    ): { loss: number; logits: Tensor } {
      const { data, shape } = tensor('logits', logits);
      const classes = widthOf(logits);
      const rows = data.length / Math.max(classes, 1);
      const list = idsOf('targets', targets);
      if (list.length !== rows)
        throw wrongValue('targets', `must have ${rows} values`, list.length);
      const counted = weights ?? new Float32Array(rows).fill(1);
      core.send([data, vector('weights', counted, rows, 'the rows of logits')]);
      core.sendDoubles([list]);
      const result = core.doubles(core.training.crossEntropy(rows, classes));
      return {
        loss: result[result.length - 1]!,
        logits: { data: Float32Array.from(result.subarray(0, -1)), shape: [...shape] },
      };
    },
  };
};

function linearOperands(x: Tensor, w: Tensor) {
  const input = tensor('x', x);
  const weights = tensor('w', w);
  const width = widthOf(input);
  if (weights.shape.length !== 2 || weights.shape[0] !== width)
    throw wrongShape('w', `must be [${width}, out]`, weights.shape);
  return {
    rows: input.data.length / Math.max(width, 1),
    width,
    out: weights.shape[1]!,
    arrays: [input.data, weights.data],
    leading: input.shape.slice(0, -1),
  };
}

/** The network behind a learned continuous bias. */
import { numbers, options, tensor } from '../runtime/checks.js';
import { shapeText, type Tensor } from '../runtime/tensor.js';

/** One hidden layer with ReLU; weights as a linear layer keeps them, outputs × inputs. */
export interface BiasNetwork {
  /** [hidden, inputs] */
  hiddenWeights: Tensor;
  /** One per hidden unit. */
  hiddenBias: ArrayLike<number>;
  /** [heads, hidden] */
  headWeights: Tensor;
  /** One per head. Default none. */
  headBias?: ArrayLike<number>;
}

interface Layer {
  outputs: number;
  data: Float32Array[];
}

function layer(
  name: string,
  weights: Tensor,
  bias: ArrayLike<number> | undefined,
  inputs: number,
): Layer {
  const { data, shape } = tensor(`${name}Weights`, weights);
  const [outputs, width] = shape as [number, number];
  if (shape.length !== 2 || width !== inputs) {
    throw new RangeError(
      `${name}Weights.shape must be [outputs, ${inputs}], got ${shapeText(shape)}`,
    );
  }
  if (bias === undefined) return { outputs, data: [data] };
  const values = Float32Array.from(numbers(`${name}Bias`, bias));
  if (values.length !== outputs)
    throw new RangeError(`${name}Bias must have ${outputs} values, got ${values.length}`);
  return { outputs, data: [data, values] };
}

/** A network's sizes, and its weights as the core takes them from the inbox. */
export function checkedNetwork(name: string, network: BiasNetwork, inputs: number) {
  const given = options(name, network, ['hiddenWeights', 'hiddenBias', 'headWeights', 'headBias']);
  const hidden = layer(`${name}.hidden`, given.hiddenWeights, given.hiddenBias ?? [], inputs);
  const head = layer(`${name}.head`, given.headWeights, given.headBias, hidden.outputs);
  return {
    data: [...hidden.data, ...head.data],
    hidden: hidden.outputs,
    heads: head.outputs,
    hasHeadBias: given.headBias !== undefined,
  };
}

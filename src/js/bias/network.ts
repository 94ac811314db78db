/** The network behind a learned continuous bias. */
import { wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { object, type Checked, type Schema } from '../runtime/schema.js';
import { type Tensor } from '../runtime/tensor.js';

/** One hidden layer with ReLU; weights as in torch.nn.Linear, outputs × inputs. */
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

const networkSchema = {
  hiddenWeights: option.tensor,
  hiddenBias: option.numbers,
  headWeights: option.tensor,
  headBias: option.numbers.optional(),
} satisfies Schema<BiasNetwork>;

export const network = object<BiasNetwork, typeof networkSchema>(networkSchema);

interface Layer {
  outputs: number;
  data: Float32Array[];
}

function layer(
  name: string,
  weights: Tensor,
  bias: Float64Array | undefined,
  inputs: number,
): Layer {
  const { data, shape } = weights;
  const [outputs, width] = shape as [number, number];
  if (shape.length !== 2 || width !== inputs) {
    throw wrongShape(`${name}Weights`, `must be [outputs, ${inputs}]`, shape);
  }
  if (bias === undefined) return { outputs, data: [data] };
  if (bias.length !== outputs)
    throw wrongValue(`${name}Bias`, `must have ${outputs} values`, bias.length);
  return { outputs, data: [data, Float32Array.from(bias)] };
}

/** A network's sizes, and its weights in the order of the core. */
export function checkedNetwork(
  name: string,
  { hiddenWeights, hiddenBias, headWeights, headBias }: Checked<BiasNetwork, typeof networkSchema>,
  inputs: number,
) {
  const hidden = layer(`${name}.hidden`, hiddenWeights, hiddenBias, inputs);
  const head = layer(`${name}.head`, headWeights, headBias, hidden.outputs);
  return {
    data: [...hidden.data, ...head.data],
    hidden: hidden.outputs,
    heads: head.outputs,
    hasHeadBias: headBias !== undefined,
  };
}

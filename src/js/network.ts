/** The network behind a learned continuous bias. */
import { numbers, options, tensor } from './checks.js';
import type { Core } from './core.js';
import { shapeText, type Tensor } from './tensor.js';

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

function layer(name: string, weights: Tensor, bias: ArrayLike<number> | undefined, inputs: number): Float32Array[] {
  const { data, shape } = tensor(`${name}Weights`, weights);
  if (shape.length !== 2 || shape[1] !== inputs) {
    throw new RangeError(`${name}Weights.shape must be [outputs, ${inputs}], got ${shapeText(shape)}`);
  }
  if (bias === undefined) return [data];
  const values = Float32Array.from(numbers(`${name}Bias`, bias));
  if (values.length !== shape[0]) {
    throw new RangeError(`${name}Bias must have ${shape[0]} values, got ${values.length}`);
  }
  return [data, values];
}

/** Checks a network and puts it where the next call finds it. */
export function sendNetwork(core: Core, name: string, network: BiasNetwork, inputs: number) {
  const given = options(name, network, ['hiddenWeights', 'hiddenBias', 'headWeights', 'headBias']);
  const first = layer(`${name}.hidden`, given.hiddenWeights, given.hiddenBias ?? [], inputs);
  const hidden = given.hiddenWeights.shape[0]!;
  const second = layer(`${name}.head`, given.headWeights, given.headBias, hidden);
  core.send([...first, ...second]);
  return { hidden, heads: given.headWeights.shape[0]!, hasHeadBias: given.headBias !== undefined };
}

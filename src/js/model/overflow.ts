/** Errors of results that are not finite. */
import type { ModelDescription } from './description.js';
import { parameterLines } from './load_parameters.js';
import { wrongValue, type ParameterError } from '../runtime/errors.js';
import type { TrainingCore } from '../runtime/train_module.js';

/**
 * An error of the core; of one about values that are not finite also the largest weight, which may
 * be the cause.
 */
export function explained(
  error: unknown,
  core: TrainingCore,
  model: number,
  { placeOf }: ModelDescription,
): unknown {
  const { parameter, rule, value } = error as Partial<ParameterError>;
  if (!(error instanceof RangeError) || rule !== 'must be finite') return error;
  const { training } = core;
  const largest = core.doubles(training.largestWeights(model));
  const most = largest.reduce((a, b) => Math.max(a, b));
  const { name } = parameterLines(training.modelParameters(model))[largest.indexOf(most)]!;
  const weight = `${Number(most.toPrecision(3))}, in ${placeOf(name).tensor}`;
  const got = `${value}: a value exceeds what float32 holds; the largest weight is ${weight}`;
  return wrongValue(parameter!, rule, value, got);
}

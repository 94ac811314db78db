/** The schedule of a training, and what a step of it results in. */
import { wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import type { Schema } from '../runtime/schema.js';

/** The result of one step. */
export interface StepResult {
  /** Number of the step, from 1. */
  step: number;
  /** Loss of the batch before the step, in nats. */
  loss: number;
  /** Norm of all gradients together, before clipping. */
  gradientNorm: number;
  /** Learning rate of the step. */
  learningRate: number;
}

/** AdamW with a linear warm-up, then half a cosine. */
export interface ScheduleOptions {
  /** Default 1000. */
  steps?: number;
  /** Steps of the linear warm-up. Default 50. */
  warmupSteps?: number;
  /** Default 3e-3. */
  learningRate?: number;
  /** The learning rate at the last step, relative to its maximum. Default 0.05. */
  finalShare?: number;
  /** Decay of the matrices of attention and of the feed-forward layers. Default 0.01. */
  weightDecay?: number;
  /** Gradients are scaled down to this norm of all together; 0: they are not. Default 1. */
  maxGradNorm?: number;
  /** Share of the mean gradient that AdamW keeps in each step. Default 0.9. */
  beta1?: number;
  /** The same of the mean square. Default 0.95. */
  beta2?: number;
}

export const probability = new option.Option<number>({
  kind: 'number',
  check(name, value) {
    const number = option.finite.read(name, value);
    if (number < 0 || number > 1) throw wrongValue(name, 'must be from 0 to 1', number);
    return number;
  },
});
const beta = new option.Option<number>({
  kind: 'number',
  check(name, value) {
    const number = option.nonNegative.read(name, value);
    if (number < 1) return number;
    throw wrongValue(name, 'must be less than 1', number);
  },
});

/** A number of steps of one call. Each has a result, an object of four numbers. */
export const stepCount = option.wholeFrom(0).costing(64);

/** The learning rate of one step. The core takes NaN for that of the schedule. */
export const rateOption = option.nonNegative.default(NaN);

// The core has the defaults.
export const scheduleSchema = {
  steps: option.whole.optional(),
  warmupSteps: option.wholeFrom(0).optional(),
  learningRate: option.positive.optional(),
  finalShare: probability.optional(),
  weightDecay: option.nonNegative.optional(),
  maxGradNorm: option.nonNegative.optional(),
  beta1: beta.optional(),
  beta2: beta.optional(),
} satisfies Schema<ScheduleOptions>;

/**
 * The numbers that the core returned for a step.
 * @param steps taken so far, with this one
 * @throws Error when the loss is not finite: the parameters are then as before
 */
export function stepResult(returned: Float64Array, steps: () => number): StepResult {
  const [loss, gradientNorm, learningRate] = returned as unknown as [number, number, number];
  if (Number.isFinite(loss)) return { step: steps(), loss, gradientNorm, learningRate };
  throw new Error(
    `the loss is ${loss} at step ${steps() + 1}: lower schedule.learningRate or schedule.maxGradNorm`,
  );
}

/** The functions of an instance that trains: those of every instance, and gradients. */
import { gradients } from './gradients.js';
import { layerGradients } from './layers.js';
import type { TrainerOptions } from './options.js';
import { Trainer } from './trainer.js';
import { instanceOf, type Ropewalk } from '../ropewalk.js';
import { compiled, loadSchema, type BinarySource, type LoadOptions } from '../runtime/load.js';
import { read } from '../runtime/schema.js';
import { startedForTraining } from '../runtime/train_module.js';

/** The functions of an instance, with gradients, and trainers. */
export interface Training
  extends Ropewalk, ReturnType<typeof gradients>, ReturnType<typeof layerGradients> {
  /**
   * Makes a small decoder and its training task, from a seed.
   * @param options the task, the model, its position scheme and the schedule
   * @returns a trainer, which holds memory until dispose()
   * @throws TypeError, RangeError on a wrong option, naming it
   * @see Vaswani et al. 2017 (the transformer); Loshchilov and Hutter 2019 (AdamW)
   */
  createTrainer(options: TrainerOptions): Trainer;
}

/** A core by itself, for what is made of it outside an instance. @internal */
export async function startTrainingCore(settings: LoadOptions | undefined, binary: BinarySource) {
  const given = read('createTraining options', settings, loadSchema);
  const { module, simd } = await compiled(given, binary, 'simd-train');
  return { core: await startedForTraining(module), simd };
}

/** Creates an instance, for every entry. @internal */
export async function startTraining(
  settings: LoadOptions | undefined,
  binary: BinarySource,
): Promise<Training> {
  const { core, simd } = await startTrainingCore(settings, binary);
  return Object.assign(instanceOf(core, simd), gradients(core), layerGradients(core), {
    createTrainer: (options: TrainerOptions) => new Trainer(core, options),
  });
}

export type { LoadOptions, Simd } from '../runtime/load.js';
export type { Tensor } from '../runtime/tensor.js';
export type { AttentionGradients, GradientOptions, GradientPosition } from './gradients.js';
export type { MapChange } from '../model/positions.js';
export type { Evaluation, EvaluationOptions, ModelUse, Scores } from './evaluation.js';
export type { ScheduleOptions, StepResult } from '../model/schedule.js';
export type {
  Continuation,
  ContinuationOptions,
  GivenBatch,
  LogitsOptions,
  Trainer,
} from './trainer.js';
export type { ModelOptions, TrainedPosition, TrainerOptions, TrainingTask } from './options.js';

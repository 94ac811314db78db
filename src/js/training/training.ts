/** What an instance of the training binary offers. */
import { TrainingCore } from './core.js';
import { gradients } from './gradients.js';
import { layers } from './layers.js';
import { Trainer, type TrainerOptions } from './trainer.js';
import {
  compiled,
  loadSchema,
  type BinarySource,
  type LoadOptions,
  type Simd,
} from '../runtime/load.js';
import { read } from '../runtime/schema.js';
import { startedForTraining } from '../runtime/train_module.js';

/** Gradients, layers and trainers of one instance. */
export interface Training extends ReturnType<typeof gradients>, ReturnType<typeof layers> {
  /** Which binary runs. */
  readonly simd: Simd;
  /**
   * Makes a small decoder and the task that it is trained on, from a seed.
   * @param options the task, the model, its position scheme and the schedule
   * @returns a trainer, which holds memory until dispose()
   * @throws TypeError, RangeError on a wrong option, naming it
   * @see Vaswani et al. 2017 (the transformer); Loshchilov and Hutter 2019 (AdamW)
   */
  createTrainer(options: TrainerOptions): Trainer;
  /** Gives back the memory that calls keep for reuse. */
  release(): void;
}

/** A core by itself, for what is made of it outside an instance. @internal */
export async function startTrainingCore(settings: LoadOptions | undefined, binary: BinarySource) {
  const given = read('createTraining options', settings, loadSchema);
  const { module, simd } = await compiled(given, binary, 'simd-train');
  return { core: new TrainingCore(await startedForTraining(module)), simd };
}

/** What every entry starts. @internal */
export async function startTraining(
  settings: LoadOptions | undefined,
  binary: BinarySource,
): Promise<Training> {
  const { core, simd } = await startTrainingCore(settings, binary);
  return {
    ...gradients(core),
    ...layers(core),
    simd,
    createTrainer: (options) => new Trainer(core, options),
    release: () => core.training.releaseMemory(),
  };
}

export type { LoadOptions, Simd } from '../runtime/load.js';
export type { Tensor } from '../runtime/tensor.js';
export type { AttentionGradients, GradientOptions, GradientPosition } from './gradients.js';
export type {
  Evaluation,
  EvaluationOptions,
  GivenBatch,
  StepResult,
  Trainer,
  TrainerOptions,
} from './trainer.js';
export type { ModelOptions, ScheduleOptions, TrainedPosition, TrainingTask } from './options.js';

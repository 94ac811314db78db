/** The functions of an instance of the training binary. */
import { isContentPosition } from './content_positions.js';
import { gradients } from './gradients.js';
import { layers } from './layers.js';
import type { TrainerOptions } from './options.js';
import { Trainer } from './trainer.js';
import {
  compiled,
  loadSchema,
  type BinarySource,
  type LoadOptions,
  type Simd,
} from '../runtime/load.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { startedForTraining } from '../runtime/train_module.js';

/** Which binary an instance that trains runs. */
export interface TrainingLoadOptions extends LoadOptions {
  /**
   * Whether trainers may have the position schemes of 2024 to 2026 (PaTH, Wall, Selective RoPE …),
   * which a larger binary has. Default false.
   */
  contentPositions?: boolean;
}

const trainingLoadSchema = {
  ...loadSchema,
  contentPositions: option.truth.default(false),
} satisfies Schema<TrainingLoadOptions>;

/** The package's own binaries: of the usual schemes, and of all. @internal */
export interface TrainingBinaries {
  usual: BinarySource;
  content: BinarySource;
}

/** Whether only the larger binary can train this. @internal */
export const needsContentPositions = (options: TrainerOptions): boolean =>
  isContentPosition(options?.position?.type);

/** Gradients, layers and trainers of one instance. */
export interface Training extends ReturnType<typeof gradients>, ReturnType<typeof layers> {
  /** Which binary runs. */
  readonly simd: Simd;
  /**
   * Makes a small decoder and its training task, from a seed.
   * @param options the task, the model, its position scheme and the schedule
   * @returns a trainer, which holds memory until dispose()
   * @throws TypeError, RangeError on a wrong option, naming it
   * @see Vaswani et al. 2017 (the transformer); Loshchilov and Hutter 2019 (AdamW)
   */
  createTrainer(options: TrainerOptions): Trainer;
  /** Releases the memory that calls keep for reuse. */
  release(): void;
}

/** A core by itself, for what is made of it outside an instance. @internal */
export async function startTrainingCore(
  settings: TrainingLoadOptions | undefined,
  binaries: TrainingBinaries,
) {
  const given = read('createTraining options', settings, trainingLoadSchema);
  const { module, simd } = await (given.contentPositions
    ? compiled(given, binaries.content, 'simd-train-content')
    : compiled(given, binaries.usual, 'simd-train'));
  return { core: await startedForTraining(module), simd };
}

/** Creates an instance, for every entry. @internal */
export async function startTraining(
  settings: TrainingLoadOptions | undefined,
  binaries: TrainingBinaries,
): Promise<Training> {
  const { core, simd } = await startTrainingCore(settings, binaries);
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
export type { Evaluation, EvaluationOptions, Scores } from './evaluation.js';
export type { GivenBatch, StepResult, Trainer } from './trainer.js';
export type {
  ModelOptions,
  ScheduleOptions,
  TrainedPosition,
  TrainerOptions,
  TrainingTask,
} from './options.js';

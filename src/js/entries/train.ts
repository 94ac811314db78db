/** The entry `ropewalk/train`: gradients of attention, and small transformers that are trained. */
import { threadsOf } from './threads.js';
import type { PoolOptions } from '../pool/start.js';
import { startedOnce, type LoadOptions } from '../runtime/load.js';
import { inlineForTraining } from '../runtime/train_inline.js';
import { startTrainingPool, type TrainingPool } from '../training/training_pool.js';
import {
  startTraining,
  type Trainer,
  type TrainerOptions,
  type Training,
} from '../training/training.js';

/**
 * Starts a core for training in a new WebAssembly instance. Its functions are synchronous.
 * @param options the choice of the binary, or another binary; by default the best that runs
 * @returns the functions of this instance
 * @throws TypeError, RangeError on a wrong option, naming it; Error where the engine has no SIMD
 * @see WebAssembly Core Specification 2.0 (vector instructions), 3.0 (relaxed vector instructions)
 */
export function createTraining(options?: LoadOptions): Promise<Training> {
  return startTraining(options, inlineForTraining);
}

const shared = startedOnce(() => createTraining());

/**
 * Makes a small decoder and its training task. All trainers of this function share one instance;
 * createTraining() makes separate instances.
 * @param options the task, the model, its position scheme and the schedule
 * @returns a trainer, which holds memory until dispose()
 * @throws TypeError, RangeError on a wrong option, naming it; Error where the engine has no SIMD
 * @see Vaswani et al. 2017 (the transformer); Loshchilov and Hutter 2019 (AdamW)
 */
export async function createTrainer(options: TrainerOptions): Promise<Trainer> {
  return (await shared()).createTrainer(options);
}

const packageWorker = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

/**
 * Starts workers for independent runs: trainings with their loss curves and evaluations.
 * @param options the number of workers and how to start them; by default one per processor core
 * @returns the pool, which keeps its workers until close()
 * @throws TypeError, RangeError on a wrong option, naming it; Error where a worker does not start
 * @see HTML Living Standard, Web workers; Node.js, worker_threads
 */
export function createTrainingPool(options?: PoolOptions): Promise<TrainingPool> {
  return startTrainingPool(options, threadsOf(packageWorker), inlineForTraining);
}

export { planEntries } from '../training/plan.js';
export type * from '../training/training.js';
export type { RunDescription, RunProgress, RunResult, RunScores } from '../training/run.js';
export type { Plan, PlanEntry } from '../training/plan.js';
export type { PoolRunResult, RunOptions, TrainingPool } from '../training/training_pool.js';
export type { RunEvaluation } from '../training/run_evaluation.js';
export type { PoolOptions } from '../pool/start.js';

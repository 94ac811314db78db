/** The entry `ropewalk/train` in Node: the same, with a pool over worker_threads. */
import { Worker } from 'node:worker_threads';
import { threadsOf } from './node_threads.js';
import type { PoolOptions } from '../pool/start.js';
import { inlineForTraining } from '../runtime/train_inline.js';
import { startTrainingPool, type TrainingPool } from '../training/training_pool.js';

export { createTrainer, createTraining, planEntries } from './train.js';

const packageWorker = () =>
  new Worker(new URL('./node_worker.js', import.meta.url), { execArgv: [] });

/** Starts workers for independent runs: trainings with their loss curves and evaluations. */
export function createTrainingPool(options?: PoolOptions): Promise<TrainingPool> {
  return startTrainingPool(options, threadsOf(packageWorker), inlineForTraining);
}

export type * from './train.js';

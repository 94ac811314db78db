/** The entry `ropewalk/model/worker` in Node: the same over worker_threads. */
import { Worker } from 'node:worker_threads';
import { threadsOf } from './node_threads.js';
import type { ModelFiles } from '../model/create_model.js';
import { startWorkerModel, type WorkerModel } from '../model_worker/worker_model.js';
import type { LoadOptions } from '../runtime/load.js';
import { inlineForTraining } from '../runtime/train_inline.js';

const packageWorker = () =>
  new Worker(new URL('./node_model_worker.js', import.meta.url), { execArgv: [] });

/** Loads a language model in a worker of its own, so that no call holds up this thread. */
export function createModelInWorker(
  files: ModelFiles,
  options?: LoadOptions,
): Promise<WorkerModel> {
  return startWorkerModel(files, options, threadsOf(packageWorker), inlineForTraining);
}

export type { WorkerModel, WorkerModelTrainer } from '../model_worker/worker_model.js';

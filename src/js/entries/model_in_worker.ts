/**
 * The entry `ropewalk/model/worker`, for browsers. It is not part of `ropewalk/model`, since a
 * bundler that sees a worker emits a file for everyone who imports the module.
 */
import { threadsOf } from './threads.js';
import type { ModelFiles } from '../model/create_model.js';
import { startWorkerModel, type WorkerModel } from '../model_worker/worker_model.js';
import type { LoadOptions } from '../runtime/load.js';
import { inlineForTraining } from '../runtime/train_inline.js';

const packageWorker = () =>
  new Worker(new URL('./model_worker.js', import.meta.url), { type: 'module' });

/**
 * Loads a language model in a worker of its own, so that no call holds up this thread.
 * @param files as createModel() takes them, with weights as Blobs, Uint8Arrays or what
 *   readModelFolder() makes of these
 * @param options the choice of the binary; by default the best that runs
 * @returns the methods of the model as promises
 * @throws as createModel(); Error where the worker does not start
 * @see HTML Living Standard, Web workers; Node.js, worker_threads
 */
export function createModelInWorker(
  files: ModelFiles,
  options?: LoadOptions,
): Promise<WorkerModel> {
  return startWorkerModel(files, options, threadsOf(packageWorker), inlineForTraining);
}

export type { WorkerModel, WorkerModelTrainer } from '../model_worker/worker_model.js';

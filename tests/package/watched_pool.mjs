/** A pool whose workers record what is posted to them. */
import { Worker } from 'node:worker_threads';
import { createPool, workerUrl } from './installed.mjs';

/**
 * A pool and its workers; `messages` are those posted to any worker, `posted` the calls for each.
 * @param {object} options of the pool
 * @param {(message: { name?: string, args?: any[] }, worker: Worker) => void} [posting] is called
 *   before each message is posted, and may end the worker
 */
export async function watchedPool(options, posting = () => {}) {
  const watched = { workers: [], messages: [], posted: [] };
  const worker = () => {
    const made = new Worker(workerUrl);
    const own = [];
    const post = made.postMessage.bind(made);
    made.postMessage = (message, transfer) => {
      watched.messages.push(message);
      if (message.name) own.push(message);
      posting(message, made);
      post(message, transfer);
    };
    watched.workers.push(made);
    watched.posted.push(own);
    return made;
  };
  return { ...watched, pool: await createPool({ ...options, worker }) };
}

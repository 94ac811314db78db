/// <reference types="node" />
/** The entry `ropewalk/pool` in Node: the same over worker_threads. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { described } from '../runtime/checks.js';
import type { Thread } from '../pool/worker_pool.js';
import { startPool, type Pool, type PoolOptions } from '../pool/pool.js';

/** With none of the process's own options: `--input-type` takes no files. */
const packageWorker = () =>
  new Worker(new URL('./node_worker.js', import.meta.url), { execArgv: [] });

function spawn(make: () => object = packageWorker): Thread {
  const worker = make();
  if (!(worker instanceof Worker)) {
    throw new TypeError(`worker must return a Worker, got ${described(worker)}`);
  }
  worker.unref();
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen(onReply, onDeath) {
      worker.on('message', onReply);
      worker.on('messageerror', () => onDeath('its answer could not be read'));
      worker.on('error', (error) => onDeath(error.message));
      worker.on('exit', (code) => onDeath(`it ended with code ${code}`));
    },
    busy: (hasWork) => (hasWork ? worker.ref() : worker.unref()),
    end: () => worker.terminate(),
  };
}

/** Starts the workers, which share one compiled module; each has an instance of its own. */
export function createPool(options?: PoolOptions): Promise<Pool> {
  return startPool(options, { cores: availableParallelism, spawn });
}

export type * from '../pool/pool.js';

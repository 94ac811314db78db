/** The entry `ropewalk/pool` in Node: the same over worker_threads. */
import { Worker } from 'node:worker_threads';
import { threadsOf } from './node_threads.js';
import { startPool, type Pool, type PoolOptions } from '../pool/pool.js';

const packageWorker = () =>
  new Worker(new URL('./node_worker.js', import.meta.url), { execArgv: [] });

/** Starts the workers, which share one compiled module; each has an instance of its own. */
export function createPool(options?: PoolOptions): Promise<Pool> {
  return startPool(options, threadsOf(packageWorker));
}

export type * from '../pool/pool.js';

/** The entry `ropewalk/pool` in Node: the same over worker_threads. */
import { threadsOf } from './node_threads.js';
import { startPool, type Pool, type PoolOptions } from '../pool/pool.js';

/** Starts the workers, which share one compiled module; each has an instance of its own. */
export function createPool(options?: PoolOptions): Promise<Pool> {
  return startPool(options, threadsOf(new URL('./node_worker.js', import.meta.url)));
}

export type * from '../pool/pool.js';

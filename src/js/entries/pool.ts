/**
 * The entry `ropewalk/pool`, for browsers. It is not part of `.`, since a bundler that sees a
 * worker emits a file for everyone who imports the module.
 */
import { threadsOf } from './threads.js';
import { startPool, type Pool, type PoolOptions } from '../pool/pool.js';

const packageWorker = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

/**
 * Starts the workers, which share one compiled module; each has its own instance.
 * @param options the number of workers and how to start them; by default one per processor core
 * @returns the functions of an instance as promises
 * @throws TypeError, RangeError on a wrong option, naming it; Error where a worker does not start
 * @see HTML Living Standard, Web workers; Node.js, worker_threads
 */
export function createPool(options?: PoolOptions): Promise<Pool> {
  return startPool(options, threadsOf(packageWorker));
}

export type * from '../pool/pool.js';

/** How every pool starts its workers. */
import type { Request } from './protocol.js';
import { WorkerPool, type Thread } from './worker_pool.js';

import { wrongKind, wrongValue } from '../runtime/errors.js';
import { loadSchema, type LoadOptions } from '../runtime/load.js';
import * as option from '../runtime/option.js';
import type { Schema } from '../runtime/schema.js';

/** The workers of a pool. */
export interface PoolOptions extends LoadOptions {
  /** Number of workers, at most 1024. Default: the number of processor cores. */
  size?: number;
  /**
   * Makes a worker that runs `ropewalk/worker`, where the package cannot: from another origin, or
   * with a bundler that has its own way. In Node one of worker_threads.
   */
  worker?: () => object;
}

export const poolSchema = {
  size: option.whole.optional(),
  ...loadSchema,
  worker: option.given('worker'),
} satisfies Schema<PoolOptions>;

/** What differs between browsers and Node. @internal */
export interface Threads {
  cores(): number;
  /** The worker of the package, or the caller's. */
  spawn(make: (() => object) | undefined): Thread;
}

/** The largest number of workers. */
const mostWorkers = 1024;

/** Returns the checked number of workers. */
export function workerCount({ size, worker }: PoolOptions, threads: Threads): number {
  const count = size ?? Math.min(threads.cores(), mostWorkers);
  if (count > mostWorkers) throw wrongValue('size', `must be at most ${mostWorkers}`, count);
  if (worker !== undefined && typeof worker !== 'function') {
    throw wrongKind('worker', 'must be a function that returns a Worker', worker);
  }
  return count;
}

/**
 * Starts all workers, and resolves once each has an instance.
 * @param opening the first messages to a worker
 */
export async function startWorkers(
  size: number,
  spawn: () => Thread,
  opening: () => Request[],
): Promise<WorkerPool> {
  const workers = new WorkerPool(size, spawn, opening);
  const nothing = () => ({ work: { name: '', args: [] }, transfer: [] });
  const starts = Array.from({ length: size }, () => workers.run(nothing));
  await Promise.all(starts).catch(async (error: Error) => {
    await workers.close();
    throw error;
  });
  return workers;
}

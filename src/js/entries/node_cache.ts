/** The entry `ropewalk/cache` in Node: the same, with a pool over worker_threads. */
import { Worker } from 'node:worker_threads';
import { threadsOf } from './node_threads.js';
import { startCachePool, type CachePool } from '../pool/cache_pool.js';
import type { PoolOptions } from '../pool/start.js';
import { inlineForCache } from '../runtime/cache_inline.js';

export { createCache } from './cache.js';

const packageWorker = () =>
  new Worker(new URL('./node_cache_worker.js', import.meta.url), { execArgv: [] });

/** Starts workers that hold keys and values together. */
export function createCachePool(options?: PoolOptions): Promise<CachePool> {
  return startCachePool(options, threadsOf(packageWorker), inlineForCache);
}

export type * from './cache.js';

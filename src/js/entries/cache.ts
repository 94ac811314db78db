/** The entry `ropewalk/cache`: decoding with keys and values in fewer bits. */
import { threadsOf } from './threads.js';
import { startCache, type Cache, type LoadOptions } from '../attention/cache.js';
import { startCachePool, type CachePool } from '../pool/cache_pool.js';
import type { PoolOptions } from '../pool/start.js';
import { inlineForCache } from '../runtime/cache_inline.js';

/**
 * Starts a core whose resident keys and values may be 16-bit floats or 8-bit integers: half or a
 * quarter of the memory, and decoding in less time. Everything after it is synchronous.
 * @param options which binary, or another one than the package's own; by default the best that runs
 * @returns the functions of this instance
 * @throws TypeError, RangeError on a wrong option, naming it; Error where the engine has no SIMD
 * @see WebAssembly Core Specification 2.0 (vector instructions), 3.0 (relaxed vector instructions)
 */
export function createCache(options?: LoadOptions): Promise<Cache> {
  return startCache(options, inlineForCache);
}

const packageWorker = () =>
  new Worker(new URL('./cache_worker.js', import.meta.url), { type: 'module' });

/**
 * Starts workers that hold keys and values together: each those of some key heads, whose queries it
 * computes.
 * @param options the number of workers and how to start them; by default one per processor core
 * @returns the pool, which keeps its workers until close()
 * @throws TypeError, RangeError on a wrong option, naming it; Error where a worker does not start
 * @see Pope et al. 2022, Efficiently Scaling Transformer Inference (sharding a cache by heads)
 */
export function createCachePool(options?: PoolOptions): Promise<CachePool> {
  return startCachePool(options, threadsOf(packageWorker), inlineForCache);
}

export type * from '../attention/cache.js';
export type { CachePool, PooledTensor, PoolOperand } from '../pool/cache_pool.js';
export type { PoolAttentionOptions } from '../pool/parts.js';
export type { PoolOptions } from '../pool/start.js';

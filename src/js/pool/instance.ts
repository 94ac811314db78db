/** What the workers of a pool run: the functions of an instance, and the caches that it holds. */
import type { CacheStep } from './pool_cache.js';
import type { Instance } from './protocol.js';
import { attend, type AttentionOperands } from '../attention/call.js';
import { KvCache, type KvCacheOptions } from '../attention/kv_cache.js';
import { Core } from '../runtime/core.js';
import { started } from '../runtime/main_module.js';
import { functions } from '../ropewalk.js';

type Handler = (...args: never[]) => unknown;

/** The caches of a worker, by their addresses. */
class HeldCaches {
  #caches = new Map<number, KvCache>();
  /** Those that lack what a call should have appended or evicted. */
  #failed = new Set<KvCache>();

  constructor(readonly core: Core) {}

  add(settings: KvCacheOptions): number {
    const cache = new KvCache(this.core, settings);
    const address = cache.addressOf('the cache');
    this.#caches.set(address, cache);
    return address;
  }

  at(address: number): KvCache {
    const cache = this.#caches.get(address)!;
    if (this.#failed.has(cache))
      throw new Error('cache was lost with a call that failed: make it again');
    return cache;
  }

  step(address: number, ...[method, ...args]: CacheStep): unknown {
    if (method === 'dispose') return this.#dispose(address);
    const cache = this.at(address);
    try {
      return (cache[method] as Handler).apply(cache, args as never[]);
    } catch (error) {
      this.#failed.add(cache);
      throw error;
    }
  }

  #dispose(address: number): void {
    const cache = this.#caches.get(address)!;
    cache.dispose();
    this.#failed.delete(cache);
    this.#caches.delete(address);
  }
}

/** Each function by its name; `attention` takes a call that was checked already. */
export async function instanceOf(module: WebAssembly.Module): Promise<Instance> {
  const core = new Core(await started(module));
  const caches = new HeldCaches(core);
  const handlers = new Map<string, Handler>(Object.entries(functions(core)));
  handlers.set('attention', (operands: AttentionOperands, cache?: number) => {
    if (cache !== undefined) caches.at(cache);
    return attend(core, operands);
  });
  handlers.set('createCache', (settings: KvCacheOptions) => caches.add(settings));
  handlers.set('cache', (...args: Parameters<HeldCaches['step']>) => caches.step(...args));
  return {
    call: ({ name, args }) => handlers.get(name)!(...(args as never[])),
    onNotice: () => core.raw.releaseMemory(),
  };
}

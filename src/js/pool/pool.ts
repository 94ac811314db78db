/// <reference lib="esnext.disposable" preserve="true" />
/** The functions of an instance as promises, computed by workers. */
import { attendedByParts, requireNoInto, signalOf, type PoolAttentionOptions } from './parts.js';
import { PoolCache } from './pool_cache.js';
import { checkedAttention, type AttentionResult } from '../attention/attention.js';
import { partsOf, type AttentionCall } from '../attention/call.js';
import type { KvCacheOptions } from '../attention/kv_cache.js';
import { TokenCache } from '../attention/token_cache.js';
import { arrayKind } from '../runtime/checks.js';
import { Core } from '../runtime/core.js';
import { read } from '../runtime/schema.js';
import { poolSchema, startWorkers, workerCount, type PoolOptions, type Threads } from './start.js';
import type { WorkerPool } from './worker_pool.js';
import { inline } from '../runtime/inline.js';
import { compiled, type Simd } from '../runtime/load.js';
import { started } from '../runtime/main_module.js';
import { functions, type Functions } from '../ropewalk.js';
import type { Tensor } from '../runtime/tensor.js';

export type { PoolAttentionOptions } from './parts.js';
export type { PoolCache } from './pool_cache.js';
export type { PoolOptions } from './start.js';

type Promised<Function> = Function extends (...args: infer Args) => infer Result
  ? (...args: Args) => Promise<Result>
  : never;

type Promises = { [Name in Exclude<keyof Functions, 'attention'>]: Promised<Functions[Name]> };

/**
 * The functions of an instance, computed by workers. Arguments are copied before a call returns, so
 * they may be changed at once and are never detached; `into` is therefore an error. Errors are
 * those of the instance. A worker that dies is replaced, and its task is run once more.
 */
export interface Pool extends Promises {
  /** Bit-identical to the instance's attention; heads and batches are spread over the workers. */
  attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    settings?: PoolAttentionOptions,
  ): Promise<AttentionResult>;
  /**
   * The same over the tokens of a cache: each worker computes the queries of the key heads that it
   * holds, so that as many help as there are key heads in all batches.
   * @param cache one of this pool
   * @throws TypeError, RangeError as an instance's; Error where a worker ended, with what it held
   * @see Pope et al. 2022, Efficiently Scaling Transformer Inference (sharding a cache by heads)
   */
  attention(
    q: Tensor,
    cache: PoolCache,
    settings?: Omit<PoolAttentionOptions, 'past' | 'keyHeads'>,
  ): Promise<AttentionResult>;
  /**
   * Makes an empty cache of keys and values for decoding, whose key heads are spread over the
   * workers, in their memory until it is disposed of.
   * @throws TypeError, RangeError on a wrong option, naming it, or where memory does not suffice:
   * then no worker keeps any
   * @see Pope et al. 2022, Efficiently Scaling Transformer Inference (sharding a cache by heads)
   */
  createCache(settings: KvCacheOptions): Promise<PoolCache>;
  /** Which binary runs. */
  readonly simd: Simd;
  /** How many workers there are. */
  readonly size: number;
  /**
   * Releases the memory that calls keep for reuse, in each worker after its current task.
   */
  release(): void;
  /** Ends all workers; waiting and later calls reject. A Node process can exit without it. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Multiply-adds that take about as long as sending a part and its result. */
const worthSending = 2 ** 22;

/** Two parts per worker, so that a slow or late worker computes fewer of them. */
const partsPerWorker = 2;

function partCount({ sizes }: AttentionCall, workers: number): number {
  const { batch, heads, queries, keys, dim, valueDim } = sizes;
  const cost = batch * heads * queries * keys * (dim + valueDim);
  return Math.max(1, Math.min(workers * partsPerWorker, Math.floor(cost / worthSending)));
}

/**
 * The same with copies of the views whose buffer is shared with the caller or larger: a clone would
 * have the whole buffer. What is deeper than any option stays as it is.
 */
function withOwnViews(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 6) return value;
  const kind = arrayKind(value);
  if (kind) {
    const { buffer, byteLength } = value as Float32Array;
    const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
    return isWhole ? value : new globalThis[kind as 'Float32Array'](value as Float32Array);
  }
  const own = (member: unknown) => withOwnViews(member, depth + 1);
  // Long lists of numbers are common, and hold no views.
  if (Array.isArray(value)) return typeof value[0] === 'object' ? Array.from(value, own) : value;
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, own(member)]));
}

/** Each function on the workers. The local instance throws for arguments that cannot be cloned. */
function promised(workers: WorkerPool, table: Functions): object {
  const all: Record<string, object> = {};
  for (const [name, local] of Object.entries<(...args: never[]) => unknown>({ ...table })) {
    all[name] = async (...given: unknown[]) => {
      let args: unknown[];
      try {
        args = structuredClone(withOwnViews(given)) as unknown[];
      } catch {
        return local(...(given as never[]));
      }
      requireNoInto(args.at(-1) as object | undefined);
      return workers.run(() => ({ work: { name, args }, transfer: [] }));
    };
  }
  return all;
}

/** Starts a pool, for the entries of browsers and Node. @internal */
export async function startPool(
  settings: PoolOptions | undefined,
  threads: Threads,
): Promise<Pool> {
  const given = read('createPool options', settings, poolSchema);
  const size = workerCount(given, threads);
  const { module, simd } = await compiled(given, inline);
  const raw = await started(module);
  const core = new Core(raw);
  const spawn = () => threads.spawn(given.worker);
  const workers = await startWorkers(size, spawn, () => [{ module, kind: 'functions' }]);
  const close = () => workers.close();
  return {
    ...(promised(workers, functions(core)) as Functions),
    async attention(
      q: Tensor,
      k: Tensor | TokenCache,
      v?: Tensor | PoolAttentionOptions,
      all?: PoolAttentionOptions,
    ) {
      const isCached = k instanceof TokenCache;
      const { signal, rest } = signalOf(isCached ? (v as PoolAttentionOptions) : all);
      const checked = checkedAttention(core, q, k, isCached ? undefined : (v as Tensor), rest);
      if (k instanceof PoolCache) return k.attended(checked, signal);
      const parts = partsOf(checked.call, partCount(checked.call, size));
      return attendedByParts(core, checked, parts, (posting) => workers.run(posting, signal));
    },
    createCache: async (settings: KvCacheOptions) => new PoolCache(core, workers, settings).place(),
    simd,
    size,
    release() {
      raw.releaseMemory();
      workers.broadcast({ release: true });
    },
    close,
    [Symbol.asyncDispose ?? 'close']: close,
  } as unknown as Pool;
}

/// <reference lib="esnext.disposable" preserve="true" />
/** A KV cache whose key heads are spread over workers. */
import { attendedByParts } from './parts.js';
import type { Pin, WorkerPool } from './worker_pool.js';
import type { AttentionResult, CheckedAttention } from '../attention/attention.js';
import { partsOf, runsOf, type Run } from '../attention/call.js';
import {
  evictSchema,
  KvCache,
  type EvictOptions,
  type KvCacheOptions,
} from '../attention/kv_cache.js';
import { TokenCache, type Tokens } from '../attention/token_cache.js';
import type { Core } from '../runtime/core.js';
import { read } from '../runtime/schema.js';
import { gathered, viewOf, type Tensor, type TensorInput } from '../runtime/tensor.js';

/** A cache of some key heads that a worker holds, and its address there. */
interface Piece {
  run: Run;
  pin: Pin;
  address: number;
}

/** A method of a worker's cache, and its arguments. */
export type CacheStep = [method: 'append' | 'truncate' | 'evict' | 'dispose', ...args: unknown[]];

const step = (workers: WorkerPool, { pin, address }: Piece, of: CacheStep, sent: Tensor[] = []) =>
  workers.runPinned(pin, () => ({
    work: { name: 'cache', args: [address, ...of, ...sent] },
    transfer: sent.map(({ data }) => data.buffer as ArrayBuffer),
  }));

/** Releases pieces after earlier calls; a lost worker and a closed pool have released theirs. */
function release(workers: WorkerPool, pieces: readonly Piece[]): void {
  for (const piece of pieces)
    step(workers, piece, ['dispose'])
      .catch(() => {})
      .finally(() => workers.unpin(piece.pin));
}

/** Releases the memory of garbage-collected caches. */
const forgotten = new FinalizationRegistry<{ workers: WorkerPool; pieces: readonly Piece[] }>(
  ({ workers, pieces }) => release(workers, pieces),
);

/**
 * A KV cache in the memory of a pool's workers, some key heads in each. Made by createCache() of a
 * pool. Calls of one pool are computed in their order, so the next may be made at once: `length`
 * and `positions` are those after all calls so far. A worker that ends loses its part; later calls
 * then reject.
 */
export class PoolCache extends TokenCache {
  /** The same as dispose(), for `using`, where the engine has it. */
  declare readonly [Symbol.dispose]: () => void;
  #core: Core;
  #workers: WorkerPool;
  /** One value per token, in this thread: its rules for lengths and positions are those of all. */
  #index: KvCache;
  #pieces: readonly Piece[] = [];

  /** @internal */
  constructor(core: Core, workers: WorkerPool, settings: KvCacheOptions) {
    super(core, settings);
    this.#core = core;
    this.#workers = workers;
    this.#index = new KvCache(core, { keyHeads: 1, dim: 1, capacity: this.capacity });
  }

  /** Makes a cache in each worker; where one fails, the others release theirs. @internal */
  async place(): Promise<this> {
    const workers = this.#workers;
    const { dim, valueDim, capacity, dtype } = this;
    const { frequencies, attentionFactor, layout } = this.rotation;
    const [inverseFrequencies] = frequencies;
    const rope = { type: 'rope', layout, frequencies: { inverseFrequencies, attentionFactor } };
    const position = inverseFrequencies && rope;
    const made = this.#runs().map(async (run, i) => {
      const pin = workers.pin(i % workers.size);
      const sizes = { batch: run.batches, keyHeads: run.heads, dim, valueDim, capacity };
      const work = { name: 'createCache', args: [{ ...sizes, dtype, position }] };
      const address = workers.runPinned(pin, () => ({ work, transfer: [] }));
      address.catch(() => workers.unpin(pin));
      return { run, pin, address: (await address) as number };
    });
    const results = await Promise.allSettled(made);
    this.#pieces = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    forgotten.register(this, { workers, pieces: this.#pieces }, this);
    const failed = results.find((one) => one.status === 'rejected');
    if (!failed) return this;
    this.dispose();
    throw failed.reason;
  }

  /** The key heads of each piece. */
  #runs(): Run[] {
    const { batch, keyHeads } = this;
    return runsOf({ batch, heads: keyHeads, keyHeads }, this.#runCount());
  }

  #runCount(): number {
    return Math.min(this.#workers.size, this.batch * this.keyHeads);
  }

  get length(): number {
    return this.#index.length;
  }

  /** @internal */
  get ownPositions(): Float64Array | undefined {
    return this.#index.ownPositions;
  }

  /**
   * Appends the keys and values of new tokens, which are copied before it returns, with the
   * positions that follow those before.
   * @param k [tokens, keyHeads · dim] or [keyHeads, tokens, dim], with a batch before them where
   * there is more than one; not rotated yet if the cache has a rotation
   * @param v the same with valueDim
   * @returns the new length
   * @throws TypeError, RangeError as those of an instance's cache: then nothing is appended; Error
   * where a worker ended, with what it held
   */
  async append(k: TensorInput, v: TensorInput): Promise<number> {
    const { keys, values } = this.tokensOf(k, v);
    if (this.dtype !== 'float32') {
      this.#core.send([keys.data, values.data]);
      this.#core.address(this.#core.raw.checkStorable(this.rotation.attentionFactor));
    }
    const ones = { data: new Float32Array(keys.count), shape: [keys.count, 1] };
    const length = this.#index.append(ones, ones);
    await this.#each(['append'], (run) => [
      this.#partOf(keys, run, this.dim),
      this.#partOf(values, run, this.valueDim),
    ]);
    return length;
  }

  /** The tokens of some heads, [batches, heads, tokens, width], in memory of their own. */
  #partOf({ data, count, isByToken }: Tokens, run: Run, width: number): Tensor {
    const { keyHeads } = this;
    const shape = [run.batches, run.heads, count, width];
    const [perHead, perToken] = isByToken ? [width, keyHeads * width] : [count * width, width];
    const perBatch = keyHeads * count * width;
    const from = viewOf(data, run.batch * perBatch + run.head * perHead, data.length);
    return { data: gathered(from, shape, [perBatch, perHead, perToken, 1]), shape };
  }

  /**
   * Forgets the tokens from a length on, as after a rejected draft.
   * @throws RangeError unless there are so many; Error where a worker ended
   */
  async truncate(length: number): Promise<void> {
    this.#index.truncate(length);
    await this.#each(['truncate', length]);
  }

  /**
   * Forgets the tokens first … pastEnd − 1 and moves later ones up. They keep their positions, or
   * are renumbered.
   * @throws RangeError unless it is a range of tokens; Error where a worker ended
   */
  async evict(first: number, pastEnd: number, settings?: EvictOptions): Promise<void> {
    const given = read('evict options', settings, evictSchema);
    this.#index.evict(first, pastEnd, given);
    await this.#each(['evict', first, pastEnd, given]);
  }

  /** A step of every worker, with tensors of its own. */
  async #each(of: CacheStep, sent: (run: Run) => Tensor[] = () => []): Promise<void> {
    await Promise.all(this.#pieces.map((piece) => step(this.#workers, piece, of, sent(piece.run))));
  }

  /** Releases the memory, once earlier calls are done. Idempotent; any later use throws. */
  dispose(): void {
    forgotten.unregister(this);
    this.#index.dispose();
    release(this.#workers, this.#pieces);
    this.#pieces = [];
  }

  /** @internal */
  addressOf(name: string): number {
    return this.#index.addressOf(name);
  }

  /** Attention over the cache: each worker computes the queries of its key heads. @internal */
  attended(checked: CheckedAttention, signal: AbortSignal | undefined): Promise<AttentionResult> {
    const pieces = this.#pieces;
    const parts = partsOf(checked.call, this.#runCount()).map(({ first, part }, i) => {
      const { address } = pieces[i]!;
      return { first, part: { ...part, addresses: [0, address, address] as const } };
    });
    return attendedByParts(this.#core, checked, parts, (posting, i) => {
      const { pin, address } = pieces[i]!;
      const ofCache = () => {
        const { work, transfer } = posting();
        return { work: { ...work, args: [...work.args, address] }, transfer };
      };
      return this.#workers.runPinned(pin, ofCache, signal);
    });
  }
}

if (typeof Symbol.dispose === 'symbol')
  Object.defineProperty(PoolCache.prototype, Symbol.dispose, {
    value: PoolCache.prototype.dispose,
  });

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

/** The part of a cache that one worker holds: its batches and key heads, and its address there. */
interface Piece {
  run: Run;
  pin: Pin;
  address: number;
}

/** A call of a method of the cache that a worker holds. */
export type CacheStep = [method: 'append' | 'truncate' | 'evict' | 'dispose', ...args: unknown[]];

/** Calls a method of a worker's cache. The tensors are further arguments and are transferred. */
const callPiece = (
  workers: WorkerPool,
  { pin, address }: Piece,
  step: CacheStep,
  tensors: Tensor[] = [],
) =>
  workers.runPinned(pin, () => ({
    work: { name: 'cache', args: [address, ...step, ...tensors] },
    transfer: tensors.map(({ data }) => data.buffer as ArrayBuffer),
  }));

/**
 * Releases pieces after earlier calls. Errors are ignored: where a worker ended or the pool was
 * closed, the memory is released already.
 */
function release(workers: WorkerPool, pieces: readonly Piece[]): void {
  for (const piece of pieces)
    callPiece(workers, piece, ['dispose'])
      .catch(() => {})
      .finally(() => workers.unpin(piece.pin));
}

/** Releases the pieces of caches that were garbage-collected without dispose(). */
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
  /**
   * A small cache in this thread, with one value per token. It gets every call first, so that it
   * checks the arguments and has the length and the positions of the whole.
   */
  #index: KvCache;
  #pieces: readonly Piece[] = [];

  /** @internal */
  constructor(core: Core, workers: WorkerPool, settings: KvCacheOptions) {
    super(core, settings);
    this.#core = core;
    this.#workers = workers;
    this.#index = new KvCache(core, { keyHeads: 1, dim: 1, capacity: this.capacity });
  }

  /** Creates the pieces, each in a worker. Where one fails, the others are released. @internal */
  async place(): Promise<this> {
    const workers = this.#workers;
    const { dim, valueDim, capacity, dtype } = this;
    const { frequencies, attentionFactor, layout } = this.rotation;
    const [inverseFrequencies] = frequencies;
    const rope = { type: 'rope', layout, frequencies: { inverseFrequencies, attentionFactor } };
    const position = inverseFrequencies && rope;
    const creating = this.#runs().map(async (run, i) => {
      const pin = workers.pin(i % workers.size, 'cache');
      const sizes = { batch: run.batches, keyHeads: run.heads, dim, valueDim, capacity };
      const work = { name: 'createCache', args: [{ ...sizes, dtype, position }] };
      const address = workers.runPinned(pin, () => ({ work, transfer: [] }));
      address.catch(() => workers.unpin(pin));
      return { run, pin, address: (await address) as number };
    });
    const results = await Promise.allSettled(creating);
    this.#pieces = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    forgotten.register(this, { workers, pieces: this.#pieces }, this);
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) return this;
    this.dispose();
    throw failed.reason;
  }

  /** The batches and key heads of each piece. */
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
    const zeros = { data: new Float32Array(keys.count), shape: [keys.count, 1] };
    const length = this.#index.append(zeros, zeros);
    await this.#each(['append'], (run) => [
      this.#partOf(keys, run, this.dim),
      this.#partOf(values, run, this.valueDim),
    ]);
    return length;
  }

  /** Copies the tokens of a piece to a new tensor, [batches, heads, tokens, width]. */
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
   * @throws RangeError if the length is above the number of tokens; Error where a worker ended
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

  /** Calls a method of every piece, with tensors that depend on it. */
  async #each(step: CacheStep, tensorsOf: (run: Run) => Tensor[] = () => []): Promise<void> {
    await Promise.all(
      this.#pieces.map((piece) => callPiece(this.#workers, piece, step, tensorsOf(piece.run))),
    );
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
      // Of q, k and v: q is sent with the part.
      return { first, part: { ...part, addresses: [0, address, address] as const } };
    });
    return attendedByParts(this.#core, checked, parts, (posting, i) => {
      const { pin, address } = pieces[i]!;
      // The worker rejects where an earlier call of the cache at this address failed.
      const withAddress = () => {
        const { work, transfer } = posting();
        return { work: { ...work, args: [...work.args, address] }, transfer };
      };
      return this.#workers.runPinned(pin, withAddress, signal);
    });
  }
}

if (typeof Symbol.dispose === 'symbol')
  Object.defineProperty(PoolCache.prototype, Symbol.dispose, {
    value: PoolCache.prototype.dispose,
  });

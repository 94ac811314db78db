/// <reference lib="esnext.disposable" preserve="true" />
/** A cache whose key heads are spread over workers. */
import type { Placed } from './cache_instance.js';
import { attendedByParts, signalOf, type PoolAttentionOptions } from './parts.js';
import { poolSchema, startWorkers, workerCount, type PoolOptions, type Threads } from './start.js';
import type { Posting, Thread, WorkerPool } from './worker_pool.js';
import { checkedAttention, type AttentionResult } from '../attention/attention.js';
import {
  requireRows,
  requireUnrotated,
  residentSchema,
  type ResidentOptions,
} from '../attention/cache.js';
import { partsOf, runsOf, type AttentionCall } from '../attention/call.js';
import { operandTensor } from '../runtime/checks.js';
import { startedForCache } from '../runtime/cache_module.js';
import type { Core } from '../runtime/core.js';
import { wrongKind } from '../runtime/errors.js';
import { compiled, type BinarySource, type Simd } from '../runtime/load.js';
import { endOf, StoredTensor, type ResidentDtype } from '../runtime/resident.js';
import { read } from '../runtime/schema.js';
import { elementCount, viewOf, type TensorInput } from '../runtime/tensor.js';

/** A worker with tensors of its own: a job of theirs cannot run on another. */
class Holder {
  /** How many workers there have been: the tensors of an earlier one are lost. */
  life = 0;
  #workers: WorkerPool | undefined;

  async start(spawn: () => Thread, module: WebAssembly.Module): Promise<void> {
    const next = () => {
      this.life++;
      return spawn();
    };
    this.#workers = await startWorkers(1, next, () => [{ module }]);
  }

  /** Runs a job after all earlier ones. */
  run(posting: Posting): Promise<unknown> {
    return this.#workers!.run(posting);
  }

  release(): void {
    this.#workers?.broadcast({ release: true });
  }

  async close(): Promise<void> {
    await this.#workers?.close();
  }
}

/** Some heads of a tensor, which one worker holds. */
interface Piece {
  holder: Holder;
  life: number;
  address: number;
  /** The piece's values among those of the tensor. */
  first: number;
  last: number;
}

function requireHeld(name: string, { holder, life }: Piece): void {
  if (holder.life !== life)
    throw new Error(`${name} was lost with a worker that ended: make it resident again`);
}

const transferOf = (data: Float32Array) => [data.buffer as ArrayBuffer];

function release(pieces: readonly Piece[]): void {
  for (const { holder, life, address } of pieces) {
    const posting = () => {
      if (holder.life !== life) throw new Error('lost');
      return { work: { name: 'dispose', args: [address] }, transfer: [] };
    };
    // What a lost worker or a closed pool held is released already.
    holder.run(posting).catch(() => {});
  }
}

/** Releases the memory of garbage-collected tensors. */
const forgotten = new FinalizationRegistry<readonly Piece[]>(release);

/**
 * A tensor whose heads are spread over the workers of a cache pool. Calls of one pool are computed
 * in their order, so attention may follow `set` without waiting for it.
 */
export class PooledTensor extends StoredTensor {
  /** The shape that resident() was called with. */
  readonly shape: readonly number[];
  /** How the values are stored. */
  readonly dtype: ResidentDtype;
  /** Bytes in the workers' memory. */
  readonly byteLength: number;
  /** The same as dispose(), for `using`, where the engine has it. */
  declare readonly [Symbol.dispose]: () => void;
  #core: Core;
  #pieces: readonly Piece[];
  #length: number;

  /** @internal */
  constructor(
    core: Core,
    shape: readonly number[],
    dtype: ResidentDtype,
    pieces: readonly Piece[],
    byteLength: number,
  ) {
    super();
    this.shape = shape;
    this.dtype = dtype;
    this.byteLength = byteLength;
    this.#core = core;
    this.#pieces = pieces;
    this.#length = elementCount(shape);
    forgotten.register(this, pieces, this);
  }

  /**
   * Writes values from element `at` on; in fewer bits only whole rows, which are the last axis. The
   * values are copied before it returns.
   */
  async set(data: Float32Array, at = 0): Promise<void> {
    const end = endOf(data, at, this.#length, this.shape);
    requireRows(this.dtype, this.shape.at(-1) ?? 1, at, end - at);
    const written = this.piecesFor('the tensor').flatMap((piece) => {
      const [from, to] = [Math.max(at, piece.first), Math.min(end, piece.last)];
      if (from >= to) return [];
      const own = new Float32Array(viewOf(data, from - at, to - at));
      return piece.holder.run(() => {
        requireHeld('the tensor', piece);
        const sent = own.slice();
        const args = [piece.address, sent, from - piece.first];
        return { work: { name: 'set', args }, transfer: transferOf(sent) };
      });
    });
    await Promise.all(written);
  }

  /** Releases the memory, once earlier calls are done. Idempotent; any later use throws. */
  dispose(): void {
    forgotten.unregister(this);
    release(this.#pieces);
    this.#pieces = [];
  }

  /** @internal */
  addressIn(core: Core, name: string): number {
    if (core !== this.#core)
      throw wrongKind(
        name,
        'must be resident in the pool that is called, not in another',
        this,
        '',
      );
    if (name === 'q')
      throw wrongKind('q', 'must not be resident: a pool sends it to its workers', this, '');
    return this.piecesFor(name)[0]!.address;
  }

  /** @internal */
  piecesFor(name: string): readonly Piece[] {
    if (this.#pieces.length === 0) throw new Error(`${name} was disposed`);
    return this.#pieces;
  }
}

if (typeof Symbol.dispose === 'symbol')
  Object.defineProperty(PooledTensor.prototype, Symbol.dispose, {
    value: PooledTensor.prototype.dispose,
  });

/** An operand of a cache pool: a tensor, or one that its workers hold. */
export type PoolOperand = TensorInput | PooledTensor;

/** A cache on workers, each of which holds the keys and values of some key heads. */
export interface CachePool {
  /**
   * Bit-identical to the attention of `createCache` over the same keys and values: each worker
   * computes the queries of the key heads that it holds. As many workers help as there are key
   * heads in all batches.
   * @param q a tensor, which is sent to the workers
   * @param k a tensor, or one of this pool's resident()
   * @param v the same
   * @throws TypeError, RangeError as `createCache`'s; Error where a worker ended, with what it held
   * @see Pope et al. 2022, Efficiently Scaling Transformer Inference (sharding a cache by heads)
   */
  attention(
    q: TensorInput,
    k: PoolOperand,
    v: PoolOperand,
    settings?: PoolAttentionOptions,
  ): Promise<AttentionResult>;
  /**
   * Keeps a copy of a tensor in the workers' memory, whole heads in each, until it is disposed of.
   * @param tensor of any shape; attention reads [length, dim], [heads, length, dim], [batch, heads,
   * length, dim]
   * @returns a handle of the tensor's shape
   * @throws TypeError, RangeError as `createCache`'s
   * @see Pope et al. 2022, Efficiently Scaling Transformer Inference (a cache of keys and values)
   */
  resident(tensor: TensorInput, settings?: ResidentOptions): Promise<PooledTensor>;
  /** Which binary runs. */
  readonly simd: Simd;
  /** How many workers there are. */
  readonly size: number;
  /** Releases the memory that calls keep for reuse, in each worker after its current task. */
  release(): void;
  /** Ends all workers; waiting and later calls reject. A Node process can exit without it. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The heads of a tensor, as attention counts them; all in one where it has another shape. */
function headsOf(shape: readonly number[]) {
  const [keyHeads = 1, batch = 1] = shape.length <= 4 ? shape.slice(0, -2).toReversed() : [];
  return { batch, heads: keyHeads, keyHeads };
}

const partCount = (size: number, { batch, keyHeads }: { batch: number; keyHeads: number }) =>
  Math.min(size, batch * keyHeads);

/** Makes each piece of a tensor resident; the others are released where one cannot be. */
async function placed(
  holders: readonly Holder[],
  { data, shape }: { data: Float32Array; shape: readonly number[] },
  dtype: ResidentDtype,
): Promise<{ pieces: Piece[]; byteLength: number }> {
  const heads = headsOf(shape);
  const perHead = data.length / (heads.batch * heads.keyHeads);
  const made = runsOf(heads, partCount(holders.length, heads)).map(async (run, i) => {
    const holder = holders[i % holders.length]!;
    const first = (run.batch * heads.keyHeads + run.head) * perHead;
    const last = first + run.batches * run.heads * perHead;
    const own = new Float32Array(viewOf(data, first, last));
    const isWhole = own.length === data.length;
    const ownShape = isWhole ? shape : [run.batches * run.heads, ...shape.slice(-2)];
    let life = 0;
    const posting = () => {
      life = holder.life;
      const sent = own.slice();
      const args = [{ data: sent, shape: ownShape }, dtype];
      return { work: { name: 'resident', args }, transfer: transferOf(sent) };
    };
    const { address, byteLength } = (await holder.run(posting)) as Placed;
    return { piece: { holder, life, address, first, last }, byteLength };
  });
  const results = await Promise.allSettled(made);
  const done = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const pieces = done.map(({ piece }) => piece);
  const failed = results.find((one) => one.status === 'rejected');
  if (failed) {
    release(pieces);
    throw failed.reason;
  }
  return { pieces, byteLength: done.reduce((sum, one) => sum + one.byteLength, 0) };
}

/** Rejects with a signal's reason once it is aborted; what workers compute is then dropped. */
async function unlessAborted<Value>(
  signal: AbortSignal | undefined,
  promise: Promise<Value>,
): Promise<Value> {
  if (!signal) return promise;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Starts a cache pool, for the entries of browsers and Node. @internal */
export async function startCachePool(
  settings: PoolOptions | undefined,
  threads: Threads,
  binary: BinarySource,
): Promise<CachePool> {
  const given = read('createCachePool options', settings, poolSchema);
  const size = workerCount(given, threads);
  const { module, simd } = await compiled(given, binary, 'simd-cache');
  const core = await startedForCache(module);
  const holders = Array.from({ length: size }, () => new Holder());
  const close = async () => {
    await Promise.all(holders.map((holder) => holder.close()));
  };
  const spawn = () => threads.spawn(given.worker);
  const starts = await Promise.allSettled(holders.map((holder) => holder.start(spawn, module)));
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  /** Each part with the addresses of the pieces that its worker holds. */
  const addressed = (call: AttentionCall, k: PoolOperand, v: PoolOperand) => {
    const held = { k, v };
    return partsOf(call, partCount(size, call.sizes)).map(({ first, part }, i) => {
      const pieces = (['k', 'v'] as const).map((name) => {
        const operand = held[name];
        return operand instanceof PooledTensor ? operand.piecesFor(name)[i] : undefined;
      });
      const [ofK, ofV] = pieces;
      const addresses: AttentionCall['addresses'] = [0, ofK?.address ?? 0, ofV?.address ?? 0];
      return { first, part: { ...part, addresses }, pieces };
    });
  };
  return {
    async attention(q: TensorInput, k: PoolOperand, v: PoolOperand, all?: PoolAttentionOptions) {
      const { signal, rest } = signalOf(all);
      const checked = checkedAttention(core, q, k, v, rest);
      requireUnrotated(k, checked.call);
      signal?.throwIfAborted();
      const parts = addressed(checked.call, k, v);
      const run = (posting: Posting, index: number) =>
        holders[index % size]!.run(() => {
          signal?.throwIfAborted();
          parts[index]!.pieces.forEach((piece, at) => piece && requireHeld('kv'[at]!, piece));
          return posting();
        });
      return unlessAborted(signal, attendedByParts(checked, parts, run));
    },
    async resident(tensor: TensorInput, options?: ResidentOptions) {
      const { dtype } = read('resident options', options, residentSchema);
      const { data, shape } = operandTensor('tensor', tensor);
      const { pieces, byteLength } = await placed(holders, { data, shape }, dtype);
      return new PooledTensor(core, shape, dtype, pieces, byteLength);
    },
    simd,
    size,
    release() {
      core.raw.releaseMemory();
      for (const holder of holders) holder.release();
    },
    close,
    [Symbol.asyncDispose ?? 'close']: close,
  } as CachePool;
}

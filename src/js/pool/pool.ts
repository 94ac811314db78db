/// <reference lib="esnext.disposable" preserve="true" />
/** The functions of an instance as promises, computed by workers. */
import type { Work } from './protocol.js';
import {
  checkedAttention,
  type AttentionOptions,
  type AttentionResult,
  type CheckedAttention,
} from '../attention/attention.js';
import {
  createResult,
  splitResult,
  operandsOf,
  partsOf,
  type AttentionCall,
} from '../attention/call.js';
import { described } from '../runtime/checks.js';
import { Core } from '../runtime/core.js';
import { read } from '../runtime/schema.js';
import { poolSchema, startWorkers, workerCount, type PoolOptions, type Threads } from './start.js';
import type { WorkerPool } from './worker_pool.js';
import { inline } from '../runtime/inline.js';
import { compiled, type Simd } from '../runtime/load.js';
import { started } from '../runtime/main_module.js';
import { functions, type Functions } from '../ropewalk.js';
import type { Tensor } from '../runtime/tensor.js';

export type { PoolOptions } from './start.js';

/** As on an instance, and a signal. */
export interface PoolAttentionOptions extends AttentionOptions {
  /**
   * Aborting rejects with the signal's reason: parts that wait are dropped, and workers that
   * compute one are terminated, so that no core goes on with it.
   */
  signal?: AbortSignal;
}

type Promised<Function> = Function extends (...args: infer Args) => infer Result
  ? (...args: Args) => Promise<Result>
  : never;

type Promises = { [Name in Exclude<keyof Functions, 'attention'>]: Promised<Functions[Name]> };

/**
 * The functions of an instance, answered by workers. Arguments are copied before a call returns,
 * so they may be changed at once, and are never detached; `into` is therefore an error. Errors are
 * those of the instance. A worker that dies is replaced and its work done once more.
 */
export interface Pool extends Promises {
  /** As on an instance, to the bit; heads and batches are spread over the workers. */
  attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    settings?: PoolAttentionOptions,
  ): Promise<AttentionResult>;
  /** Which binary runs. */
  readonly simd: Simd;
  /** How many workers there are. */
  readonly size: number;
  /**
   * Gives back the memory that calls keep for reuse, in every worker that has done what it does.
   */
  release(): void;
  /** Ends every worker; calls that wait and later ones reject. Node's process ends without it. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Multiply-adds that take about as long as sending a part and its answer. */
const worthSending = 2 ** 22;

/** Two parts per worker, so that one which is slow or late gets less of them. */
const partsPerWorker = 2;

function partCount({ sizes }: AttentionCall, workers: number): number {
  const { batch, heads, queries, keys, dim, valueDim } = sizes;
  const cost = batch * heads * queries * keys * (dim + valueDim);
  return Math.max(1, Math.min(workers * partsPerWorker, Math.floor(cost / worthSending)));
}

interface Arrays {
  floats: Float32Array[];
  bytes: Uint8Array[];
}

const copied = ({ floats, bytes }: Arrays): Arrays => ({
  floats: floats.map((array) => new Float32Array(array)),
  bytes: bytes.map((array) => new Uint8Array(array)),
});

/**
 * A part that can be posted. `posting` reads the caller's arrays until `keep` has copied them.
 */
function sendable(part: AttentionCall) {
  const { doubles, ...arrays } = operandsOf(part);
  let source: Arrays = arrays;
  return {
    posting() {
      const sent = copied(source);
      const work: Work = { name: 'attention', args: [{ ...sent, doubles }] };
      return {
        work,
        transfer: [...sent.floats, ...sent.bytes].map(({ buffer }) => buffer as ArrayBuffer),
      };
    },
    keep() {
      source = copied(source);
    },
  };
}

/** Attention on the workers. Free ones start while the arrays of waiting parts are copied. */
async function attended(
  workers: WorkerPool,
  size: number,
  checked: CheckedAttention,
  signal?: AbortSignal,
) {
  const { call, leading, finished } = checked;
  const parts = partsOf(call, partCount(call, size)).map(({ first, part }) => ({
    first,
    ...sendable(part),
  }));
  const answers = parts.map(({ posting }) => workers.run(posting, signal) as Promise<Float32Array>);
  for (const { keep } of parts) keep();
  if (answers.length === 1) return finished(splitResult(call, leading, await answers[0]!));
  const whole = createResult(call, leading);
  await Promise.all(answers.map(async (answer, i) => whole.put(parts[i]!.first, await answer)));
  return finished(whole.tensors);
}

/** The signal apart from attention's own options, which throw for what is no object. */
function signalOf(settings: PoolAttentionOptions | undefined): {
  signal?: AbortSignal;
  rest?: AttentionOptions;
} {
  if (typeof settings !== 'object' || settings === null) return { rest: settings };
  if (!('signal' in settings)) return { rest: settings };
  const { signal, ...rest } = settings;
  if (signal === undefined || signal instanceof AbortSignal) return { signal, rest };
  throw new TypeError(`signal must be an AbortSignal, got ${described(signal)}`);
}

/** Copies shared buffers: a clone shares them with the caller, who may write to them at once. */
function unshared<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value))
    return value.buffer instanceof ArrayBuffer
      ? value
      : ((value as unknown as Float32Array).slice() as Value);
  // for-in, because long lists are common: Object.entries would allocate an array of them.
  for (const key in value) {
    const own = unshared(value[key]);
    if (own !== value[key]) value[key] = own;
  }
  return value;
}

/** Each function on the workers. The local instance throws for arguments that cannot be cloned. */
function promised(workers: WorkerPool, table: Functions): object {
  const all: Record<string, object> = {};
  for (const [name, local] of Object.entries<(...args: never[]) => unknown>({ ...table })) {
    all[name] = async (...given: unknown[]) => {
      let args: unknown[];
      try {
        args = unshared(structuredClone(given));
      } catch {
        return local(...(given as never[]));
      }
      if ((args.at(-1) as { into?: unknown } | undefined)?.into !== undefined)
        throw new TypeError('into must be left out: what a pool returns is always new');
      return workers.run(() => ({ work: { name, args }, transfer: [] }));
    };
  }
  return all;
}

/** What both entries start. @internal */
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
  const workers = await startWorkers(size, spawn, () => [{ module }]);
  const close = () => workers.close();
  return {
    ...(promised(workers, functions(core)) as Functions),
    async attention(q: Tensor, k: Tensor, v: Tensor, all?: PoolAttentionOptions) {
      const { signal, rest } = signalOf(all);
      return attended(workers, size, checkedAttention(core, q, k, v, rest), signal);
    },
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

/// <reference lib="esnext.disposable" preserve="true" />
/** A model in a worker of its own: the same methods as promises. */
import type { LoadedModel, NextValues, SentFile } from './model_worker.js';
import { contentOf, type ByteSource } from '../formats/byte_source.js';
import type { ModelFiles } from '../model/create_model.js';
import type { GenerateOptions, Model, ReadOptions } from '../model/model.js';
import type { ModelTrainerOptions } from '../model/model_trainer.js';
import type { ModelLayerPosition } from '../model/positions.js';
import type { StepResult } from '../model/schedule.js';
import { startWorkers, type Threads } from '../pool/start.js';
import type { Pin } from '../pool/worker_pool.js';
import { wrongKind } from '../runtime/errors.js';
import { compiled, loadSchema, type BinarySource, type LoadOptions } from '../runtime/load.js';
import { read } from '../runtime/schema.js';
import type { Tensor } from '../runtime/tensor.js';

const methods = [
  'layerPositions',
  'logits',
  'loss',
  'attentionWeights',
  'dump',
  'parameters',
] as const satisfies readonly (keyof Model & keyof WorkerModel)[];

/**
 * A model in a worker. Calls are those of `Model` as promises, with the same results and errors,
 * and run one after another; arguments are copied before a call returns. No option that is a
 * function, such as `rowScale`, can be sent.
 */
export interface WorkerModel extends LoadedModel {
  /** As Model: own positions for a text of so many tokens, one per layer. */
  layerPositions(length?: number): Promise<readonly ModelLayerPosition[]>;
  /** As Model: the logits after each token, [tokens, vocabulary]. */
  logits(tokens: ArrayLike<number>, options?: ReadOptions): Promise<Tensor>;
  /** As Model: −ln p(next token) in nats, one value per token but the last. */
  loss(tokens: ArrayLike<number>, options?: ReadOptions): Promise<Float64Array>;
  /** As Model: the attention weights of one layer, [heads, tokens, tokens]. */
  attentionWeights(
    tokens: ArrayLike<number>,
    layer: number,
    options?: ReadOptions,
  ): Promise<Tensor>;
  /** As Model: queries and keys before and after rotation, by names that diagnose() reads. */
  dump(
    tokens: ArrayLike<number>,
    options?: ReadOptions & { layers?: ArrayLike<number> },
  ): Promise<Record<string, Tensor>>;
  /** As Model: the values of all parameters, [rows, columns] each. */
  parameters(): Promise<Record<string, Tensor>>;
  /** As Model: a trainer that continues the training of the model, one at a time. */
  trainer(options?: ModelTrainerOptions): Promise<WorkerModelTrainer>;
  /** The same iterator; the worker writes only while a caller waits for tokens. */
  generate(
    tokens: ArrayLike<number>,
    options?: GenerateOptions,
  ): AsyncGenerator<number, void, undefined>;
  /** Ends the worker; calls that wait reject. A Node process can exit without it. */
  dispose(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A copy of what a worker takes. */
function sendable<Value>(name: string, value: Value): Value {
  try {
    return structuredClone(value);
  } catch (error) {
    const rule = `must be without functions, which a worker cannot take: ${(error as Error).message}`;
    throw wrongKind(name, rule, value, '');
  }
}

/** The trainer of a model in a worker. Calls are those of `ModelTrainer` as promises. */
export interface WorkerModelTrainer {
  /** As ModelTrainer: takes steps of the schedule on windows that it draws. */
  step(count?: number): Promise<StepResult[]>;
  /** As ModelTrainer: takes one step on the windows given. */
  stepOn(windows: readonly ArrayLike<number>[], learningRate?: number): Promise<StepResult>;
  /** The same iterator; the worker trains only while a caller waits for results. */
  run(options?: { signal?: AbortSignal }): AsyncGenerator<StepResult, void, undefined>;
  /** Releases the memory of gradients and moments; the model keeps what it has learned. */
  dispose(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Copies bytes once, into a Blob, which messages share. Of a source it is what that reads. */
function sentFile(file: unknown): unknown {
  const content = typeof file === 'object' && file !== null ? (contentOf(file) ?? file) : file;
  const isBytes = content instanceof Uint8Array;
  if (!isBytes && !(content instanceof Blob)) return file;
  const { name } = file as Partial<ByteSource>;
  const blob = isBytes ? new Blob([content as BlobPart]) : content;
  return { blob, name } satisfies SentFile;
}

/** Starts a worker that loads a model, for the entries of browsers and Node. @internal */
export async function startWorkerModel(
  { signal, onProgress, config, weights, precision }: ModelFiles,
  settings: LoadOptions | undefined,
  threads: Threads,
  binary: BinarySource,
): Promise<WorkerModel> {
  const given = read('createModelInWorker options', settings, loadSchema);
  const files = sendable('files', {
    config,
    ...(precision !== undefined && { precision }),
    weights: Array.isArray(weights) ? weights.map(sentFile) : sentFile(weights),
  });
  const { module } = await compiled(given, binary, 'simd-train');
  const workers = await startWorkers(
    1,
    () => threads.spawn(undefined),
    () => [{ module, kind: 'model' }],
  );
  const work = (name: string, args: unknown[]) => () => ({ work: { name, args }, transfer: [] });
  const close = () => workers.close();
  let pin: Pin;
  let loaded: LoadedModel;
  try {
    const report = onProgress as ((share: unknown) => void) | undefined;
    loaded = (await workers.run(work('load', [files]), signal, report)) as LoadedModel;
    pin = workers.pin(0, 'the model');
  } catch (error) {
    await close();
    throw error;
  }
  const call = async (name: string, args: unknown[]) =>
    workers.runPinned(pin, work(name, sendable(name, args)));
  /** Values of an iterator in the worker, which works only while a caller waits. */
  async function* iterated<Value>(
    name: string,
    args: unknown[],
    stopping: AbortSignal | undefined,
    begin = call,
  ): AsyncGenerator<Value, void, undefined> {
    stopping?.throwIfAborted();
    const iterator = await begin(name, args);
    try {
      for (;;) {
        const next = (await call('next', [iterator])) as NextValues<Value>;
        for (const value of next.values) {
          stopping?.throwIfAborted();
          yield value;
        }
        if (next.done) return;
        stopping?.throwIfAborted();
      }
    } finally {
      // A worker that ended has nothing to end.
      await call('end', [iterator]).catch(() => {});
    }
  }
  const promises = Object.fromEntries(
    methods.map((name) => [name, (...args: unknown[]) => call(name, args)]),
  ) as unknown as Pick<WorkerModel, (typeof methods)[number]>;
  return {
    ...promises,
    ...loaded,
    generate(tokens, { signal: stopping, ...options } = {}) {
      return iterated('generate', [tokens, options], stopping);
    },
    async trainer(options) {
      await call('trainer', [options]);
      let isDisposed = false;
      const use = async (name: string, args: unknown[]) => {
        if (isDisposed) throw new Error('the trainer has been disposed of');
        return call(name, args);
      };
      const dispose = async () => {
        if (isDisposed) return;
        isDisposed = true;
        await call('disposeTrainer', []);
      };
      return {
        step: (count) => use('step', [count]),
        stepOn: (windows, learningRate) => use('stepOn', [Array.from(windows), learningRate]),
        run: ({ signal: stopping } = {}) => iterated('run', [], stopping, use),
        dispose,
        [Symbol.asyncDispose ?? 'dispose']: dispose,
      } as WorkerModelTrainer;
    },
    dispose: close,
    [Symbol.asyncDispose ?? 'dispose']: close,
  } as WorkerModel;
}

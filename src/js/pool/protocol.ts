/** The messages between a pool and its workers, and the message handler of a worker. */
import { sentError, type SentError } from '../runtime/errors.js';

/**
 * A message that is no task and has no reply: `release` frees the memory that is kept for reuse,
 * `paused` stops and continues training runs.
 */
export type Notice = { release: true } | { paused: boolean };

/** What a worker computes: the functions of an instance, training runs, or those of a model. */
export type WorkerKind = 'functions' | 'runs' | 'model';

/**
 * A message to a worker. The first one has the compiled module and the kind of the worker; later
 * ones wait until the module is instantiated.
 */
export type Request = { module: WebAssembly.Module; kind: WorkerKind } | Notice | Work;

/**
 * A task: the name of a function and its arguments. An empty name calls nothing; its reply shows
 * that the worker has started.
 */
export interface Work {
  name: string;
  args: unknown[];
}

/**
 * A message from a worker. For each task it sends any number of `progress` and then one of the
 * others. After `trapped`, a failure of the wasm module, it cannot be used any more.
 */
export type Reply =
  { progress: unknown } | { value: unknown } | { error: SentError } | { trapped: string };

/** What a worker makes of the module: it runs tasks and handles notices. */
export interface Instance {
  /** @param report sends progress before the result */
  call(work: Work, report: (progress: unknown) => void): unknown;
  onNotice(notice: Notice): void;
}

/**
 * Returns the buffers of all arrays in a result, to be transferred. No two of its arrays may share
 * one: a buffer can be transferred only once.
 */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(buffersOf) : [];
}

/**
 * Returns the message handler of a worker.
 * @param instantiate makes the instance of each kind that the worker can be
 * @param reply posts a message to the pool
 */
export function createMessageHandler(
  instantiate: { [Kind in WorkerKind]?: (module: WebAssembly.Module) => Promise<Instance> },
  reply: (message: Reply, transfer: ArrayBuffer[]) => void,
) {
  let instantiated: Promise<Instance>;
  const report = (progress: unknown) => reply({ progress }, buffersOf(progress));
  return async (request: Request): Promise<void> => {
    if ('module' in request) {
      const { kind, module } = request;
      instantiated =
        instantiate[kind]?.(module) ?? Promise.reject(new Error(`this worker has no ${kind}`));
      instantiated.catch(() => {}); // each later message reports the failure
      return;
    }
    const instance = await instantiated.catch((error: Error) => error);
    if (instance instanceof Error) return reply({ trapped: instance.message }, []);
    if (!('name' in request)) return instance.onNotice(request);
    try {
      const value = request.name === '' ? undefined : await instance.call(request, report);
      reply({ value }, buffersOf(value));
    } catch (error) {
      const sent = sentError(error);
      const isTrap = error instanceof WebAssembly.RuntimeError;
      reply(isTrap ? { trapped: sent.message } : { error: sent }, []);
    }
  };
}

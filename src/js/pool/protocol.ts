/** The messages between a pool and its workers, and the message handler of a worker. */
import { sentError, type SentError } from '../runtime/errors.js';

/** A message to the worker itself, outside of any task. */
export type Notice = { release: true } | { paused: boolean };

/** What a worker computes: the functions of an instance, or training runs. */
export type WorkerKind = 'functions' | 'runs';

/**
 * The first message carries the compiled module and the kind of the worker; later ones wait until
 * the module is instantiated.
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
 * A task gets any number of `progress` messages and then one result or error. After `trapped` the
 * worker cannot be used any more.
 */
export type Reply =
  { progress: unknown } | { value: unknown } | { error: SentError } | { trapped: string };

/** What a worker runs its tasks on. */
export interface Instance {
  /** @param report sends progress before the result */
  call(work: Work, report: (progress: unknown) => void): unknown;
  onNotice(notice: Notice): void;
}

/** The buffers of all arrays in a result. No two arrays share a buffer. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(buffersOf) : [];
}

/** Returns the message handler of a worker. */
export function createMessageHandler(
  kinds: { [Kind in WorkerKind]: (module: WebAssembly.Module) => Promise<Instance> },
  reply: (message: Reply, transfer: ArrayBuffer[]) => void,
) {
  let ready: Promise<Instance>;
  const report = (progress: unknown) => reply({ progress }, buffersOf(progress));
  return async (request: Request): Promise<void> => {
    if ('module' in request) {
      ready = kinds[request.kind](request.module);
      ready.catch(() => {}); // each later message reports the failure
      return;
    }
    const instance = await ready.catch((error: Error) => error);
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

/** The messages between a pool and its workers, and the code that a worker runs. */
import { attend, type AttentionOperands } from '../attention/call.js';
import { Core } from '../runtime/core.js';
import { started } from '../runtime/load.js';
import { functions } from '../ropewalk.js';

/** The first message has the compiled module; the others wait for its instance. */
export type Request = { module: WebAssembly.Module } | { release: true } | Work;

/** One function and its arguments; `attention` takes a call that was checked already. */
export interface Work {
  name: string;
  args: unknown[];
}

/** The one reply to a job. After `trapped` the worker cannot be used any more. */
export type Reply =
  { value: unknown } | { error: { name: string; message: string } } | { trapped: string };

type Handler = (...args: never[]) => unknown;

/** The buffers of all arrays in a result. No two arrays share a buffer. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(buffersOf) : [];
}

function handlersOf(core: Core): Map<string, Handler> {
  const handlers = new Map<string, Handler>(Object.entries(functions(core)));
  handlers.set('attention', (operands: AttentionOperands) => attend(core, operands));
  handlers.set('', () => undefined); // an empty job, which resolves once the worker has started
  return handlers;
}

async function instanceOf(module: WebAssembly.Module) {
  const core = new Core(await started(module));
  return { core, handlers: handlersOf(core) };
}

/** Makes the message handler of a worker. */
export function answering(reply: (message: Reply, transfer: ArrayBuffer[]) => void) {
  let ready: Promise<{ core: Core; handlers: Map<string, Handler> }>;
  return async (request: Request): Promise<void> => {
    if ('module' in request) {
      ready = instanceOf(request.module);
      ready.catch(() => {}); // each later message reports the failure
      return;
    }
    const instance = await ready.catch((error: Error) => error);
    if (instance instanceof Error) return reply({ trapped: instance.message }, []);
    if ('release' in request) return instance.core.raw.releaseMemory();
    try {
      const value = instance.handlers.get(request.name)!(...(request.args as never[]));
      reply({ value }, buffersOf(value));
    } catch (error) {
      const { name, message } = error as Error;
      const trapped = error instanceof WebAssembly.RuntimeError;
      reply(trapped ? { trapped: message } : { error: { name, message } }, []);
    }
  };
}

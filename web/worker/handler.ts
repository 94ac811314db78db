/** Computes requests with one wasm instance, one after the other. */
import { createRopewalk } from 'ropewalk';
import type { Jobs, Reply, Request } from './protocol.ts';

export type Handler = (request: Request) => Promise<Reply>;

/** Jobs of the package's main entry, and its functions. */
export const createHandler = (jobs: Jobs): Handler => handlerOf(jobs, () => createRopewalk());

/** Jobs of any entry, which `create` starts an instance of. */
export function handlerOf<Instance extends object>(
  jobs: Jobs<Instance>,
  create: () => Promise<Instance>,
): Handler {
  let instance: Promise<Instance> | undefined;
  /** Loads the instance, again with the next request where it could not be loaded. */
  const load = async () => {
    try {
      return await (instance ??= create());
    } catch (error) {
      instance = undefined;
      throw error;
    }
  };
  return async ({ id, name, args }) => {
    try {
      return { id, kind: 'done', value: await call(await load(), jobs, name, args) };
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (error instanceof WebAssembly.RuntimeError)
        return { id, kind: 'broken', message: error.message };
      return { id, kind: 'failed', name: error.name, message: error.message };
    }
  };
}

function call<Instance extends object>(
  instance: Instance,
  jobs: Jobs<Instance>,
  name: string,
  args: unknown[],
): unknown {
  const isJob = Object.hasOwn(jobs, name);
  const functions = (isJob ? jobs : instance) as Record<string, unknown>;
  const work = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (typeof work !== 'function') throw new TypeError(`the engine has no function "${name}"`);
  return isJob ? work(instance, ...args) : work(...args);
}

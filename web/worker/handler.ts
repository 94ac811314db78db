/** Computes requests with one wasm instance, one after the other. */
import { createRopewalk, type Ropewalk } from 'ropewalk';
import { errorTextOf } from './error_parts.ts';
import type { About, FindJob, Handler, Jobs } from './protocol.ts';

/** Jobs of the package's main entry, and its functions. */
export const createHandler = (jobs: Jobs | FindJob): Handler =>
  handlerOf<Ropewalk>(jobs, () => createRopewalk());

/** Jobs of any entry, which `create` starts an instance of. */
export function handlerOf<Instance extends object>(
  jobs: Jobs<Instance> | FindJob<Instance>,
  create: () => Promise<Instance>,
): Handler {
  const find: FindJob<Instance> =
    typeof jobs === 'function'
      ? jobs
      : async (name) => (Object.hasOwn(jobs, name) ? jobs[name] : undefined);
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
    // At once: the script of the job arrives while the binary does.
    const [job, loaded] = await Promise.allSettled([find(name), load()]);
    if (job.status === 'rejected') return { id, kind: 'broken', message: job.reason.message };
    try {
      if (loaded.status === 'rejected') throw loaded.reason;
      const { value: rw } = loaded;
      const work = job.value ? job.value(rw, ...(args as never[])) : call(rw, name, args);
      return { id, kind: 'done', value: await work };
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (error instanceof WebAssembly.RuntimeError)
        return { id, kind: 'broken', message: error.message };
      const { name: kind, value } = error as Error & Partial<About>;
      // An object may be large, or no message can hold it.
      const sent = Object(value) === value || typeof value === 'symbol' ? undefined : value;
      return { id, kind: 'failed', name: kind, ...errorTextOf(error), value: sent };
    }
  };
}

/** Calls a function of the package by its name. */
export function call(instance: object, name: string, args: unknown[]): unknown {
  const functions = instance as Record<string, unknown>;
  const work = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (typeof work !== 'function') throw new TypeError(`the engine has no function "${name}"`);
  return work(...args);
}

/** Computes requests with one wasm instance, one after the other. */
import { createRopewalk, type Ropewalk } from 'ropewalk';
import type { Jobs, Reply, Request } from './protocol.ts';

export function createHandler(jobs: Jobs): (request: Request) => Promise<Reply> {
  let ropewalk: Promise<Ropewalk> | undefined;
  /** Loads the instance, again with the next request where it could not be loaded. */
  const load = async () => {
    try {
      return await (ropewalk ??= createRopewalk());
    } catch (error) {
      ropewalk = undefined;
      throw error;
    }
  };
  return async ({ id, name, args }) => {
    try {
      return { id, kind: 'done', value: call(await load(), jobs, name, args) };
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (error instanceof WebAssembly.RuntimeError)
        return { id, kind: 'broken', message: error.message };
      return { id, kind: 'failed', name: error.name, message: error.message };
    }
  };
}

function call(rw: Ropewalk, jobs: Jobs, name: string, args: unknown[]): unknown {
  const isJob = Object.hasOwn(jobs, name);
  const functions = (isJob ? jobs : rw) as Record<string, unknown>;
  const work = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (typeof work !== 'function') throw new TypeError(`the engine has no function "${name}"`);
  return isJob ? work(rw, ...args) : work(...args);
}

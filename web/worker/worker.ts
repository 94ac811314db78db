/** Owns the one wasm instance of the page; answers one question after the other. */
import { createRopewalk, type Ropewalk } from 'ropewalk';
import { jobs } from './jobs.ts';
import type { Reply, Request } from './protocol.ts';

const ropewalk = createRopewalk();

addEventListener('message', async ({ data: request }: MessageEvent<Request>) => {
  const reply = await answer(request);
  postMessage(reply, { transfer: buffersOf(reply) });
});

async function answer({ id, name, args }: Request): Promise<Reply> {
  try {
    return { id, kind: 'done', value: call(await ropewalk, name, args) };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (error instanceof WebAssembly.RuntimeError)
      return { id, kind: 'broken', message: error.message };
    return { id, kind: 'failed', name: error.name, message: error.message };
  }
}

function call(rw: Ropewalk, name: string, args: unknown[]): unknown {
  const isJob = Object.hasOwn(jobs, name);
  const functions = (isJob ? jobs : rw) as Record<string, unknown>;
  const work = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (typeof work !== 'function') throw new TypeError(`the engine has no function "${name}"`);
  return isJob ? work(rw, ...args) : work(...args);
}

/** Every buffer inside a value, once: results move to the page instead of being copied. */
function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (value instanceof ArrayBuffer) found.add(value);
  else if (value && typeof value === 'object') {
    for (const part of Object.values(value)) buffersOf(part, found);
  }
  return [...found];
}

/** Replies to the page's requests, in a worker. */
import { createHandler } from './handler.ts';
import type { FindJob, Handler, Jobs, Request } from './protocol.ts';

export const serve = (jobs: Jobs | FindJob) => serveWith(createHandler(jobs));

export function serveWith(handle: Handler) {
  addEventListener('message', async ({ data: request }: MessageEvent<Request>) => {
    const reply = await handle(request);
    postMessage(reply, { transfer: buffersOf(reply) });
  });
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

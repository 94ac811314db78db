/** The default entry: both binaries inside, nothing to serve or configure. */
import { relaxed, simd128 } from './binaries.js';
import { start, type LoadOptions, type Ropewalk } from './ropewalk.js';

/** Byte by byte: from() with a function takes seven times as long, a third of the whole start. */
function decoded(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Starts a core of its own; everything after it is synchronous. */
export function createRopewalk(options?: LoadOptions): Promise<Ropewalk> {
  return start(options, async (simd) => decoded(simd === 'relaxed' ? relaxed : simd128));
}

export type * from './ropewalk.js';

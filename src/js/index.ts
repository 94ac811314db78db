/** The default entry: both binaries inside, nothing to serve or configure. */
import { relaxed, simd128 } from './binaries.js';
import { start, type LoadOptions, type Ropewalk } from './ropewalk.js';

function decoded(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Starts a core of its own; everything after it is synchronous. */
export function createRopewalk(options?: LoadOptions): Promise<Ropewalk> {
  return start(options, async (simd) => decoded(simd === 'relaxed' ? relaxed : simd128));
}

export type * from './ropewalk.js';

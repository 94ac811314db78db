/** The default entry: both binaries inside, nothing to serve or configure. */
import { relaxed, simd128 } from './binaries.js';
import { start, type LoadOptions, type Ropewalk } from './ropewalk.js';

/** The value of a hexadecimal digit, by its character code. */
const digit = (code: number) => (code < 58 ? code - 48 : code - 87);

function decoded(hexadecimal: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hexadecimal.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = digit(hexadecimal.charCodeAt(2 * i)) * 16 + digit(hexadecimal.charCodeAt(2 * i + 1));
  }
  return bytes;
}

/** Starts a core of its own; everything after it is synchronous. */
export function createRopewalk(options?: LoadOptions): Promise<Ropewalk> {
  return start(options, async (simd) => decoded(simd === 'relaxed' ? relaxed : simd128));
}

export type * from './ropewalk.js';

/** The binaries of the cache as text. Workers get the compiled module instead. */
import { relaxed, simd128 } from './cache_binaries.js';
import { bytesOfHex } from './hex.js';
import type { Simd } from './load.js';

export const inlineForCache = async (simd: Simd): Promise<Uint8Array<ArrayBuffer>> =>
  bytesOfHex(simd === 'relaxed' ? relaxed : simd128);

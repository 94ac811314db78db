/** Both binaries as text, so that there is no file to serve. */
import { relaxed, simd128 } from './binaries.js';
import { bytesOfHex } from './hex.js';
import type { Simd } from './load.js';

export const inline = async (simd: Simd): Promise<Uint8Array<ArrayBuffer>> =>
  bytesOfHex(simd === 'relaxed' ? relaxed : simd128);

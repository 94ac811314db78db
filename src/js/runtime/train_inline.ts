/** Both training binaries as text. Workers get the compiled module instead. */
import { bytesOfHex } from './hex.js';
import type { Simd } from './load.js';
import { relaxed, simd128 } from './train_binaries.js';

export const inlineForTraining = async (simd: Simd): Promise<Uint8Array<ArrayBuffer>> =>
  bytesOfHex(simd === 'relaxed' ? relaxed : simd128);

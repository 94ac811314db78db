/** Both binaries that train with every position scheme, as text that is loaded when needed. */
import { bytesOfHex } from './hex.js';
import type { Simd } from './load.js';

export async function inlineForContentTraining(simd: Simd): Promise<Uint8Array<ArrayBuffer>> {
  const { relaxed, simd128 } = await import('./train_content_binaries.js');
  return bytesOfHex(simd === 'relaxed' ? relaxed : simd128);
}

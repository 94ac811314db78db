/** The binary of the small entry, a file beside the entries. */
import { fetched } from './fetched.js';
import type { BinarySource } from './load.js';

const urls = {
  relaxed: () => new URL('../entries/ropewalk_relaxed.wasm', import.meta.url),
  simd128: () => new URL('../entries/ropewalk_simd128.wasm', import.meta.url),
};

export const servedBinary: BinarySource = (simd) => fetched(urls[simd]());

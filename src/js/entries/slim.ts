/** The small entry: fetches the one binary that the engine can run, from beside this file. */
import { start, type LoadOptions, type Ropewalk } from '../ropewalk.js';
import { fetched } from '../runtime/fetched.js';

const urls = {
  relaxed: () => new URL('./ropewalk_relaxed.wasm', import.meta.url),
  simd128: () => new URL('./ropewalk_simd128.wasm', import.meta.url),
};

/**
 * Starts a core in a new WebAssembly instance. The functions of the instance are synchronous.
 * @param options the choice of the binary, or another binary; by default the best that runs
 * @returns the functions of this instance
 * @throws TypeError, RangeError on a wrong option, naming it; Error where the engine has no SIMD,
 * or the address of the binary returns something else
 * @see WebAssembly Core Specification 2.0 (vector instructions), 3.0 (relaxed vector instructions)
 */
export function createRopewalk(options?: LoadOptions): Promise<Ropewalk> {
  return start(options, (simd) => fetched(urls[simd]()));
}

export type * from '../ropewalk.js';

/** The small entry: fetches the one binary that the engine can run, from beside this file. */
import { start, type LoadOptions, type Ropewalk } from '../ropewalk.js';
import { servedBinary } from '../runtime/served_binary.js';

/**
 * Starts a core in a new WebAssembly instance. The functions of the instance are synchronous.
 * @param options the choice of the binary, or another binary; by default the best that runs
 * @returns the functions of this instance
 * @throws TypeError, RangeError on a wrong option, naming it; Error where the engine has no SIMD,
 * or the address of the binary returns something else
 * @see WebAssembly Core Specification 2.0 (vector instructions), 3.0 (relaxed vector instructions)
 */
export function createRopewalk(options?: LoadOptions): Promise<Ropewalk> {
  return start(options, servedBinary);
}

export type * from '../ropewalk.js';

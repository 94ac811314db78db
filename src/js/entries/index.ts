/** The default entry: it contains both binaries, so there is no file to serve. */
import { inline } from '../runtime/inline.js';
import { start, type LoadOptions, type Ropewalk } from '../ropewalk.js';

/**
 * Starts a core in a new WebAssembly instance. The functions of the instance are synchronous.
 * @param options the choice of the binary, or another binary; by default the best that runs
 * @returns the functions of this instance
 * @throws TypeError, RangeError on a wrong option, naming it; Error where the engine has no SIMD
 * @see WebAssembly Core Specification 2.0 (vector instructions), 3.0 (relaxed vector instructions)
 */
export function createRopewalk(options?: LoadOptions): Promise<Ropewalk> {
  return start(options, inline);
}

export type * from '../ropewalk.js';

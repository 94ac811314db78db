/** The default entry: both binaries inside, nothing to serve or configure. */
import { inline } from '../runtime/inline.js';
import { start, type LoadOptions, type Ropewalk } from '../ropewalk.js';

/**
 * Starts a core of its own, in an instance of WebAssembly; everything after it is synchronous.
 * @param options which binary, or another one than the package's own; by default the best that runs
 * @returns the functions of this instance
 * @throws TypeError, RangeError on a wrong option, naming it; Error where the engine has no SIMD
 * @see WebAssembly Core Specification 2.0 (vector instructions), 3.0 (relaxed vector instructions)
 */
export function createRopewalk(options?: LoadOptions): Promise<Ropewalk> {
  return start(options, inline);
}

export type * from '../ropewalk.js';

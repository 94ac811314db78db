/** The entry `ropewalk/train`: gradients of attention, and small transformers that are trained. */
import { inlineForTraining } from '../runtime/train_module.js';
import { startTraining, type LoadOptions, type Training } from '../training/training.js';

/**
 * Starts a core that trains, in an instance of WebAssembly; everything after it is synchronous.
 * @param options which binary, or another one than the package's own; by default the best that runs
 * @returns the functions of this instance
 * @throws TypeError, RangeError on a wrong option, naming it; Error where the engine has no SIMD
 * @see WebAssembly Core Specification 2.0 (vector instructions), 3.0 (relaxed vector instructions)
 */
export function createTraining(options?: LoadOptions): Promise<Training> {
  return startTraining(options, inlineForTraining);
}

export type * from '../training/training.js';

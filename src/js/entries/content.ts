/** The entry `ropewalk/content`: attention whose positions come from the text. */
import { startContent, type Content, type LoadOptions } from '../content/instance.js';
import { inlineForContent } from '../runtime/content_module.js';

/**
 * Starts a core with the schemes that act inside the dot product or replace the softmax, in an
 * instance of WebAssembly; everything after it is synchronous.
 * @param options which binary, or another one than the package's own; by default the best that runs
 * @returns the functions of this instance
 * @throws TypeError, RangeError on a wrong option, naming it; Error where the engine has no SIMD
 * @see WebAssembly Core Specification 2.0 (vector instructions), 3.0 (relaxed vector instructions)
 */
export function createContent(options?: LoadOptions): Promise<Content> {
  return startContent(options, inlineForContent);
}

export type * from '../content/instance.js';

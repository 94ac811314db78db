/** The small entry: fetches the one binary that the engine can run, from beside this file. */
import { start, type LoadOptions, type Ropewalk } from '../ropewalk.js';

const urls = {
  relaxed: () => new URL('./ropewalk_relaxed.wasm', import.meta.url),
  simd128: () => new URL('./ropewalk_simd128.wasm', import.meta.url),
};

async function fetched(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(`${url.href} answered ${response.status} ${response.statusText}`);
  const bytes = await response.arrayBuffer();
  const magic = new Uint8Array(bytes, 0, Math.min(4, bytes.byteLength));
  if (String.fromCharCode(...magic) !== '\0asm') {
    throw new Error(
      `${url.href} is not WebAssembly: the server sent something else, often an HTML page`,
    );
  }
  return bytes;
}

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

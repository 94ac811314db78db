/** The module whose positions come from the text, with its binaries inside. */
import { bytesOfHex } from './hex.js';
import { instantiated, type Simd } from './load.js';
import { relaxed, simd128 } from './content_binaries.js';
import createModule, { type MainModule } from './content_glue.js';

export type { MainModule as ContentModule } from './content_glue.js';

export const startedForContent = (module: WebAssembly.Module): Promise<MainModule> =>
  instantiated(module, createModule);

export const inlineForContent = async (simd: Simd): Promise<Uint8Array<ArrayBuffer>> =>
  bytesOfHex(simd === 'relaxed' ? relaxed : simd128);

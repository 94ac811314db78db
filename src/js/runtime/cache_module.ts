/** The module whose resident tensors may be in fewer bits. */
import createModule, { type MainModule } from './cache_glue.js';
import { Core } from './core.js';
import { instantiated } from './load.js';

/** A core for what is in both binaries: attention, the biases by distance and the frequencies. */
export class CacheCore extends Core {
  constructor(readonly cache: MainModule) {
    super(cache as unknown as Core['raw']);
  }
}

export const startedForCache = async (module: WebAssembly.Module): Promise<CacheCore> =>
  new CacheCore(await instantiated(module, createModule));

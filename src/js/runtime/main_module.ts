/** The module without training. */
import createModule, { type MainModule } from './glue.js';
import { instantiated } from './load.js';

export const started = (module: WebAssembly.Module): Promise<MainModule> =>
  instantiated(module, createModule);

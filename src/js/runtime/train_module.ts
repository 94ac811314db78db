/** The module that trains. */
import { instantiated } from './load.js';
import createModule, { type MainModule } from './train_glue.js';

export type { MainModule as TrainingModule } from './train_glue.js';

export const startedForTraining = (module: WebAssembly.Module): Promise<MainModule> =>
  instantiated(module, createModule);

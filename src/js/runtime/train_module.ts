/** The module with gradients and trainers, which has all of the other one too. */
import { Core } from './core.js';
import { instantiated } from './load.js';
import createModule, { type MainModule } from './train_glue.js';

/** A core with the functions of both modules. */
export class TrainingCore extends Core {
  constructor(readonly training: MainModule) {
    super(training);
  }
}

export const startedForTraining = async (module: WebAssembly.Module): Promise<TrainingCore> =>
  new TrainingCore(await instantiated(module, createModule));

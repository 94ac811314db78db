/** The module that trains. */
import { Core } from './core.js';
import { instantiated } from './load.js';
import createModule, { type MainModule } from './train_glue.js';

/** A core for what both binaries have: attention, the biases by distance and the frequencies. */
export class TrainingCore extends Core {
  constructor(readonly training: MainModule) {
    super(training as unknown as Core['raw']);
  }
}

export type RawTrainer = NonNullable<ReturnType<MainModule['createTrainer']>>;

export const startedForTraining = async (module: WebAssembly.Module): Promise<TrainingCore> =>
  new TrainingCore(await instantiated(module, createModule));

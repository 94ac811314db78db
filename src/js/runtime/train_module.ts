/** The modules that train, which share one glue: they are linked with the same imports. */
import { Core } from './core.js';
import { instantiated } from './load.js';
import createModule, { type MainModule } from './train_glue.js';

/** A core for the functions of both binaries: attention, biases by distance and frequencies. */
export class TrainingCore extends Core {
  constructor(
    readonly training: MainModule,
    /** Whether trainers may have the schemes of training/content_positions.ts. */
    readonly hasContentPositions: boolean,
  ) {
    super(training as unknown as Core['raw']);
  }
}

export const startedForTraining = async (module: WebAssembly.Module): Promise<TrainingCore> =>
  new TrainingCore(
    await instantiated(module, createModule),
    WebAssembly.Module.customSections(module, 'simd-train-content').length > 0,
  );

/** The module that trains, whose binaries are inside like those of the other. */
import { Core } from './core.js';
import { bytesOfHex } from './inline.js';
import { instantiated, type Simd } from './load.js';
import { relaxed, simd128 } from './train_binaries.js';
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

export const inlineForTraining = async (simd: Simd): Promise<Uint8Array<ArrayBuffer>> =>
  bytesOfHex(simd === 'relaxed' ? relaxed : simd128);

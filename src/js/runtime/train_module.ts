/** The module that trains, whose binaries are inside like those of the other. */
import { bytesOfHex } from './inline.js';
import { instantiated, type Simd } from './load.js';
import { relaxed, simd128 } from './train_binaries.js';
import createModule, { type MainModule } from './train_glue.js';

export type { MainModule as TrainingModule } from './train_glue.js';

export const startedForTraining = (module: WebAssembly.Module): Promise<MainModule> =>
  instantiated(module, createModule);

export const inlineForTraining = async (simd: Simd): Promise<Uint8Array<ArrayBuffer>> =>
  bytesOfHex(simd === 'relaxed' ? relaxed : simd128);

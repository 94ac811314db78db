/** Instances in two parts, for the figures of the site: half of them need no scores. */
import { encodings, type Encodings } from './encodings.js';
import type { Ropewalk } from './ropewalk.js';
import { Core } from './runtime/core.js';
import { compiled, startedOnce } from './runtime/load.js';
import { started } from './runtime/main_module.js';
import { servedBinary } from './runtime/served_binary.js';

export type { Encodings };

/** The functions of encodings, and all functions once something needs them. */
export interface RopewalkInParts extends Encodings {
  all(): Promise<Ropewalk>;
}

/** Loads the script of the second part. */
export const loadAll = () => import('./ropewalk.js');

/** Creates an instance; both parts call one core. */
export async function createInParts(): Promise<RopewalkInParts> {
  const { module, simd } = await compiled({ simd: 'auto', wasm: undefined }, servedBinary);
  const core = new Core(await started(module));
  const all = startedOnce(async () => (await loadAll()).instanceOf(core, simd));
  return { ...encodings(core), all };
}

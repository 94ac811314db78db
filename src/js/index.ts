/** The default entry: both binaries inside, nothing to serve or configure. */
import { inline } from './inline.js';
import { start, type LoadOptions, type Ropewalk } from './ropewalk.js';

/** Starts a core of its own; everything after it is synchronous. */
export function createRopewalk(options?: LoadOptions): Promise<Ropewalk> {
  return start(options, inline);
}

export type * from './ropewalk.js';

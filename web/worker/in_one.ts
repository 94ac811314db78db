/** Takes the place of `#in-parts` in the package, whose worker is one script with the binary. */
import { createRopewalk } from 'ropewalk';
import type { RopewalkInParts } from '#in-parts';

export const loadAll = async () => undefined;

export async function createInParts(): Promise<RopewalkInParts> {
  const rw = await createRopewalk();
  return { ...rw, all: async () => rw };
}

/** The instance that figures compute with. */
import { createRopewalk } from 'ropewalk';
import { createInParts, type RopewalkInParts } from '#in-parts';
import type { FindJob, Handler } from './protocol.ts';
import { handlerOf } from './handler.ts';

/** The package has one script for the worker, and the binary in it. */
const createWhole = async (): Promise<RopewalkInParts> => {
  const rw = await createRopewalk();
  return { ...rw, all: async () => rw };
};

export const figureHandler = (jobs: FindJob<RopewalkInParts>): Handler =>
  handlerOf(jobs, import.meta.env.MODE === 'package' ? createWhole : createInParts);

/**
 * Work that takes several calls of the package and would be slow or chatty across the border: every
 * function that a jobs file of a chapter exports, by its name, and the reading of a config.json. A
 * file is loaded with the first request for one of its jobs, and what it needs of the package.
 */
import { encodingJobs, files } from 'virtual:jobs';
import { createInParts, loadAll, type RopewalkInParts } from '#in-parts';
import { call, handlerOf } from './handler.ts';
import type { FindJob, Job } from './protocol.ts';

const findJob: FindJob<RopewalkInParts> = async (name) => {
  // A call of the package itself.
  if (!Object.hasOwn(files, name))
    return async (rw, ...args) => call(name in rw ? rw : await rw.all(), name, args);
  const needsAll = !encodingJobs.has(name);
  const [jobs] = await Promise.all([files[name]!(), needsAll && loadAll()]);
  if (!needsAll) return jobs[name] as Job<RopewalkInParts>;
  const job = jobs[name] as Job;
  return async (rw, ...args) => job(await rw.all(), ...args);
};

/** What replies to the figures. */
export const createFigureHandler = () => handlerOf(findJob, createInParts);

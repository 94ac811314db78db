/**
 * Work that takes several calls of the package and would be slow or chatty across the border: every
 * function that a jobs file of a chapter exports, by its name, and the reading of a config.json. A
 * file is loaded with the first request for one of its jobs, and so is what of the package it needs.
 */
import { encodingJobs, files } from 'virtual:jobs';
import { loadAll, type RopewalkInParts } from '#in-parts';
import type { FindJob, Job } from './protocol.ts';

export const findJob: FindJob<RopewalkInParts> = async (name) => {
  if (!Object.hasOwn(files, name)) return undefined;
  const needsAll = !encodingJobs.has(name);
  const [jobs] = await Promise.all([files[name]!(), needsAll && loadAll()]);
  if (!needsAll) return jobs[name] as Job<RopewalkInParts>;
  const job = jobs[name] as Job;
  return async (rw, ...args) => job(await rw.all(), ...args);
};

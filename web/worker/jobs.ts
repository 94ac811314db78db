/**
 * Work that takes several calls of the package and would be slow or chatty across the border: every
 * function that a jobs file of a chapter exports, by its name, and the reading of a config.json. A
 * file is loaded with the first request for one of its jobs.
 */
import { files } from 'virtual:jobs';
import type { FindJob, Job } from './protocol.ts';

export const findJob: FindJob = async (name) =>
  Object.hasOwn(files, name) ? ((await files[name]!())[name] as Job) : undefined;

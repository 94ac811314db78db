/**
 * The worker that trains and runs models, those that somebody else trained too: its binary is
 * loaded by figures that need it.
 */
import { createTraining, type Training } from 'ropewalk/train';
import { handlerOf } from './handler.ts';
import type { FindJob, Job } from './protocol.ts';
import { serveWith } from './serve.ts';
import * as jobs from './training_jobs.ts';

const findJob: FindJob<Training> = async (name) => {
  const own: Record<string, unknown> = Object.hasOwn(jobs, name)
    ? jobs
    : await import('./model_jobs.ts');
  return own[name] as Job<Training> | undefined;
};

serveWith(handlerOf(findJob, () => createTraining()));

/**
 * The worker that trains and runs models, those that somebody else trained too: its binary is
 * loaded by figures that need it.
 */
import { createTraining, type Training } from 'ropewalk/train';
import { handlerOf } from './handler.ts';
import type { FindJob, Job } from './protocol.ts';
import { serveWith } from './serve.ts';
import * as jobs from './training_jobs.ts';

/** Jobs of other files than the first, each loaded when one of its jobs is wanted. */
const others = [() => import('./model_jobs.ts'), () => import('./lesson_jobs.ts')];

const findJob: FindJob<Training> = async (name) => {
  if (Object.hasOwn(jobs, name)) return (jobs as Record<string, unknown>)[name] as Job<Training>;
  for (const load of others) {
    const own: Record<string, unknown> = await load();
    if (Object.hasOwn(own, name)) return own[name] as Job<Training>;
  }
  return undefined;
};

serveWith(handlerOf(findJob, () => createTraining()));

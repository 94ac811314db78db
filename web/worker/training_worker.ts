/** The worker that trains and runs trained models: its binary is loaded by figures that need it. */
import { createTraining } from 'ropewalk/train';
import { handlerOf } from './handler.ts';
import { serveWith } from './serve.ts';
import * as jobs from './training_jobs.ts';

serveWith(handlerOf(jobs, () => createTraining()));

/** What the worker of the page does: the diagnosis, and the cells of the notebook. */
import * as cells from '../notebook/jobs.ts';
import * as check from './jobs.ts';

export const jobs = { ...cells, ...check };

/** Work that takes several calls of the package and would be slow or chatty across the border. */
import { runLab } from '../chapters/attention_lab/forward.ts';
import { wordOrder } from '../chapters/opening/jobs.ts';
import { scoreInFour } from '../chapters/sinusoid/four_terms_jobs.ts';
import { dotCurves, sinusoidShift, sinusoidTable } from '../chapters/sinusoid/jobs.ts';

export const jobs = {
  lab: runLab,
  wordOrder,
  sinusoidTable,
  dotCurves,
  sinusoidShift,
  scoreInFour,
};
export type Jobs = typeof jobs;

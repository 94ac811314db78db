/** Work that takes several calls of the package and would be slow or chatty across the border. */
import { runLab } from '../chapters/attention_lab/forward.ts';
import { wordOrder } from '../chapters/opening/jobs.ts';
import { alibiHeads, t5Row } from '../chapters/relative_biases/jobs.ts';
import { rotaryClocks, rotaryDecayCurves, rotaryPairing, rotaryReach } from '../chapters/rotation/jobs.ts';
import { dotCurves, sinusoidShift, sinusoidTable } from '../chapters/sinusoid/jobs.ts';

export const jobs = {
  lab: runLab,
  wordOrder,
  ...{ sinusoidTable, dotCurves, sinusoidShift },
  ...{ t5Row, alibiHeads },
  ...{ rotaryClocks, rotaryPairing, rotaryDecayCurves, rotaryReach },
};
export type Jobs = typeof jobs;

/** Work that takes several calls of the package and would be slow or chatty across the border. */
import { combinedScores, learnedRows, recurrentOrder } from '../chapters/at_the_input/jobs.ts';
import { runLab } from '../chapters/attention_lab/forward.ts';
import {
  longText,
  longTextBlock,
  longTextCell,
  longTextTile,
} from '../chapters/attention_lab/long_text_jobs.ts';
import * as longerContexts from '../chapters/longer_contexts/all_jobs.ts';
import { sameWord, wordOrder } from '../chapters/opening/jobs.ts';
import { alibiHeads, t5Row } from '../chapters/relative_biases/jobs.ts';
import {
  rotaryClocks,
  rotaryDecayCurves,
  rotaryPairing,
  rotaryReach,
} from '../chapters/rotation/jobs.ts';
import { scoreInFour } from '../chapters/sinusoid/four_terms_jobs.ts';
import { dotCurves, sinusoidShift, sinusoidTable } from '../chapters/sinusoid/jobs.ts';
import { bitsAndDials, dialCurve, oneNumber } from '../chapters/waves/jobs.ts';
import { modelPosition } from './model_position.ts';

export const jobs = {
  modelPosition,
  lab: runLab,
  longText,
  longTextBlock,
  longTextCell,
  longTextTile,
  wordOrder,
  sameWord,
  oneNumber,
  bitsAndDials,
  dialCurve,
  sinusoidTable,
  dotCurves,
  sinusoidShift,
  scoreInFour,
  learnedRows,
  recurrentOrder,
  combinedScores,
  t5Row,
  alibiHeads,
  rotaryClocks,
  rotaryPairing,
  rotaryDecayCurves,
  rotaryReach,
  ...longerContexts,
};
export type Jobs = typeof jobs;

/** What is wrong with the positions of a model: dumped arrays against its configuration. */
export { diagnose } from '../diagnose/diagnose.js';
export type { Diagnosis, DiagnoseOptions, Hypothesis, NamedArrays } from '../diagnose/diagnose.js';
export type { Curve } from '../diagnose/curve.js';
export type { Place } from '../diagnose/evidence.js';
export { isCheckpoint } from '../model_file/checkpoint.js';
export { diagnoseModelFile } from '../model_file/diagnose_file.js';
export type {
  Correction,
  FileSetting,
  ModelFileOptions,
  ModelFileVerdict,
} from '../model_file/verdict.js';

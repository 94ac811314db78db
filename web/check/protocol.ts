/** What the check and its worker exchange. */
import type { Diagnosis, ModelFileVerdict } from 'ropewalk/diagnose';
import type { ErrorText } from '../error_text.ts';
import type { AboutConfig } from './config_jobs.ts';

/** The reader's files; a worker reads them, so that the page never waits for a large one. */
export interface CheckInput {
  arrays: readonly File[];
  /** A model as its program loads it: a GGUF, a checkpoint with its index, or ONNX. */
  model: readonly File[];
  /** The same arrays of a program that is right. */
  reference: readonly File[];
  config: File | undefined;
}

/** A message of the package; `file` is empty where it is about all files together. */
export interface FileError {
  file: string;
  error: ErrorText;
}

export interface CheckResult {
  diagnosis: Diagnosis | undefined;
  /** What the config.json says, where there are no arrays. */
  about?: AboutConfig;
  /** The verdict on a model file, and the size of its files. */
  model?: { verdict: ModelFileVerdict; size: number };
  errors: FileError[];
}

/** What the check and its worker exchange. */
import type { Diagnosis } from 'ropewalk/diagnose';
import type { ErrorText } from '../error_text.ts';
import type { AboutConfig } from './config_jobs.ts';

/** The reader's files; a worker reads them, so that the page never waits for a large one. */
export interface CheckInput {
  arrays: readonly File[];
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
  errors: FileError[];
}

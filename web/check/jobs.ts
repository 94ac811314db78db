/** Reads the reader's files and diagnoses them. Runs in the worker. */
import type { Ropewalk } from 'ropewalk';
import { diagnose, diagnoseModelFile, isCheckpoint } from 'ropewalk/diagnose';
import { blobSource, type FileTensor } from 'ropewalk/files';
import { errorTextOf } from '../error_text.ts';
import { arraysOf } from '../notebook/cells/arrays.js';
import { bytesOf } from '../notebook/read.ts';
import { aboutConfig } from './config_jobs.ts';
import type { CheckInput, CheckResult, FileError } from './protocol.ts';

/** What an ordinary error says; after a trap the worker must be replaced. */
const ordinary = (error: unknown) => {
  if (error instanceof WebAssembly.RuntimeError) throw error;
  return errorTextOf(error);
};

async function arraysIn(files: readonly File[], errors: FileError[]) {
  const arrays = new Map<string, FileTensor>();
  for (const file of files) {
    try {
      const bytes = await bytesOf(file, ['npy', 'safetensors']);
      for (const [name, tensor] of arraysOf(file.name, bytes)) arrays.set(name, tensor);
    } catch (error) {
      errors.push({ file: file.name, error: ordinary(error) });
    }
  }
  return arrays;
}

/** The verdict on a model, of which only slices are read. */
async function judgedModel(rw: Ropewalk, input: CheckInput, config: string | undefined) {
  const sources = (files: readonly File[]) => files.map((file) => blobSource(file));
  const verdict = await diagnoseModelFile(rw, {
    files: sources(input.model),
    ...(config !== undefined && { config }),
    ...(input.reference.length > 0 && { reference: sources(input.reference) }),
  });
  return { verdict, size: input.model.reduce((sum, { size }) => sum + size, 0) };
}

/** Files of arrays that are checkpoints belong to the model. */
async function sorted({ arrays, model, ...rest }: CheckInput): Promise<CheckInput> {
  const isModel = async (file: File) => {
    if (!file.name.endsWith('.safetensors')) return false;
    return isCheckpoint(blobSource(file)).catch(() => false);
  };
  const found = await Promise.all(arrays.map(isModel));
  return {
    ...rest,
    arrays: arrays.filter((_, i) => !found[i]),
    model: [...model, ...arrays.filter((_, i) => found[i])],
  };
}

/** The verdict on the files that can be read, and what is wrong with the others. */
export async function checkModel(rw: Ropewalk, given: CheckInput): Promise<CheckResult> {
  const input = await sorted(given);
  const errors: FileError[] = [];
  const arrays = await arraysIn(input.arrays, errors);
  const result: CheckResult = { diagnosis: undefined, errors };
  try {
    const config = input.config && new TextDecoder().decode(await bytesOf(input.config, ['json']));
    if (input.model.length > 0) result.model = await judgedModel(rw, input, config);
    if (arrays.size > 0) {
      const reference = await arraysIn(input.reference, errors);
      result.diagnosis = diagnose(rw, {
        arrays,
        curve: true,
        ...(config !== undefined && { config }),
        ...(reference.size > 0 && { reference }),
      });
    } else if (config !== undefined && !result.model) {
      result.about = aboutConfig(rw, config, input.config!.name);
    }
  } catch (error) {
    errors.push({ file: '', error: ordinary(error) });
  }
  return result;
}

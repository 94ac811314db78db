/** Training as the page sees it: on workers of its own, which are loaded when they are needed. */
import type { RotaryScaling } from 'ropewalk';
import type { Continuation, Tensor, TrainingPool } from 'ropewalk/train';
import type { LabRequest, LabResult } from '../toy/forward.ts';
import { createEngine, type Engine } from './client.ts';
import runAddress from './run_worker.ts?worker&url';
import { spawner, workerFrom } from './spawn.ts';
import type * as jobs from './training_jobs.ts';
import type { Model, ModelEvaluation } from './training_jobs.ts';
import modelAddress from './training_worker.ts?worker&url';

export type { RunDescription, RunProgress, RunResult, RunScores } from 'ropewalk/train';
export type { PoolRunResult, TrainingPool } from 'ropewalk/train';
export type { Model, ModelEvaluation, ModelScores } from './training_jobs.ts';

/** Starts a pool of `size` workers. Rejects if the page may not start workers. */
export async function startTrainingPool(size: number): Promise<TrainingPool> {
  const { createTrainingPool } = await import('ropewalk/train');
  return createTrainingPool({
    size,
    worker: () => workerFrom(new URL(runAddress, location.href)),
  });
}

/** Models would block the page, so they run in a worker or not at all. */
const handler = () =>
  Promise.reject(new Error('this page may start no worker, and a trained model needs one'));

let engine: Engine<typeof jobs> | undefined;

/** One worker for all trained models of the page. */
const started = () =>
  (engine ??= createEngine<typeof jobs>(spawner({ address: modelAddress, handler })));

/** Scores of a model at each length. */
export const measure = (model: Model, options: ModelEvaluation) =>
  started().evaluateModel(model, options);

/** Attention weights of every layer, each [heads, length, length]. */
export const attentionOf = (model: Model, tokens: readonly number[]): Promise<Tensor[]> =>
  started().attentionOfModel(model, tokens);

/** What a model writes after the tokens, also with other rotary frequencies. */
export const continuationOf = (
  model: Model,
  tokens: readonly number[],
  count: number,
  scaling?: RotaryScaling,
): Promise<Continuation> => started().continuationOfModel(model, tokens, count, scaling);

/** What the attention lab shows of one layer of a model. */
export const labOf = (model: Model, request: LabRequest): Promise<LabResult> =>
  started().labOfModel(model, request);

/// <reference lib="esnext.disposable" preserve="true" />
/** Runs that are spread over workers. */
import type { RunDescription, RunProgress, RunResult } from './run.js';
import type { RunAnswer, RunReport, RunWork } from './run_worker.js';
import {
  poolSchema,
  startWorkers,
  workerCount,
  type PoolOptions,
  type Threads,
} from '../pool/start.js';
import { described } from '../runtime/checks.js';
import { compiled, type BinarySource, type Simd } from '../runtime/load.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';

/** How a run is watched, continued and ended. */
export interface RunOptions {
  /** Called several times a second, and at the end. An error of it ends the run. */
  onProgress?: (progress: RunProgress) => void;
  /** Aborting rejects with the signal's reason, and no core goes on with the run. */
  signal?: AbortSignal;
  /** Continues from there: a checkpoint of the same training, which may have all steps. */
  checkpoint?: Uint8Array;
  /** Steps between the calls of onCheckpoint. Default 100. */
  checkpointEvery?: number;
  /** Called with what `checkpoint` takes; a .safetensors file that Trainer.restore() reads too. */
  onCheckpoint?: (checkpoint: Uint8Array) => void;
  /** Whether the result has the checkpoint of the trained model. Default false. */
  keepModel?: boolean;
}

/** A result, with the trained model where `keepModel` is set. */
export interface PoolRunResult extends RunResult {
  checkpoint?: Uint8Array;
}

/** Independent runs on workers: each is the same as alone, to the bit. */
export interface TrainingPool {
  /**
   * Trains and evaluates on the next free worker. With a checkpoint of all steps it only evaluates.
   * @param description a training with its evaluations, such as an entry of a plan
   * @returns the result, with `failed` when the loss is not finite
   * @throws TypeError, RangeError on a wrong description or option, naming it. A worker that dies
   * is replaced, and its run continues from its last checkpoint, once.
   */
  run(description: RunDescription, options?: RunOptions): Promise<PoolRunResult>;
  /** Stops every run after its current step, also those that start later. */
  pause(): void;
  /** Continues what pause() stopped. */
  resume(): void;
  readonly isPaused: boolean;
  /** Which binary runs. */
  readonly simd: Simd;
  /** How many workers there are. */
  readonly size: number;
  /** Ends every worker; runs that are not finished reject. Node's process ends without it. */
  dispose(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const optionSchema = {
  onProgress: option.asGiven,
  signal: option.asGiven,
  checkpoint: option.asGiven,
  checkpointEvery: option.whole.default(100),
  onCheckpoint: option.asGiven,
  keepModel: option.truth.default(false),
} satisfies Schema<RunOptions>;

function runOptions(options: RunOptions | undefined) {
  const given = read('run options', options, optionSchema);
  const { onProgress, signal, checkpoint, onCheckpoint } = given;
  for (const [name, value] of Object.entries({ onProgress, onCheckpoint }))
    if (value !== undefined && typeof value !== 'function')
      throw new TypeError(`${name} must be a function, got ${described(value)}`);
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError(`signal must be an AbortSignal, got ${described(signal)}`);
  if (checkpoint !== undefined && !(checkpoint instanceof Uint8Array))
    throw new TypeError(`checkpoint must be a Uint8Array, got ${described(checkpoint)}`);
  return given;
}

/** What both entries start. @internal */
export async function startTrainingPool(
  settings: PoolOptions | undefined,
  threads: Threads,
  binary: BinarySource,
): Promise<TrainingPool> {
  const given = read('createTrainingPool options', settings, poolSchema);
  const size = workerCount(given, threads);
  const { module, simd } = await compiled(given, binary, 'simd-train');
  let isPaused = false;
  const workers = await startWorkers(
    size,
    () => threads.spawn(given.worker),
    () => [{ module }, { paused: isPaused }],
  );
  const pause = (paused: boolean) => {
    isPaused = paused;
    workers.broadcast({ paused });
  };
  const dispose = () => workers.close();
  return {
    async run(description, options) {
      const { onProgress, onCheckpoint, signal, checkpointEvery, keepModel, ...rest } =
        runOptions(options);
      const copy = structuredClone(description);
      let checkpoint: Uint8Array | undefined = rest.checkpoint && new Uint8Array(rest.checkpoint);
      const posting = () => {
        const work: RunWork = {
          simd,
          description: copy,
          checkpoint,
          checkpointEvery: onCheckpoint ? checkpointEvery : 0,
          keepsModel: keepModel,
        };
        return { work: { name: 'run', args: [work] }, transfer: [] };
      };
      const onReport = (made: unknown) => {
        const report = made as RunReport;
        if ('progress' in report) return onProgress?.(report.progress);
        checkpoint = report.checkpoint;
        onCheckpoint?.(report.checkpoint);
      };
      const answer = (await workers.run(posting, signal, onReport)) as RunAnswer;
      return { ...answer.result, ...(answer.checkpoint && { checkpoint: answer.checkpoint }) };
    },
    pause: () => pause(true),
    resume: () => pause(false),
    get isPaused() {
      return isPaused;
    },
    simd,
    size,
    dispose,
    [Symbol.asyncDispose ?? 'dispose']: dispose,
  } as TrainingPool;
}

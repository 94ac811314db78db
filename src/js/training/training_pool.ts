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
import { arrayKind } from '../runtime/checks.js';
import { wrongKind } from '../runtime/errors.js';
import { compiled, type BinarySource, type Simd } from '../runtime/load.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';

/** Progress, checkpoints and abortion of a run. */
export interface RunOptions {
  /** Called several times a second, and at the end. If it throws, the run ends. */
  onProgress?: (progress: RunProgress) => void;
  /** Aborting ends the run, which rejects with the signal's reason. */
  signal?: AbortSignal;
  /** A checkpoint of the same training, from which the run continues; it may have all steps. */
  checkpoint?: Uint8Array;
  /** Steps between checkpoints, the last of which the pool keeps. Default 100. */
  checkpointEvery?: number;
  /**
   * Called with each checkpoint, also those of pause(). It is the value of `checkpoint`, and a
   * .safetensors file that Trainer.restore() reads, too.
   */
  onCheckpoint?: (checkpoint: Uint8Array) => void;
  /** Whether the result has the checkpoint of the trained model. Default false. */
  keepModel?: boolean;
}

/** A result, with the trained model where `keepModel` is set. */
export interface PoolRunResult extends RunResult {
  /** Checkpoint of the trained model; see RunOptions. */
  checkpoint?: Uint8Array;
}

/** Independent runs on workers; each is bit-identical to the same run alone. */
export interface TrainingPool {
  /**
   * Trains and evaluates on the next free worker. With a checkpoint of all steps it only evaluates.
   * @param description a training with its evaluations, such as an entry of a plan
   * @returns the result, with `failed` when the loss is not finite
   * @throws TypeError, RangeError on a wrong description or option, naming it. A worker that dies
   * is replaced, once, and its run continues from its last checkpoint, or from where it began if it
   * has none yet. The result is the same, to the bit; progress may report a step twice.
   */
  run(description: RunDescription, options?: RunOptions): Promise<PoolRunResult>;
  /**
   * Stops every run after its current step or evaluation, also those that start later.
   * @returns when every run that has a worker has stopped and its onCheckpoint was called, or when
   * resume() is called
   */
  pause(): Promise<void>;
  /** Continues the runs that pause() stopped. */
  resume(): void;
  /** Whether pause() has stopped the runs. */
  readonly isPaused: boolean;
  /** Which binary runs. */
  readonly simd: Simd;
  /** Number of workers. */
  readonly size: number;
  /** Ends all workers; unfinished runs reject. A Node process can exit without it. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const optionSchema = {
  onProgress: option.given('on progress'),
  signal: option.given('signal'),
  checkpoint: option.given('checkpoint'),
  checkpointEvery: option.whole.default(100),
  onCheckpoint: option.given('on checkpoint'),
  keepModel: option.truth.default(false),
} satisfies Schema<RunOptions>;

function runOptions(options: RunOptions | undefined) {
  const given = read('run options', options, optionSchema);
  const { onProgress, signal, checkpoint, onCheckpoint } = given;
  for (const [name, value] of Object.entries({ onProgress, onCheckpoint }))
    if (value !== undefined && typeof value !== 'function')
      throw wrongKind(name, 'must be a function', value);
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw wrongKind('signal', 'must be an AbortSignal', signal);
  if (checkpoint !== undefined && arrayKind(checkpoint) !== 'Uint8Array')
    throw wrongKind('checkpoint', 'must be a Uint8Array', checkpoint);
  return given;
}

/** The runs that have a worker, and whether each has confirmed the last pause. */
class ActiveRuns {
  readonly #isPaused = new Map<object, boolean>();
  readonly #waiting: (() => void)[] = [];

  begin(run: object): void {
    this.#isPaused.set(run, false);
  }

  confirmPause(run: object): void {
    this.#isPaused.set(run, true);
    this.#check();
  }

  end(run: object): void {
    this.#isPaused.delete(run);
    this.#check();
  }

  /** Resolves when every run has confirmed the pause or has ended, or at resume(). */
  allPaused(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#check();
    });
  }

  resume(): void {
    for (const run of this.#isPaused.keys()) this.#isPaused.set(run, false);
    this.#settle();
  }

  #check(): void {
    if ([...this.#isPaused.values()].every(Boolean)) this.#settle();
  }

  #settle(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Starts a training pool, for the entries of browsers and Node. @internal */
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
    () => [{ module, kind: 'runs' }, { paused: isPaused }],
  );
  const runs = new ActiveRuns();
  const setPaused = (paused: boolean) => {
    isPaused = paused;
    workers.broadcast({ paused });
  };
  const close = () => workers.close();
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
          checkpointEvery,
          keepsModel: keepModel,
        };
        runs.begin(copy);
        return { work: { name: 'run', args: [work] }, transfer: [] };
      };
      const onReport = (made: unknown) => {
        const report = made as RunReport;
        if ('paused' in report) return runs.confirmPause(copy);
        if ('progress' in report) return onProgress?.(report.progress);
        checkpoint = report.checkpoint;
        // A copy: the caller may write to it or transfer it.
        onCheckpoint?.(checkpoint.slice());
      };
      try {
        const answer = (await workers.run(posting, signal, onReport)) as RunAnswer;
        return { ...answer.result, ...(answer.checkpoint && { checkpoint: answer.checkpoint }) };
      } finally {
        runs.end(copy);
      }
    },
    pause() {
      setPaused(true);
      return runs.allPaused();
    },
    resume() {
      setPaused(false);
      runs.resume();
    },
    get isPaused() {
      return isPaused;
    },
    simd,
    size,
    close,
    [Symbol.asyncDispose ?? 'close']: close,
  } as TrainingPool;
}

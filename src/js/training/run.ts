/**
 * A run: one training described as data, its loss curve and its evaluations. The pool, the command
 * line and the experiments train by this.
 */
import { withParameter, wrongKind, wrongValue, type ParameterError } from '../runtime/errors.js';
import type { TrainingCore } from '../runtime/train_module.js';
import type { Evaluation, Scores } from './evaluation.js';
import type { TrainerOptions } from './options.js';
import { Trainer } from './trainer.js';
import { drawsLength, evaluateAt, lengthsOf, type RunEvaluation } from './run_evaluation.js';
import { readSafetensors, writeSafetensors } from '../formats/safetensors.js';

import type { Simd } from '../runtime/load.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { version } from '../runtime/version.js';

/** One training, as data that JSON can hold. */
export interface RunDescription {
  /** Its schedule has as many steps as the run, unless set. */
  trainer: TrainerOptions;
  /** Number of steps. Default 1000. */
  steps?: number;
  /** Steps whose mean loss makes one point of the curve. Default 10. */
  curve?: number;
  /** Evaluations after training, by name. Default: none. */
  evaluations?: Record<string, RunEvaluation>;
  /** The name of the plan that this run is an entry of. */
  plan?: string;
  /** Index of the entry, from 0. */
  index?: number;
  /** The name of the entry's variant. */
  variant?: string;
}

/** The scores of one evaluation at one length; NaN where nothing was scored, null in JSON. */
export interface RunScores {
  /** Length of the sequences; for copy and reverse the items, for addition the digits. */
  length: number;
  /** Mean over the targets, in nats. */
  loss: number;
  /** Share of targets that have the largest logit. */
  accuracy: number;
  /** Share of sequences whose targets are all predicted correctly. */
  wholeSequences: number;
  /** Number of targets. */
  count: number;
  /** With `places`: the mean loss at each place of the sequence. */
  lossByPlace?: number[];
  /** With `places`: the share of targets with the largest logit at each place. */
  accuracyByPlace?: number[];
  /** The scores of each group of targets, if the task has several. */
  groups?: Omit<RunScores, 'length' | 'wholeSequences' | 'groups'>[];
}

/** The result of a run: plain JSON, one line of the results of a plan. */
export interface RunResult {
  /** The plan, as described. */
  plan?: string;
  /** Index of the entry in the plan. */
  index?: number;
  /** The name of the entry's variant. */
  variant?: string;
  /** Seed of the weights and the data. */
  seed: number;
  /** Version of the package. */
  version: string;
  /** The binary that computed the run: results of the two binaries may differ in the last bits. */
  binary: Simd;
  /** Number of steps taken. */
  steps: number;
  /** Computing time. */
  seconds: number;
  /** Pairs of a step and the mean loss of the steps up to it. */
  curve: [step: number, loss: number][];
  /** Scores by evaluation, one element per length. Empty when the run failed. */
  evaluations: Record<string, RunScores[]>;
  /** Why the run stopped: its loss is not finite. */
  failed?: string;
}

/** The progress of a run. */
export interface RunProgress {
  /** The last step taken. */
  step: number;
  /** Number of steps of the run. */
  steps: number;
  /** Loss of the last point of the curve, if there is one. */
  loss?: number;
  /** All points so far. */
  curve: RunResult['curve'];
  /** Training speed. */
  stepsPerSecond: number;
  /** Speed in tokens; absent if the task draws the length of its sequences. */
  tokensPerSecond?: number;
  /** Estimated time until the last step. */
  secondsLeft: number;
  /** Finished evaluations; each length counts as one. */
  evaluated: number;
  /** Evaluations of the run; each length counts as one. */
  toEvaluate: number;
}

const runSchema = {
  trainer: option.given('trainer'),
  steps: option.wholeFrom(0).default(1000),
  curve: option.whole.default(10),
  evaluations: option.given('evaluations'),
  plan: option.given('plan'),
  index: option.given('index'),
  variant: option.given('variant'),
} satisfies Schema<RunDescription>;

/** The content of a checkpoint besides the snapshot of the trainer. */
interface Saved {
  trainer: TrainerOptions;
  curve: RunResult['curve'];
  /** Sum of the losses since the last point of the curve. */
  sum: number;
  seconds: number;
}

const sameTraining = (a: TrainerOptions, b: TrainerOptions) =>
  JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, sorted(value[name as keyof typeof value])]);
}

const listOf = (places: Float64Array) => Array.from(places);

/** The same error with a path before its message and its parameter. */
export function within(place: string, error: unknown): unknown {
  if (!(error instanceof TypeError || error instanceof RangeError)) return error;
  const { message, parameter, rule, value } = error as Partial<ParameterError> & Error;
  if (parameter !== undefined) withParameter(error, `${place}.${parameter}`, rule!, value);
  // What has spaces is a description of several: 'positions × dim'.
  const isPath =
    parameter !== undefined && /^\S+$/.test(parameter) && message.startsWith(parameter);
  error.message = `${place}${isPath ? '.' : ': '}${message}`;
  return error;
}

function scoresOf(
  { loss, accuracy, count, lossByPlace, accuracyByPlace }: Scores,
  places: boolean,
) {
  return {
    loss,
    accuracy,
    count,
    ...(places && {
      lossByPlace: listOf(lossByPlace),
      accuracyByPlace: listOf(accuracyByPlace),
    }),
  };
}

function runScores(evaluation: Evaluation, places: boolean): RunScores {
  const { length, wholeSequences, groups } = evaluation;
  const { loss, accuracy, ...rest } = scoresOf(evaluation, places);
  return {
    length,
    loss,
    accuracy,
    wholeSequences,
    ...rest,
    ...(groups.length > 0 && { groups: groups.map((group) => scoresOf(group, places)) }),
  };
}

/**
 * A run in progress. Each advance() takes one step or evaluates one length, so that the caller can
 * pause between them. It holds the memory of a trainer until dispose().
 */
export class Run {
  readonly #core: TrainingCore;
  readonly #simd: Simd;
  readonly #given: Required<Pick<RunDescription, 'steps' | 'curve'>> & RunDescription;
  readonly #trainer: Trainer;
  /** Remaining evaluations. */
  readonly #waiting: { name: string; length: number; evaluation: RunEvaluation }[];
  readonly #toEvaluate: number;
  readonly #evaluations: RunResult['evaluations'] = {};
  #curve: RunResult['curve'] = [];
  #sum = 0;
  #seconds = 0;
  #failed: string | undefined;
  /** Whether each evaluation is of one sequence, however many it says. */
  #isTrial = false;
  /** Steps of this instance, and their time. */
  #own = { steps: 0, seconds: 0 };

  /**
   * @param checkpoint continues from there
   * @throws TypeError, RangeError on a wrong description, naming the option, or on a checkpoint of
   * another training
   */
  constructor(
    core: TrainingCore,
    simd: Simd,
    description: RunDescription,
    checkpoint?: Uint8Array,
  ) {
    const given = read('run description', description, runSchema);
    const { trainer, steps, curve, evaluations, plan, index, variant } = given;
    if (typeof trainer !== 'object' || trainer === null)
      throw wrongKind('trainer', 'must be an object', trainer);
    const schedule = { steps: Math.max(1, steps), ...trainer.schedule };
    this.#core = core;
    this.#simd = simd;
    this.#given = { steps, curve, plan, index, variant, trainer: { ...trainer, schedule } };
    this.#waiting = Object.entries(evaluations ?? {}).flatMap(([name, evaluation]) =>
      lengthsOf(`evaluations.${name}`, evaluation).map((length) => ({ name, length, evaluation })),
    );
    this.#toEvaluate = this.#waiting.length;
    this.#trainer = new Trainer(core, this.#given.trainer);
    try {
      if (checkpoint) this.#restore(checkpoint);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /**
   * Checks a description before a long run: makes the model, and evaluates one sequence of each
   * length untrained.
   * @throws TypeError, RangeError on a wrong description, naming the option
   */
  static check(core: TrainingCore, simd: Simd, description: RunDescription): void {
    const run = new Run(core, simd, { ...description, steps: 0 });
    run.#isTrial = true;
    try {
      while (run.advance());
    } finally {
      run.dispose();
    }
  }

  /** Takes one step or evaluates one length. False when nothing is left to do. */
  advance(): boolean {
    if (this.isFinished) return false;
    const start = performance.now();
    if (this.#trainer.steps < this.#given.steps) this.#step();
    else this.#evaluate();
    const seconds = (performance.now() - start) / 1000;
    this.#seconds += seconds;
    if (this.#waiting.length === this.#toEvaluate) this.#own.seconds += seconds;
    return !this.isFinished;
  }

  get isFinished(): boolean {
    const { steps } = this.#given;
    if (this.#failed !== undefined) return true;
    return this.#trainer.steps >= steps && this.#waiting.length === 0;
  }

  /** Whether a checkpoint is due: every `steps` steps, and not during evaluation. */
  isAtCheckpoint(every: number): boolean {
    const { steps } = this.#trainer;
    return steps % every === 0 && this.#waiting.length === this.#toEvaluate;
  }

  #step(): void {
    const { steps, curve } = this.#given;
    let loss: number;
    try {
      loss = this.#trainer.step()[0]!.loss;
    } catch (error) {
      // The loss is not finite. Wrong options, lack of memory and traps have other error names.
      if ((error as Error).name !== 'Error') throw error;
      this.#failed = (error as Error).message;
      return;
    }
    this.#own.steps++;
    this.#sum += loss;
    const { steps: step } = this.#trainer;
    const since = step - (this.#curve.at(-1)?.[0] ?? 0);
    if (since < curve && step < steps) return;
    this.#curve.push([step, this.#sum / since]);
    this.#sum = 0;
  }

  #evaluate(): void {
    const next = this.#waiting[0]!;
    const { name, evaluation } = next;
    const { trainer } = this.#given;
    let scores: Evaluation;
    try {
      scores = evaluateAt(this.#core, this.#trainer, trainer, next, this.#isTrial);
    } catch (error) {
      throw within(`evaluations.${name}`, error);
    }
    (this.#evaluations[name] ??= []).push(runScores(scores, evaluation.places ?? false));
    this.#waiting.shift();
  }

  get progress(): RunProgress {
    const { steps, trainer } = this.#given;
    const { steps: step } = this.#trainer;
    const loss = this.#curve.at(-1)?.[1];
    const stepsPerSecond = this.#own.steps / this.#own.seconds || 0;
    const tokens = (trainer.batchSize ?? 32) * (trainer.length ?? 32);
    return {
      step,
      steps,
      ...(loss !== undefined && { loss }),
      curve: [...this.#curve],
      stepsPerSecond,
      ...(!drawsLength(trainer) && { tokensPerSecond: stepsPerSecond * tokens }),
      secondsLeft: (steps - step) / stepsPerSecond || 0,
      evaluated: this.#toEvaluate - this.#waiting.length,
      toEvaluate: this.#toEvaluate,
    };
  }

  /** The result so far; complete once isFinished. */
  get result(): RunResult {
    const { plan, index, variant, trainer } = this.#given;
    const failed = this.#failed;
    return {
      ...(plan !== undefined && { plan }),
      ...(index !== undefined && { index }),
      ...(variant !== undefined && { variant }),
      seed: trainer.seed ?? 0,
      version,
      binary: this.#simd,
      steps: this.#trainer.steps,
      seconds: this.#seconds,
      curve: this.#curve,
      evaluations: failed === undefined ? this.#evaluations : {},
      ...(failed !== undefined && { failed }),
    };
  }

  /**
   * Returns the state of the run, from which it continues bit for bit.
   * @returns a .safetensors file, which PyTorch and Trainer.restore() read
   */
  checkpoint(): Uint8Array {
    const { tensors, metadata } = readSafetensors(this.#trainer.snapshot());
    const saved: Saved = {
      trainer: this.#given.trainer,
      curve: this.#curve,
      sum: this.#sum,
      seconds: this.#seconds,
    };
    return writeSafetensors(Object.fromEntries(tensors), {
      ...Object.fromEntries(metadata),
      run: JSON.stringify(saved),
    });
  }

  #restore(checkpoint: Uint8Array): void {
    const text = readSafetensors(checkpoint).metadata.get('run');
    if (text === undefined)
      throw wrongKind(
        'checkpoint',
        'must come from a run',
        checkpoint,
        'a file without the metadata "run"',
      );
    const { trainer, curve, sum, seconds } = JSON.parse(text) as Saved;
    if (!sameTraining(trainer, this.#given.trainer))
      throw wrongValue(
        'checkpoint',
        'must be of the same training',
        trainer,
        `one of ${JSON.stringify(trainer)}`,
      );
    this.#trainer.restore(checkpoint);
    this.#curve = curve;
    this.#sum = sum;
    this.#seconds = seconds;
  }

  dispose(): void {
    this.#trainer.dispose();
  }
}

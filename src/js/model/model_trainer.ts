/** The training of a loaded model goes on: windows of text, AdamW, a schedule. */
import type { PositionChange } from './positions.js';
import {
  rateOption,
  scheduleSchema,
  stepCount,
  stepResult,
  type ScheduleOptions,
  type StepResult,
} from './schedule.js';
import { breath } from '../runtime/breath.js';
import { fitting } from '../runtime/checks.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { object, read, type Schema } from '../runtime/schema.js';
import type { TrainingCore } from '../runtime/train_module.js';

/** How a loaded model is trained further. */
export interface ModelTrainerOptions {
  /**
   * Token lists of one length, at least two tokens each: every token but the first is a target.
   * step() draws from them, each once in random order before any comes again. Default: none, for
   * stepOn() alone.
   */
  windows?: readonly ArrayLike<number>[];
  /** Windows of a step. Default 1. */
  batchSize?: number;
  /** AdamW's, with the names and defaults of createTrainer(). */
  schedule?: ScheduleOptions;
  /** In place of the model's own positions, in all layers or in each. It is not kept. */
  position?: PositionChange | readonly PositionChange[];
  /** Seed of the order of the windows. Default 0. */
  seed?: number;
}

const trainerSchema = {
  windows: option.given('windows'),
  batchSize: option.whole.optional(),
  schedule: object<ScheduleOptions, typeof scheduleSchema>(scheduleSchema).optional(),
  position: option.given('position'),
  seed: option.wholeFrom(0).optional(),
} satisfies Schema<ModelTrainerOptions>;

/** What a trainer needs of its model. @internal */
export interface TrainedModel {
  /** Where the core has it. */
  readonly at: number;
  /** The tokens of a text after their checks. */
  tokens(list: ArrayLike<number>): Float64Array;
  /** Gives the core the positions of texts of so many tokens. */
  prepare(length: number, position: ModelTrainerOptions['position']): void;
  /** Called when the trainer has been disposed of. */
  onDispose(): void;
}

/** Trains a loaded model further. Made by Model.trainer(); it holds memory until dispose(). */
export class ModelTrainer {
  #at: number | undefined;
  readonly #core: TrainingCore;
  readonly #model: TrainedModel;
  readonly #windows: readonly Float64Array[];
  readonly #position: ModelTrainerOptions['position'];

  /** @internal */
  constructor(core: TrainingCore, model: TrainedModel, options: ModelTrainerOptions | undefined) {
    const given = read('trainer options', options, trainerSchema);
    const { windows = [], schedule, batchSize, seed, position } = given;
    if (!Array.isArray(windows)) throw wrongKind('windows', 'must be a list of lists', windows);
    this.#core = core;
    this.#model = model;
    this.#position = position;
    this.#windows = this.#checked(windows);
    // Sent as doubles.
    fitting('batchSize × tokens', (batchSize ?? 1) * (this.#windows[0]?.length ?? 1), 8);
    const record = core.recordOf('modelTrainer', {
      ...Object.fromEntries(
        Object.keys(scheduleSchema).map((name) => [
          `schedule.${name}`,
          schedule?.[name as keyof ScheduleOptions],
        ]),
      ),
      'trainer.windows': windows.length,
      'trainer.batchSize': batchSize,
      'trainer.seed': seed,
    });
    core.sendDoubles([record]);
    this.#at = core.address(core.training.createModelTrainer(model.at));
  }

  get #alive(): number {
    if (this.#at !== undefined) return this.#at;
    throw new Error('the trainer has been disposed of');
  }

  #checked(windows: readonly ArrayLike<number>[]): Float64Array[] {
    const lists = windows.map((window) => this.#model.tokens(window));
    const size = lists[0]?.length ?? 2;
    if (size < 2) throw wrongValue('windows', 'must have at least two tokens each', size);
    const other = lists.find((list) => list.length !== size);
    if (other) throw wrongValue('windows', `must have ${size} tokens each`, other.length);
    return lists;
  }

  #progress(): [taken: number, planned: number] {
    const returned = this.#core.training.modelTrainerSteps(this.#alive);
    return this.#core.doubles(returned) as unknown as [number, number];
  }

  /** Number of steps taken. */
  get steps(): number {
    return this.#progress()[0];
  }

  /**
   * Takes steps of the schedule on windows that it draws.
   * @param count number of steps
   * @returns the result of each step
   * @throws RangeError on a count that is not a whole number, or without windows; Error when a loss
   * is not finite: the parameters are then as they were before that step
   */
  step(count = 1): StepResult[] {
    const whole = stepCount.read('count', count);
    return Array.from({ length: whole }, () => {
      const drawn = this.#core.doubles(this.#core.training.drawWindows(this.#alive));
      return this.#take(Array.from(drawn, (index) => this.#windows[index]!));
    });
  }

  /**
   * Takes one step on the windows given.
   * @param learningRate default: that of the schedule
   * @throws TypeError, RangeError on wrong windows, naming them; Error when the loss is not finite
   */
  stepOn(windows: readonly ArrayLike<number>[], learningRate?: number): StepResult {
    const rate = rateOption.read('learningRate', learningRate);
    return this.#take(this.#checked(Array.from(windows)), rate);
  }

  #take(windows: readonly Float64Array[], learningRate = NaN): StepResult {
    const trainer = this.#alive;
    const size = windows[0]?.length ?? 0;
    this.#model.prepare(size - 1, this.#position);
    this.#core.sendDoubles(windows);
    const { length } = windows;
    const returned = this.#core.training.stepOnWindows(
      trainer,
      length,
      length * size,
      learningRate,
    );
    return stepResult(this.#core.doubles(returned), () => this.steps);
  }

  /**
   * Takes the steps that the schedule has left. Between two of them the thread handles its events.
   * @param options signal: ends the training before the next step
   * @returns an iterator of the results
   * @throws as step(); the signal's reason
   */
  async *run({ signal }: { signal?: AbortSignal } = {}): AsyncGenerator<StepResult, void, void> {
    for (let [taken, planned] = this.#progress(); taken < planned; ++taken) {
      await breath();
      signal?.throwIfAborted();
      yield* this.step();
    }
  }

  /**
   * Releases the memory of gradients and moments; the model keeps what it has learned. Later calls
   * throw; a second dispose() does nothing.
   */
  dispose(): void {
    if (this.#at === undefined) return;
    this.#core.training.deleteModelTrainer(this.#at);
    this.#at = undefined;
    this.#model.onDispose();
  }
}

if (typeof Symbol.dispose === 'symbol')
  Object.defineProperty(ModelTrainer.prototype, Symbol.dispose, {
    value: ModelTrainer.prototype.dispose,
  });

/** A model in training, which holds memory until dispose(). */
import {
  evaluate,
  sendUse,
  useSchema,
  type Evaluation,
  type EvaluationOptions,
  type ModelUse,
} from './evaluation.js';
import type { TrainerOptions } from './options.js';
import { trainerRecord } from './record.js';
import { rateOption, stepCount, stepResult, type StepResult } from '../model/schedule.js';
import { readSafetensors, writeSafetensors } from '../formats/safetensors.js';
import { fitting, numbers } from '../runtime/checks.js';
import { withParameter, wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { Tensor } from '../runtime/tensor.js';
import type { TrainingCore } from '../runtime/train_module.js';

/** A batch made by the caller: each list has batch × length values, row by row. */
export interface GivenBatch {
  /** Number of sequences. */
  batch: number;
  /** The inputs, [batch × length]. */
  tokens: ArrayLike<number>;
  /** The token to predict at each place, [batch × length]. */
  targets: ArrayLike<number>;
  /** Weight of each target in the mean; 0: not counted. Default 1. */
  weights?: ArrayLike<number>;
  /** [length] or [batch × length]. Default 0, 1, 2, … */
  positions?: ArrayLike<number>;
}

const batchSchema = {
  batch: option.whole,
  tokens: option.numbers,
  targets: option.numbers,
  weights: option.numbers.optional(),
  positions: option.numbers.optional(),
} satisfies Schema<GivenBatch>;

/** How logits are computed. */
export interface LogitsOptions extends ModelUse {
  /** Number of sequences. Default 1. */
  batch?: number;
  /** [length] or [batch × length]. Default 0, 1, 2, … */
  positions?: ArrayLike<number>;
}

const logitsSchema = {
  batch: option.whole.default(1),
  positions: option.numbers.optional(),
  ...useSchema,
} satisfies Schema<LogitsOptions>;

/** How a text is continued. */
export interface ContinuationOptions extends ModelUse {
  /** 0 (default): always the token with the largest logit. */
  temperature?: number;
  /** Of the most probable tokens as many as reach this sum. Default 1: all. */
  topP?: number;
  /** Seed of the random numbers. Default 0. */
  seed?: number;
}

const continuationSchema = {
  temperature: option.nonNegative.default(0),
  topP: option.positive.default(1),
  seed: option.wholeFrom(0).default(0),
  ...useSchema,
} satisfies Schema<ContinuationOptions>;

/** What a model appends to a text. */
export interface Continuation {
  /** The tokens that were appended. */
  tokens: number[];
  /** [count, vocabulary]: of each token's place, at temperature 1. Each row sums to 1. */
  probabilities: Tensor;
}

/** Of one call, which cannot be stopped: the smallest models read them in 13 minutes. */
const mostTokensRead = 2 ** 30;

type Which = 'values' | 'gradients' | 'firstMoments' | 'secondMoments';

/** Trains a small decoder on a task. Made by createTrainer(); it holds memory until dispose(). */
export class Trainer {
  /** Where the core has the trainer. */
  #at: number | undefined;
  readonly #core: TrainingCore;
  readonly #parameters: { name: string; shape: number[] }[];
  /** Task `characters`: the character of each token. */
  readonly characters: readonly string[];

  /** @internal */
  constructor(core: TrainingCore, options: TrainerOptions) {
    const { record, text } = trainerRecord(core, options);
    this.#core = core;
    this.characters = text.characters;
    core.sendDoubles([record, text.training, text.heldOut]);
    const { training, heldOut } = text;
    this.#at = core.address(core.training.createTrainer(training.length, heldOut.length));
    this.#parameters = core.training
      .parameterNames(this.#at)
      .trim()
      .split('\n')
      .map((line) => {
        const [name, rows, cols] = line.split(' ') as [string, string, string];
        return { name, shape: rows === '1' ? [Number(cols)] : [Number(rows), Number(cols)] };
      });
  }

  get #vocabulary(): number {
    return this.#parameters.find(({ name }) => name === 'Wout')!.shape[1]!;
  }

  get #alive(): number {
    if (this.#at !== undefined) return this.#at;
    throw new Error('the trainer has been disposed of');
  }

  /** Number of steps taken. */
  get steps(): number {
    return this.#core.doubles(this.#core.training.trainerState(this.#alive))[0]!;
  }

  /**
   * Takes steps of the schedule, each on a new batch of the task.
   * @param count number of steps
   * @returns the result of each step
   * @throws RangeError on a count that is not a whole number, or of more results than memory holds;
   * Error when a loss is not finite: the parameters are then as they were before that step
   */
  step(count = 1): StepResult[] {
    const whole = stepCount.read('count', count);
    return Array.from({ length: whole }, () => this.#result(this.#core.training.step(this.#alive)));
  }

  /**
   * Takes one step on a batch made by the caller.
   * @param learningRate default: that of the schedule
   * @throws TypeError, RangeError on a batch that does not fit, naming the list; Error when the
   * loss is not finite
   */
  stepOn(batch: GivenBatch, learningRate?: number): StepResult {
    const { lists, size, length, positions, weights } = this.#batch(batch);
    this.#core.sendDoubles(lists);
    this.#core.send([weights]);
    const rate = rateOption.read('learningRate', learningRate);
    return this.#result(this.#core.training.stepOn(this.#alive, size, length, positions, rate));
  }

  #result(returned: number): StepResult {
    return stepResult(this.#core.doubles(returned), () => this.steps);
  }

  #batch(batch: GivenBatch) {
    const given = read('batch', batch, batchSchema, 'batch.');
    const count = given.tokens.length;
    const length = count / given.batch;
    if (!Number.isInteger(length) || count === 0)
      throw wrongValue('batch.tokens', `must have a multiple of ${given.batch} values`, count);
    const weights = given.weights ?? new Float64Array(count).fill(1);
    for (const [name, list] of [
      ['targets', given.targets],
      ['weights', weights],
    ] as const)
      if (list.length !== count)
        throw wrongValue(`batch.${name}`, `must have ${count} values`, list.length);
    const positions = given.positions ?? new Float64Array(0);
    return {
      lists: [given.tokens, given.targets, positions],
      size: given.batch,
      length,
      positions: positions.length,
      weights: Float32Array.from(weights),
    };
  }

  /**
   * Computes loss and accuracy at lengths that may differ from that of training. Only the second
   * half of a sequence is scored, since the short contexts at its start would improve the mean. In
   * copy, reverse and addition the whole result is scored.
   * @returns one evaluation per length
   * @throws TypeError, RangeError on a wrong option, naming it
   */
  evaluate(options: EvaluationOptions): Evaluation[] {
    return evaluate(this.#core, this.#alive, options);
  }

  /** The same of one sequence, however many the options say. @internal */
  tryEvaluation(options: EvaluationOptions): Evaluation[] {
    return evaluate(this.#core, this.#alive, options, true);
  }

  /**
   * The logits of sequences.
   * @param tokens batch × length, row by row
   * @returns [batch, length, vocabulary]
   * @throws TypeError, RangeError on a wrong option, naming it, or tokens outside the vocabulary
   */
  logits(tokens: ArrayLike<number>, options?: LogitsOptions): Tensor {
    const list = numbers('tokens', tokens);
    const { batch, positions, ...use } = read('logits options', options, logitsSchema);
    const length = list.length / batch;
    if (!Number.isInteger(length) || length === 0)
      throw wrongValue('tokens', `must have a multiple of ${batch} values`, list.length);
    fitting('the logits', list.length * this.#vocabulary);
    const at = positions ?? new Float64Array(0);
    const sizes = sendUse(this.#core, [list, at], use, length);
    const data = this.#core.floats(
      this.#core.training.logits(this.#alive, batch, length, at.length, ...sizes),
    );
    return { data, shape: [batch, length, data.length / list.length] };
  }

  /**
   * Continues a text, token by token.
   * @param tokens at least one
   * @param count number of tokens to append
   * @param options how tokens are chosen, and how the model is used
   * @throws TypeError, RangeError on a wrong option, naming it, or tokens outside the vocabulary
   */
  generate(tokens: ArrayLike<number>, count: number, options?: ContinuationOptions): Continuation {
    const list = numbers('tokens', tokens);
    if (list.length === 0) throw wrongValue('tokens', 'must have at least one value', 0);
    const whole = option.whole.read('count', count);
    fitting('the tokens and their probabilities', whole * (1 + this.#vocabulary));
    // The model reads the whole text again for each token.
    const all = whole * (list.length + (whole - 1) / 2);
    if (all > mostTokensRead)
      throw wrongValue('count', `must let the model read at most ${mostTokensRead} tokens`, all);
    const given = read('generate options', options, continuationSchema);
    const { temperature, topP, seed, ...use } = given;
    const sizes = sendUse(this.#core, [list], use, list.length + whole);
    const data = this.#core.floats(
      this.#core.training.generate(
        ...([this.#alive, list.length, whole, ...sizes, temperature, topP] as const),
        ...([Math.floor(seed / 2 ** 32), seed % 2 ** 32] as const),
      ),
    );
    return {
      tokens: [...data.subarray(0, whole)],
      probabilities: { data: data.slice(whole), shape: [whole, data.length / whole - 1] },
    };
  }

  /**
   * The attention weights of one layer.
   * @param tokens the tokens of one sequence
   * @param layer index from 0
   * @returns [heads, length, length]
   * @throws RangeError on tokens outside the vocabulary, or a layer that the model does not have
   */
  attentionWeights(tokens: ArrayLike<number>, layer: number): Tensor {
    const list = numbers('tokens', tokens);
    const which = option.wholeFrom(0).read('layer', layer);
    this.#core.sendDoubles([list]);
    const data = this.#core.floats(
      this.#core.training.attentionWeights(this.#alive, list.length, which),
    );
    return { data, shape: [data.length / list.length ** 2, list.length, list.length] };
  }

  /** The parameters by name, copied. Vectors have one axis, matrices are [in, out]. */
  parameters(): Record<string, Tensor> {
    return this.#named('values');
  }

  /** The gradients of the last step, before clipping, copied. */
  gradients(): Record<string, Tensor> {
    return this.#named('gradients');
  }

  /**
   * Replaces parameters by name; the others stay.
   * @throws TypeError, RangeError on a name that the model does not have, or another size
   */
  setParameters(values: Record<string, Tensor>): void {
    this.#set('values', values);
  }

  #named(which: Which): Record<string, Tensor> {
    const all = this.#core.floats(this.#core.training.parameters(this.#alive, which));
    let at = 0;
    return Object.fromEntries(
      this.#parameters.map(({ name, shape }) => {
        const size = shape.reduce((product, extent) => product * extent, 1);
        return [name, { data: all.slice(at, (at += size)), shape: [...shape] }];
      }),
    );
  }

  #set(which: Which, values: Record<string, Tensor>): void {
    const all = this.#named(which);
    for (const [name, { data }] of Object.entries(values)) {
      const own = all[name];
      if (!own) {
        const list = Object.keys(all).join(', ');
        const text = `the model has no parameter ${JSON.stringify(name)}; it has ${list}`;
        throw withParameter(new TypeError(text), name, `must be one of ${list}`, name);
      }
      if (data.length !== own.data.length)
        throw wrongValue(name, `must have ${own.data.length} values`, data.length);
      own.data.set(data);
    }
    this.#core.send(Object.values(all).map(({ data }) => data));
    this.#core.doubles(this.#core.training.setParameters(this.#alive, which));
  }

  /**
   * Saves the state from which restore() continues exactly: parameters, moments, steps and the
   * state of the random numbers.
   * @returns a .safetensors file, which PyTorch reads
   */
  snapshot(): Uint8Array {
    const [steps, high, low] = this.#core.doubles(
      this.#core.training.trainerState(this.#alive),
    ) as unknown as number[];
    const moments = (which: Which) =>
      Object.entries(this.#named(which)).map(([name, tensor]) => [`${which}.${name}`, tensor]);
    return writeSafetensors(
      {
        ...this.parameters(),
        ...Object.fromEntries([...moments('firstMoments'), ...moments('secondMoments')]),
      },
      { format: 'pt', steps: String(steps), random: `${high} ${low}` },
    );
  }

  /**
   * Restores the state of a snapshot; training then continues bit for bit.
   * @throws TypeError, RangeError on a file that is not a snapshot of such a model
   */
  restore(snapshot: Uint8Array | ArrayBuffer): void {
    const { tensors, metadata } = readSafetensors(snapshot);
    const steps = metadata.get('steps');
    const random = metadata.get('random')?.split(' ').map(Number);
    if (steps === undefined || random?.length !== 2)
      throw wrongKind(
        'snapshot',
        'must come from snapshot()',
        metadata,
        `metadata ${[...metadata.keys()]}`,
      );
    const pick = (prefix: string) =>
      Object.fromEntries(
        this.#parameters.map(({ name }) => {
          const tensor = tensors.get(prefix + name);
          if (!tensor || !(tensor.data instanceof Float32Array))
            throw wrongKind(
              'snapshot',
              `must have 32-bit floats called ${prefix}${name}`,
              tensor,
              '',
            );
          return [name, { data: tensor.data, shape: [...tensor.shape] }];
        }),
      );
    const [values, first, second] = [pick(''), pick('firstMoments.'), pick('secondMoments.')];
    this.#set('values', values);
    this.#set('firstMoments', first);
    this.#set('secondMoments', second);
    this.#core.training.restore(this.#alive, Number(steps), random[0]!, random[1]!);
  }

  /** Releases the memory. Later calls throw; a second dispose() does nothing. */
  dispose(): void {
    if (this.#at !== undefined) this.#core.training.deleteTrainer(this.#at);
    this.#at = undefined;
  }
}

if (typeof Symbol.dispose === 'symbol')
  Object.defineProperty(Trainer.prototype, Symbol.dispose, { value: Trainer.prototype.dispose });

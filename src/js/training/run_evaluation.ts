/** An evaluation as data that JSON can hold. */
import { wrongKind, wrongValue } from '../runtime/errors.js';
import type { TrainingCore } from '../runtime/train_module.js';
import type { Evaluation, EvaluationOptions } from './evaluation.js';
import type { TrainerOptions } from './options.js';
import type { Trainer } from './trainer.js';
import { rotaryFrequencies } from '../rotary/frequencies.js';
import { logitFactors, type LogitFactorOptions } from '../rotary/logit_factors.js';
import type { RotaryScaling } from '../rotary/scaling.js';
import { oneOf } from '../runtime/checks.js';
import * as option from '../runtime/option.js';
import { read } from '../runtime/schema.js';

const scalings = ['none', 'linear', 'ntk', 'ntk-alpha', 'ntk-by-parts', 'yarn'] as const;

type LogN = Extract<LogitFactorOptions, { type: 'log-n' }>;

/** How a trained model is evaluated, as data that JSON can hold. */
export interface RunEvaluation extends Omit<
  EvaluationOptions,
  'lengths' | 'frequencies' | 'rowScale'
> {
  /** Lengths of the sequences; for copy and reverse the items, for addition the digits. */
  lengths: number[];
  /** rope, ssmax, selective: extension of their frequencies. Default: those of training. */
  scaling?: Extract<RotaryScaling, { type: (typeof scalings)[number] }>;
  /**
   * Multiplies the scores of each row by log-n. true: { form: 'clipped' } and the length of
   * training, which are the defaults too.
   */
  logN?: boolean | { form?: LogN['form']; originalLength?: number };
  /** Whether results have the scores at each place. Default false. */
  places?: boolean;
}

/** Whether the task draws the length of each batch. Its evaluations then count items or digits. */
export const drawsLength = ({ task }: TrainerOptions): boolean =>
  ['copy', 'reverse', 'addition'].includes(task.type);

const logNSchema = {
  form: option.oneOf('length', 'position', 'clipped').default('clipped'),
  originalLength: option.positive.optional(),
};

/**
 * The lengths of an evaluation, each checked.
 * @param name prefix of names in error messages: 'evaluations.length'
 */
export function lengthsOf(name: string, evaluation: RunEvaluation): number[] {
  if (typeof evaluation !== 'object' || evaluation === null || Array.isArray(evaluation))
    throw wrongKind(name, 'must be an object', evaluation);
  const { lengths, places } = evaluation;
  if (places !== undefined) option.truth.read(`${name}.places`, places);
  if (!Array.isArray(lengths) || lengths.length === 0)
    throw wrongKind(`${name}.lengths`, 'must be a list of lengths', lengths);
  return lengths.map((length, i) => option.whole.read(`${name}.lengths[${i}]`, length));
}

/** Returns one factor per place of a sequence, or undefined if all are 1. */
function rowFactors(
  core: TrainingCore,
  logN: RunEvaluation['logN'],
  length: number,
  trainingLength: number,
): Float64Array | undefined {
  if (logN === undefined || logN === false) return undefined;
  const given = read('logN', logN === true ? {} : logN, logNSchema, 'logN.');
  const { form, originalLength = trainingLength } = given;
  return logitFactors(core).logitFactors(length, { type: 'log-n', form, originalLength });
}

/**
 * Evaluates a trained model at one length.
 * @param options the options of the trainer
 * @param isTrial one sequence is evaluated, however many the evaluation says
 * @throws TypeError, RangeError on a wrong option, naming it
 */
export function evaluateAt(
  core: TrainingCore,
  trainer: Trainer,
  options: TrainerOptions,
  { evaluation, length }: { evaluation: RunEvaluation; length: number },
  isTrial: boolean,
): Evaluation {
  const { scaling, logN, places: _, ...rest } = evaluation;
  const { position, model = {}, length: originalLength = 32 } = options;
  const { width = 64, heads = 4 } = model;
  if (scaling) oneOf('scaling.type', scaling.type, scalings);
  const frequencies =
    scaling === undefined || scaling.type === 'none'
      ? undefined
      : rotaryFrequencies(core).rotaryFrequencies({
          dim: width / heads,
          base: position && 'base' in position ? position.base : undefined,
          scaling,
        });
  const factors = rowFactors(core, logN, length, originalLength);
  const softmaxScale = frequencies?.softmaxScale ?? 1;
  if ((factors || softmaxScale !== 1) && drawsLength(options))
    throw wrongValue(
      factors ? 'logN' : 'scaling.temperature',
      `must be left out for the task ${options.task.type}, whose rows are not its lengths`,
      factors ? logN : scaling,
      '',
    );
  const evaluated: EvaluationOptions = {
    ...rest,
    lengths: [length],
    ...(frequencies && {
      frequencies: {
        inverseFrequencies: frequencies.inverseFrequencies,
        attentionFactor: frequencies.attentionFactor,
      },
    }),
    ...((factors || softmaxScale !== 1) && {
      rowScale: (place: number) => softmaxScale * (factors?.[place] ?? 1),
    }),
  };
  const [result] = isTrial ? trainer.tryEvaluation(evaluated) : trainer.evaluate(evaluated);
  return result!;
}

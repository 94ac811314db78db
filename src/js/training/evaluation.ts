/** The evaluation of a trained model at any length, and its scores. */
import type { MapChange } from '../model/positions.js';
import { mapSchema, positionMap } from '../rotary/position_maps.js';
import { oneOf } from '../runtime/checks.js';
import { wrongKind } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { TrainingCore } from '../runtime/train_module.js';

/** How the use of a trained model differs from its training. */
export interface ModelUse {
  /**
   * rope, ssmax, selective: other frequencies, as rotaryFrequencies() of `ropewalk` returns them,
   * for instance with the scaling { type: 'yarn', … }.
   */
  frequencies?: { inverseFrequencies: ArrayLike<number>; attentionFactor?: number };
  /** rope, ssmax, selective: another relative position for far keys. Not with own positions. */
  map?: MapChange;
  /** Number of visible keys before a query's own. Default: all. */
  lookback?: number;
  /** One more factor on the scores of each place, such as log-n: (place) => factor. */
  rowScale?: (place: number) => number;
}

/** Options of an evaluation. */
export interface EvaluationOptions extends ModelUse {
  /** Lengths of the sequences; for copy and reverse the items, for addition the digits. */
  lengths: ArrayLike<number>;
  /** Number of sequences per length. Default 64. */
  sequences?: number;
  /** Seed of the test data, which do not depend on the seed of the training. Default 0. */
  seed?: number;
  /** Whether positions are drawn as in training. Default false. */
  randomPositions?: boolean;
  /** flip-flop: another share of ignored bits. Default: that of training. */
  ignoreProbability?: number;
  /** characters: default 'held-out'. */
  text?: 'training' | 'held-out';
}

/**
 * The scores of one group of targets. Tasks have one; repeats has repeated blocks and fresh text.
 */
export interface Scores {
  /** Mean over the targets, in nats. */
  loss: number;
  /** Share of targets that have the largest logit. */
  accuracy: number;
  /** Number of targets. */
  count: number;
  /** Mean loss at each place of the sequence; NaN where nothing is scored. */
  lossByPlace: Float64Array;
  /** Share of targets with the largest logit at each place; NaN where nothing is scored. */
  accuracyByPlace: Float64Array;
}

/** The scores at one length. */
export interface Evaluation extends Scores {
  /** Length of the sequences; for copy and reverse the items, for addition the digits. */
  length: number;
  /** Share of sequences whose targets are all predicted correctly. */
  wholeSequences: number;
  /** The scores of each group, if the task has several. */
  groups: Scores[];
}

export const useSchema = {
  frequencies: option.given('frequencies'),
  map: option.given('map'),
  lookback: option.wholeFrom(0).optional(),
  rowScale: option.given('row scale'),
} satisfies Schema<ModelUse>;

const textParts = ['training', 'held-out'] as const;

const evaluationSchema = {
  lengths: option.numbers,
  sequences: option.whole.optional(),
  seed: option.wholeFrom(0).optional(),
  randomPositions: option.truth.optional(),
  ignoreProbability: option.finite.optional(),
  text: option.oneOf(...textParts).optional(),
  ...useSchema,
} satisfies Schema<EvaluationOptions>;

const frequencySchema = {
  inverseFrequencies: option.numbers,
  attentionFactor: option.positive.optional(),
};

const mapTypes = ['rerope', 'leaky-rerope', 'self-extend', 'dual-chunk'] as const;

/**
 * @param isTrial all options are checked, and one sequence is evaluated of however many
 * @throws TypeError, RangeError on a wrong option, naming it
 */
export function evaluate(
  core: TrainingCore,
  trainer: number,
  options: EvaluationOptions,
  isTrial = false,
): Evaluation[] {
  const evaluation = read('evaluation options', options, evaluationSchema);
  return Array.from(evaluation.lengths, (length) => {
    const size = option.whole.read('lengths', length);
    const recordFor = (sequences: number | undefined) =>
      core.recordOf('evaluation', {
        size,
        sequences,
        seed: evaluation.seed,
        randomPositions: evaluation.randomPositions,
        ignoreProbability: evaluation.ignoreProbability,
        text: evaluation.text && textParts.indexOf(evaluation.text),
      });
    const record = recordFor(evaluation.sequences);
    core.sendDoubles([record]);
    const places = core.doubles(core.training.testLength(trainer))[0]!;
    const sizes = sendUse(core, [isTrial ? recordFor(1) : record], evaluation, places);
    const sums = core.training.evaluate(trainer, ...sizes);
    return evaluationOf(core.doubles(sums), size);
  });
}

/**
 * Sends what a call begins with and the use of the model.
 * Returns the sizes that the call takes: of the frequencies, and of the factors of rows.
 * @param places of a sequence
 */
export function sendUse(
  core: TrainingCore,
  before: (Float64Array | number[])[],
  use: ModelUse,
  places: number,
): [frequencies: number, rowFactors: number] {
  const rotary =
    use.frequencies && read('frequencies', use.frequencies, frequencySchema, 'frequencies.');
  const frequencies = rotary?.inverseFrequencies ?? new Float64Array(0);
  const map = mapOf(use.map);
  const rows = rowFactors(use.rowScale, places);
  const record = core.recordOf('use', {
    attentionFactor: rotary?.attentionFactor,
    map: map && core.raw.PositionMapKind[map.type],
    window: map?.window,
    second: map?.second,
    lookback: use.lookback,
  });
  core.sendDoubles([...before, record, frequencies]);
  core.send([rows]);
  return [frequencies.length, rows.length];
}

function mapOf(map: ModelUse['map']) {
  if (map === undefined) return undefined;
  const type = oneOf('map.type', map.type, mapTypes);
  const schema = { type: option.type, ...mapSchema(type) } as Schema<typeof map>;
  return positionMap(type, read('map', map, schema, 'map.') as never, 'map.');
}

function rowFactors(rowScale: unknown, length: number): Float32Array {
  if (rowScale === undefined) return new Float32Array(0);
  if (typeof rowScale !== 'function')
    throw wrongKind('rowScale', 'must be a function of the place', rowScale);
  return Float32Array.from({ length }, (_, place) =>
    option.float.read(`rowScale(${place})`, rowScale(place)),
  );
}

function evaluationOf(result: Float64Array, size: number): Evaluation {
  const [groups, length, wholeSequences] = result as unknown as [number, number, number];
  const part = (index: number) => {
    const start = 3 + index * groups * length;
    return Array.from({ length: groups }, (_, g) =>
      result.subarray(start + g * length, start + (g + 1) * length),
    );
  };
  const [loss, correct, count] = [part(0), part(1), part(2)];
  const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0);
  const scores = (own: number[]): Scores => {
    const at = (lists: Float64Array[]) =>
      Float64Array.from({ length }, (_, place) => own.reduce((a, g) => a + lists[g]![place]!, 0));
    const [losses, corrects, counts] = [at(loss), at(correct), at(count)];
    const ratio = (list: Float64Array) => list.map((value, place) => value / counts[place]!);
    return {
      loss: sum(losses) / sum(counts),
      accuracy: sum(corrects) / sum(counts),
      count: sum(counts),
      lossByPlace: ratio(losses),
      accuracyByPlace: ratio(corrects),
    };
  };
  const all = Array.from({ length: groups }, (_, g) => g);
  return {
    length: size,
    ...scores(all),
    wholeSequences,
    groups: groups > 1 ? all.map((g) => scores([g])) : [],
  };
}

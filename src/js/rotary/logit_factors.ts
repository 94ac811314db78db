/** Temperatures that differ from row to row: one factor on the logits of each query. */
import {
  finiteNumber,
  oneOf,
  options,
  positionList,
  positiveNumber,
  wholeNumber,
} from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import type { Positions } from '../runtime/tensor.js';

/**
 * - log-n: 'length' ln n/ln L₀ for every row, n the whole length; 'position' ln(p + 1)/ln L₀, which
 *   is 0 for the first row; 'clipped' max(1, ln(p + 1)/ln L₀) (Su's rerope repository, Qwen).
 * - llama4: 1 + scale · ln(1 + ⌊(p + 1)/floorLength⌋).
 */
export type LogitFactorOptions =
  | {
      type: 'log-n';
      form: 'length' | 'position' | 'clipped';
      /** L₀: how many positions training saw. */
      trainedLength: number;
      /** n, for the form 'length'. Default: the number of positions. */
      length?: number;
    }
  | {
      type: 'llama4';
      /** Default 0.1. */
      scale?: number;
      /** Default 8192. */
      floorLength?: number;
    };

type OfType<Type> = Extract<LogitFactorOptions, { type: Type }>;

const what = (type: string) => `logitFactors options (type '${type}')`;

const factors = {
  'log-n'(core: Core, positions: Float64Array, settings: OfType<'log-n'>): Float64Array {
    const names = ['type', 'form', 'trainedLength', 'length'] as const;
    const given = options(what('log-n'), settings, names);
    const form = oneOf('form', given.form, ['length', 'position', 'clipped'] as const);
    const trainedLength = positiveNumber('trainedLength', given.trainedLength);
    const length = wholeNumber('length', given.length ?? positions.length);
    core.sendDoubles([positions]);
    return core.doubles(core.raw.logN(positions.length, trainedLength, form, length));
  },
  llama4(core: Core, positions: Float64Array, settings: OfType<'llama4'>): Float64Array {
    const given = options(what('llama4'), settings, ['type', 'scale', 'floorLength']);
    const scale = finiteNumber('scale', given.scale ?? 0.1);
    const floorLength = wholeNumber('floorLength', given.floorLength ?? 8192);
    core.sendDoubles([positions]);
    return core.doubles(core.raw.llama4Factors(positions.length, scale, floorLength));
  },
};

export const logitFactors = (core: Core) => ({
  /**
   * What multiplies the logits of each row, before the softmax: attention's `rowScale`.
   * @param positions a count, or the positions of the rows; at least 0
   * @returns one factor per position
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Su, kexue.fm/archives/8823 (log-n); Meta, Llama 4
   */
  logitFactors(positions: Positions, settings: LogitFactorOptions): Float64Array {
    const list = positionList('positions', positions, undefined, 16);
    const type = oneOf('type', settings?.type, ['log-n', 'llama4'] as const);
    return factors[type](core, list, settings as never);
  },
});

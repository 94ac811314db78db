/** Temperatures that differ from row to row: one factor on the logits of each query. */
import {
  finiteNumber,
  oneOf,
  options,
  positionList,
  positiveNumber,
  wholeNumber,
} from './checks.js';
import { copied, type Core } from './core.js';
import type { Positions } from './tensor.js';

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

export const logitFactors = (core: Core) => ({
  /**
   * What multiplies the logits of each row, before the softmax.
   * @param positions a count, or the positions of the rows; at least 0
   * @returns one factor per position
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Su, kexue.fm/archives/8823 (log-n); Meta, Llama 4
   */
  logitFactors(positions: Positions, settings: LogitFactorOptions): Float64Array {
    const list = positionList('positions', positions);
    const type = oneOf('type', settings?.type, ['log-n', 'llama4'] as const);
    if (settings.type === 'llama4') {
      options(`logitFactors options (type '${type}')`, settings, ['type', 'scale', 'floorLength']);
      const scale = finiteNumber('scale', settings.scale ?? 0.1);
      const floorLength = wholeNumber('floorLength', settings.floorLength ?? 8192);
      core.sendDoubles([list]);
      return copied(core.raw.llama4Factors(list.length, scale, floorLength));
    }
    options(`logitFactors options (type '${type}')`, settings, [
      'type',
      'form',
      'trainedLength',
      'length',
    ]);
    const form = oneOf('form', settings.form, ['length', 'position', 'clipped'] as const);
    const trainedLength = positiveNumber('trainedLength', settings.trainedLength);
    const length = wholeNumber('length', settings.length ?? list.length);
    core.sendDoubles([list]);
    return copied(core.raw.logN(list.length, trainedLength, form, length));
  },
});

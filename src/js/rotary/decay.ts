/**
 * Properties of rotary frequencies before any training: wavelengths, turns, decay with distance.
 */
import { numbers, positionList } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { layoutOrHalves, type RotaryLayout } from './rotary.js';
import { checkedFrequencies, requireOneAxis, type RotaryFrequencies } from './frequencies.js';
import type { Positions } from '../runtime/tensor.js';

export interface RotaryTurnsOptions {
  /** How many positions. */
  length: number;
}

const rotaryTurnsSchema = { length: option.positive } satisfies Schema<RotaryTurnsOptions>;

/** Distances at which decay is computed. */
export interface RotaryDecayOptions {
  /** A count (offsets 0 … count − 1), or the offsets themselves. */
  offsets: Positions;
}

const rotaryDecaySchema = { offsets: option.positions } satisfies Schema<RotaryDecayOptions>;

export interface RotaryDecay {
  /**
   * (1/pairs) Σ_j |S_j|, how far a score can fall: S_j is the sum of exp(i · offset · f_k) over the
   * pairs k < j, and i the imaginary unit.
   */
  meanPartialSum: Float64Array;
  /**
   * (1/pairs) Σ_k cos(offset · f_k): the score of equal query and key, of length 1 in every pair.
   */
  meanCosine: Float64Array;
}

/** The offsets and the layout of the query and the key. */
export interface RotaryScoreBoundOptions extends RotaryDecayOptions {
  /** Which values are a pair. Default 'half-split'. */
  layout?: RotaryLayout;
}

const rotaryScoreBoundSchema = {
  ...rotaryDecaySchema,
  layout: layoutOrHalves,
} satisfies Schema<RotaryScoreBoundOptions>;

export interface RotaryScoreBound {
  /**
   * q at each offset from k, both rotated: the real part of Σ_j h_j exp(i · offset · f_j), where
   * h_j = q_j · conj(k_j) is complex and i the imaginary unit.
   */
  score: Float64Array;
  /** The absolute value of the same sum. */
  magnitude: Float64Array;
  /** max_j |h_{j+1} − h_j| · Σ_j |S_j|, never below the magnitude; see RotaryDecay for S_j. */
  bound: Float64Array;
}

export const rotaryDecay = (core: Core) => {
  const oneAxis = (frequencies: RotaryFrequencies) => {
    const checked = checkedFrequencies('frequencies', frequencies);
    requireOneAxis('frequencies', checked);
    return checked;
  };

  return {
    /**
     * The wavelength of each pair, 2π / f positions; Infinity for an unrotated pair.
     * @returns one number per pair
     * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
     * @see Peng et al. 2023, YaRN, section 3.1
     */
    rotaryWavelengths(frequencies: RotaryFrequencies): Float64Array {
      const { inverseFrequencies } = checkedFrequencies('frequencies', frequencies);
      core.sendDoubles([inverseFrequencies]);
      return core.doubles(core.raw.rotaryWavelengths(inverseFrequencies.length));
    },

    /**
     * Turns that each pair makes within a length, length · f / 2π: below 1, it never completes one.
     * @returns one number per pair
     * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
     * @see Peng et al. 2023, YaRN, section 3.2
     */
    rotaryTurns(frequencies: RotaryFrequencies, settings: RotaryTurnsOptions): Float64Array {
      const { length } = read('rotaryTurns options', settings, rotaryTurnsSchema);
      const { inverseFrequencies } = checkedFrequencies('frequencies', frequencies);
      core.sendDoubles([inverseFrequencies]);
      return core.doubles(core.raw.rotaryTurns(inverseFrequencies.length, length));
    },

    /**
     * How far scores can fall with distance: the mean of the partial sums |S_j|, and the mean
     * cosine. Neither falls everywhere; both fall on the whole, slower for a larger base.
     * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
     * @see Su et al. 2021, RoFormer, section 3.4.3
     */
    rotaryDecay(frequencies: RotaryFrequencies, settings: RotaryDecayOptions): RotaryDecay {
      const given = read('rotaryDecay options', settings, rotaryDecaySchema);
      const { inverseFrequencies } = oneAxis(frequencies);
      const offsets = positionList('offsets', given.offsets, 32);
      core.sendDoubles([inverseFrequencies, offsets]);
      const both = core.doubles(core.raw.rotaryDecay(inverseFrequencies.length, offsets.length));
      const count = offsets.length;
      return { meanPartialSum: both.slice(0, count), meanCosine: both.slice(count) };
    },

    /**
     * The score of a query and a key at each offset, under the bound that summation by parts gives.
     * The attention factor multiplies both twice, once for the query and once for the key.
     * @param q values of one head, two per frequency
     * @param k the same
     * @throws TypeError, RangeError on a wrong kind, value or length, naming the parameter
     * @see Su et al. 2021, RoFormer, equations 35 to 37
     */
    rotaryScoreBound(
      q: ArrayLike<number>,
      k: ArrayLike<number>,
      frequencies: RotaryFrequencies,
      settings: RotaryScoreBoundOptions,
    ): RotaryScoreBound {
      const given = read('rotaryScoreBound options', settings, rotaryScoreBoundSchema);
      const { inverseFrequencies, dim, attentionFactor } = oneAxis(frequencies);
      const [query, key] = [numbers('q', q), numbers('k', k)];
      for (const [name, list] of [
        ['q', query],
        ['k', key],
      ] as const) {
        if (list.length !== dim) {
          throw wrongValue(name, `must have ${dim} values`, list.length);
        }
      }
      const offsets = positionList('offsets', given.offsets, 56);
      core.sendDoubles([
        query.map((value) => value * attentionFactor ** 2),
        key,
        inverseFrequencies,
        offsets,
      ]);
      const all = core.doubles(
        core.raw.rotaryScoreBound(inverseFrequencies.length, offsets.length, given.layout),
      );
      const part = (i: number) => all.slice(i * offsets.length, (i + 1) * offsets.length);
      return { score: part(0), magnitude: part(1), bound: part(2) };
    },
  };
};

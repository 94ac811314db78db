/** Positions beyond the training length: unseen angles, unseen digits, and position maps. */
import { countOf, fitting, oneOf, positionList } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { frequencies, type RotaryFrequencies } from './frequencies.js';
import {
  mapSchema,
  mapTypes,
  positionMap,
  type MapOptions,
  type MapType,
} from './position_maps.js';
import type { Positions, Tensor } from '../runtime/tensor.js';

export interface AngleCoverageOptions {
  /** The frequencies of training. */
  trained: RotaryFrequencies;
  /** The frequencies in use. Default: those of training (direct extrapolation). */
  used?: RotaryFrequencies;
  /** Training length L₀: the number of positions seen in training. */
  originalLength: number;
  /** Number of positions in use. */
  length: number;
}

const angleCoverageSchema = {
  trained: frequencies,
  used: frequencies.optional(),
  originalLength: option.whole,
  length: option.whole,
} satisfies Schema<AngleCoverageOptions>;

export interface AngleCoverage {
  /** Full rotations of each pair within the training length. */
  trainedTurns: Float64Array;
  /** Full rotations of each pair within `length`. */
  turns: Float64Array;
  /** First position whose angle is unseen in training, or −1 if there is none below `length`. */
  firstUnseen: Float64Array;
  /** Pairs with an unseen angle. */
  unseenPairs: number[];
}

export interface PositionDigitsOptions {
  /** The position whose digits are returned. */
  position: number;
  /** Width of the sinusoid. */
  dim: number;
  /** Default 10000. */
  base?: number;
}

const positionDigitsSchema = {
  position: option.finite,
  dim: option.even,
  base: option.positive.default(10000),
} satisfies Schema<PositionDigitsOptions>;

export interface PositionDigits {
  /** The base of the digits, base^(2/dim). */
  beta: number;
  /** ⌊position/beta^i⌋ mod beta, least significant first. */
  digits: Float64Array;
  /** position/beta^i mod 2π: the angle of pair i. */
  angles: Float64Array;
}

/**
 * - rope: m − n.
 * - rerope: min(m − n, window).
 * - leaky-rerope: beyond the window, window + (m − n − window)/factor.
 * - self-extend: from distance W on, ⌊m/G⌋ + W − ⌊W/G⌋ − ⌊n/G⌋, with the neighbor window W and
 *   groups of G positions.
 * - dual-chunk: chunks of chunkSize − localWindow tokens; see An et al. 2024, section 3.2.
 */
export type RelativePositionOptions = {
  /** A count, or the positions of the queries. */
  queries: Positions;
  /** A count, or the positions of the keys. */
  keys: Positions;
} & { [Type in MapType]: { type: Type } & MapOptions[Type] }[MapType];

const relativePositionSchemas = Object.fromEntries(
  mapTypes.map((type) => [
    type,
    { type: option.type, queries: option.positions, keys: option.positions, ...mapSchema(type) },
  ]),
) as Record<MapType, Schema<RelativePositionOptions>>;

export const contextLength = (core: Core) => ({
  /**
   * Finds the pairs with angles unseen in training: pairs that rotate less than once within the
   * training length, and further within `length`.
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Chen et al. 2023, Position Interpolation, section 2.2
   */
  angleCoverage(settings: AngleCoverageOptions): AngleCoverage {
    const given = read('angleCoverage options', settings, angleCoverageSchema);
    const { originalLength, length } = given;
    const trained = given.trained.inverseFrequencies;
    const used = given.used?.inverseFrequencies ?? trained;
    if (used.length !== trained.length) {
      throw wrongValue(
        'used',
        `must have as many pairs as trained, ${trained.length}`,
        used.length,
      );
    }
    const pairs = trained.length;
    core.sendDoubles([trained, used]);
    const packed = core.doubles(core.raw.angleCoverage(pairs, originalLength, length));
    const firstUnseen = packed.slice(2 * pairs);
    return {
      trainedTurns: packed.slice(0, pairs),
      turns: packed.slice(pairs, 2 * pairs),
      firstUnseen,
      unseenPairs: Array.from(firstUnseen.keys()).filter((i) => firstUnseen[i]! >= 0),
    };
  },

  /**
   * Returns the digits of a position in base beta = base^(2/dim), and the angles of its sinusoid.
   * Both come from position/beta^i: modulo beta it is the digit, modulo 2π the angle.
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Su, kexue.fm/archives/9675
   */
  positionDigits(settings: PositionDigitsOptions): PositionDigits {
    const { position, dim, base } = read('positionDigits options', settings, positionDigitsSchema);
    fitting('dim', dim, 20);
    const packed = core.doubles(core.raw.positionDigits(position, dim, base));
    const digits = packed.slice(1, 1 + dim / 2);
    return { beta: packed[0]!, digits, angles: packed.slice(1 + dim / 2) };
  },

  /**
   * Returns the relative position of each key for each query. These schemes are causal: a key after
   * its query has the plain distance m − n, which is negative.
   * @returns a tensor [queries, keys]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Su, kexue.fm/archives/9708; Jin et al. 2024 (Self-Extend); An et al. 2024 (dual chunk)
   */
  relativePositions(settings: RelativePositionOptions): Tensor {
    const type = oneOf('type', settings?.type, mapTypes);
    const what = `relativePositions options (type '${type}')`;
    const given = read(what, settings, relativePositionSchemas[type]);
    const { window, second } = positionMap(type, given as never);
    const size = 'a table of queries × keys';
    fitting(size, countOf(given.queries) * countOf(given.keys));
    const queries = positionList('queries', given.queries);
    const keys = positionList('keys', given.keys);
    core.sendDoubles([queries, keys]);
    const data = core.floats(
      core.raw.relativePositions(
        core.raw.PositionMapKind[type],
        queries.length,
        keys.length,
        window,
        second,
      ),
    );
    return { data, shape: [queries.length, keys.length] };
  },
});

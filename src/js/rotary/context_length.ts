/** Positions beyond the training length: unseen angles, digits, and maps that avoid both. */
import { countOf, fitting, oneOf, positionList } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { checkedFrequencies, type RotaryFrequencies } from './frequencies.js';
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
  /** Those in use; default the same (direct extrapolation). */
  used?: RotaryFrequencies;
  /** How many positions training saw. */
  originalLength: number;
  /** How many there are now. */
  length: number;
}

const angleCoverageSchema = {
  trained: option.asGiven,
  used: option.asGiven,
  originalLength: option.whole,
  length: option.whole,
} satisfies Schema<AngleCoverageOptions>;

export interface AngleCoverage {
  /** Turns that each pair made within the training length. */
  trainedTurns: Float64Array;
  /** Turns that it makes within `length`. */
  turns: Float64Array;
  /** First position whose angle training never showed, or −1 when there is none below `length`. */
  firstUnseen: Float64Array;
  /** The pairs with such an angle. */
  unseenPairs: number[];
}

export interface PositionDigitsOptions {
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
 * - rerope: min(m − n, window). leaky-rerope: beyond the window, `factor` times slower.
 * - self-extend: from the neighbour window W on in groups of G, ⌊m/G⌋ + W − ⌊W/G⌋ − ⌊n/G⌋.
 * - dual-chunk: by chunks of chunkSize − localWindow tokens; see An et al. 2024, section 3.2.
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
    { type: option.asGiven, queries: option.asGiven, keys: option.asGiven, ...mapSchema(type) },
  ]),
) as Record<MapType, Schema<RelativePositionOptions>>;

export const contextLength = (core: Core) => ({
  /**
   * Which pairs have angles that training never showed: those that made less than one turn within
   * the training length and now rotate further.
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Chen et al. 2023, Position Interpolation, section 2.2
   */
  angleCoverage(settings: AngleCoverageOptions): AngleCoverage {
    const given = read('angleCoverage options', settings, angleCoverageSchema);
    const { originalLength, length } = given;
    const trained = checkedFrequencies('trained', given.trained).inverseFrequencies;
    const used =
      given.used === undefined
        ? trained
        : checkedFrequencies('used', given.used).inverseFrequencies;
    if (used.length !== trained.length) {
      throw new RangeError(
        `used must have as many pairs as trained, ${trained.length}, got ${used.length}`,
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
   * A position written in base beta = base^(2/dim), beside the angles of its sinusoid: both are
   * position/beta^i, one started over at beta, the other at 2π.
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
   * Which relative position each query gives each key. Keys after their query get the plain
   * distance, which is negative: these are causal schemes.
   * @returns a tensor [queries, keys]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Su, kexue.fm/archives/9708; Jin et al. 2024 (Self-Extend); An et al. 2024 (dual chunk)
   */
  relativePositions(settings: RelativePositionOptions): Tensor {
    const type = oneOf('type', settings?.type, mapTypes);
    const what = `relativePositions options (type '${type}')`;
    const given = read(what, settings, relativePositionSchemas[type]);
    const { kind, window, second } = positionMap(type, given as never);
    const size = 'a table of queries × keys';
    fitting(size, countOf('queries', given.queries) * countOf('keys', given.keys));
    const queries = positionList('queries', given.queries),
      keys = positionList('keys', given.keys);
    fitting(size, queries.length * keys.length);
    core.sendDoubles([queries, keys]);
    const data = core.floats(
      core.raw.relativePositions(kind, queries.length, keys.length, window, second),
    );
    return { data, shape: [queries.length, keys.length] };
  },
});

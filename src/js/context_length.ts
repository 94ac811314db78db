/** What a longer context asks of positions: angles never seen, digits, and maps that avoid both. */
import {
  evenNumber,
  finiteNumber,
  fitting,
  oneOf,
  options,
  positionList,
  positiveNumber,
  wholeNumber,
} from './checks.js';
import { copied, type Core } from './core.js';
import { checkedFrequencies, type RotaryFrequencies } from './rotary_frequencies.js';
import type { Positions, Tensor } from './tensor.js';

export interface AngleCoverageOptions {
  /** The frequencies of training. */
  trained: RotaryFrequencies;
  /** Those in use; default the same (direct extrapolation). */
  used?: RotaryFrequencies;
  /** How many positions training saw. */
  trainedLength: number;
  /** How many there are now. */
  length: number;
}

export interface AngleCoverage {
  /** Turns that each pair made within the trained length. */
  trainedTurns: Float64Array;
  /** Turns that it makes within `length`. */
  turns: Float64Array;
  /** First position whose angle training never showed, or −1 when there is none below `length`. */
  firstUnseen: Float64Array;
  /** The pairs that meet such an angle. */
  unseenPairs: number[];
}

export interface PositionDigits {
  /** The base of the digits, base^(2/dim). */
  beta: number;
  /** ⌊position/beta^i⌋ mod beta, least significant first. */
  digits: Float64Array;
  /** position/beta^i mod 2π: the angle of pair i. */
  dials: Float64Array;
}

/**
 * - rotary: m − n.
 * - rerope: min(m − n, window). leaky-rerope: beyond the window, `factor` times slower.
 * - self-extend: beyond the window positions count in groups,
 *   ⌊m/group⌋ + window − ⌊window/group⌋ − ⌊n/group⌋.
 * - dual-chunk: by chunks of chunk − localWindow tokens; see An et al. 2024, section 3.2.
 */
export type RelativePositionOptions = {
  /** A count, or the positions of the queries. */
  queries: Positions;
  /** A count, or the positions of the keys. */
  keys: Positions;
} & (
  | { type: 'rotary' }
  | { type: 'rerope'; window: number }
  | { type: 'leaky-rerope'; window: number; factor: number }
  | { type: 'self-extend'; window: number; group: number }
  | { type: 'dual-chunk'; chunk: number; localWindow: number }
);

const mapTypes = ['rotary', 'rerope', 'leaky-rerope', 'self-extend', 'dual-chunk'] as const;

/** The two numbers of a map, checked. */
function mapNumbers(given: RelativePositionOptions): [number, number] {
  const only = (...names: string[]) =>
    options(
      `relativePositions options (type '${given.type}')`,
      given as object,
      ['type', 'queries', 'keys', ...names] as never[],
    );
  switch (given.type) {
    case 'rotary':
      only();
      return [0, 0];
    case 'rerope':
      only('window');
      return [wholeNumber('window', given.window), 0];
    case 'leaky-rerope':
      only('window', 'factor');
      return [wholeNumber('window', given.window), positiveNumber('factor', given.factor)];
    case 'self-extend':
      only('window', 'group');
      return [wholeNumber('window', given.window), wholeNumber('group', given.group)];
    case 'dual-chunk': {
      only('chunk', 'localWindow');
      const chunk = wholeNumber('chunk', given.chunk, 2),
        local = wholeNumber('localWindow', given.localWindow, 0);
      if (local >= chunk)
        throw new RangeError(`localWindow must be smaller than chunk, ${chunk}, got ${local}`);
      return [chunk, local];
    }
  }
}

export const contextLength = (core: Core) => ({
  /**
   * Which pairs meet angles that training never showed them: those that made less than one turn
   * within the trained length and are now turned further than they were then.
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Chen et al. 2023, Position Interpolation, section 2.2
   */
  angleCoverage(settings: AngleCoverageOptions): AngleCoverage {
    const given = options('angleCoverage options', settings, [
      'trained',
      'used',
      'trainedLength',
      'length',
    ]);
    const trained = checkedFrequencies('trained', given.trained).inverse;
    const used =
      given.used === undefined ? trained : checkedFrequencies('used', given.used).inverse;
    if (used.length !== trained.length) {
      throw new RangeError(
        `used must have as many pairs as trained, ${trained.length}, got ${used.length}`,
      );
    }
    const trainedLength = wholeNumber('trainedLength', given.trainedLength);
    const length = wholeNumber('length', given.length);
    const pairs = trained.length;
    core.sendDoubles([trained, used]);
    const packed = copied(core.raw.angleCoverage(pairs, trainedLength, length));
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
  positionDigits(settings: { position: number; dim: number; base?: number }): PositionDigits {
    const given = options('positionDigits options', settings, ['position', 'dim', 'base']);
    const position = finiteNumber('position', given.position);
    const dim = evenNumber('dim', given.dim);
    const packed = copied(
      core.raw.positionDigits(position, dim, positiveNumber('base', given.base ?? 10000)),
    );
    const digits = packed.slice(1, 1 + dim / 2);
    return { beta: packed[0]!, digits, dials: packed.slice(1 + dim / 2) };
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
    const [first, second] = mapNumbers(settings);
    const queries = positionList('queries', settings.queries),
      keys = positionList('keys', settings.keys);
    fitting('a table of queries × keys', queries.length * keys.length);
    core.sendDoubles([queries, keys]);
    const data = copied(
      core.raw.relativePositions(type, queries.length, keys.length, first, second),
    );
    return { data, shape: [queries.length, keys.length] };
  },
});

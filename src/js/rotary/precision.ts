/** The dtype microscope: what narrow formats make of positions, frequencies, angles and scores. */
import { finiteNumber, numbers, oneOf, options, positionList } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { rotaryLayouts, type RotaryLayout } from './rotary.js';
import { checkedFrequencies, type RotaryFrequencies } from './frequencies.js';
import type { Positions } from '../runtime/tensor.js';

/** IEEE binary64, binary32, binary16, and bfloat16. */
export type NumberFormat = 'f64' | 'f32' | 'f16' | 'bf16';

/** The format of each stage, which computes in double and rounds once. Default 'f64'. */
export interface RotaryFormats {
  position?: NumberFormat;
  frequency?: NumberFormat;
  angle?: NumberFormat;
  /** cos and sin. */
  table?: NumberFormat;
  /** Queries and keys, before and after they turn. */
  vectors?: NumberFormat;
}

export interface RoundedRotaryTable {
  /** Row-major, one row per position and one column per pair. */
  angles: Float64Array;
  cos: Float64Array;
  sin: Float64Array;
  shape: [positions: number, pairs: number];
}

/**
 * - double-product: position × frequency in double, as this library does.
 * - float-product: both and their product in float (Hugging Face, vLLM).
 * - running-product: angle × base^(−2/dim) from pair to pair, in float (ggml).
 * - recurrence: (cos, sin) turned by one step per position, in float, without trigonometry.
 */
export type AngleMethod = 'double-product' | 'float-product' | 'running-product' | 'recurrence';

const formats = ['f64', 'f32', 'f16', 'bf16'] as const;
const stages = ['position', 'frequency', 'angle', 'table', 'vectors'] as const;
const methods = ['double-product', 'float-product', 'running-product', 'recurrence'] as const;

type Formats = [NumberFormat, NumberFormat, NumberFormat, NumberFormat, NumberFormat];

function checkedFormats(value: RotaryFormats | undefined): Formats {
  const given = options('formats', value, stages);
  return stages.map((stage) =>
    oneOf(`formats.${stage}`, given[stage] ?? 'f64', formats),
  ) as Formats;
}

export const precision = (core: Core) => ({
  /**
   * The nearest numbers of a format, ties to even, rounded once from double: subnormals included,
   * beyond the largest number infinity.
   * @param values doubles
   * @returns as many doubles, each of which the format can hold
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see IEEE 754-2019, section 4.3.1
   */
  roundTo(values: ArrayLike<number>, format: NumberFormat): Float64Array {
    const kind = oneOf('format', format, formats);
    const list = numbers('values', values);
    core.sendDoubles([list]);
    return core.doubles(core.raw.roundedTo(list.length, kind));
  },

  /**
   * How many different positions are left in a format: bf16 names 385 of the first 512.
   * @param positions a count, or the positions themselves
   * @returns a count
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see transformers, pull request 29285 (what narrow formats did to rotary positions)
   */
  distinctPositions(positions: Positions, format: NumberFormat): number {
    const kind = oneOf('format', format, formats);
    const list = positionList('positions', positions);
    core.sendDoubles([list]);
    const rounded = core.doubles(core.raw.roundedTo(list.length, kind));
    // Rounding keeps the order, and a count is in order.
    if (typeof positions !== 'number') rounded.sort();
    let distinct = 1;
    for (let i = 1; i < rounded.length; i++) distinct += Number(rounded[i] !== rounded[i - 1]);
    return distinct;
  },

  /**
   * Angles, cosines and sines with each stage rounded to its format. What a format cannot hold is
   * infinite, as 65520 and more in f16; an infinite angle has neither cosine nor sine, but NaN.
   * @param settings a count or the positions, the frequencies, and the format of each stage
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see transformers, pull request 29285 (what narrow formats did to rotary positions)
   */
  roundedRotaryTable(settings: {
    positions: Positions;
    frequencies: RotaryFrequencies;
    formats?: RotaryFormats;
  }): RoundedRotaryTable {
    const given = options('roundedRotaryTable options', settings, [
      'positions',
      'frequencies',
      'formats',
    ]);
    const { inverseFrequencies } = checkedFrequencies('frequencies', given.frequencies);
    const [position, frequency, angle, table] = checkedFormats(given.formats);
    const positions = positionList(
      'positions',
      given.positions,
      undefined,
      48 * inverseFrequencies.length,
    );
    const cells = positions.length * inverseFrequencies.length;
    core.sendDoubles([positions, inverseFrequencies]);
    const packed = core.doubles(
      core.raw.roundedRotaryTable(
        positions.length,
        inverseFrequencies.length,
        position,
        frequency,
        angle,
        table,
      ),
    );
    return {
      angles: packed.slice(0, cells),
      cos: packed.slice(cells, 2 * cells),
      sin: packed.slice(2 * cells),
      shape: [positions.length, inverseFrequencies.length],
    };
  },

  /**
   * The score of a query at each position with a key `distance` before it, with each stage rounded.
   * Exact rotation gives the same number everywhere; how far these spread is what the formats cost.
   * Where a stage is beyond its format, as in roundedRotaryTable, the score is infinite or NaN.
   * @param settings one query and one key of a head, where the query stands, and the formats
   * @returns one score per position
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Wang et al. 2024, When Precision Meets Position (bfloat16 breaks the relative property)
   */
  roundedRotaryScores(settings: {
    query: ArrayLike<number>;
    key: ArrayLike<number>;
    /** Positions of the query. */
    positions: Positions;
    distance: number;
    frequencies: RotaryFrequencies;
    layout: RotaryLayout;
    formats?: RotaryFormats;
  }): Float64Array {
    const names = [
      'query',
      'key',
      'positions',
      'distance',
      'frequencies',
      'layout',
      'formats',
    ] as const;
    const given = options('roundedRotaryScores options', settings, names);
    const { inverseFrequencies } = checkedFrequencies('frequencies', given.frequencies);
    const vector = (name: 'query' | 'key') => {
      const values = numbers(name, given[name]);
      if (values.length === 2 * inverseFrequencies.length) return values;
      throw new RangeError(
        `${name} must have two values per frequency, ${2 * inverseFrequencies.length}, got ${values.length}`,
      );
    };
    const query = vector('query'),
      key = vector('key');
    const positions = positionList(
      'positions',
      given.positions,
      undefined,
      48 * inverseFrequencies.length,
    );
    const distance = finiteNumber('distance', given.distance);
    const layout = oneOf('layout', given.layout, rotaryLayouts);
    const held = checkedFormats(given.formats);
    core.sendDoubles([query, key, positions, inverseFrequencies]);
    return core.doubles(
      core.raw.roundedRotaryScores(
        positions.length,
        inverseFrequencies.length,
        distance,
        layout,
        ...held,
      ),
    );
  },

  /**
   * How far off the angles are that a method forms, in radians within half a turn, against the
   * exact product of position and frequency: row-major, one row per position and one column per
   * pair. A recurrence walks from 0 to the largest position and needs whole ones up to 2^24.
   * @param settings a count or the positions, the frequencies, and how the angle is formed
   * @returns errors of shape [positions, pairs]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see ggml, rope (running product); transformers and vLLM (product in float)
   */
  rotaryAngleErrors(settings: {
    positions: Positions;
    frequencies: RotaryFrequencies;
    method: AngleMethod;
  }): { errors: Float64Array; shape: [positions: number, pairs: number] } {
    const given = options('rotaryAngleErrors options', settings, [
      'positions',
      'frequencies',
      'method',
    ]);
    const { inverseFrequencies } = checkedFrequencies('frequencies', given.frequencies);
    const positions = positionList(
      'positions',
      given.positions,
      undefined,
      16 * inverseFrequencies.length,
    );
    const method = oneOf('method', given.method, methods);
    const pairs = inverseFrequencies.length;
    // The core walks on from position to position, and from 0 again at each step back.
    const order = Uint32Array.from(positions.keys());
    if (method === 'recurrence') order.sort((a, b) => positions[a]! - positions[b]!);
    core.sendDoubles([Float64Array.from(order, (row) => positions[row]!), inverseFrequencies]);
    const walked = core.doubles(core.raw.rotaryAngleErrors(positions.length, pairs, method));
    const errors = new Float64Array(walked.length);
    order.forEach((row, i) => errors.set(walked.subarray(i * pairs, (i + 1) * pairs), row * pairs));
    return { errors, shape: [positions.length, pairs] };
  },
});

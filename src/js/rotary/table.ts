/** Rotary tables: cos and sin of every row and pair, for `rotate`. */
import {
  arrayKind,
  fitting,
  positionList,
  shapeOf,
  type CheckedPositions,
} from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongKind, wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { ResidentTensor } from '../runtime/resident.js';
import { read, type Schema } from '../runtime/schema.js';
import {
  checkedFrequencies,
  requireOneAxis,
  type CheckedFrequencies,
  type RotaryFrequencies,
} from './frequencies.js';
import { elementCount, type DoubleTensor, type Positions } from '../runtime/tensor.js';

/** One value per pair, so a table does not depend on the layout. */
export interface RotaryTable {
  /** Cosine of each angle, times the attention factor. */
  cos: Float64Array | Float32Array;
  /** Sine of each angle, times the attention factor. */
  sin: Float64Array | Float32Array;
  /** [rows, pairs], or any leading axes whose product is the number of rows. */
  shape: readonly number[];
}

const tableSchema = {
  cos: option.given('cos'),
  sin: option.given('sin'),
  shape: option.given('shape'),
} satisfies Schema<RotaryTable>;

/** The rows of a table. */
export interface RotaryTableOptions {
  /**
   * A count, or the position of each row; for several axes a list per axis, one after the other.
   */
  positions: Positions;
}

const rotaryTableSchema = { positions: option.positions } satisfies Schema<RotaryTableOptions>;

/** Frequencies base^(−2i/dim), with more digits than a double has. */
export interface RotaryTableOfBase {
  /** Even. */
  dim: number;
  /** Base of the frequencies. */
  base: number;
}

const ofBaseSchema = {
  dim: option.even,
  base: option.positive,
} satisfies Schema<RotaryTableOfBase>;

export interface XposTableOptions {
  /** A count, or the position of each row. */
  positions: Positions;
  /** Queries are multiplied by the scale, keys divided by it. */
  role: 'query' | 'key';
  /** Positions over which a pair's scale changes by its ζ. Default 512. */
  scaleBase?: number;
  /** ζ_i = (i/pairs + gamma) / (1 + gamma). Default 0.4. */
  gamma?: number;
  /**
   * The position with scale 1. It cancels in every score, but a cached key keeps the center of its
   * call: use one center for a whole context, near its middle. Default 0.
   */
  center?: number;
}

const xposTableSchema = {
  positions: option.positions,
  role: option.oneOf('query', 'key'),
  scaleBase: option.positive.default(512),
  gamma: option.positive.default(0.4),
  center: option.finite.default(0),
} satisfies Schema<XposTableOptions>;

function tablePart(name: string, value: unknown): Float64Array | Float32Array {
  const kind = arrayKind(value);
  if (kind === 'Float64Array' || kind === 'Float32Array') return value as Float64Array;
  throw wrongKind(name, 'must be a Float64Array or a Float32Array', value);
}

export function checkedTable(name: string, value: RotaryTable) {
  const given = read(name, value, tableSchema);
  const [cos, sin] = [tablePart(`${name}.cos`, given.cos), tablePart(`${name}.sin`, given.sin)];
  const shape = shapeOf(name, given.shape);
  if (shape.length === 0 || elementCount(shape) !== cos.length || cos.length !== sin.length) {
    throw wrongShape(
      name,
      `must be [..., pairs] of the ${cos.length} values of cos and the ${sin.length} of sin`,
      shape,
    );
  }
  const pairs = shape.at(-1)!;
  return { cos, sin, pairs, rows: cos.length / pairs };
}

/** A table for a call of the core: the arrays to send, or the address of a resident one. */
export function sentTable(core: Core, name: string, value: RotaryTable | ResidentTensor) {
  if (!(value instanceof ResidentTensor)) {
    const { cos, sin, pairs, rows } = checkedTable(name, value);
    return { sent: [cos, sin], pairs, rows, address: 0 };
  }
  const [parts, rows, pairs, ...more] = value.shape;
  if (parts !== 2 || !rows || !pairs || more.length > 0)
    throw wrongShape(name, 'must be [2, rows, pairs], cos and then sin', value.shape);
  return { sent: [], pairs, rows, address: value.floatsIn(core, name) };
}

export const rotaryTables = (core: Core) => {
  /** Sends positions and frequencies for the next call. */
  const send = (checked: CheckedFrequencies, given: CheckedPositions) => {
    const { inverseFrequencies, axes, axisOfPair } = checked;
    const bytesEach = Math.max((16 * inverseFrequencies.length) / axes, 8);
    const positions = positionList('positions', given, bytesEach);
    const rows = positions.length / axes;
    if (!Number.isInteger(rows)) {
      throw wrongValue(
        'positions',
        `must be a whole list for each of ${axes} axes`,
        positions.length,
        `${positions.length} values`,
      );
    }
    core.sendDoubles([positions, inverseFrequencies, axisOfPair]);
    return { ...checked, rows, pairs: inverseFrequencies.length };
  };

  const table = (both: Float64Array, rows: number, pairs: number): RotaryTable => {
    const count = rows * pairs;
    return { cos: both.slice(0, count), sin: both.slice(count), shape: [rows, pairs] };
  };

  return {
    /**
     * The angle by which each pair of each row is rotated, position × frequency, in radians.
     * @returns doubles [positions, pairs]
     * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
     * @see Su et al. 2021, RoFormer, section 3.2.2
     */
    rotaryAngles(frequencies: RotaryFrequencies, settings: RotaryTableOptions): DoubleTensor {
      const given = read('rotaryAngles options', settings, rotaryTableSchema);
      const checked = checkedFrequencies('frequencies', frequencies);
      const { axes, rows, pairs } = send(checked, given.positions);
      return { data: core.doubles(core.raw.rotaryAngles(axes, rows, pairs)), shape: [rows, pairs] };
    },

    /**
     * cos and sin of every position times every frequency, times the attention factor, in double
     * and within 1e-15 at any position up to 2^53: the product of position and frequency is exact.
     *
     * Given { dim, base } in place of frequencies, base^(−2i/dim) itself is taken to 30 digits
     * rather than rounded to a double first, which past 10^6 is the larger error.
     * @returns a table [positions, pairs]
     * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
     * @see Su et al. 2021, RoFormer, equation 34
     */
    rotaryTable(
      of: RotaryFrequencies | RotaryTableOfBase,
      settings: RotaryTableOptions,
    ): RotaryTable {
      const given = read('rotaryTable options', settings, rotaryTableSchema);
      if (typeof of === 'object' && of !== null && 'base' in of) {
        const { dim, base } = read('rotaryTable of', of, ofBaseSchema);
        const pairs = fitting('dim', dim, 16) / 2;
        const positions = positionList('positions', given.positions, 16 * pairs);
        core.sendDoubles([positions]);
        const rows = positions.length;
        return table(core.doubles(core.raw.rotaryTableOfBase(rows, dim, base)), rows, pairs);
      }
      const checked = checkedFrequencies('frequencies', of);
      const { axes, rows, pairs, attentionFactor } = send(checked, given.positions);
      return table(
        core.doubles(core.raw.rotaryTable(axes, rows, pairs, attentionFactor)),
        rows,
        pairs,
      );
    },

    /**
     * The table of xPos: rotation times ζ_i^((position − center) / scaleBase) for queries, divided
     * by it for keys, so that a score fades by ζ_i^((m − n) / scaleBase) with distance.
     * @returns a table [positions, pairs]
     * @throws TypeError, RangeError on a wrong kind or value, naming the parameter, and when a
     * position is so far from the center that floats cannot hold its scale (at the
     * defaults 35,000 away)
     * @see Sun et al. 2022, A Length-Extrapolatable Transformer, algorithm 1
     */
    xposTable(frequencies: RotaryFrequencies, settings: XposTableOptions): RotaryTable {
      const { positions, role, scaleBase, gamma, center } = read(
        'xposTable options',
        settings,
        xposTableSchema,
      );
      const checked = checkedFrequencies('frequencies', frequencies);
      requireOneAxis('frequencies', checked);
      const { rows, pairs, attentionFactor } = send(checked, positions);
      const both = core.raw.xposTable(rows, pairs, attentionFactor, role, scaleBase, gamma, center);
      return table(core.doubles(both), rows, pairs);
    },
  };
};

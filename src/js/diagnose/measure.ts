/** Measures rotations, positions and frequencies from the data, without a hypothesis. */
import type { Tensor } from '../runtime/tensor.js';
import type { RotaryModel } from './model.js';
import { startOf } from './tables.js';

/** cos and sin of each row and pair, times any attention factor. */
export interface Measured {
  cos: Float64Array;
  sin: Float64Array;
  rows: number;
  pairs: number;
}

/** The rotation that takes x to y, per row and pair: the mean over heads, by least squares. */
export function measuredRotation(
  x: Tensor,
  y: Tensor,
  model: RotaryModel,
  pairs: number,
): Measured | undefined {
  const [batches = 1, heads = 1, rows = 1, width = 1] = x.shape;
  const { layout, outputLayout } = model;
  if (2 * pairs > width) return undefined;
  const from = startOf(model, width, pairs);
  const place = (order: string, pair: number) =>
    order === 'half-split' ? [pair, pair + pairs] : [2 * pair, 2 * pair + 1];
  const cos = new Float64Array(batches * rows * pairs);
  const sin = new Float64Array(batches * rows * pairs);
  for (let pair = 0; pair < pairs; pair++) {
    const [a, b] = place(layout, pair) as [number, number];
    const [c, d] = place(outputLayout, pair) as [number, number];
    for (let batch = 0; batch < batches; batch++)
      for (let row = 0; row < rows; row++) {
        let [dot, cross, norm] = [0, 0, 0];
        for (let head = 0; head < heads; head++) {
          const at = ((batch * heads + head) * rows + row) * width + from;
          const [p, q] = [x.data[at + a]!, x.data[at + b]!];
          const [r, s] = [y.data[at + c]!, y.data[at + d]!];
          dot += p * r + q * s;
          cross += p * s - q * r;
          norm += p * p + q * q;
        }
        const cell = (batch * rows + row) * pairs + pair;
        cos[cell] = dot / norm;
        sin[cell] = cross / norm;
      }
  }
  return { cos, sin, rows: batches * rows, pairs };
}

const wrapped = (angle: number) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

/** The angles as the model would have made them, without an inversion or exchange. */
export function anglesOf({ cos, sin }: Measured, model: RotaryModel): Float64Array {
  return Float64Array.from(cos, (value, i) => {
    const angle = model.swapped ? Math.atan2(value, sin[i]!) : Math.atan2(sin[i]!, value);
    return model.inverted ? -angle : angle;
  });
}

/** Positions are looked for up to here, where even the slowest pair turns more than once. */
const furthest = 2 ** 15;

/** The largest error of an angle, in radians, with which a position is the one of a row. */
const closeAngle = 0.05;

/**
 * The position of each row for given frequencies: the slowest pairs give it roughly, faster ones
 * more and more exactly. Of the turns of the slowest pair, the fewest with which all pairs agree.
 */
export function measuredPositions(
  angles: Float64Array,
  frequencies: Float64Array,
  rows: number,
): Float64Array {
  const pairs = frequencies.length;
  const order = [...frequencies.keys()]
    .filter((pair) => frequencies[pair]! > 0)
    .sort((a, b) => frequencies[a]! - frequencies[b]!);
  const mostTurns = Math.floor((furthest * (frequencies[order[0]!] ?? 0)) / (2 * Math.PI));
  /** Also the largest difference of an angle from that of the position. */
  const positionAt = (row: number, firstTurns: number) => {
    let [position, error] = [0, 0];
    for (const [i, pair] of order.entries()) {
      const frequency = frequencies[pair]!;
      const angle = angles[row * pairs + pair]!;
      const from = (frequency * position - angle) / (2 * Math.PI);
      const turns = i === 0 ? firstTurns : Math.round(from);
      if (i > 0) error = Math.max(error, Math.abs(from - turns) * 2 * Math.PI);
      position = (angle + 2 * Math.PI * turns) / frequency;
    }
    return { position, error };
  };
  return Float64Array.from({ length: rows }, (_, row) => {
    for (let turns = 0; turns <= mostTurns; turns++) {
      const { position, error } = positionAt(row, turns);
      if (error <= closeAngle) return position;
    }
    return positionAt(row, 0).position;
  });
}

/**
 * The frequency of each pair, from how the angles grow with the positions: neighbors first, then
 * rows further apart, as far as the turns between them are certain. NaN where nothing can be said.
 */
export function measuredFrequencies(
  angles: Float64Array,
  positions: ArrayLike<number>,
  pairs: number,
): Float64Array {
  const gaps: [number, number, number][] = [];
  const rows = positions.length;
  for (let row = 1; row < rows; row++)
    for (const from of [row - 1, 0]) {
      const gap = positions[row]! - positions[from]!;
      if (gap > 0) gaps.push([gap, from, row]);
    }
  gaps.sort(([a], [b]) => a - b);
  const least = gaps[0]?.[0] ?? 0;
  const frequencies = new Float64Array(pairs).fill(NaN);
  if (least !== 1) return frequencies;
  for (let pair = 0; pair < pairs; pair++) {
    const step = (from: number, to: number) =>
      wrapped(angles[to * pairs + pair]! - angles[from * pairs + pair]!);
    const single = gaps.filter(([gap]) => gap === 1).map(([, from, to]) => step(from, to));
    single.sort((a, b) => a - b);
    let estimate = single[single.length >> 1]!;
    let reach = 1;
    for (const [gap, from, to] of gaps) {
      if (gap > 8 * reach) break;
      const turns = Math.round((estimate * gap - step(from, to)) / (2 * Math.PI));
      const better = (step(from, to) + 2 * Math.PI * turns) / gap;
      // A row with a wrong position would give a wrong result.
      if (Math.abs(better - estimate) * reach > 0.5) continue;
      [estimate, reach] = [better, gap];
    }
    frequencies[pair] = estimate;
  }
  return frequencies;
}

/**
 * The value between `low` and `high` at which `of` falls through `wanted`, on a logarithmic scale;
 * undefined where it does not.
 */
export function fitted(
  of: (value: number) => number,
  wanted: number,
  low: number,
  high: number,
): number | undefined {
  let [a, b] = [Math.log(low), Math.log(high)];
  const sign = Math.sign(of(low) - wanted);
  if (!Number.isFinite(wanted) || sign === 0 || sign === Math.sign(of(high) - wanted))
    return undefined;
  for (let step = 0; step < 60; step++) {
    const middle = (a + b) / 2;
    if (Math.sign(of(Math.exp(middle)) - wanted) === sign) a = middle;
    else b = middle;
  }
  return Math.exp((a + b) / 2);
}

/** The roundest number within a relative distance: 9999.98 is 10000. */
export function rounded(value: number, within: number): number {
  for (let digits = 1; digits <= 7; digits++) {
    const round = Number(value.toPrecision(digits));
    if (Math.abs(round - value) <= within * Math.abs(value)) return round;
  }
  return value;
}

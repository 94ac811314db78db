/**
 * Attention as its documentation describes it, row by row in double, with a bound for what floats may be
 * off by in each number. It shares nothing with the package.
 *
 * A bound of Infinity stands for a number that the documentation does not fix.
 */
import { preparedScheme } from './formulas.mjs';
import { rounding } from './products.mjs';
import { Invalid, groupOf } from './reading.mjs';

/** The relative error of exp of a number that is at most 0: see tests/core/support/tolerance.hpp. */
const expError = (x) => 9.2e-8 + rounding * (3 + 1.25 * Math.abs(x));

/** Smaller weights, relative to the largest of their row, may be 0 in floats. */
const leastWeight = 2 ** -100;
/** What is left of a stick below this counts as nothing. */
const leastStick = 1e-20;

const perRow = ['entropy', 'logSumExp', 'remainder'];

/** Places for the results of a call, and for their bounds: of large ones only what is wanted. */
function results(call, isWanted) {
  const rows = call.batch * call.heads * call.queries;
  const of = (count) => ({ values: new Float64Array(count), bounds: new Float64Array(count) });
  const large = ['scores', 'capped', 'biased', 'weights'].filter(isWanted);
  return {
    output: of(rows * call.valueDim),
    ...Object.fromEntries(large.map((name) => [name, of(rows * call.keys)])),
    ...Object.fromEntries(perRow.map((name) => [name, of(rows)])),
  };
}

/** Softmax: the weights of the visible keys, the relative error of each, and the row's logarithm. */
function softmax(call, row, biased, errors, weights, relative) {
  const { keys } = call;
  const sink = call.sinks?.[row.h] ?? -Infinity;
  let [most, least] = [sink, Infinity];
  for (let n = 0; n < keys; n++) {
    if (biased[n] === -Infinity) continue;
    if (Number.isNaN(biased[n])) most = NaN;
    most = Math.max(most, biased[n]);
    least = Math.min(least, biased[n]);
  }
  if (most === -Infinity) return { logSumExp: -Infinity, error: 0, isEmpty: true };
  const pieces = Math.ceil(keys / 256) + 1;
  const spread = most - Math.min(least, sink === -Infinity ? Infinity : sink);
  const shared = rounding * (6 * pieces + 1.25 * spread) + 9.2e-8 * pieces;
  const off = (x, error) => error + shared + rounding * (most - x) + expError(most - x);
  let sum = Math.exp(sink - most);
  let moved = sink === -Infinity ? 0 : sum * Math.expm1(off(sink, 0));
  for (let n = 0; n < keys; n++) {
    if (biased[n] === -Infinity) continue;
    weights[n] = Math.exp(biased[n] - most);
    relative[n] = off(biased[n], errors[n]);
    sum += weights[n];
    moved += weights[n] * Math.expm1(relative[n]);
  }
  // ln of the sum with every term as large as its error allows.
  const common = Math.log1p(moved / sum) + rounding * (keys + 4);
  for (let n = 0; n < keys; n++) {
    weights[n] /= sum;
    relative[n] = Math.expm1(relative[n] + common);
  }
  const logSumExp = most + Math.log(sum);
  return { logSumExp, error: common + 4 * rounding * (Math.abs(logSumExp) + Math.abs(most)) };
}

const sigmoid = (z) => 1 / (1 + Math.exp(-z));

/** Stick-breaking, from the nearest key on. */
function breakStick(call, biased, errors, weights, relative) {
  let [left, off] = [1, 0];
  for (let n = call.keys - 1; n >= 0; n--) {
    const z = biased[n];
    // Keys that get nothing may have any score, NaN too.
    if (z === -Infinity || (left < leastStick && Number.isNaN(z))) continue;
    // sigmoid of a negative number is a quotient of an exponential, that of a positive one nearly 1.
    const small = expError(z) + 3 * rounding;
    const error = errors[n];
    weights[n] = left * sigmoid(z);
    // The slope of a logarithm of sigmoid where it is steepest within the error.
    relative[n] = Math.expm1(off + error * sigmoid(error - z) + small + 6 * rounding);
    off += error * sigmoid(z + error) + (z > 0 ? small : small * Math.exp(z)) + 6 * rounding;
    left *= sigmoid(-z);
  }
  return { remainder: left, error: left * Math.expm1(off) + leastStick };
}

/** The same of finite values without a bound. */
function plainlyWeighted({ v, keys, valueDim }, row, c, weights) {
  let sum = 0;
  for (let n = 0, at = row.v(0) + c; n < keys; n++, at += valueDim)
    if (weights[n] !== 0) sum += weights[n] * v[at];
  return [sum, 0];
}

/** The result of a row from its weights, one value: values that are not finite reach whom they weigh on. */
function weighted(call, row, c, weights, relative, floor) {
  const { v, valueDim } = call;
  let [sum, bound, all, extreme, isOpen] = [0, 0, 0, 0, false];
  const { valueErrors } = call;
  for (let n = 0; n < call.keys; n++) {
    const weight = weights[n];
    if (weight === 0) continue;
    const value = v[row.v(n) + c];
    if (Number.isFinite(value) && !Number.isNaN(weight)) {
      sum += weight * value;
      bound += Math.abs(weight * value) * relative[n] + floor * Math.abs(value);
      all += Math.abs(weight * value);
    } else if (Number.isNaN(weight) || weight > 1e-16) extreme += value * (weight || NaN);
    else if (weight > 2 ** -150) isOpen = true;
    const stored = valueErrors?.(row, n);
    if (stored) bound += weight * (stored.each(value) + stored.of_weight);
  }
  bound += rounding * (call.keys + valueDim + 4) * all;
  if (isOpen) return [NaN, Infinity];
  return extreme === 0 ? [sum, bound] : [extreme, 0];
}

const entropyOf = (weights, relative) => {
  let [sum, bound] = [0, 0];
  weights.forEach((w, n) => {
    if (w === 0) return;
    const log = Math.log(w);
    sum -= w * log;
    bound += w * (Math.abs(log) + 1) * (relative[n] + 4 * rounding) + leastWeight * 100;
  });
  return [sum, bound + 2 * rounding * Math.abs(sum)];
};

/**
 * Computes a call of `readCall`.
 * @param {any} call
 * @param {(name: string) => boolean} [isWanted] which intermediates are kept
 * @returns {{ results: any, scheme: any }} `results` has values and bounds of each part
 */
export function attend(call, isWanted = (name) => call.intermediates.has(name)) {
  const scheme = preparedScheme(call);
  if (scheme.hidesLater && call.band.ahead > 0)
    throw new Invalid('keys after the query have no score');
  const { sticks } = scheme;
  if (sticks && call.sinks) throw new Invalid('stick-breaking has no sinks');
  const made = results(call, isWanted);
  const { keys } = call;
  const [scores, errors, weights, relative] = Array.from(
    { length: 4 },
    () => new Float64Array(keys),
  );
  for (let b = 0; b < call.batch; b++) {
    for (let h = 0; h < call.heads; h++) {
      const g = groupOf(call, h);
      const keyRow = (b * call.keyHeads + g) * keys;
      for (let i = 0; i < call.queries; i++) {
        const index = (b * call.heads + h) * call.queries + i;
        const row = {
          b,
          h,
          g,
          i,
          at: call.first[b] + i,
          index,
          q: index * call.dim,
          k: (n) => (keyRow + n) * call.dim,
          v: (n) => (keyRow + n) * call.valueDim,
        };
        finishRow(call, scheme, row, made, { scores, errors, weights, relative });
      }
    }
  }
  return { results: made, scheme };
}

function keep(made, name, row, keys, list, errors) {
  if (!made[name]) return;
  made[name].values.set(list, row.index * keys);
  made[name].bounds.set(errors, row.index * keys);
}

const isVisible = (call, row, n) =>
  n >= row.at - call.band.back &&
  n <= row.at + call.band.ahead &&
  n < call.keyLengths[row.b] &&
  call.mayAttend(row.b, row.h, row.i, n);

/** Scores of a row: scaled, capped and with every bias. */
function scoreRow(call, scheme, row, made, { scores, errors }) {
  const { keys, softcap, bias } = call;
  const isInside = row.at >= 0 && row.at < keys;
  if (scheme.standsAtKeys && !isInside) {
    // Such a row has no place among the keys; it is valid where it sees none.
    for (let n = 0; n < keys; n++)
      if (isVisible(call, row, n)) throw new Invalid('queries must stand at keys');
  }
  if (scheme.hidesLater && !isInside) {
    scores.fill(-Infinity);
    errors.fill(0);
  } else scheme.fill(row, scores, errors);
  const factor = call.scale * scheme.factor * (call.rowScaleAt?.(row.b, row.h, row.i) ?? 1);
  const isScored = (n) => !scheme.hidesLater || n <= row.at;
  for (let n = 0; n < keys; n++) {
    if (!isScored(n)) continue;
    scores[n] *= factor;
    // A score that is not fixed stays so.
    if (errors[n] !== Infinity)
      errors[n] = errors[n] * Math.abs(factor) + 4 * rounding * Math.abs(scores[n]);
  }
  keep(made, 'scores', row, keys, scores, errors);
  if (softcap !== undefined) {
    for (let n = 0; n < keys; n++) {
      if (!isScored(n)) continue;
      scores[n] = softcap * Math.tanh(scores[n] / softcap);
      if (errors[n] !== Infinity) errors[n] += 5e-7 * Math.abs(scores[n]);
    }
  }
  keep(made, 'capped', row, keys, scores, errors);
  const hidesOwn = scheme.sticks && !scheme.sticks.attendCurrent;
  for (let n = 0; n < keys; n++) {
    const added = bias?.data[bias.at(row.b, row.h, row.i, n)] ?? 0;
    if (!isVisible(call, row, n) || added === -Infinity || (hidesOwn && n === row.at)) {
      [scores[n], errors[n]] = [-Infinity, 0];
      continue;
    }
    const ofScheme = scheme.bias?.(row, n) ?? 0;
    const sizes = 2 * Math.abs(scores[n]) + 3 * Math.abs(added) + 4 * Math.abs(ofScheme);
    scores[n] += added + ofScheme;
    errors[n] += rounding * sizes + (scheme.biasError?.(row, n) ?? 0);
  }
  scheme.late?.(row, scores, errors);
  keep(made, 'biased', row, keys, scores, errors);
}

function finishRow(call, scheme, row, made, lists) {
  const { keys, valueDim } = call;
  const { scores, errors, weights, relative } = lists;
  scoreRow(call, scheme, row, made, lists);
  weights.fill(0);
  relative.fill(0);
  const put = (name, /** @type {number[]} */ [value, bound]) => {
    made[name].values[row.index] = value;
    made[name].bounds[row.index] = bound;
  };
  const floor = scheme.sticks ? leastStick : leastWeight;
  const resultOf = call.isFinite ? plainlyWeighted : weighted;
  let isEmpty = false;
  let left = 0;
  if (scheme.sticks) {
    const { remainder, error } = breakStick(call, scores, errors, weights, relative);
    left = scheme.sticks.addRemainder && row.at >= 0 && row.at < keys ? remainder : 0;
    put('remainder', [remainder, error]);
  } else {
    const state = softmax(call, row, scores, errors, weights, relative);
    isEmpty = state.isEmpty === true;
    put('logSumExp', [state.logSumExp, state.error]);
  }
  if (call.intermediates.has('entropy')) put('entropy', entropyOf(weights, relative));
  const isNan = isEmpty && call.fullyMasked === 'nan';
  const isUnknown = weights.some(Number.isNaN);
  if (isNan) {
    weights.fill(NaN);
    put('entropy', [NaN, Infinity]);
  }
  if (made.weights) {
    // In a row with a NaN a hidden key's weight is not fixed.
    const ofWeight = (w, n) =>
      isUnknown && scores[n] === -Infinity ? Infinity : w * relative[n] + floor;
    keep(made, 'weights', row, keys, weights, weights.map(ofWeight));
  }
  for (let c = 0; c < valueDim; c++) {
    const at = row.index * valueDim + c;
    let [value, bound] = isNan ? [NaN, 0] : resultOf(call, row, c, weights, relative, floor);
    // Nothing of a value that may not be finite, where nothing is left.
    if (left > leastStick) {
      const more = left * call.v[row.v(row.at) + c];
      value += more;
      bound +=
        Math.abs(more) * 4 * rounding +
        made.remainder.bounds[row.index] * Math.abs(call.v[row.v(row.at) + c]);
    }
    made.output.values[at] = value;
    made.output.bounds[at] = bound;
  }
}

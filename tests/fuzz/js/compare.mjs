/** Whether two results of attention agree: to the bit, or as far as rounding may carry floats. */
import { schemes } from './schemes.mjs';
import { largest, placeOf } from './tensors.mjs';

const epsilon = 2 ** -23;

function longestRow({ data, shape }) {
  const length = shape.at(-1);
  let most = 0;
  for (let first = 0; first < data.length; first += length) {
    let sum = 0;
    for (let i = first; i < first + length; i++) sum += Number.isFinite(data[i]) ? data[i] ** 2 : 0;
    most = Math.max(most, Math.sqrt(sum));
  }
  return most;
}

/**
 * How far floats may be off in a result of this problem: the terms of tests/core/support/tolerance.hpp, for
 * the worst row.
 */
export function boundOf({ q, k, v, settings }) {
  const { past, position } = settings;
  const longest = (now, before) => Math.max(longestRow(now), before ? longestRow(before) : 0);
  const keys = k.shape[2] + (past?.k.shape[2] ?? 0);
  const dim = q.shape.at(-1);
  const rotated = (position?.frequencies?.attentionFactor ?? 1) ** 2;
  const scale =
    Math.abs(settings.scale ?? 1 / Math.sqrt(dim)) *
    (settings.rowScale ? largest(settings.rowScale) : 1);
  const product = scale * rotated * longestRow(q) * longest(k, past?.k);
  const { largestBias } = schemes[position?.type ?? 'none'];
  const reach = largestBias?.(position, keys + q.shape[2], q.shape[1]) ?? 0;
  const bias = reach + largest(settings.bias?.data) + largest(settings.sinks);
  const score = epsilon * ((dim + 16) * product + 4 * (product + bias));
  const weight = Math.expm1(2 * score + epsilon * (2 * (product + bias) + 4 * keys + 32));
  return { score, weight, value: Math.max(largest(v.data), largest(past?.v.data)), keys };
}

/** Absolute errors, since what cancels has no digits left. */
const allowances = {
  output: ({ weight, value }) => 2 * weight * value,
  scores: ({ score }) => score,
  capped: ({ score }) => 2 * score,
  biased: ({ score }) => 2 * score,
  weights: ({ weight }) => weight,
  // −w ln w changes by at most (|ln w| + 1) w of the relative error of w.
  entropy: ({ weight, keys }) => weight * (2 + 2 * Math.log(keys + 1)),
  logSumExp: ({ weight, score }) => 2 * weight + score,
};

/** The parts of a result that have numbers to compare. */
export const parts = Object.keys(allowances);

const agree = (a, b, within) => a === b || Object.is(a, b) || Math.abs(a - b) <= within;

/** How `actual` differs from `expected`, or undefined. Without a bound every number must be the same. */
export function difference(actual, expected, bound) {
  for (const name of parts.filter((part) => part in expected)) {
    const [a, b] = [actual[name], expected[name]];
    if (String(a?.shape) !== String(b.shape))
      return `${name} has shape [${a?.shape}], expected [${b.shape}]`;
    const within = bound ? allowances[name](bound) : 0;
    const at = a.data.findIndex((value, i) => !agree(value, b.data[i], within));
    if (at < 0) continue;
    const [place, limit] = [
      placeOf(at, b.shape).join(', '),
      bound ? ` ± ${within.toExponential(1)}` : '',
    ];
    return `${name}[${place}] is ${a.data[at]}, expected ${b.data[at]}${limit}`;
  }
  return undefined;
}

/** Seeded inputs, and what the tests of the package share. */
import assert from 'node:assert/strict';
import { largestDifference } from '../support/reference.mjs';

/** Numbers in [-2, 2) from a seed (SplitMix32), already floats. */
export function draws(count, seed) {
  let state = seed | 0;
  return Float32Array.from({ length: count }, () => {
    state = (state + 0x9e3779b9) | 0;
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 30 - 2;
  });
}

export function tensor(shape, seed) {
  return {
    data: draws(
      shape.reduce((a, b) => a * b, 1),
      seed,
    ),
    shape,
  };
}

/** The rows of one leading index of a tensor, as arrays of numbers. */
export function rows({ data, shape }, leading = 0) {
  const [count, width] = shape.slice(-2);
  return Array.from({ length: count }, (_, r) => {
    const first = (leading * count + r) * width;
    return Array.from(data.subarray(first, first + width));
  });
}

/**
 * What floats may differ from double on these small inputs. That the kernels keep their derived
 * bounds is shown in tests/core; here the question is whether the right numbers arrive.
 */
export function assertClose(actual, expected, bound = 1e-5, what = '') {
  const difference = largestDifference(Array.from(actual).flat(), Array.from(expected).flat());
  assert.ok(difference <= bound, `${what} off by ${difference}, bound ${bound}`);
}

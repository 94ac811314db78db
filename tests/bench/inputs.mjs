/** Seeded inputs, the same in every process and browser, and the check of what comes back. */

/** Values of mean 0 and variance 1: the logits of attention then have variance 1 as well. */
export function uniform(count, seed) {
  const values = new Float32Array(count);
  let state = (seed * 2654435761 + 1) >>> 0;
  for (let i = 0; i < count; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    values[i] = ((state >>> 0) / 2 ** 31 - 1) * Math.sqrt(3);
  }
  return values;
}

/** [heads, length, dim] as [length, heads · dim], or back when the two counts change places. */
export function swapped(data, heads, length, dim) {
  const result = new Float32Array(data.length);
  for (let h = 0; h < heads; h++) {
    for (let n = 0; n < length; n++) {
      const from = (h * length + n) * dim;
      result.set(data.subarray(from, from + dim), (n * heads + h) * dim);
    }
  }
  return result;
}

/** The largest difference; another length and NaN are infinitely wrong. */
export function furthest(a, b) {
  if (a.length !== b.length) return Infinity;
  let worst = 0;
  for (let i = 0; i < a.length; i++) {
    const apart = Math.abs(a[i] - b[i]);
    if (Number.isNaN(apart)) return Infinity;
    if (apart > worst) worst = apart;
  }
  return worst;
}

/** A contestant that computes something else is not timed: it is an error. */
export function check(name, error, bound) {
  if (error <= bound) return error;
  throw new Error(`${name} is wrong by ${error}, more than ${bound}`);
}

/** Attention and rotation in plain JavaScript: loops over typed arrays, without SIMD. */

/**
 * Computes one row at a time: scores by dot products with four accumulators, softmax in place, and
 * the weighted sum of the values.
 */
export function plainAttention({ q, k, v, heads, queries, keys, dim, causal }) {
  const scale = 1 / Math.sqrt(dim);
  const scores = new Float32Array(keys);
  const run = () => {
    const output = new Float32Array(q.length);
    for (let h = 0; h < heads; h++) {
      for (let m = 0; m < queries; m++) {
        const row = (h * queries + m) * dim;
        const visible = causal ? Math.min(keys, m + 1) : keys;
        const total = exponentials(scores, q, row, k, h * keys * dim, visible, dim, scale);
        addWeightedValues(output, row, scores, total, v, h * keys * dim, visible, dim);
      }
    }
    return output;
  };
  return { name: 'plain JS', peer: 'plain JS', run, output: (data) => data, end() {} };
}

/** Writes exp(score − largest score) of each visible key to `scores`, and returns their sum. */
function exponentials(scores, q, row, k, first, visible, dim, scale) {
  let highest = -Infinity;
  for (let n = 0, at = first; n < visible; n++, at += dim) {
    let a = 0,
      b = 0,
      c = 0,
      d = 0;
    for (let i = 0; i < dim; i += 4) {
      a += q[row + i] * k[at + i];
      b += q[row + i + 1] * k[at + i + 1];
      c += q[row + i + 2] * k[at + i + 2];
      d += q[row + i + 3] * k[at + i + 3];
    }
    const score = (a + b + c + d) * scale;
    scores[n] = score;
    if (score > highest) highest = score;
  }
  let total = 0;
  for (let n = 0; n < visible; n++) total += scores[n] = Math.exp(scores[n] - highest);
  return total;
}

function addWeightedValues(output, row, weights, total, v, first, visible, dim) {
  for (let n = 0, at = first; n < visible; n++, at += dim) {
    const weight = weights[n] / total;
    for (let i = 0; i < dim; i++) output[row + i] += weight * v[at + i];
  }
}

/** Rotates each pair by precomputed tables cos and sin, [length, dim / 2]. */
export const plainRotation = {
  'half-split'(out, { x, dim, cos, sin }) {
    const pairs = dim / 2;
    for (
      let at = 0, t = 0;
      at < x.length;
      at += dim, t = t + pairs === cos.length ? 0 : t + pairs
    ) {
      for (let i = 0; i < pairs; i++) {
        const a = x[at + i],
          b = x[at + i + pairs],
          c = cos[t + i],
          s = sin[t + i];
        out[at + i] = a * c - b * s;
        out[at + i + pairs] = a * s + b * c;
      }
    }
    return out;
  },
  interleaved(out, { x, dim, cos, sin }) {
    const pairs = dim / 2;
    for (
      let at = 0, t = 0;
      at < x.length;
      at += dim, t = t + pairs === cos.length ? 0 : t + pairs
    ) {
      for (let i = 0; i < pairs; i++) {
        const a = x[at + 2 * i],
          b = x[at + 2 * i + 1],
          c = cos[t + i],
          s = sin[t + i];
        out[at + 2 * i] = a * c - b * s;
        out[at + 2 * i + 1] = a * s + b * c;
      }
    }
    return out;
  },
};

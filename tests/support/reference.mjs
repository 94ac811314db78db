/**
 * The double reference of the page's tests: plain loops over arrays of rows, written from the
 * formulas of the papers and sharing nothing with the package. A row is an array of numbers.
 */

/**
 * softmax(scale q kT + bias) v of one head, with its intermediates.
 * @param {number[][]} q
 * @param {number[][]} k
 * @param {number[][]} v
 * @param {object} [options]
 * @param {number} [options.scale] 1 / sqrt(dim) by default
 * @param {number[][]} [options.bias]
 * @param {(query: number, key: number) => boolean} [options.sees] the mask
 */
export function attention(q, k, v, { scale, bias, sees = () => true } = {}) {
  const factor = scale ?? 1 / Math.sqrt(q[0].length);
  const scores = q.map((row) => k.map((key) => factor * dot(row, key)));
  const biased = scores.map((row, m) =>
    row.map((score, n) => (sees(m, n) ? score + (bias ? bias[m][n] : 0) : -Infinity)),
  );
  const weights = biased.map(softmax);
  const output = weights.map((row) =>
    v[0].map((_, d) =>
      dot(
        row,
        v.map((value) => value[d]),
      ),
    ),
  );
  return { scores, biased, weights, output };
}

/** A row that sees nothing becomes zeros. */
export function softmax(logits) {
  const highest = Math.max(...logits);
  if (highest === -Infinity) return logits.map(() => 0);
  const powers = logits.map((logit) => Math.exp(logit - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** Which keys a query sees; the alignments differ only when there are more or fewer keys than queries. */
export function causalMask(alignment, queries, keys) {
  const shift = alignment === 'bottom-right' ? keys - queries : 0;
  return (m, n) => n <= m + shift;
}

/** Rows sin(t w0), cos(t w0), sin(t w1), ... with wi = base^(-2i / dim) (Vaswani et al. 2017). */
export function sinusoidal(positions, dim, base = 10000) {
  return positions.map((t) =>
    Array.from({ length: dim }, (_, c) => {
      const angle = t * base ** (-(c - (c % 2)) / dim);
      return c % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
    }),
  );
}

/** Each row turned by its own position, pair i by t base^(-2i / dim) (Su et al. 2021). */
export function rotate(rows, positions, layout, base = 10000) {
  return rows.map((row, r) => {
    const dim = row.length;
    const turned = new Array(dim);
    for (let i = 0; i < dim / 2; i++) {
      const [a, b] = layout === 'interleaved' ? [2 * i, 2 * i + 1] : [i, i + dim / 2];
      const angle = positions[r] * base ** ((-2 * i) / dim);
      turned[a] = row[a] * Math.cos(angle) - row[b] * Math.sin(angle);
      turned[b] = row[a] * Math.sin(angle) + row[b] * Math.cos(angle);
    }
    return turned;
  });
}

/** The slopes of ALiBi's authors (Press et al. 2022), for any number of heads. */
export function alibiSlopes(heads) {
  const below = 2 ** Math.floor(Math.log2(heads));
  const geometric = (count, k) => 2 ** ((-8 * k) / count);
  return Array.from({ length: heads }, (_, h) =>
    h < below ? geometric(below, h + 1) : geometric(2 * below, 2 * (h - below) + 1),
  );
}

/** -slope |m - n| for one head. */
export function alibiBias(slope, queries, keys) {
  return Array.from({ length: queries }, (_, m) =>
    Array.from({ length: keys }, (_, n) => -slope * Math.abs(m - n)),
  );
}

/** rows x (row-major matrix of rows.width x columns). */
export function multiply(rows, matrix) {
  return rows.map((row) =>
    matrix[0].map((_, c) => row.reduce((sum, x, r) => sum + x * matrix[r][c], 0)),
  );
}

export function add(rows, others) {
  return rows.map((row, r) => row.map((value, c) => value + others[r][c]));
}

/** Consecutive rows of a flat array. */
export function rowsOf(flat, width) {
  return Array.from({ length: flat.length / width }, (_, r) =>
    Array.from(flat.slice(r * width, (r + 1) * width)),
  );
}

export function dot(a, b) {
  return a.reduce((sum, x, i) => sum + x * b[i], 0);
}

/** max |a - b| over two lists of equal length; NaN where they cannot be compared. */
export function largestDifference(a, b) {
  if (a.length !== b.length) return NaN;
  return a.reduce((largest, x, i) => {
    const difference = Object.is(x, b[i]) || x === b[i] ? 0 : Math.abs(x - b[i]);
    return difference > largest || Number.isNaN(difference) ? difference : largest;
  }, 0);
}

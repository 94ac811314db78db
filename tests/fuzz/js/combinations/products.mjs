/**
 * q · k of a row under each scheme that acts inside the product, in double, with what floats may be
 * off by. An unknown score is NaN with the error Infinity.
 */
import { frequenciesOf } from './frequencies.mjs';
import { Invalid } from './reading.mjs';

/** One rounding of a float, relative to its result. */
export const rounding = 2 ** -24;

/** What a stored key is off by, per value: see `keyErrors` of a call. */
const storedError = (call, row, n) => {
  const of = call.keyErrors?.(row, n);
  if (!of) return 0;
  let sum = of.of_query * call.largestOfQuery(row);
  for (let c = 0; c < call.dim; c++)
    sum += Math.abs(call.q[row.q + c]) * of.each(call.k[row.k(n) + c]);
  return sum;
};

export function plainProduct(call) {
  const { q, k, dim, keys } = call;
  return (row, values, errors) => {
    for (let n = 0; n < keys; n++) {
      let [sum, terms] = [0, 0];
      const at = row.k(n);
      for (let c = 0; c < dim; c++) {
        const term = q[row.q + c] * k[at + c];
        sum += term;
        terms += Math.abs(term);
      }
      values[n] = sum;
      errors[n] = (dim + 5) * rounding * terms + storedError(call, row, n);
    }
  };
}

/** A float table of cos and sin is within 1e-7 of the exact one; the rotation rounds three times. */
const rotationError = 1e-7 + 3 * rounding;

/**
 * Pairs rotated so that their product depends on an angle per query and key.
 * @param {any} call
 * @param {number} pairs
 * @param {string} layout
 * @param {number} factor of cos and sin
 * @param {(row: any, n: number) => { cos: ArrayLike<number>, sin: ArrayLike<number> }} turned by
 *   angle(query) − angle(key), for each pair
 */
function rotatedProduct(call, pairs, layout, factor, turned) {
  const { q, k, dim, keys } = call;
  const [first, second] =
    layout === 'interleaved' ? [(p) => 2 * p, (p) => 2 * p + 1] : [(p) => p, (p) => p + pairs];
  const square = factor * factor;
  return (row, values, errors) => {
    for (let n = 0; n < keys; n++) {
      const { cos, sin } = turned(row, n);
      const at = row.k(n);
      let [sum, lengths, terms] = [0, 0, 0];
      for (let p = 0; p < pairs; p++) {
        const [a, b] = [q[row.q + first(p)], q[row.q + second(p)]];
        const [x, y] = [k[at + first(p)], k[at + second(p)]];
        sum += square * ((a * x + b * y) * cos[p] + (a * y - b * x) * sin[p]);
        lengths += square * Math.sqrt((a * a + b * b) * (x * x + y * y));
      }
      for (let c = 2 * pairs; c < dim; c++) {
        const term = q[row.q + c] * k[at + c];
        sum += term;
        terms += Math.abs(term);
      }
      values[n] = sum;
      // Each side moves a product of two pairs by at most √2 times its own error.
      errors[n] = 3 * rotationError * lengths + (dim + 5) * rounding * (2 * lengths + terms);
      if (call.rotatedErrors) errors[n] += call.rotatedErrors(row, n, factor);
    }
  };
}

/** cos and sin of each pair by a difference of positions, kept where differences repeat. */
function turnsBy(inverse) {
  const known = new Map();
  return (difference) => {
    const found = known.get(difference);
    if (found) return found;
    const turns = {
      cos: inverse.map((f) => Math.cos(difference * f)),
      sin: inverse.map((f) => Math.sin(difference * f)),
    };
    if (known.size < 4096) known.set(difference, turns);
    return turns;
  };
}

/** A list of one value per row, per batch and row, or per batch, head and row. */
function perRow(list, rows, batch, heads, head) {
  if (list.length === rows) return (row) => list[row.i];
  if (list.length === batch * rows) return (row) => list[row.b * rows + row.i];
  if (list.length !== batch * heads * rows) throw new Invalid('positions must be one per row');
  return (row) => list[(row.b * heads + head(row)) * rows + row.i];
}

function listOf(given, count) {
  if (typeof given !== 'number') return given;
  if (given !== count) throw new Invalid('positions must be one per row');
  return Float64Array.from({ length: given }, (_, i) => i);
}

function positionsOf(call, { positions, keyPositions }) {
  const { batch, heads, keyHeads, queries, keys } = call;
  if (positions !== undefined && keyPositions === undefined) {
    if (queries !== keys) throw new Invalid('keyPositions must be given');
    const isPerHead = positions.length > batch * queries;
    if (isPerHead && heads !== keyHeads) throw new Invalid('keyPositions must be given');
  }
  const ofQueries = positions !== undefined ? listOf(positions, queries) : undefined;
  const ofKeys = keyPositions !== undefined ? listOf(keyPositions, keys) : ofQueries;
  const query = ofQueries ? perRow(ofQueries, queries, batch, heads, ({ h }) => h) : ({ at }) => at;
  const key = ofKeys && perRow(ofKeys, keys, batch, keyHeads, ({ g }) => g);
  return { query, key: key ? ({ b, g }, n) => key({ b, g, i: n }) : (_, n) => n };
}

function rope(call, position) {
  const { inverse, attentionFactor, softmaxScale } = frequenciesOf(position, call.dim);
  const { query, key } = positionsOf(call, position);
  const turns = turnsBy(inverse);
  return {
    factor: softmaxScale,
    fill: rotatedProduct(call, inverse.length, position.layout, attentionFactor, (row, n) =>
      turns(query(row) - key(row, n)),
    ),
  };
}

/** Relative positions that stay within those of training. `m`: query, `n`: key, no later than it. */
const maps = {
  rerope:
    ({ window }) =>
    (m, n) =>
      Math.min(m - n, window),
  'leaky-rerope':
    ({ window, factor }) =>
    (m, n) =>
      m - n < window ? m - n : window + (m - n - window) / factor,
  'self-extend':
    ({ groupSize: g, neighborWindow: w }) =>
    (m, n) =>
      m - n < w ? m - n : Math.floor(m / g) + w - Math.floor(w / g) - Math.floor(n / g),
  'dual-chunk'({ chunkSize, localWindow }) {
    if (localWindow >= chunkSize) throw new Invalid('localWindow must be smaller than chunkSize');
    const length = chunkSize - localWindow;
    const within = (x) => x - length * Math.floor(x / length);
    return (m, n) => {
      const apart = Math.floor(m / length) - Math.floor(n / length);
      if (apart === 0) return m - n;
      const query = apart === 1 ? within(m) + length : 2 * length - 1;
      return Math.min(query, chunkSize) - within(n);
    };
  },
};

const mapped = (type) => (call, position) => {
  const { inverse, attentionFactor, softmaxScale } = frequenciesOf(position, call.dim);
  const relative = maps[type](position);
  const turns = turnsBy(inverse);
  const fill = rotatedProduct(call, inverse.length, position.layout, attentionFactor, ({ at }, n) =>
    turns(n > at ? at - n : relative(at, n)),
  );
  return {
    factor: softmaxScale,
    fill(row, values, errors) {
      fill(row, values, errors);
      // Chunks say nothing of keys after the query, which `causal` hides.
      if (type === 'dual-chunk') errors.fill(Infinity, Math.max(0, row.at + 1));
    },
  };
};

function angles(call, { angles: given, keyAngles, layout }) {
  const { batch, heads, keyHeads, queries, keys } = call;
  const pairs = given.shape.at(-1);
  if (2 * pairs > call.dim) throw new Invalid('angles must not be wider than a head');
  const reader = ({ data, shape }, rows, all, head) => {
    if (shape.at(-2) !== rows || shape.at(-1) !== pairs)
      throw new Invalid('angles must fit the rows');
    const count = data.length / (rows * pairs);
    if (![1, batch, batch * all].includes(count)) throw new Invalid('angles must fit the heads');
    return (row, i) => {
      const outer = count === 1 ? 0 : count === batch ? row.b : row.b * all + head(row);
      return data.subarray((outer * rows + i) * pairs, (outer * rows + i + 1) * pairs);
    };
  };
  const query = reader(given, queries, heads, ({ h }) => h);
  const key = reader(keyAngles ?? given, keys, keyHeads, ({ g }) => g);
  return {
    fill: rotatedProduct(call, pairs, layout, 1, (row, n) => {
      const [a, b] = [query(row, row.i), key(row, n)];
      return { cos: a.map((x, p) => Math.cos(x - b[p])), sin: a.map((x, p) => Math.sin(x - b[p])) };
    }),
  };
}

const length = (list, at, count) => {
  let sum = 0;
  for (let c = 0; c < count; c++) sum += list[at + c] ** 2;
  return Math.sqrt(sum);
};

/** Products of I − β w wᵀ between the key and the query, applied to the query from its key down. */
export function pathProduct(call, { w, beta }) {
  const { q, k, dim, keys, keyHeads } = call;
  const u = new Float64Array(dim);
  return (row, values, errors) => {
    values.fill(-Infinity);
    errors.fill(0);
    for (let c = 0; c < dim; c++) u[c] = q[row.q + c];
    const first = (row.b * keyHeads + row.g) * keys;
    const size = length(q, row.q, dim);
    for (let n = row.at; n >= 0; n--) {
      const at = row.k(n);
      let [sum, along] = [0, 0];
      for (let c = 0; c < dim; c++) {
        sum += u[c] * k[at + c];
        along += u[c] * w.data[(first + n) * dim + c];
      }
      values[n] = sum;
      // Each of the matrices rounds products of dim values and, of up to 24 together, those of w;
      // none of them lengthens a vector.
      const matrices = row.at - n + 1;
      errors[n] = 4 * (matrices + 1) * (dim + 60) * rounding * size * length(k, at, dim);
      const less = beta.data[first + n] * along;
      for (let c = 0; c < dim; c++) u[c] -= less * w.data[(first + n) * dim + c];
    }
  };
}

/** Inclusive sums of `width` numbers along the keys, for each row of `data` [rows, keys, width]. */
export function prefixSums(data, keys, width, term) {
  const sums = Float64Array.from(data, term);
  for (let at = 0; at < sums.length; at++)
    if (Math.floor(at / width) % keys > 0) sums[at] += sums[at - width];
  return sums;
}

export const logSigmoid = (x) => Math.min(x, 0) - Math.log1p(Math.exp(-Math.abs(x)));
export const terms = {
  number: (x) => x,
  'log-sigmoid': logSigmoid,
  'log-sigmoid-of-negative': (x) => logSigmoid(-x),
};

/** A decay per channel between the key and the query. */
export function wallProduct(call, { gates, term = 'log-sigmoid' }) {
  const { q, k, dim, keys, heads } = call;
  const all = Float64Array.from(gates.data, terms[term]);
  if (all.some((value) => value > 0)) throw new Invalid('logarithms of gates must be at most 0');
  const sums = prefixSums(gates.data, keys, dim, terms[term]);
  return (row, values, errors) => {
    values.fill(-Infinity);
    errors.fill(0);
    const first = (row.b * heads + row.h) * keys;
    for (let n = 0; n <= row.at; n++) {
      const at = row.k(n);
      let [sum, off] = [0, 0];
      for (let c = 0; c < dim; c++) {
        const fall = sums[(first + row.at) * dim + c] - sums[(first + n) * dim + c];
        const size = Math.abs(q[row.q + c] * k[at + c]);
        sum += q[row.q + c] * k[at + c] * Math.exp(fall);
        // An exponential for the query, for the key, and for each group of rows between them: of
        // exponents that together fall by `fall`, and by 16 up and down within a group.
        const steps = row.at - n + 2;
        const exponentials = steps * (9.2e-8 + 4 * rounding) + 1.25 * rounding * (32 - fall);
        // Factors below 1e-18 count as 0; within a group one may be e^16 times that.
        off += size * (Math.exp(fall) * (exponentials + (dim + 5) * rounding) + 2e-11);
      }
      values[n] = sum;
      errors[n] = off;
    }
  };
}

/** The schemes that change q · k. */
export const productSchemes = {
  rope,
  angles,
  rerope: mapped('rerope'),
  'leaky-rerope': mapped('leaky-rerope'),
  'self-extend': mapped('self-extend'),
  'dual-chunk': mapped('dual-chunk'),
};

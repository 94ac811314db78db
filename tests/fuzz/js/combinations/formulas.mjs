/**
 * What each position scheme is, in double: a product in place of q · k, a bias, or weights in place of
 * the softmax. Written from the papers and the documentation, but for `tensorOf`.
 */
import { distanceTypes, fullBias, schemes } from '../../../package/distance_biases.mjs';
import { createRopewalk } from '../../../package/installed.mjs';
import {
  logSigmoid,
  pathProduct,
  plainProduct,
  prefixSums,
  productSchemes,
  rounding,
  terms,
  wallProduct,
} from './products.mjs';
import { Invalid } from './reading.mjs';

/**
 * @typedef {object} Prepared
 * @property {(row: any, values: Float64Array, errors: Float64Array) => void} [fill] in place of q · k
 * @property {number} [factor] on every score
 * @property {(row: any, n: number) => number} [bias]
 * @property {(row: any, n: number) => number} [biasError] beyond a few roundings of the bias
 * @property {(row: any, biased: Float64Array, errors: Float64Array) => void} [late] changes biased scores,
 *   and their errors
 * @property {boolean} [standsAtKeys] whether each query must stand at a key
 * @property {boolean} [hidesLater] whether keys after the query have no score
 * @property {any} [sticks] options of stick-breaking
 */

/**
 * @typedef {object} Formula
 * @property {string[]} reads the options that it knows
 * @property {boolean} [isOfText] whether `causal` must say which keys come before a query
 * @property {Record<string, number>} [defaults] of options that have a gradient
 * @property {(call: any, position: any) => Prepared} prepare
 */

const softplus = (x) => -logSigmoid(-x);
const distance = (direction) => (m, n) => (n > m && direction === 'causal' ? 0 : Math.abs(m - n));

/**
 * @param {number} heads
 * @param {any} options
 */
function alibiSlopes(heads, { convention = 'published', maxBias = 8, headOffset = 0, totalHeads }) {
  const all = totalHeads ?? headOffset + heads;
  if (headOffset + heads > all) throw new Invalid('totalHeads must reach the last head');
  const power = (count) =>
    Array.from({ length: count }, (_, h) => 2 ** ((-maxBias * (h + 1)) / count));
  const below = 2 ** Math.floor(Math.log2(all));
  let slopes = power(all);
  if (convention !== 'naive' && below !== all) {
    const others = power(2 * below).filter((_, h) => h % 2 === 0);
    slopes = [...power(below), ...others.slice(0, all - below)];
    if (convention === 'sorted') slopes.sort((a, b) => b - a);
  }
  return slopes.slice(headOffset, headOffset + heads);
}

function alibi(call, position) {
  const { slopes, direction = 'causal' } = position;
  if (slopes) {
    for (const name of ['convention', 'maxBias', 'headOffset', 'totalHeads'])
      if (position[name] !== undefined) throw new Invalid(`slopes must come without ${name}`);
    if (slopes.length !== call.heads) throw new Invalid('slopes must be one per head');
  }
  const own = slopes ?? alibiSlopes(call.heads, position);
  const apart = distance(direction);
  return { bias: ({ h, at }, n) => -own[h] * apart(at, n) };
}

/** Whether (distance / exact)^steps has reached (most / exact)^step, in whole numbers. */
const reaches = (distance, exact, most, step, steps) =>
  BigInt(distance) ** BigInt(steps) * BigInt(exact) ** BigInt(step) >=
  BigInt(most) ** BigInt(step) * BigInt(exact) ** BigInt(steps);

function bucketOf(relative, direction, buckets, most) {
  const isCausal = direction === 'causal';
  const side = isCausal ? buckets : Math.floor(buckets / 2);
  const far = isCausal ? Math.max(-relative, 0) : Math.abs(relative);
  const above = !isCausal && relative > 0 ? side : 0;
  const exact = Math.floor(side / 2);
  if (far < exact) return above + far;
  const steps = side - exact;
  let step = 0;
  while (step + 1 < steps && reaches(far, exact, most, step + 1, steps)) step++;
  return above + exact + step;
}

function t5(call, { table, direction, maxDistance = 128 }) {
  const [buckets, heads] = table.shape;
  if (heads !== call.heads) throw new Invalid('the table must have a column per head');
  const known = new Map();
  const row = (relative) => {
    if (!known.has(relative))
      known.set(relative, bucketOf(relative, direction, buckets, maxDistance));
    return known.get(relative);
  };
  return { bias: ({ h, at }, n) => table.data[row(n - at) * heads + h] };
}

function kerple(call, { kind, r1, r2, clamp = 0, direction = 'causal' }) {
  if (r1.length !== call.heads || r2.length !== call.heads)
    throw new Invalid('r1 and r2 must be one per head');
  const raised = (x) => Math.max(x, clamp);
  const rate = (h) => (kind === 'power' && clamp > 0 ? Math.min(raised(r2[h]), 2) : raised(r2[h]));
  const apart = distance(direction);
  return {
    bias({ h, at }, n) {
      const far = apart(at, n);
      const grown = kind === 'log' ? Math.log1p(rate(h) * far) : far ** rate(h);
      return -raised(r1[h]) * grown;
    },
  };
}

const rw = await createRopewalk({ simd: 'simd128' });

/**
 * A bias by distance without a formula here: pair by pair the tensor that its function returns, because
 * the core's fuzzer compares the same tables with an independent formula in double. A scheme whose
 * parameters are learned needs a formula, for differences of it.
 */
const tensorOf = (type) => (call, position) => {
  const known = new Map();
  const of = (offset) => {
    if (!known.has(offset)) {
      const pair = { heads: call.heads, queries: [0], keys: [offset] };
      known.set(offset, fullBias(rw, position, pair).data);
    }
    return known.get(offset);
  };
  try {
    of(0);
  } catch (error) {
    throw new Invalid(`${type}: ${error.message}`);
  }
  return { bias: ({ h, at }, n) => of(n - at)[h] };
};

/** c_m − c_n for keys up to the query, r_n − r_m for later ones. */
function differences(call, sums, later = sums) {
  const at = ({ b, h }, n) => (b * call.heads + h) * call.keys + n;
  const pair = (row, n) => {
    const list = n <= row.at ? sums : later;
    const [own, other] = [list[at(row, row.at)], list[at(row, n)]];
    return n <= row.at ? [own, other] : [other, own];
  };
  return {
    standsAtKeys: true,
    bias(row, n) {
      const [a, b] = pair(row, n);
      return a - b;
    },
    // Two floats for each sum.
    biasError(row, n) {
      const [a, b] = pair(row, n);
      return 2 ** -46 * (Math.abs(a) + Math.abs(b)) + 4 * rounding * Math.abs(a - b);
    },
  };
}

const ofGates =
  (term) =>
  (call, { gates, laterGates }) => {
    const sums = (given) => given && prefixSums(given.data, call.keys, 1, terms[term]);
    return differences(call, sums(gates), sums(laterGates));
  };

function prefixSum(call, { terms: numbers, later, sums, laterSums }) {
  if ((numbers === undefined) === (sums === undefined) || (later && sums) || (laterSums && numbers))
    throw new Invalid('either terms and later, or sums and laterSums');
  if (sums) return differences(call, sums.data, laterSums?.data);
  const summed = (given) => given && prefixSums(given.data, call.keys, 1, terms.number);
  return differences(call, summed(numbers), summed(later));
}

function path(call, position) {
  const { logGates, gate } = position;
  if ((logGates === undefined) !== (gate === undefined))
    throw new Invalid('logGates and gate go together');
  const own = { fill: pathProduct(call, position), standsAtKeys: true, hidesLater: true };
  if (!logGates) return own;
  const sums = prefixSums(logGates.data, call.keys, 1, terms.number);
  return {
    ...differences(call, gate === 'scaled' ? sums.map((x) => x * call.scale) : sums),
    ...own,
  };
}

function wall(call, position) {
  const { scalarGates, term = 'log-sigmoid' } = position;
  const own = { fill: wallProduct(call, position), standsAtKeys: true, hidesLater: true };
  if (!scalarGates) return own;
  return { ...differences(call, prefixSums(scalarGates.data, call.keys, 1, terms[term])), ...own };
}

/** softplus of x · direction / √dim, and what it is off by. */
function slopeGate(call, x, direction, normalize) {
  const { dim } = call;
  const size = (h) => {
    let sum = 0;
    for (let c = 0; c < dim; c++) sum += direction.data[h * dim + c] ** 2;
    return normalize ? Math.max(Math.sqrt(sum), 1e-6) : 1;
  };
  return (h, at) => {
    let [sum, all] = [0, 0];
    for (let c = 0; c < dim; c++) {
      const term = (x[at + c] * direction.data[h * dim + c]) / size(h) / Math.sqrt(dim);
      sum += term;
      all += Math.abs(term);
    }
    return [softplus(sum), (dim + 8) * rounding * all + 6e-7 * softplus(sum)];
  };
}

function grapeA(call, position) {
  const { rawSlopes, slopes, keyDirection, queryDirection, normalize = true } = position;
  if (!keyDirection && !queryDirection) throw new Invalid('a direction must be given');
  const own = slopes ?? alibiSlopes(call.heads, {});
  const omega = (h) => softplus(rawSlopes[h]) * own[h];
  const ofKey = keyDirection && slopeGate(call, call.k, keyDirection, normalize);
  const ofQuery = queryDirection && slopeGate(call, call.q, queryDirection, normalize);
  const both = (row, n) => {
    const [key, keyError] = ofKey ? ofKey(row.h, row.k(n)) : [0, 0];
    const [query, queryError] = ofQuery ? ofQuery(row.h, row.q) : [0, 0];
    return [
      omega(row.h) * (key + query),
      Math.abs(omega(row.h)) * (keyError + queryError + 6e-7 * (key + query)),
    ];
  };
  return {
    bias: (row, n) => (n - row.at) * both(row, n)[0],
    biasError: (row, n) => Math.abs(n - row.at) * both(row, n)[1],
  };
}

/** Sums of ln σ over edges between a key and its query; edge(row, l) is the term and its error. */
function edgeSums(call, isAfterKey, edge) {
  let known;
  const of = (row) => {
    if (known?.row === row) return known;
    const [sums, errors] = [new Float64Array(call.keys), new Float64Array(call.keys)];
    let [sum, error] = [0, 0];
    for (let n = row.at; n >= 0; n--) {
      const isEdge = isAfterKey || n < row.at;
      const [term, off] = isEdge ? edge(row, n) : [0, 0];
      if (!isAfterKey) [sum, error] = [sum + term, error + off];
      [sums[n], errors[n]] = [sum, error];
      if (isAfterKey) [sum, error] = [sum + term, error + off];
    }
    return (known = { row, sums, errors });
  };
  return {
    standsAtKeys: true,
    bias: (row, n) => (n > row.at ? 0 : of(row).sums[n]),
    biasError: (row, n) => (n > row.at ? 0 : of(row).errors[n]),
  };
}

/** slope · ln σ of a product of floats, whose slope is at most 1. */
function edgeTerm(slope, factor, width, p, r) {
  let [sum, all] = [0, 0];
  for (let c = 0; c < width; c++) {
    sum += p(c) * r(c);
    all += Math.abs(p(c) * r(c));
  }
  const off = Math.abs(slope * factor) * (width + 10) * rounding * all;
  return [slope * logSigmoid(factor * sum), off];
}

function grapeAp(call, { p, slopes, epsilon = 2 ** -23 }) {
  const width = p.shape.at(-1);
  if (width % 2 !== 0) throw new Invalid('the width of p must be even');
  const { heads, keys } = call;
  const own = slopes ?? alibiSlopes(heads, {});
  const rotated = new Float64Array(p.data.length);
  for (let at = 0; at < p.data.length; at += width) {
    const l = Math.floor(at / width) % keys;
    let squares = 0;
    for (let c = 0; c < width; c++) squares += p.data[at + c] ** 2;
    const inverse = 1 / Math.sqrt(squares / width + epsilon);
    for (let c = 0; c < width / 2; c++) {
      const [x, y] = [inverse * p.data[at + c], inverse * p.data[at + c + width / 2]];
      rotated[at + c] = x * Math.cos(l) + y * Math.sin(l);
      rotated[at + c + width / 2] = y * Math.cos(l) - x * Math.sin(l);
    }
  }
  return edgeSums(call, true, (row, l) => {
    const first = (row.b * heads + row.h) * keys;
    return edgeTerm(
      own[row.h],
      1 / width,
      width,
      (c) => p.data[(first + row.at) * width + c],
      (c) => rotated[(first + l) * width + c],
    );
  });
}

function rowGates(call, { queries, keys: edges, factor, scale = 1 }) {
  const width = queries.shape.at(-1);
  if (edges.shape.at(-1) !== width) throw new Invalid('queries and keys must be as wide');
  return edgeSums(call, false, (row, l) => {
    const first = (row.b * call.heads + row.h) * call.keys;
    return edgeTerm(
      scale,
      factor ?? 1 / Math.sqrt(width),
      width,
      (c) => queries.data[(first + row.at) * width + c],
      (c) => edges.data[(first + l) * width + c],
    );
  });
}

function fire(call, { network, c = 0.1, threshold = 512, epsilon = 1e-6 }) {
  const { hiddenWeights, hiddenBias, headWeights, headBias } = network;
  if (headWeights.shape[0] !== call.heads)
    throw new Invalid('the network must have an output per head');
  const psi = (x) => Math.log(Math.abs(c * x) + 1);
  const edge = Math.abs(threshold);
  return {
    bias({ h, at }, n) {
      const input = psi(at - n) / (psi(Math.max(at, edge)) + epsilon);
      let sum = headBias?.[h] ?? 0;
      hiddenBias.forEach((bias, unit) => {
        const value = Math.max(0, bias + hiddenWeights.data[unit] * input);
        sum += headWeights.data[h * hiddenBias.length + unit] * value;
      });
      return sum;
    },
  };
}

function shaw(call, { table }) {
  const [rows, dim] = table.shape.slice(-2);
  const clip = (rows - 1) / 2;
  const of = ({ h, at, q }, n, each) => {
    const row =
      Math.min(Math.max(n - at, -clip), clip) + clip + (table.shape.length === 3 ? h * rows : 0);
    let sum = 0;
    for (let i = 0; i < dim; i++)
      sum += each(call.scale * call.q[q + i] * table.data[row * dim + i]);
    return sum;
  };
  return {
    bias: (row, n) => of(row, n, (x) => x),
    biasError: (row, n) => (dim + 5) * rounding * of(row, n, Math.abs),
  };
}

/** Gates are those of the biased scores, so that a hidden key has none. */
function cope(call, { table }) {
  const [rows, dim] = table.shape;
  const product = (q, row, each = (x) => x) => {
    let sum = 0;
    for (let i = 0; i < dim; i++) sum += each(call.q[q + i] * table.data[row * dim + i]);
    return sum;
  };
  return {
    late(row, biased, errors) {
      let [position, off] = [0, 0];
      const known = new Map();
      const at = (r) => {
        const kept = Math.min(Math.max(r, 0), rows - 1);
        if (!known.has(kept)) known.set(kept, product(row.q, kept));
        return known.get(kept);
      };
      for (let n = Math.min(row.at, call.keys - 1); n >= 0; n--) {
        if (biased[n] === -Infinity) continue;
        const gate = 1 / (1 + Math.exp(-biased[n]));
        position += gate;
        off += errors[n] / 4 + 5e-7 * gate;
        const kept = Math.min(position, rows - 1);
        const below = Math.floor(kept);
        const share = kept - below;
        biased[n] += at(below) + share * (at(below + 1) - at(below));
        const steps = [-1, 0, 1].map((step) => Math.abs(at(below + step + 1) - at(below + step)));
        const terms = product(row.q, below, Math.abs) + Math.max(...steps);
        errors[n] +=
          off * Math.max(...steps) +
          (dim + 8) * rounding * terms +
          2 * rounding * Math.abs(biased[n]);
      }
    },
  };
}

/** @type {Record<string, Formula>} */
export const formulas = {
  ...Object.fromEntries(
    distanceTypes.map((type) => [
      type,
      { reads: Object.keys(schemes[type].schema), prepare: tensorOf(type) },
    ]),
  ),
  none: { reads: [], prepare: () => ({}) },
  ...Object.fromEntries(
    Object.entries({
      rope: ['positions', 'keyPositions'],
      angles: ['angles', 'keyAngles', 'layout'],
      rerope: ['window'],
      'leaky-rerope': ['window', 'factor'],
      'self-extend': ['groupSize', 'neighborWindow'],
      'dual-chunk': ['chunkSize', 'localWindow'],
    }).map(([type, own]) => {
      const source = ['layout', 'frequencies', 'base', 'rotaryFraction', 'scaling'];
      const reads = type === 'angles' ? own : [...source, ...own];
      return [type, { reads, prepare: productSchemes[type] }];
    }),
  ),
  alibi: {
    reads: ['convention', 'maxBias', 'headOffset', 'totalHeads', 'direction', 'slopes'],
    prepare: alibi,
  },
  t5: { reads: ['table', 'direction', 'maxDistance'], prepare: t5 },
  kerple: { reads: ['kind', 'r1', 'r2', 'clamp', 'direction'], prepare: kerple },
  'prefix-sum': { reads: ['terms', 'later', 'sums', 'laterSums'], prepare: prefixSum },
  fox: { reads: ['gates', 'laterGates'], prepare: ofGates('log-sigmoid') },
  cable: { reads: ['gates', 'laterGates'], prepare: ofGates('log-sigmoid-of-negative') },
  path: { isOfText: true, reads: ['w', 'beta', 'logGates', 'gate'], prepare: path },
  wall: { isOfText: true, reads: ['gates', 'scalarGates', 'term'], prepare: wall },
  'grape-a': {
    isOfText: true,
    reads: ['rawSlopes', 'slopes', 'keyDirection', 'queryDirection', 'normalize'],
    prepare: grapeA,
  },
  'grape-ap': { isOfText: true, reads: ['p', 'slopes', 'epsilon'], prepare: grapeAp },
  'row-gates': { isOfText: true, reads: ['queries', 'keys', 'factor', 'scale'], prepare: rowGates },
  'stick-breaking': {
    isOfText: true,
    reads: ['attendCurrent', 'addRemainder'],
    prepare: (_, { attendCurrent = false, addRemainder = false }) => ({
      sticks: { attendCurrent, addRemainder },
    }),
  },
  fire: {
    reads: ['network', 'c', 'threshold', 'epsilon'],
    defaults: { c: 0.1, threshold: 512 },
    prepare: fire,
  },
  shaw: { reads: ['table'], prepare: shaw },
  cope: { reads: ['table'], prepare: cope },
};

/** The formula of a call's scheme, with what every scheme has. */
export function preparedScheme(call) {
  const made = formulas[call.position.type].prepare(call, call.position);
  const { bias } = made;
  const at = call.cachePositions;
  // Biases by distance count from the positions of a cache that has them; before its first key they
  // go on.
  const position = (key) => (key < 0 ? at[0] + key : at[key]);
  if (at && call.isOfCache && bias)
    made.bias = (row, n) => bias({ ...row, at: position(row.at) }, at[n]);
  return { factor: 1, ...made, fill: made.fill ?? plainProduct(call) };
}

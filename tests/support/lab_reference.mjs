/**
 * What the lab must show, in double: the toy model's drawn numbers (they are exact), and every
 * product, angle, bias and softmax after them from the double reference.
 */
import * as reference from './reference.mjs';
import { importFromWeb } from './typescript.mjs';
import { scalings } from '../fuzz/js/combinations/frequencies.mjs';

const { embed, modelWidth, shuffledOrder, weightsOf } = await importFromWeb('toy/toy_model.ts');

/** Of every pair, and what the extensions to 4 times 2,048 positions make of it. */
const frequenciesOf = (extension, dim) =>
  scalings[extension]({ dim, base: 10000 }, { factor: 4, originalLength: 2048 }).inverse;

/**
 * Each row rotated by position times the frequency of its pair.
 * @param {number[][]} rows
 * @param {number[]} positions
 * @param {Float64Array} frequencies
 * @param {string} [layout]
 * @param {(pair: number, position: number) => number} [grow] the factor on a rotated pair
 */
function turned(rows, positions, frequencies, layout = 'half-split', grow = () => 1) {
  return rows.map((row, r) => {
    const result = [...row];
    frequencies.forEach((frequency, i) => {
      const [a, b] = layout === 'interleaved' ? [2 * i, 2 * i + 1] : [i, i + row.length / 2];
      const angle = positions[r] * frequency;
      const size = grow(i, positions[r]);
      result[a] = size * (row[a] * Math.cos(angle) - row[b] * Math.sin(angle));
      result[b] = size * (row[a] * Math.sin(angle) + row[b] * Math.cos(angle));
    });
    return result;
  });
}

const rope = (layout, extension = 'none', factor = 1) => ({
  turn(rows, positions) {
    const frequencies = frequenciesOf(extension, rows[0].length);
    return turned(rows, positions, frequencies, layout, () => factor);
  },
});

const byDistance = (of) => ({
  bias: (request) => (m, n) => of(Math.abs(m - n), request),
});

/** The formulas of the schemes; learned and T5 hold random numbers of the package and are not here. */
const formulas = {
  none: {},
  sinusoidal: { input: (positions) => reference.sinusoidal(positions, modelWidth) },
  'rope-interleaved': rope('interleaved'),
  'rope-half-split': rope('half-split'),
  xpos: {
    turn(rows, positions, role) {
      const pairs = rows[0].length / 2;
      const power = role === 'query' ? 1 : -1;
      const center = positions[positions.length >> 1];
      const grow = (i, position) =>
        ((i / pairs + 0.4) / 1.4) ** ((power * (position - center)) / 512);
      return turned(rows, positions, frequenciesOf('none', 2 * pairs), 'half-split', grow);
    },
  },
  'rope-linear': rope('half-split', 'linear'),
  'rope-ntk': rope('half-split', 'ntk'),
  'rope-yarn': rope('half-split', 'yarn', 0.1 * Math.log(4) + 1),
  alibi: byDistance((d, { heads, head }) => -reference.alibiSlopes(heads)[head] * d),
  'kerple-log': byDistance((d, { head }) => -Math.log(1 + d / 2 ** head)),
  'kerple-power': byDistance((d, { head, heads }) =>
    d === 0 ? 0 : -0.5 * d ** ((head + 1) / heads),
  ),
  rerope: {
    scores(q, k) {
      const frequencies = frequenciesOf('none', q[0].length);
      const at = (rows, position) => turned(rows, rows.map(position), frequencies);
      const near = [at(q, (_, m) => m), at(k, (_, n) => n)];
      const far = [at(q, () => 4), k];
      return (m, n) => {
        const [queries, keys] = m - n < 4 ? near : far;
        return reference.dot(queries[m], keys[n]);
      };
    },
  },
  'log-n': {
    ...rope('half-split'),
    temperature: (position) => Math.max(1, Math.log(position + 1) / Math.log(4)),
  },
};

/** One head of one pass over `tokens`, in the order that `request.shuffle` gives. */
export function labReference(request) {
  const { tokens, heads, headDim, head, causal, offset, seed, shuffle } = request;
  const scheme = formulas[request.scheme];
  const order = shuffledOrder(tokens.length, shuffle);
  const positions = order.map((_, place) => place + offset);
  const inOrder = order.map((token) => tokens[token]);
  const x = reference.rowsOf(embed(inOrder, seed), modelWidth);
  const input = scheme.input ? reference.add(x, scheme.input(positions)) : x;
  const matrix = (role) => {
    const all = weightsOf(role, request);
    const one = all.length / heads;
    return reference.rowsOf(all.slice(head * one, (head + 1) * one), headDim);
  };
  const made = (role) => {
    const rows = reference.multiply(input, matrix(role));
    return scheme.turn && role !== 'value' ? scheme.turn(rows, positions, role) : rows;
  };
  const [q, k, v] = ['query', 'key', 'value'].map(made);
  const bias = scheme.bias?.(request) ?? (() => 0);
  const product = scheme.scores?.(q, k) ?? ((m, n) => reference.dot(q[m], k[n]));
  const factor = (m) => (scheme.temperature?.(positions[m]) ?? 1) / Math.sqrt(headDim);
  const square = (of) => q.map((_, m) => k.map((_, n) => of(m, n)));
  const scores = square((m, n) => factor(m) * product(m, n));
  const hides = (m, n) => causal && n > m;
  const biased = square((m, n) => (hides(m, n) ? -Infinity : scores[m][n] + bias(m, n)));
  const weights = biased.map(reference.softmax);
  const entropy = weights.map((row) =>
    row.reduce((sum, w) => (w === 0 ? sum : sum - w * Math.log(w)), 0),
  );
  return { order, scores, biased, weights, entropy, output: reference.multiply(weights, v) };
}

/** Those that the reference above computes from their formulas. */
export const schemes = Object.keys(formulas);

/** The settings of the tests, unless they change some. */
export const request = {
  tokens: 'the dog bit the man and the man bit the dog'.split(' '),
  scheme: 'none',
  heads: 4,
  headDim: 16,
  head: 0,
  seed: 1,
  likeness: 0.5,
  causal: false,
  offset: 0,
  shuffle: 0,
};

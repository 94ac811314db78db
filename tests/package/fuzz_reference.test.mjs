/** The reference of the fuzzer of combinations against published values, and its coverage of the schemas. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scalings } from '../fuzz/js/combinations/frequencies.mjs';
import { schemas } from '../fuzz/js/combinations/instances.mjs';
import { requireCoverage } from '../fuzz/js/combinations/problem.mjs';
import { Invalid, readCall } from '../fuzz/js/combinations/reading.mjs';
import { attend } from '../fuzz/js/combinations/reference.mjs';

const tensor = (data, ...shape) => ({ data: Float32Array.from(data), shape });
const filled = (value, ...shape) =>
  tensor(Array(shape.reduce((a, b) => a * b)).fill(value), ...shape);
const near = (actual, expected, within = 1e-7) => {
  assert.equal(actual.length, expected.length);
  expected.forEach((value, i) =>
    assert.ok(Math.abs(actual[i] - value) <= within, `[${i}] is ${actual[i]}, expected ${value}`),
  );
};

/** Results of one head; `rows` queries at the last of the keys. */
function resultsOf(q, k, settings, v = filled(1, k.shape[0], 1)) {
  const all = { causal: 'bottom-right', scale: 1, ...settings };
  return attend(readCall(q, k, v, all), () => true).results;
}

test('plain attention, with and without a softcap', () => {
  const q = tensor([1, 0, 1, 0], 1, 4);
  const k = tensor([1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1], 3, 4);
  const v = tensor([1, 2, 3, 4, 5, 6], 3, 2);
  const { scores, weights, output } = resultsOf(q, k, { scale: undefined }, v);
  near(scores.values, [0.5, 0.5, 1]);
  near(weights.values, [0.274068619, 0.274068619, 0.451862762]);
  near(output.values, [3.355588286, 4.355588286]);
  const ten = resultsOf(tensor([10], 1, 1), tensor([1], 1, 1), { softcap: 5 });
  near(ten.capped.values, [4.8201379]);
});

test('rotations depend on the distance alone, in either layout', () => {
  const q = tensor([1, 0.5, -1, 2], 1, 4);
  const k = tensor([0.3, -0.7, 1.2, 0.4], 1, 4);
  const score = (m, n, layout = 'interleaved') => {
    const position = { type: 'rope', layout, positions: [m], keyPositions: [n] };
    return resultsOf(q, k, { position }).scores.values;
  };
  near(score(5, 3), [-1.20801174]);
  near(score(105, 103), [-1.20801174]);
  near(score(3, 5), [0.449786419]);
});

test('biases by distance', () => {
  const [q, k] = [filled(0, 1, 2), filled(0, 4, 2)];
  const biased = (position, settings) => resultsOf(q, k, { position, ...settings }).biased.values;
  near(biased({ type: 'alibi', slopes: [0.5] }), [-1.5, -1, -0.5, 0]);
  near(
    resultsOf(q, k, { position: { type: 'alibi', slopes: [0.5] } }).weights.values,
    [0.101536, 0.167405, 0.276004, 0.455054],
    1e-6,
  );
  near(biased({ type: 'kerple', kind: 'log', r1: [1], r2: [1] }), [
    -Math.log(4),
    -Math.log(3),
    -0.693147181,
    0,
  ]);
  near(
    biased({ type: 'sandwich', firstPair: 1, zeroAtOrigin: true }).slice(2),
    [-1.446619 / 8, 0],
    1e-6,
  );
  const table = tensor(
    Array.from({ length: 32 }, (_, i) => i),
    32,
    1,
  );
  const buckets = resultsOf(filled(0, 1, 2), filled(0, 129, 2), {
    position: { type: 't5', direction: 'causal', table },
  }).biased.values;
  // Distance 113 begins the last bucket, 16 and 64 are whole edges.
  near(
    [15, 16, 18, 19, 63, 64, 112, 113, 128].map((d) => buckets[128 - d]),
    [15, 16, 16, 17, 26, 26, 30, 31, 31],
  );
});

test('biases and products from the text', () => {
  const [one, zero] = [filled(0, 1, 1), filled(0, 4, 1)];
  const gates = (list) => ({ type: 'prefix-sum', terms: tensor(list, 1, list.length) });
  near(
    resultsOf(one, zero, { position: gates([-0.1, -0.2, -0.3, -0.4]) }).biased.values,
    [-0.9, -0.7, -0.4, 0],
  );
  near(
    resultsOf(one, filled(0, 2, 1), { position: { type: 'fox', gates: filled(0, 1, 2) } }).biased
      .values,
    [-Math.LN2, 0],
  );
  const path = (w, beta) =>
    resultsOf(
      tensor([1, 2], 1, 2),
      tensor([3, -1, ...Array(2 * (beta.length - 1)).fill(0)], beta.length, 2),
      {
        position: {
          type: 'path',
          w: tensor(w, 1, beta.length, 2),
          beta: tensor(beta, 1, beta.length),
        },
      },
    ).scores.values[0];
  near([path([0, 1, 0.6, 0.8], [1, 1])], [-1.2], 1e-6);
  near([path([0, 1, 0.6, 0.8, 1, 0], [1, 1, 1])], [-3.6], 1e-6);
  near([path([0, 1, 0.6, 0.8, 1, 0], [1, 1.5, 2])], [-6.5], 1e-6);
  const wall = { type: 'wall', term: 'number', gates: filled(-0.1, 1, 3, 1) };
  near(resultsOf(filled(1, 1, 1), filled(1, 3, 1), { position: wall }).scores.values, [
    0.818730753,
    Math.exp(-0.1),
    1,
  ]);
  const slopes = {
    type: 'grape-a',
    rawSlopes: [Math.log(Math.E - 1)],
    slopes: [0.5],
    keyDirection: filled(1, 1, 1),
  };
  near([resultsOf(one, zero, { position: slopes }).biased.values[0]], [-1.039720771], 1e-6);
  const integral = { type: 'grape-ap', slopes: [0.5], p: filled(0, 1, 2, 2) };
  near(resultsOf(one, filled(0, 2, 1), { position: integral }).biased.values, [-0.5 * Math.LN2, 0]);
  const sticks = resultsOf(one, zero, { position: { type: 'stick-breaking' } });
  near(sticks.weights.values, [0.125, 0.25, 0.5, 0]);
  near(sticks.remainder.values, [0.125]);
});

test('scaled frequencies', () => {
  const width = { dim: 128, base: 10000 };
  near([scalings.ntk(width, { factor: 8 }).inverse[63]], [1.44347748e-5], 1e-13);
  near([scalings.ntk(width, { factor: 8, form: 'su-fixed' }).inverse[32]], [0.003422506]);
  near([scalings.ntk(width, { factor: 8, form: 'su-mixed' }).inverse[0]], [0.85679601]);
  const of = (options) => scalings.yarn(width, { factor: 16, originalLength: 2048, ...options });
  near([of({}).inverse[28], of({ ramp: 'published' }).inverse[28]], [0.0097805368, 0.0036908026]);
  near([of({ truncate: false }).inverse[21]], [0.0394608648]);
  near(
    [of({}).attentionFactor, of({ temperature: 'logits' }).softmaxScale],
    [1.277258872, 1.631390227],
  );
  const wide = { dim: 128, base: 500000 };
  const llama3 = scalings.llama3(wide, { factor: 8, originalLength: 8192 }).inverse;
  near(
    [28, 29, 34, 35].map((i) => llama3[i] * 500000 ** (i / 64)),
    [1, 0.828168, 0.190211, 0.125],
    1e-6,
  );
  const dynamic = { factor: 2, originalLength: 2048, length: 3000 };
  near([scalings['dynamic-ntk'](width, dynamic).inverse[1]], [19499.27764 ** (-1 / 64)]);
});

test('a rule that a call breaks is named', () => {
  const call = (settings) => () => resultsOf(filled(1, 2, 2), filled(1, 1, 2), settings);
  const position = { type: 'fox', gates: filled(0, 1, 1) };
  assert.throws(call({ position, causal: 'top-left' }), Invalid);
  assert.throws(call({ causal: true }), Invalid);
});

test('the fuzzer covers every scheme and option of the schemas, and says which it does not', () => {
  requireCoverage(schemas);
  const unknown = { isRequired: false, kind: 'mask' };
  const { positions } = schemas;
  const complaint = (changed, pattern) =>
    assert.throws(() => requireCoverage({ ...schemas, ...changed }), pattern);
  complaint(
    { attention: { ...schemas.attention, novel: unknown } },
    /attention\.novel needs a drawer/,
  );
  complaint({ positions: { ...positions, novel: {} } }, /position 'novel' needs a formula/);
  complaint({ scalings: { novel: {} } }, /scaling 'novel' needs a formula/);
  complaint(
    { positions: { ...positions, none: { novel: positions.fox.gates } } },
    /formula of 'none' must read novel/,
  );
});

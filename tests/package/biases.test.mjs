/**
 * The biases of the installed package: what they are known to be, and what they refuse. That attention
 * fuses them, at each step of decoding too, are laws of tests/fuzz/js/law_fuzzer.mjs.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Draws } from '../fuzz/js/random.mjs';
import {
  distanceTypes,
  drawnBias,
  fullBias,
  biasFunction,
  impliesHeads,
} from './distance_biases.mjs';
import { assertClose, rows, tensor } from './inputs.mjs';
import { createRopewalk, simds } from './installed.mjs';

for (const simd of simds) {
  const rw = await createRopewalk({ simd });
  const heads = 4;
  const full = (position, queries, keys) => fullBias(rw, position, { heads, queries, keys });

  describe(simd, () => {
    for (const type of distanceTypes.filter(impliesHeads))
      test(`${type}: heads are not given, since the parameters have a value per head`, () => {
        const { type: _, ...options } = drawnBias(new Draws(1), type, heads);
        const call = (size) => rw[biasFunction(type)]({ ...options, queries: 2, keys: 2, ...size });
        assert.equal(call({}).shape[0], heads);
        assert.throws(
          () => call({ heads }),
          new RegExp(`^TypeError: ${biasFunction(type)} options .*"heads"`),
        );
      });

    test('positions far apart take no table of all distances between them, and each pair its own bias', () => {
      const [queries, keys] = [
        [0, 5e8, 2 ** 31],
        [0, 7, 5e8 - 40, 5e8 + 3, 2 ** 31, -(2 ** 31)],
      ];
      for (const type of distanceTypes) {
        for (const seed of [1, 2]) {
          const scheme = drawnBias(new Draws(seed), type, heads);
          const { data, shape } = full(scheme, queries, keys);
          assert.deepEqual(shape, [heads, 3, 6]);
          queries.forEach((query, m) =>
            keys.forEach((key, n) => {
              const own = full(scheme, [query], [key]).data;
              for (let h = 0; h < heads; h++)
                assert.equal(
                  data[(h * 3 + m) * 6 + n],
                  own[h],
                  `${type}: ${query}, ${key}, head ${h}`,
                );
            }),
          );
        }
      }
    });

    test("C19 a rank's slice of the slopes is computed without the others", () => {
      for (const convention of ['published', 'sorted', 'naive']) {
        const all = rw.alibiSlopes({ heads: 12, convention });
        assert.deepEqual(
          rw.alibiSlopes({ heads: 5, headOffset: 6, totalHeads: 12, convention }),
          all.slice(6, 11),
        );
        const [last] = rw.alibiSlopes({
          heads: 1,
          headOffset: 2 ** 31 - 1,
          totalHeads: 2 ** 31,
          convention,
        });
        assert.equal(last, 2 ** -8);
      }
      assert.deepEqual(
        rw.alibi({ heads: 4, headOffset: 8, totalHeads: 12, queries: 3, keys: 3 }),
        rw.alibi({ heads: 4, slopes: rw.alibiSlopes({ heads: 12 }).slice(8), queries: 3, keys: 3 }),
      );
    });

    test('C19 equal scores get the known weights from the steepest and the flattest slope', () => {
      const zeros = (...shape) => ({
        data: new Float32Array(shape.reduce((a, b) => a * b, 1)),
        shape,
      });
      const { weights } = rw.attention(zeros(8, 1, 2), zeros(8, 4, 2), zeros(8, 4, 2), {
        causal: 'bottom-right',
        position: { type: 'alibi' },
        intermediates: ['weights'],
      });
      assertClose(rows(weights, 0), [0.101536, 0.167405, 0.276004, 0.455054], 1e-6);
      assertClose(rows(weights, 7), [0.248537, 0.24951, 0.250486, 0.251467], 1e-6);
    });

    test('ALiBi without alignment counts from the first key, padded or not', () => {
      const zeros = (length) => ({ data: new Float32Array(2 * length), shape: [1, 1, length, 2] });
      const position = { type: 'alibi', slopes: [1], direction: 'symmetric' };
      const { weights } = rw.attention(zeros(2), zeros(4), zeros(4), {
        position,
        keyLengths: [2],
        intermediates: ['weights'],
      });
      assertClose(weights.data, [0.731059, 0.268941, 0, 0, 0.268941, 0.731059, 0, 0], 1e-6);
    });

    test('C19 the translated form and the bias give a causal softmax the same weights', () => {
      const [q, k] = [tensor([3, 6, 4], 1), tensor([3, 6, 4], 2)];
      const { data, shape } = rw.alibiTranslated({ heads: 3, keys: 6 });
      assert.deepEqual(shape, [3, 6]);
      const options = { causal: 'top-left', intermediates: ['weights'] };
      const translated = rw.attention(q, k, k, { ...options, bias: { data, shape: [3, 1, 6] } });
      const plain = rw.attention(q, k, k, { ...options, position: { type: 'alibi' } });
      assertClose(translated.weights.data, plain.weights.data, 1e-6);
      const fromLast = rw.alibiTranslated({ heads: 3, keys: 6, origin: 'last' });
      assert.equal(fromLast.data[5], 0);
      assert.ok(fromLast.data.every((value) => value <= 0));
    });

    test('C18 the ruler of buckets: saturation at 113 and 91, key after query in the upper half', () => {
      const causal = (distances) => [
        ...rw.t5Buckets(
          distances.map((d) => -d),
          { direction: 'causal' },
        ),
      ];
      const both = (relative) => [...rw.t5Buckets(relative, { direction: 'bidirectional' })];
      assert.deepEqual(
        causal([0, 15, 16, 19, 112, 113, 128, 1e6, -5]),
        [0, 15, 16, 17, 30, 31, 31, 31, 0],
      );
      assert.deepEqual(
        both([-8, -16, -32, -64, -90, -91, 1, 8, 12, 64, 1e6]),
        [8, 10, 12, 14, 14, 15, 17, 24, 25, 30, 31],
      );
      assert.ok(rw.t5Buckets(BigInt64Array.of(-3n), { direction: 'causal' }) instanceof Int32Array);
    });

    test('C18 a T5 bias is the same at the same n - m, also across sequences of their own', () => {
      const table = tensor([32, 2], 6);
      const bias = rw.t5Bias({ table, direction: 'bidirectional', queries: 5, keys: 300 });
      assert.deepEqual(bias.shape, [2, 5, 300]);
      const buckets = rw.t5Buckets(
        [...Array(300).keys()].map((n) => n - 3),
        { direction: 'bidirectional' },
      );
      rows(bias, 1)[3].forEach((value, n) => assert.equal(value, table.data[buckets[n] * 2 + 1]));
      assert.deepEqual(rows(bias, 0)[4].slice(1), rows(bias, 0)[3].slice(0, -1));
    });

    test('KERPLE and Sandwich have the known values', () => {
      const at = (bias, distance) => bias.data[100 - distance];
      const log = rw.kerple({ kind: 'log', r1: [1], r2: [1], queries: [100], keys: 101 });
      assertClose(
        [1, 10, 100].map((d) => at(log, d)),
        [-0.693147181, -2.397895273, -4.615120517],
        1e-6,
      );
      assert.equal(
        at(rw.kerple({ kind: 'power', r1: [0.5], r2: [1], queries: [100], keys: 101 }), 4),
        -2,
      );
      const paper = rw.sandwich({
        heads: 8,
        firstPair: 1,
        zeroAtOrigin: true,
        queries: [100],
        keys: 101,
      });
      assertClose(
        [1, 10, 100].map((d) => at(paper, d)),
        [-1.446619, -19.340906, -33.318914],
        3e-6,
      );
    });

    test('a bias with given parameters takes the number of heads from them', () => {
      const refused = (call, Kind, text) =>
        assert.throws(
          call,
          (/** @type {Error} */ error) => error.constructor === Kind && text.test(error.message),
        );
      const q = tensor([3, 2, 4], 1);
      const table = tensor([32, 2], 2);
      refused(
        () => rw.attention(q, q, q, { position: { type: 't5', table, direction: 'causal' } }),
        RangeError,
        /position must have parameters for 3 heads, got 2/,
      );
      for (const call of [
        () => rw.alibi({ slopes: [], queries: 2, keys: 2 }),
        () => rw.kerple({ kind: 'log', r1: [], r2: [], queries: 2, keys: 2 }),
        () => rw.attention(q, q, q, { position: { type: 'alibi', slopes: [] } }),
      ])
        refused(call, RangeError, /(slopes|r1) must have at least one value, got 0/);
      refused(
        () => rw.alibi({ heads: 3, slopes: [1], queries: 1, keys: 1 }),
        RangeError,
        /parameters for 3 heads, got 1/,
      );
      refused(
        () => rw.alibi({ slopes: [1], convention: 'naive', queries: 1, keys: 1 }),
        TypeError,
        /slopes stands alone: leave out convention/,
      );
      refused(
        () => rw.alibiSlopes({ heads: 4, headOffset: 2, totalHeads: 5 }),
        RangeError,
        /totalHeads must be at least headOffset \+ heads, 6, got 5/,
      );
      refused(
        () => rw.alibi({ queries: 1, keys: 1 }),
        TypeError,
        /heads must be a number, got undefined/,
      );
      refused(
        () => rw.kerple({ kind: 'power', r1: [1], r2: [3], queries: 1, keys: 1 }),
        RangeError,
        /r2 of the power kind must be at most 2, got 3/,
      );
      refused(
        () => rw.kerple({ kind: 'log', r1: [1], r2: [1, 2], queries: 1, keys: 1 }),
        RangeError,
        /r2 must have one value per head as r1 has, 1, got 2/,
      );
      refused(
        () =>
          rw.t5Bias({
            table: tensor([4, 1], 1),
            direction: 'causal',
            maxDistance: 2,
            queries: 1,
            keys: 1,
          }),
        RangeError,
        /maxDistance must be more than 2 .* got 2/,
      );
      for (const [rows, direction] of [
        [2, 'bidirectional'],
        [3, 'bidirectional'],
        [8193, 'bidirectional'],
        [1, 'causal'],
        [4097, 'causal'],
      ]) {
        const extremes = direction === 'causal' ? '2 to 4096' : '4 to 8192';
        refused(
          () => rw.t5Bias({ table: tensor([rows, 1], 1), direction, queries: 1, keys: 1 }),
          RangeError,
          new RegExp(`buckets \\(rows of the table\\) must be from ${extremes}, got ${rows}$`),
        );
      }
      refused(
        () => rw.t5Bias({ table, queries: 1, keys: 1 }),
        TypeError,
        /direction must be one of 'causal', 'bidirectional', got undefined/,
      );
      refused(
        () => rw.alibiTranslated({ heads: 1, keys: [0, 1], mask: tensor([1, 2], 1) }),
        TypeError,
        /keys must be a count/,
      );
      refused(
        () => rw.alibiTranslated({ heads: 1, keys: 3, mask: tensor([1, 2], 1) }),
        RangeError,
        /mask.shape must be \[batch, 3\], got \[1, 2\]/,
      );
      refused(
        () => rw.swinBias(tensor([8, 2], 1), { window: [2, 2] }),
        RangeError,
        /table.shape must be \[9, heads\], got \[8, 2\]/,
      );
      refused(
        () => rw.swinV2Coordinates({ window: [2, 2], pretrainedWindow: [1, 2] }),
        RangeError,
        /pretrainedWindow .* got 1 x 2/,
      );
    });
  });
}

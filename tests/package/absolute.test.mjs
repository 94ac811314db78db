/** The absolute families of the installed package, by the claims that are made about them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as reference from '../support/reference.mjs';
import { createRopewalk, simds } from './installed.mjs';
import { assertClose, rows, tensor } from './inputs.mjs';

const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

for (const simd of simds) {
  const rw = await createRopewalk({ simd });

  describe(simd, () => {
    test('C02 integer positions grow without bound, one apart', () => {
      const { data, shape } = rw.integerPositions({ positions: 1000 });
      assert.deepEqual(shape, [1000, 1]);
      data.forEach((value, m) => assert.equal(value, m));
      assert.deepEqual(
        [...rw.integerPositions({ positions: [2.5, 16777216] }).data],
        [2.5, 16777216],
      );
    });

    test('C03 positions in [0, 1] are spaced by the length', () => {
      const gap = (length) => rw.unitInterval({ positions: length }).data[1];
      assert.deepEqual([...rw.unitInterval({ positions: 3 }).data], [0, 0.5, 1]);
      assertClose(rw.unitInterval({ positions: 4 }).data, [0, 1 / 3, 2 / 3, 1], 1e-7);
      assert.deepEqual([gap(5), gap(101)], [0.25, Math.fround(0.01)]);
      assert.deepEqual([...rw.unitInterval({ positions: 1 }).data], [0]);
      assert.deepEqual([...rw.unitInterval({ positions: [1], length: 5 }).data], [0.25]);
      assert.throws(
        () => rw.unitInterval({ positions: [0, 5], length: 5 }),
        /^RangeError: .*positions\[1\].*length - 1 = 4, got 5/,
      );
    });

    test('C04 binary positions are unique, jump, and do not exist between integers', () => {
      assert.deepEqual([...rw.binary({ positions: [5], bits: 8 }).data], [1, 0, 1, 0, 0, 0, 0, 0]);
      const bits = rows(rw.binary({ positions: 256, bits: 8, order: 'highest-first' }));
      bits.forEach((row, m) => assert.equal(parseInt(row.join(''), 2), m));
      const flips = (m) => bits[m].filter((bit, k) => bit !== bits[m + 1][k]).length;
      assert.deepEqual([flips(7), flips(8), flips(127)], [4, 1, 8]);
      assert.throws(
        () => rw.binary({ positions: [2.5], bits: 8 }),
        /^RangeError: .*positions\[0\].*whole number.*2\.5/,
      );
      assert.throws(
        () => rw.binary({ positions: 257, bits: 8 }),
        /^RangeError: .*positions\[256\].*2\^8 - 1, got 256/,
      );
      assert.throws(
        () => rw.binary({ positions: 2, bits: 54 }),
        /^RangeError: .*bits.*1 to 53, got 54/,
      );
    });

    test('C05 sine waves, each with half the frequency of the one before', () => {
      const dials = rows(rw.sineWaves({ positions: 64, dim: 6 }));
      dials.forEach((row, t) =>
        assertClose(
          row,
          row.map((_, i) => Math.sin(t / 2 ** i)),
          1e-7,
        ),
      );
      const other = (spacing, steps) =>
        rw
          .sineWaves({ positions: [77], dim: 6, base: 500, spacing })
          .data.forEach((value, i) =>
            assertClose([value], [Math.sin(77 * 500 ** (-i / steps))], 1e-7),
          );
      other('dim-1', 5);
      other('dim', 6);
    });

    test('C06 fast sine waves repeat, slow ones do not', () => {
      const lap = 8 * Math.PI;
      const apart = (spacing, t) => {
        const [here, later] = rows(rw.sineWaves({ positions: [t, t + lap], dim: 3, spacing }));
        return distance(here, later);
      };
      for (let t = 0; t < 100; t++) {
        assert.ok(apart('halving', t) < 1e-6);
        assert.ok(apart('dim-1', t) > 0.05);
      }
    });

    test('the sinusoid can be written into an array of the caller', () => {
      const into = new Float32Array(30).fill(7);
      const table = rw.sinusoidal({ positions: 5, dim: 6, into });
      assert.equal(table.data, into);
      assert.deepEqual(table, rw.sinusoidal({ positions: 5, dim: 6 }));
    });

    test('the padding position has a row of zeros', () => {
      const [zero, one] = rows(rw.sinusoidal({ positions: 2, dim: 4, paddingPosition: 1 }));
      assert.deepEqual(
        [zero, one],
        [
          [0, 1, 0, 1],
          [0, 0, 0, 0],
        ],
      );
    });

    test('C14 a learned table gives its rows and none past its end', () => {
      const table = rw.learnedTable({ rows: 512, dim: 8, seed: 3 });
      assert.deepEqual(table.shape, [512, 8]);
      assert.deepEqual(table, rw.learnedTable({ rows: 512, dim: 8, seed: 3 }));
      assert.notDeepEqual(table, rw.learnedTable({ rows: 512, dim: 8 }));
      const all = rows(table);
      assert.deepEqual(rows(rw.learnedRows(table, { positions: [511, 0, 7] })), [
        all[511],
        all[0],
        all[7],
      ]);
      for (const [positions, at] of /** @type {const} */ ([
        [[0, 512], 'positions\\[1\\].*got 512'],
        [[-1], 'got -1'],
        [[0.5], 'got 0.5'],
        [513, 'positions\\[512\\]'],
      ])) {
        assert.throws(
          () => rw.learnedRows(table, { positions }),
          new RegExp(`^RangeError: .*a row of the table, 0 to 511.*`),
        );
        assert.throws(() => rw.learnedRows(table, { positions }), new RegExp(at));
      }
      assert.throws(
        () => rw.learnedTable({ rows: 2, dim: 2, std: -1 }),
        /^RangeError: std must be at least 0, got -1$/,
      );
    });

    test('C15 a recurrent layer depends on order, reads only earlier tokens, and works at any length', () => {
      const weights = rw.recurrentWeights({ dim: 4, hidden: 6, seed: 1 });
      const x = tensor([2, 30, 4], 5);
      const [input, hidden] = [rows(weights.input), rows(weights.hidden)];
      const { data, shape } = rw.recurrent(x, { weights });
      assert.deepEqual(shape, [2, 30, 6]);
      for (const sequence of [0, 1]) {
        let state = Array(6).fill(0);
        rows(x, sequence).forEach((token, t) => {
          const product = (vector, matrix, c) =>
            vector.reduce((sum, value, r) => sum + value * matrix[r][c], 0);
          state = state.map((_, c) =>
            Math.tanh(product(token, input, c) + product(state, hidden, c) + weights.bias.data[c]),
          );
          assertClose(rows({ data, shape }, sequence)[t], state, 1e-7);
        });
      }
      const swapped = { data: x.data.slice(), shape: x.shape };
      swapped.data.set(x.data.subarray(4, 8), 0);
      swapped.data.set(x.data.subarray(0, 4), 4);
      const other = rw.recurrent(swapped, { weights }).data;
      for (let t = 0; t < 8; t++) assert.notEqual(other[6 * t], data[6 * t]); // what was early fades
      const long = rw.recurrent(tensor([1, 5000, 4], 6), { weights }).data;
      assert.ok(long.every((value) => Math.abs(value) <= 1));
    });

    test('C15 with a fixed rotation as its step a recurrent layer makes the sinusoid', () => {
      const dim = 8;
      const shift = rows(rw.sinusoidalShift({ dim, offset: 1 }));
      const hidden = {
        data: Float32Array.from(
          { length: dim * dim },
          (_, i) => shift[i % dim][Math.floor(i / dim)],
        ),
        shape: [dim, dim],
      };
      const weights = {
        input: { data: new Float32Array(dim), shape: [1, dim] },
        hidden,
        bias: { data: new Float32Array(dim), shape: [dim] },
      };
      const initial = { data: rw.sinusoidal({ positions: [-1], dim }).data, shape: [dim] };
      const nothing = { data: new Float32Array(100), shape: [100, 1] };
      const { data } = rw.recurrent(nothing, { weights, initial, activation: 'identity' });
      assertClose(data, reference.sinusoidal([...Array(100).keys()], dim), 103 * 2 ** -24);
    });

    test('C16 C17 tables are added, multiplied or joined', () => {
      const x = tensor([2, 3, 4], 1),
        p = tensor([3, 4], 2),
        column = tensor([3, 1], 3);
      x.data.fill(0, 4, 8); // token 1 of the first sequence
      const sum = (a, b) => a.map((value, i) => Math.fround(value + b[i % b.length]));
      const product = (a, b) => a.map((value, i) => Math.fround(value * b[i % b.length]));
      const joined = (a, b) => [...a, ...b];
      const cases = { add: sum, multiply: product, concatenate: joined };
      for (const [by, expected] of Object.entries(cases)) {
        for (const table of [p, column]) {
          const result = rw.combine(x, table, { by });
          for (const sequence of [0, 1]) {
            const tokens = rows(x, sequence);
            assert.deepEqual(
              rows(result, sequence),
              rows(table).map((row, t) => expected(tokens[t], row)),
            );
          }
        }
      }
      assert.deepEqual(rw.combine(x, p), rw.combine(x, p, { by: 'add' }));
      assert.ok(rows(rw.combine(x, p, { by: 'multiply' }))[1].every((value) => value === 0));
      assert.deepEqual(rw.combine(x, tensor([3, 7], 4), { by: 'concatenate' }).shape, [2, 3, 11]);
      assert.throws(
        () => rw.combine(x, tensor([3, 2], 4)),
        /^RangeError: table\.shape must be \[3, 4\] or \[3, 1\], got \[3, 2\]/,
      );
      assert.throws(
        () => rw.combine(x, tensor([4, 4], 4)),
        /^RangeError: table\.shape must be \[3, width\].*got \[4, 4\]/,
      );
    });

    test('an odd dim and points that do not fill the axes are rejected', () => {
      assert.throws(
        () => rw.sinusoidalGrid({ rows: 2, columns: 2, dim: 6 }),
        /^RangeError: .*dim.*multiple of 4, got 6/,
      );
      assert.throws(
        () => rw.sinusoidalMask({ mask: tensor([2, 2], 1), dim: 6 }),
        /^RangeError: .*dim.*multiple of 4, got 6/,
      );
      assert.throws(
        () => rw.sinusoidalMask({ mask: tensor([4], 1), dim: 8 }),
        /^RangeError: mask\.shape must be \[rows, columns\], got \[4\]/,
      );
      assert.throws(
        () => rw.fourierFeatures({ coordinates: [1, 2, 3], resolution: [4, 4], bands: 1 }),
        /^RangeError: coordinates must hold 2 per point.*got 3/,
      );
      assert.throws(
        () => rw.fourierFeatures({ coordinates: [1], resolution: [], bands: 1 }),
        /^RangeError: resolution must hold at least one/,
      );
      assert.throws(
        () => rw.recurrentWeights({ dim: 2 ** 20, hidden: 2 ** 20 }),
        /^RangeError: .*bytes/,
      );
    });
  });
}

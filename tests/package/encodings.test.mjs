/** The encodings of the installed package, against published numbers and the double reference. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as reference from '../support/reference.mjs';
import { assertClose, rows, tensor } from './inputs.mjs';
import { createRopewalk, simds } from './installed.mjs';

for (const simd of simds) {
  const rw = await createRopewalk({ simd });
  describe(simd, () => {
    test('C08 sinusoidal is the formula, for counts and lists of every kind', () => {
      const lists = [
        [0, 1, 2, 3],
        Int32Array.of(5, -7),
        Float32Array.of(0.5, 1e6),
        Float64Array.of(0.1),
        BigInt64Array.of(3n, 2n ** 24n),
        [1n, 2],
        { length: 2, 0: 4, 1: 2 },
      ];
      for (const positions of [1, 50, ...lists]) {
        const list =
          typeof positions === 'number'
            ? [...Array(positions).keys()]
            : Array.from(positions, Number);
        for (const [dim, base] of [
          [128, undefined],
          [8, 500],
          [1, 10000],
          [7, 10000],
        ]) {
          const { data, shape } = rw.sinusoidal({ positions, dim, base });
          assert.deepEqual(shape, [list.length, dim]);
          assertClose(data, reference.sinusoidal(list, dim, base), 1e-7);
        }
      }
    });

    test('C08 the published row of position 3, in every layout, spacing and order', () => {
      const three = (options) => rw.sinusoidal({ positions: [3], dim: 8, ...options }).data;
      const sines = [0.141120008, 0.295520207, 0.0299955, 0.002999996];
      const cosines = [-0.989992497, 0.955336489, 0.999550034, 0.9999955];
      const paired = (a, b) => a.flatMap((value, i) => [value, b[i]]);
      assertClose(three({}), paired(sines, cosines), 1e-7);
      assertClose(three({ order: 'cos-first' }), paired(cosines, sines), 1e-7);
      assertClose(three({ layout: 'half-split' }), [...sines, ...cosines], 1e-7);
      assertClose(
        three({ layout: 'half-split', order: 'cos-first' }),
        [...cosines, ...sines],
        1e-7,
      );
      assertClose(
        three({ layout: 'half-split', spacing: 'dim/2-1' }).slice(0, 4),
        [0.141120008, 0.138798101, 0.006463259, 0.0003],
        1e-7,
      );
      assert.deepEqual(
        three({ layout: 'interleaved', spacing: 'dim/2', order: 'sin-first' }),
        three({}),
      );
    });

    test('C07 sinusoidalShift moves every position by the same map', () => {
      for (const [dim, offset, base] of [
        [4, 2, undefined],
        [16, -3.5, undefined],
        [64, 100, 500],
      ]) {
        const map = rw.sinusoidalShift({ dim, offset, base });
        assert.deepEqual(map.shape, [dim, dim]);
        const positions = [0, 1, 3, 4096];
        const before = rows(rw.sinusoidal({ positions, dim, base }));
        const after = rw.sinusoidal({ positions: positions.map((t) => t + offset), dim, base });
        const moved = before.map((row) => rows(map).map((line) => reference.dot(line, row)));
        assertClose(moved, rows(after), 4e-7);
      }
    });

    test('C20 C22 rotate is the formula in both pairings, over every leading axis', () => {
      for (const layout of ['interleaved', 'half-split']) {
        for (const { shape, positions } of [
          { shape: [5, 10], positions: undefined },
          { shape: [3, 5, 10], positions: 5 },
          { shape: [2, 3, 2, 10], positions: [7, -2.5] },
          { shape: [2, 2, 2, 1, 10], positions: [1e6] },
        ]) {
          const x = tensor(shape, 4);
          const result = rw.rotate(x, rw.rotaryFrequencies({ dim: 10 }), { layout, positions });
          assert.deepEqual(result.shape, shape);
          const list = Array.isArray(positions) ? positions : [...Array(shape.at(-2)).keys()];
          const blocks = shape.slice(0, -2).reduce((a, b) => a * b, 1);
          for (let block = 0; block < blocks; block++) {
            assertClose(
              rows(result, block),
              reference.rotate(rows(x, block), list, layout),
              2e-6,
              `${layout} [${shape}]`,
            );
          }
        }
      }
    });

    test('C19 slopes by the published rule, sorted and naive', () => {
      for (let heads = 1; heads <= 70; heads++) {
        const published = reference.alibiSlopes(heads);
        assertClose(rw.alibiSlopes({ heads }), published, 1e-15);
        assertClose(
          rw.alibiSlopes({ heads, convention: 'sorted' }),
          published.toSorted((a, b) => b - a),
          1e-15,
        );
        const naive = Array.from({ length: heads }, (_, h) => 2 ** ((-8 * (h + 1)) / heads));
        assertClose(rw.alibiSlopes({ heads, convention: 'naive' }), naive, 1e-15);
      }
      assert.ok(rw.alibiSlopes({ heads: 3 }) instanceof Float64Array);
    });
  });
}

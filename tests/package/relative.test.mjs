/** Terms of content and distance: with attention they are the papers' scores, step by step in double. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dot } from '../support/reference.mjs';
import { assertClose, rows, tensor } from './inputs.mjs';
import { createRopewalk, simds } from './installed.mjs';

const sum = (a, b) => a.map((value, i) => value + b[i]);
const clip = (value, most) => Math.min(Math.max(value, -most), most);

for (const simd of simds) {
  const rw = await createRopewalk({ simd });

  describe(simd, () => {
    test('Shaw: keys and values both use the clipped distance', () => {
      const [q, k, v] = [1, 2, 3].map((seed) => tensor([2, 7, 4], seed));
      const [onKeys, onValues] = [tensor([5, 4], 4), tensor([5, 4], 5)];
      const found = rw.attention(q, k, v, {
        bias: rw.shaw(q, onKeys),
        intermediates: ['biased', 'weights'],
      });
      const added = rw.shawValues(found.weights, onValues);
      assert.deepEqual(added.shape, [2, 7, 4]);
      for (const head of [0, 1]) {
        const [qs, ks, vs] = [q, k, v].map((x) => rows(x, head));
        const scores = qs.map((query, m) =>
          ks.map((key, n) => dot(query, sum(key, rows(onKeys)[clip(n - m, 2) + 2])) / 2),
        );
        assertClose(rows(found.biased, head), scores, 2e-5);
        const weights = rows(found.weights, head);
        const output = weights.map((row, m) =>
          [0, 1, 2, 3].map((d) =>
            dot(
              row,
              vs.map((value, n) => value[d] + rows(onValues)[clip(n - m, 2) + 2][d]),
            ),
          ),
        );
        assertClose(sum(rows(found.output, head).flat(), rows(added, head).flat()), output, 2e-5);
      }
      assert.deepEqual(
        [...rw.shawIndices({ queries: [3], keys: 6, clip: 2 }).data],
        [0, 0, 1, 2, 3, 4],
      );
    });

    test('without a scale, scores are divided by the root of the number of products summed', () => {
      const [q, k, v] = [1, 2, 3].map((seed) => tensor([5, 3], seed));
      const [table, second] = [tensor([4, 3], 4), tensor([4, 3], 5)];
      const [wq, wk] = [tensor([3, 7], 6), tensor([3, 7], 7)];
      const type = 'relative_key_query';
      /** @type {[(scale?: object) => unknown, number][]} */
      const calls = [
        [(scale) => rw.attention(q, k, v, { ...scale, intermediates: ['scores'] }), 3],
        [(scale) => rw.shaw(q, tensor([5, 3], 8), scale), 3],
        [(scale) => rw.relativeKey(q, k, tensor([9, 3], 9), { type, ...scale }), 3],
        [(scale) => rw.deberta(q, k, { positionKeys: table, ...scale }), 6],
        [(scale) => rw.deberta(q, k, { positionQueries: table, ...scale }), 6],
        [
          (scale) => rw.deberta(q, k, { positionKeys: table, positionQueries: second, ...scale }),
          9,
        ],
        [(scale) => rw.fourTerms(q, k, scale), 3],
        [(scale) => rw.fourTerms(q, k, { queryWeights: wq, keyWeights: wk, ...scale }), 7],
      ];
      for (const [call, summed] of calls) {
        assert.deepEqual(call({}), call({ scale: 1 / Math.sqrt(summed) }));
        assert.notDeepEqual(call({}), call({ scale: 1 / Math.sqrt(summed + 1) }));
      }
    });

    test('without positions, queries are the last of the keys', () => {
      const [q, k] = [tensor([2, 4], 1), tensor([5, 4], 2)];
      const table = tensor([9, 4], 3);
      const type = 'relative_key_query';
      assert.deepEqual(
        rw.relativeKey(q, k, table, { type }),
        rw.relativeKey(q, k, table, { type, queries: [3, 4] }),
      );
      assert.notDeepEqual(
        rw.relativeKey(q, k, table, { type }),
        rw.relativeKey(q, k, table, { type, queries: 2 }),
      );
    });

    test('Music Transformer is the skew of all products', () => {
      const [q, table] = [tensor([6, 4], 1), tensor([6, 4], 2)];
      const products = rows(q).map((row) => rows(table).map((line) => dot(row, line)));
      const skewed = rows(
        rw.relativeShift({ data: Float32Array.from(products.flat()), shape: [6, 6] }),
      );
      rows(rw.musicTransformer(q, table, { scale: 1 })).forEach((row, m) => {
        assertClose(row.slice(0, m + 1), skewed[m].slice(0, m + 1), 1e-5);
        assert.ok(row.slice(m + 1).every((value) => value === 0));
      });
    });

    test('Transformer-XL with a sinusoid: four terms, memory included', () => {
      const [q, k] = [tensor([3, 8], 1), tensor([5, 8], 2)];
      const r = rw.sinusoidal({ positions: [4, 3, 2, 1, 0], dim: 8, layout: 'half-split' });
      const [contentBias, positionBias] = [tensor([1, 8], 3), tensor([1, 8], 4)];
      const bias = rw.transformerXl(q, k, r, { contentBias, positionBias });
      const { biased } = rw.attention(q, k, k, {
        bias,
        causal: 'bottom-right',
        intermediates: ['biased'],
      });
      const [u, v] = [contentBias, positionBias].map((x) => rows(x)[0]);
      const expected = rows(q).map((query, m) =>
        rows(k).map((key, n) => {
          const distance = m + 2 - n;
          if (distance < 0) return -Infinity;
          return (
            (dot(sum(query, u), key) + dot(sum(query, v), rows(r)[4 - distance])) / Math.sqrt(8)
          );
        }),
      );
      rows(biased).forEach((row, m) => {
        assertClose(row.slice(0, m + 3), expected[m].slice(0, m + 3), 2e-5);
        assert.ok(row.slice(m + 3).every((value) => value === -Infinity));
      });
    });

    test('DeBERTa: one or both terms, and p2c read either way', () => {
      const [q, k] = [tensor([6, 4], 1), tensor([6, 4], 2)];
      const [positionKeys, positionQueries] = [tensor([8, 4], 3), tensor([8, 4], 4)];
      const delta = (m, n) => Math.min(Math.max(m - n + 4, 0), 7);
      const expected = (terms, row) =>
        rows(q).map((query, m) =>
          rows(k).map((key, n) =>
            terms(query, key, rows(positionKeys)[delta(m, n)], rows(positionQueries)[row(m, n)]),
          ),
        );
      const both = (query, key, toQuery, toKey) =>
        (dot(query, toQuery) + dot(key, toKey)) / Math.sqrt(12);
      const onlyQuery = (query, key, toQuery) => dot(query, toQuery) / Math.sqrt(8);
      assertClose(
        rw.deberta(q, k, { positionKeys, positionQueries }).data,
        expected(both, delta),
        2e-5,
      );
      const paper = rw.deberta(q, k, { positionKeys, positionQueries, convention: 'paper' });
      assertClose(
        paper.data,
        expected(both, (m, n) => delta(n, m)),
        2e-5,
      );
      assertClose(rw.deberta(q, k, { positionKeys }).data, expected(onlyQuery, delta), 2e-5);
      assert.throws(
        () => rw.deberta(q, k, {}),
        /deberta needs positionKeys, positionQueries or both/,
      );
    });

    test('DeBERTa: the known distances and buckets', () => {
      const indices = rw.debertaIndices({ queries: [-5, -4, -3, 0, 3, 4], keys: 1, span: 4 });
      assert.deepEqual([...indices.data], [0, 0, 1, 4, 7, 7]);
      const buckets = rw.debertaBuckets([128, 129, 200, 300, 511, 512, -200], {
        buckets: 256,
        maxDistance: 512,
      });
      assert.deepEqual([...buckets], [128, 129, 169, 207, 255, 256, -169]);
    });

    test('DeBERTa: more buckets than distances, and distances far beyond them', () => {
      const formula = (distance, buckets, end) =>
        buckets / 2 +
        Math.ceil(
          ((buckets / 2 - 1) * Math.log(distance / (buckets / 2))) /
            Math.log((end - 1) / (buckets / 2)),
        );
      const buckets = rw.debertaBuckets([1, 5, 1e6, -1e6, 2 ** 31], {
        buckets: 8192,
        maxDistance: 4098,
      });
      const expected = [
        1,
        5,
        ...[1e6, 1e6, 2 ** 31].map((distance) => formula(distance, 8192, 4098)),
      ];
      buckets.forEach((bucket, i) =>
        assert.ok(Math.abs(Math.abs(bucket) - expected[i]) <= 1, `${bucket}, ${expected[i]}`),
      ); // the formula's own rounding
      assert.equal(buckets[3], -buckets[2]);
      assert.deepEqual(
        [...rw.debertaBuckets([5000, 257], { buckets: 512, maxDistance: 258 })],
        [formula(5000, 512, 258), 511],
      );
      const { data } = rw.debertaIndices({
        queries: [0, 2 ** 31],
        keys: [0, -(2 ** 31)],
        span: 512,
        buckets: 8192,
        maxDistance: 4098,
      });
      assert.deepEqual([...data], [512, 1023, 1023, 1023]);
    });

    test('CoPE counts its gates', () => {
      const logits = { data: Float32Array.of(0, 1, -1, 2), shape: [1, 4] };
      assertClose(
        rw.copePositions(logits, { rows: 100 }).data,
        [2.380797078, 1.880797078, 1.149738499, 0.880797078],
        1e-6,
      );
      const q = { data: Float32Array.of(1), shape: [1, 1] };
      const table = { data: Float32Array.of(0, 10, 20), shape: [3, 1] };
      assertClose(rw.cope(q, logits, table).data, [20, 18.80797078, 11.49738499, 8.80797078], 1e-5);
    });

    test('CoPE of few keys takes no more memory for a long table', () => {
      const column = (count, value) => ({
        data: new Float32Array(count).fill(value),
        shape: [count, 1],
      });
      const table = { data: Float32Array.from({ length: 1e6 }, (_, row) => row), shape: [1e6, 1] };
      const { data } = rw.cope(column(20000, 2), column(20000, 0), table, {
        queries: 20000,
        keys: [0],
      });
      assert.deepEqual(data, new Float32Array(20000).fill(1)); // row 1/2, times 2
    });

    test('C13 four terms add up to the score of tokens with positions', () => {
      const x = tensor([9, 16], 1);
      const p = rw.sinusoidal({ positions: 9, dim: 16 });
      const both = { data: Float32Array.from(sum([...x.data], [...p.data])), shape: [9, 16] };
      const terms = Object.values(rw.fourTerms(x, p)).map((term) => [...term.data]);
      assertClose(
        terms.reduce(sum),
        rw.attention(both, both, both, { intermediates: ['scores'] }).scores.data,
        2e-5,
      );
      const weights = { queryWeights: tensor([16, 6], 2), keyWeights: tensor([16, 6], 3) };
      const last = rows(rw.fourTerms(x, p, weights).positionPosition);
      assert.ok(
        Math.abs(last[3][2] - last[7][6]) > 0.1,
        'with weights in between, the distance alone no longer decides',
      );
      const plain = rows(rw.fourTerms(x, p).positionPosition);
      assertClose([plain[3][2], plain[2][3]], [plain[7][6], plain[7][6]], 1e-5);
    });

    test('what does not fit is named', () => {
      const refused = (call, text) =>
        assert.throws(call, (error) => error instanceof RangeError && text.test(error.message));
      const q = tensor([2, 3, 4], 1);
      refused(() => rw.shaw(q, tensor([4, 4], 2)), /table must have an odd number of rows.* got 4/);
      refused(
        () => rw.shaw(q, tensor([5, 3], 2)),
        /table.shape must be \[rows, 4\] or \[2, rows, 4\], got \[5, 3\]/,
      );
      refused(
        () => rw.shaw(q, tensor([5, 4], 2), { queries: 4 }),
        /queries and the number of q's rows must be equal, got 4 and 3/,
      );
      refused(
        () => rw.relativeKey(q, q, tensor([3, 4], 2), { type: 'relative_key' }),
        /distance must be below maxPositions, 2, got 2/,
      );
      refused(
        () => rw.relativeKey(q, tensor([1, 3, 4], 2), tensor([9, 4], 2), { type: 'relative_key' }),
        /heads of q and k must be equal, got 2 and 1/,
      );
      refused(
        () => rw.musicTransformer(q, tensor([2, 4], 2)),
        /2 distances, from 0 to 1, and none for 2/,
      );
      refused(
        () => rw.deberta(q, q, { positionKeys: tensor([7, 4], 2) }),
        /positionKeys must have 2 · span rows, got 7/,
      );
      refused(
        () => rw.deberta(q, q, { positionQueries: tensor([5, 4], 2) }),
        /positionQueries must have 2 · span rows, got 5/,
      );
      refused(
        () =>
          rw.deberta(q, q, { positionKeys: tensor([8, 4], 2), positionQueries: tensor([6, 4], 2) }),
        /rows of positionKeys and positionQueries/,
      );
      refused(
        () => rw.debertaBuckets([1], { buckets: 2, maxDistance: 9 }),
        /buckets must be from 4 to 8192, got 2/,
      );
      refused(
        () => rw.fourTerms(tensor([2, 4], 1), tensor([2, 3], 1)),
        /p.shape must be x's, \[2, 4\], got \[2, 3\]/,
      );
      refused(
        () => rw.cope(q, tensor([2, 4, 3], 1), tensor([2, 4], 1)),
        /queries of q and logits must be equal, got 3 and 4/,
      );
    });
  });
}

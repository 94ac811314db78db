/** `ropewalk/cache`: keys and values in fewer bits, beside attention in double. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tensor } from './inputs.mjs';
import { createCache, createRopewalk, simds } from './installed.mjs';

for (const simd of simds) {
  const cache = await createCache({ simd });

  describe(simd, () => {
    const [q, k, v] = [tensor([2, 5, 8], 1), tensor([2, 9, 8], 2), tensor([2, 9, 6], 3)];

    test('floats give the bits of the main entry, resident or not', async () => {
      const rw = await createRopewalk({ simd });
      const position = { type: 'alibi' };
      const settings = { causal: 'bottom-right', position, intermediates: ['weights'] };
      const expected = rw.attention(q, k, v, settings);
      assert.deepEqual(cache.attention(q, k, v, settings), expected);
      const kept = [k, v].map((x) => cache.resident(x));
      assert.deepEqual(cache.attention(q, ...kept, settings), expected);
      for (const each of kept) each.dispose();
      assert.equal(cache.simd, simd);
    });

    /** How far values may be from those of a row, as the docs of resident() state it. */
    const valueError = {
      float16: (value, most) => 2 ** -11 * Math.abs(value) + 2 ** -39 * most,
      int8: (_, most) => most / 253,
    };
    const largest = (row) => Math.max(...row.map(Math.abs));
    const rows = ({ data, shape }) =>
      Array.from({ length: data.length / shape.at(-1) }, (_, i) =>
        Array.from(data.slice(i * shape.at(-1), (i + 1) * shape.at(-1))),
      );
    const sum = (terms) => terms.reduce((total, term) => total + term, 0);

    /** Attention of one query per head in double, and the bound of each output in fewer bits. */
    function decoded([q, k, v], sharing, keyError, addedError) {
      const [queries, keys, values] = [q, k, v].map(rows);
      const length = k.shape.at(-2);
      const scale = 1 / Math.sqrt(q.shape.at(-1));
      return queries.flatMap((query, head) => {
        const first = Math.floor(head / sharing) * length;
        const own = keys.slice(first, first + length);
        const scores = own.map((key) => scale * sum(key.map((x, i) => x * query[i])));
        const error = Math.max(...own.map((key) => scale * keyError(query, key)));
        const high = Math.max(...scores);
        const total = sum(scores.map((score) => Math.exp(score - high)));
        const weights = scores.map((score) => Math.exp(score - high) / total);
        const ownValues = values.slice(first, first + length);
        return Array.from(ownValues[0], (_, i) => {
          const terms = weights.map((weight, n) => weight * ownValues[n][i]);
          const ofWeights = Math.expm1(2 * error) * sum(terms.map(Math.abs));
          const ofValues = weights.map((weight, n) => weight * addedError(ownValues[n], i));
          const bound = ofWeights + Math.exp(2 * error) * sum(ofValues) + 1e-5;
          return { expected: sum(terms), bound };
        });
      });
    }

    const keyErrors = {
      float32: () => 0,
      float16: (query, key) =>
        sum(key.map((x, i) => Math.abs(query[i]) * valueError.float16(x, largest(key)))),
      int8: (query, key) =>
        sum(query.map(Math.abs)) * valueError.int8(0, largest(key)) +
        2 ** -16 * largest(query) * 1.01 * sum(key.map(Math.abs)),
    };
    const valueErrors = {
      float32: () => 0,
      float16: (row, i) => valueError.float16(row[i], largest(row)),
      int8: (row) => (1 / 253 + 2 ** -11) * largest(row),
    };

    for (const [ofKeys, ofValues] of [
      ['float16', 'float16'],
      ['int8', 'int8'],
      ['int8', 'float16'],
      ['float32', 'int8'],
    ]) {
      test(`decoding over ${ofKeys} keys and ${ofValues} values is within the stated bound`, () => {
        const [heads, keyHeads, length] = [8, 2, 700];
        const query = tensor([heads, 1, 40], 11);
        const [keys, values] = [
          tensor([keyHeads, length, 40], 12),
          tensor([keyHeads, length, 24], 13),
        ];
        const kept = [
          cache.resident(keys, { dtype: ofKeys }),
          cache.resident(values, { dtype: ofValues }),
        ];
        const { output } = cache.attention(query, ...kept);
        const all = decoded(
          [query, keys, values],
          heads / keyHeads,
          keyErrors[ofKeys],
          valueErrors[ofValues],
        );
        all.forEach(({ expected, bound }, i) => {
          const error = Math.abs(output.data[i] - expected);
          assert.ok(error <= bound, `${i}: ${output.data[i]} for ${expected}, bound ${bound}`);
        });
        const plain = cache.attention(query, keys, values).output.data;
        assert.notDeepEqual(output.data, plain, 'they are in fewer bits');
        for (const each of kept) each.dispose();
      });
    }

    test('half and a quarter of the memory, beside a scale per row', () => {
      const bytes = (dtype) => cache.resident(tensor([2, 9, 128], 1), { dtype }).byteLength;
      assert.equal(bytes('float32'), 18 * 128 * 4);
      assert.equal(bytes('float16'), 18 * (128 * 2 + 4));
      assert.equal(bytes('int8'), 18 * (128 + 4));
      assert.equal(cache.resident(k).dtype, 'float32');
    });

    test('rows of fewer bits are the same written one by one and all at once', () => {
      const large = [tensor([2, 1500, 64], 5), tensor([2, 1500, 64], 6)]; // several sends of the core
      const query = tensor([4, 1, 64], 7);
      for (const dtype of /** @type {const} */ (['float16', 'int8'])) {
        const whole = large.map((x) => cache.resident(x, { dtype }));
        const written = large.map(({ data, shape }) => {
          const kept = cache.resident({ data: new Float32Array(data.length), shape }, { dtype });
          for (let at = 0; at < data.length; at += 64) kept.set(data.subarray(at, at + 64), at);
          return kept;
        });
        const causal = { causal: 'bottom-right', intermediates: ['weights'], softcap: 20 };
        assert.deepEqual(
          cache.attention(query, ...written, causal),
          cache.attention(query, ...whole, causal),
        );
        for (const each of [...whole, ...written]) each.dispose();
      }
    });

    test('what fewer bits cannot do is named', () => {
      const refused = (call, kind, message) => assert.throws(call, { constructor: kind, message });
      const kept = cache.resident(k, { dtype: 'int8' });
      refused(
        () => cache.resident(k, { dtype: 'int4' }),
        RangeError,
        `dtype must be one of 'float32', 'float16', 'int8', got "int4" (did you mean int8?)`,
      );
      for (const [typed, meant] of [
        ['fp16', 'float16'],
        ['half', 'float16'],
      ])
        refused(
          () => cache.resident(k, { dtype: typed }),
          RangeError,
          `dtype must be one of 'float32', 'float16', 'int8', got "${typed}" (did you mean ${meant}?)`,
        );
      refused(
        () => cache.resident(k, { kv_cache_dtype: 'int8' }),
        TypeError,
        'resident options has no "kv_cache_dtype" (did you mean dtype?); known names: dtype',
      );
      refused(
        () => cache.attention(q, k, v, { past_key_values: [] }),
        TypeError,
        /^attention options has no "past_key_values" \(did you mean past: { k, v }\?\)/,
      );
      refused(
        () => kept.set(new Float32Array(8), 4),
        RangeError,
        "data must be whole rows of 8 values where dtype is 'int8', got 8 values from 4 on",
      );
      refused(
        () => kept.set(new Float32Array(7), 8),
        RangeError,
        "data must be whole rows of 8 values where dtype is 'int8', got 7 values from 8 on",
      );
      refused(
        () => kept.set(new Float32Array(8).fill(Infinity)),
        RangeError,
        "resident: values must be finite and at most 2^29 in magnitude unless dtype is 'float32', got inf",
      );
      refused(
        () =>
          cache.resident({ data: Float32Array.of(1, NaN), shape: [1, 2] }, { dtype: 'float16' }),
        RangeError,
        /unless dtype is 'float32', got nan$/,
      );
      refused(
        () => cache.attention(cache.resident(q, { dtype: 'float16' }), k, v),
        TypeError,
        "q must be resident with dtype 'float32', got 'float16'",
      );
      refused(
        () => cache.attention(q, kept, v, { position: { type: 'rope', layout: 'half-split' } }),
        TypeError,
        "position must not rotate k of dtype 'int8': store keys that rotate() has rotated, and rotate q likewise",
      );
      kept.dispose();
      refused(() => kept.set(new Float32Array(8)), Error, 'the tensor was disposed');
    });

    test('a tensor that is rejected takes no memory', () => {
      const invalid = { data: new Float32Array(2 ** 22).fill(NaN), shape: [2 ** 16, 64] };
      const make = () => cache.resident(invalid, { dtype: 'float16' });
      for (let i = 0; i < 600; i++) assert.throws(make, RangeError); // 5 GB, were they kept
      cache.release();
    });
  });
}

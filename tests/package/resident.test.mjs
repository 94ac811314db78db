/** Tensors that stay in the core's memory: the same numbers, and no handle that can be held wrongly. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tensor } from './inputs.mjs';
import { createRopewalk, simds } from './installed.mjs';

for (const simd of simds) {
  const rw = await createRopewalk({ simd });

  describe(simd, () => {
    const [q, k, v] = [tensor([2, 5, 8], 1), tensor([2, 9, 8], 2), tensor([2, 9, 6], 3)];

    test('attention returns the same bits with and without resident operands', () => {
      const frequencies = rw.rotaryFrequencies({ dim: 8 });
      const rope = { type: 'rope', frequencies, layout: 'interleaved' };
      const rerope = { type: 'rerope', frequencies, layout: 'half-split', window: 3 };
      const kept = [q, k, v].map((x) => rw.resident(x));
      for (const position of [undefined, rope, rerope, { type: 'alibi' }]) {
        const settings = { causal: 'bottom-right', position, intermediates: ['weights'] };
        const expected = rw.attention(q, k, v, settings);
        for (let which = 1; which < 8; which++) {
          const operands = [q, k, v].map((x, i) => (which & (1 << i) ? kept[i] : x));
          assert.deepEqual(rw.attention(...operands, settings), expected);
        }
      }
      for (const each of kept) each.dispose();
    });

    test('it outlives other calls, errors and release, and memory that grows', () => {
      const kept = rw.resident(k);
      const expected = rw.attention(q, k, v);
      const large = tensor([1, 3000, 64], 7);
      rw.attention(large, large, large);
      assert.throws(() => rw.attention(q, tensor([2, 9, 7], 1), v), RangeError);
      rw.release();
      assert.deepEqual(rw.attention(q, kept, v), expected);
      kept.dispose();
    });

    test('wrong uses give errors that name the argument', async () => {
      const kept = rw.resident(k);
      const other = await createRopewalk({ simd });
      const refused = (call, kind, message) => assert.throws(call, { constructor: kind, message });
      refused(
        () => other.attention(q, kept, v),
        TypeError,
        'k must be resident in the instance that is called',
      );
      refused(
        () => rw.attention(q, kept, v, { past: { k, v } }),
        TypeError,
        'past.k needs new rows that are not resident',
      );
      refused(
        () => rw.attention(rw.resident(tensor([2, 5, 7], 1)), k, v),
        RangeError,
        /dim of q and k must be equal, got 7 and 8/,
      );
      refused(
        () => rw.resident({ data: new Float32Array(3), shape: [2] }),
        RangeError,
        /tensor.data must have 2 values/,
      );
      kept.dispose();
      kept.dispose();
      refused(() => rw.attention(q, kept, v), Error, 'k was disposed');
      assert.equal(rw.attention(q, k, v).output.data.length, 2 * 5 * 6, 'and the module goes on');
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
          rw.resident(keys, { dtype: ofKeys }),
          rw.resident(values, { dtype: ofValues }),
        ];
        const { output } = rw.attention(query, ...kept);
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
        const plain = rw.attention(query, keys, values).output.data;
        assert.notDeepEqual(output.data, plain, 'they are in fewer bits');
        for (const each of kept) each.dispose();
      });
    }

    for (const dtype of ['float16', 'int8']) {
      test(`a linear layer takes weights of ${dtype} within their rounding`, () => {
        const [width, out] = [300, 37];
        const w = tensor([out, width], 8);
        const kept = rw.resident(w, { dtype });
        const largest = (values) => Math.max(...values.map(Math.abs));
        for (const rows of [1, 3, 20]) {
          const x = tensor([rows, width], 9);
          const { data, shape } = rw.linear(x, kept, {
            order: 'out-in',
            bias: new Float32Array(out).fill(1),
          });
          assert.deepEqual(shape, [rows, out]);
          for (let at = 0; at < data.length; at++) {
            const own = x.data.subarray(Math.floor(at / out) * width).subarray(0, width);
            const weights = w.data.subarray((at % out) * width).subarray(0, width);
            const m = largest(weights);
            const rounding = (value) =>
              dtype === 'int8' ? m / 253 : 2 ** -11 * value + 2 ** -39 * m;
            let [exact, bound] = [1, 1e-5];
            own.forEach((value, i) => {
              exact += value * weights[i];
              bound += Math.abs(value) * rounding(Math.abs(weights[i]));
              if (dtype === 'int8') bound += 2 ** -16 * largest(own) * Math.abs(weights[i]);
            });
            assert.ok(
              Math.abs(data[at] - exact) <= bound,
              `${rows} rows, ${at}: ${data[at]}, ${exact}`,
            );
          }
        }
        assert.throws(() => rw.linear(tensor([1, out], 9), kept), {
          constructor: RangeError,
          message: `order must be 'out-in' for w of dtype '${dtype}', got "in-out"`,
        });
        kept.dispose();
      });
    }

    test('half and a quarter of the memory, beside a scale per row', () => {
      const bytes = (dtype) => rw.resident(tensor([2, 9, 128], 1), { dtype }).byteLength;
      assert.equal(bytes('float32'), 18 * 128 * 4);
      assert.equal(bytes('float16'), 18 * (128 * 2 + 4));
      assert.equal(bytes('int8'), 18 * (128 + 4));
      assert.equal(rw.resident(k).dtype, 'float32');
    });

    test('what fewer bits cannot do is named', () => {
      const refused = (call, kind, message) => assert.throws(call, { constructor: kind, message });
      const kept = rw.resident(k, { dtype: 'int8' });
      refused(
        () => rw.resident(k, { dtype: 'int4' }),
        RangeError,
        `dtype must be one of 'float32', 'float16', 'int8', got "int4" (did you mean int8?)`,
      );
      for (const [typed, meant] of [
        ['fp16', 'float16'],
        ['half', 'float16'],
      ])
        refused(
          () => rw.resident(k, { dtype: typed }),
          RangeError,
          `dtype must be one of 'float32', 'float16', 'int8', got "${typed}" (did you mean ${meant}?)`,
        );
      refused(
        () => rw.resident(k, { kv_cache_dtype: 'int8' }),
        TypeError,
        'resident options has no "kv_cache_dtype" (did you mean dtype?); known names: dtype',
      );
      refused(
        () => rw.attention(q, k, v, { past_key_values: [] }),
        TypeError,
        /^attention options has no "past_key_values" \(did you mean past: { k, v }\?\)/,
      );
      refused(
        () => rw.resident({ data: Float32Array.of(1, NaN), shape: [1, 2] }, { dtype: 'float16' }),
        RangeError,
        /unless dtype is 'float32', got nan$/,
      );
      refused(
        () => rw.attention(rw.resident(q, { dtype: 'float16' }), k, v),
        TypeError,
        "q must be resident with dtype 'float32', got 'float16'",
      );
      refused(
        () => rw.attention(q, kept, v, { position: { type: 'rope', layout: 'half-split' } }),
        TypeError,
        "position must not rotate k of dtype 'int8': give it to createCache, or store keys that rotate() has rotated, and rotate q likewise",
      );
      kept.dispose();
    });

    test('a tensor that is rejected takes no memory', () => {
      const invalid = { data: new Float32Array(2 ** 22).fill(NaN), shape: [2 ** 16, 64] };
      const make = () => rw.resident(invalid, { dtype: 'float16' });
      for (let i = 0; i < 600; i++) assert.throws(make, RangeError); // 5 GB, were they kept
      rw.release();
    });

    test('disposed memory can be used again', () => {
      const large = { data: new Float32Array(2 ** 22), shape: [2 ** 22] };
      for (let i = 0; i < 300; i++) rw.resident(large).dispose(); // 5 GB, were they kept
    });
  });
}

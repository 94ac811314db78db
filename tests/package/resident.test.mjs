/** Tensors that stay in the core's memory: the same numbers, and no handle that can be held wrongly. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { draws, tensor } from './inputs.mjs';
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

    test('a cache that is written row by row decodes as the whole sequence', () => {
      const [keys, values] = [8, 6].map((dim) =>
        rw.resident({ data: new Float32Array(9 * dim), shape: [9, dim] }),
      );
      const [a, b, c] = [draws(9 * 8, 4), draws(9 * 8, 5), draws(9 * 6, 6)];
      const whole = rw.attention(
        { data: a, shape: [9, 8] },
        { data: b, shape: [9, 8] },
        { data: c, shape: [9, 6] },
        { causal: 'top-left' },
      );
      for (let at = 0; at < 9; at++) {
        keys.set(b.subarray(at * 8, at * 8 + 8), at * 8);
        values.set(c.subarray(at * 6, at * 6 + 6), at * 6);
        const query = { data: a.slice(at * 8, at * 8 + 8), shape: [1, 8] };
        const { output } = rw.attention(query, keys, values, { keyLengths: [at + 1] });
        output.data.forEach((value, i) => {
          const expected = whole.output.data[at * 6 + i];
          assert.ok(Math.abs(value - expected) <= 2e-6, `${value} for ${expected} at ${at}`);
        });
      }
      keys.dispose();
      values.dispose();
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
      refused(() => kept.set([1], 0), TypeError, 'data must be a Float32Array, got an array');
      refused(
        () => kept.set(new Float32Array(2), 143),
        RangeError,
        'data must end within the 144 values of [2, 9, 8], got 145',
      );
      refused(
        () => kept.set(new Float32Array(1), -1),
        RangeError,
        /at must be a whole number from 0/,
      );
      refused(
        () => rw.resident({ data: new Float32Array(3), shape: [2] }),
        RangeError,
        /tensor.data must have 2 values/,
      );
      kept.dispose();
      kept.dispose();
      refused(() => rw.attention(q, kept, v), Error, 'k was disposed');
      refused(() => kept.set(new Float32Array(1)), Error, 'the tensor was disposed');
      assert.equal(rw.attention(q, k, v).output.data.length, 2 * 5 * 6, 'and the module goes on');
    });

    test('disposed memory can be used again', () => {
      const large = { data: new Float32Array(2 ** 22), shape: [2 ** 22] };
      for (let i = 0; i < 500; i++) rw.resident(large).dispose(); // 8 GB, were they kept
    });
  });
}

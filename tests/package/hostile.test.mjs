/**
 * Unusual arguments: detached and shared buffers, options of any object, numbers that are not finite.
 * Random ones are drawn by tests/fuzz/js/fuzzer.mjs.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calls, watch } from './probes.mjs';
import { draws } from './inputs.mjs';
import { createRopewalk, simds } from './installed.mjs';

/** Detaches the buffer of a typed array. */
const detach = (array) => structuredClone(array.buffer, { transfer: [array.buffer] });

for (const simd of simds) {
  const rw = await createRopewalk({ simd });
  const assertUnchanged = watch(rw);

  describe(simd, () => {
    test('a detached buffer is an error', () => {
      for (const place of [0, 1, 2]) {
        const args = calls.attention();
        detach(args[place].data);
        // Optimized code may see the length of a detached array late; copying the array always throws.
        assert.throws(
          () => rw.attention(...args),
          new RegExp(
            `^(RangeError: ${'qkv'[place]}\\.data must have .* got 0|TypeError: .*detached ArrayBuffer)$`,
          ),
        );
      }
      assertUnchanged('detached operands');
    });

    test('views into larger and into shared buffers are read at their offset', () => {
      const plain = calls.attention();
      const expected = rw.attention(...plain);
      const within = (data, Buffer) => {
        const wide = new Float32Array(new Buffer(4 * (data.length + 9)));
        wide.fill(1e30);
        wide.set(data, 4);
        return wide.subarray(4, 4 + data.length);
      };
      for (const Buffer of [ArrayBuffer, SharedArrayBuffer]) {
        const args = calls
          .attention()
          .map((argument) =>
            argument.data ? { ...argument, data: within(argument.data, Buffer) } : argument,
          );
        args[3].bias.data = within(args[3].bias.data, Buffer);
        assert.deepEqual(rw.attention(...args), expected);
        assert.ok(!(rw.attention(...args).output.data.buffer instanceof SharedArrayBuffer));
      }
    });

    test('options may be frozen, without a prototype, inherited, hidden or a proxy', () => {
      const [options] = calls.alibi();
      const expected = rw.alibi(options);
      const hidden = Object.defineProperty({ ...options }, 'heads', { enumerable: false });
      for (const same of [
        Object.freeze({ ...options }),
        Object.assign(Object.create(null), options),
        Object.create(options),
        hidden,
        new Proxy(options, {}),
      ]) {
        assert.deepEqual(rw.alibi(same), expected);
      }
    });

    test('numbers that are not finite pass through tensors and stay in their rows', () => {
      const x = { data: draws(12, 1), shape: [3, 4] };
      x.data.set([NaN, Infinity], 4);
      const { data } = rw.rotate(x, rw.rotaryFrequencies({ dim: 4 }), { layout: 'half-split' });
      assert.deepEqual(
        Array.from(data, Number.isFinite),
        Array.from(data, (_, i) => i < 4 || i >= 8),
      );
      assertUnchanged('NaN and Infinity');
    });
  });
}

/** Unusual arguments: detached and shared buffers, options of any object, numbers that are not finite. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calls, watch } from './probes.mjs';
import { draws, tensor } from './inputs.mjs';
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
        // Optimised code may see the length of a detached array late; copying the array always throws.
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

    test('random calls end in finite numbers or in an error with a name', () => {
      let seed = 1;
      const pick = (...choices) =>
        choices[Math.floor(((draws(1, seed++)[0] + 2) / 4) * choices.length)];
      const size = () => pick(1, 2, 3, 5, 8, 13);
      const number = () =>
        pick(-1, 0, 0.5, 1, 2, 3, 8, 100, 1e9, NaN, Infinity, '3', null, undefined);
      const any = (...good) => pick(...good, ...good, ...good, number(), {}, [], 'x');
      const x = () =>
        pick(
          tensor([size(), size()], seed),
          tensor([2, size(), size()], seed),
          tensor([4, 8], seed),
          number(),
        );
      const made = { ok: 0, refused: 0 };
      for (let i = 0; i < 3000; i++) {
        const calls = [
          () =>
            rw.sinusoidal({
              positions: any(3, [1, 2.5]),
              dim: any(4, 7),
              base: any(100, undefined),
              layout: any('interleaved', 'half-split'),
            }),
          () => rw.sinusoidalShift({ dim: any(2, 4), offset: any(1, -3.5) }),
          () =>
            rw.rotate(x(), any(rw.rotaryFrequencies({ dim: 2 })), {
              layout: any('interleaved', 'half-split'),
              positions: any(undefined, [1, 2, 3]),
            }),
          () =>
            rw.alibi({
              heads: any(2, 3),
              queries: any(2, 3),
              keys: any(2, 3),
              direction: any('causal', 'symmetric'),
            }),
          () =>
            rw.attention(
              x(),
              x(),
              x(),
              any(
                undefined,
                { causal: any(false, 'top-left') },
                { intermediates: any(['weights']) },
                { scale: any(1) },
              ),
            ),
        ];
        try {
          const { data } = pick(...calls)()?.output ?? { data: [] };
          assert.ok(data.every(Number.isFinite));
          made.ok++;
        } catch (error) {
          if (error.code === 'ERR_ASSERTION') throw error;
          assert.ok(
            [RangeError, TypeError].includes(error.constructor) &&
              /must|would take|has no|null/.test(error.message),
            String(error.stack),
          );
          made.refused++;
        }
      }
      assert.ok(made.ok > 300 && made.refused > 300, JSON.stringify(made));
      assertUnchanged('3000 random calls');
    });
  });
}

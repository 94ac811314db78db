/** Arguments that act: getters that throw or call back, buffers that vanish or are shared. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calls, callAll, watch } from './probes.mjs';
import { draws, tensor } from './inputs.mjs';
import { createRopewalk, simds } from './installed.mjs';

/** The same object with every member read through a function that runs `act` first. */
function guarded(object, act) {
  const result = {};
  for (const [key, value] of Object.entries(object)) {
    Object.defineProperty(result, key, { enumerable: true, get: () => (act(key), value) });
  }
  return result;
}

const deeply = (value, act) => {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value;
  return guarded(
    Object.fromEntries(Object.entries(value).map(([key, member]) => [key, deeply(member, act)])),
    act,
  );
};

/** An array-like of numbers whose elements run `act` when read. */
function actingList(values, act) {
  const list = {
    get length() {
      return (act('length'), values.length);
    },
  };
  values.forEach((value, i) => Object.defineProperty(list, i, { get: () => (act(i), value) }));
  return list;
}

/** The same with every array in it refusing to be iterated. */
function uniterable(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, uniterable(member)]),
    );
  }
  const list = /** @type {number[] | Float32Array} */ (value);
  return Object.defineProperty(list.slice(), Symbol.iterator, { value: 5 });
}

/** Detaches the buffer of a typed array. */
const detach = (array) => structuredClone(array.buffer, { transfer: [array.buffer] });

for (const simd of simds) {
  const rw = await createRopewalk({ simd });
  const assertUnchanged = watch(rw);

  describe(simd, () => {
    test('the error of a getter that throws reaches the caller, at every place, and breaks nothing', () => {
      for (const name of Object.keys(calls)) {
        let reads = 0;
        rw[name](...calls[name]().map((argument) => deeply(argument, () => reads++)));
        const hasMembers = calls[name]().some(
          (argument) => typeof argument === 'object' && !Array.isArray(argument),
        );
        assert.equal(reads > 0, hasMembers, name);
        for (let fatal = 1; fatal <= reads; fatal++) {
          const own = new Error('from the getter');
          let read = 0;
          const act = () => {
            if (++read === fatal) throw own;
          };
          assert.throws(
            () => rw[name](...calls[name]().map((argument) => deeply(argument, act))),
            (error) => error === own,
          );
          assertUnchanged(`${name}, getter ${fatal}`);
        }
      }
    });

    test('a getter that calls the same instance in the middle of a call changes nothing, at every place', () => {
      for (const name of Object.keys(calls)) {
        const expected = rw[name](...calls[name]());
        const act = () => callAll(rw);
        assert.deepEqual(
          rw[name](...calls[name]().map((argument) => deeply(argument, act))),
          expected,
          name,
        );
      }
      const frequencies = rw.rotaryFrequencies({ dim: 4 });
      const positions = actingList([3, 1, 2], () => callAll(rw));
      const x = tensor([3, 4], 1);
      const options = { layout: 'half-split' };
      assert.deepEqual(
        rw.rotate(x, frequencies, { ...options, positions }),
        rw.rotate(x, frequencies, { ...options, positions: [3, 1, 2] }),
      );
      assert.deepEqual(
        rw.sinusoidal({ positions, dim: 4 }),
        rw.sinusoidal({ positions: [3, 1, 2], dim: 4 }),
      );
      const rope = (list) => ({
        position: { type: 'rope', frequencies, positions: list, ...options },
      });
      assert.deepEqual(
        rw.attention(x, x, x, rope(positions)),
        rw.attention(x, x, x, rope([3, 1, 2])),
      );
    });

    test('each option is read once, but the type, which decides what the others are', () => {
      for (const name of Object.keys(calls)) {
        const args = calls[name]();
        const counts = {};
        rw[name](
          ...args.map((argument, i) =>
            typeof argument !== 'object' || argument.data || 'length' in argument
              ? argument
              : guarded(
                  argument,
                  (key) => (counts[`${i}.${key}`] = (counts[`${i}.${key}`] ?? 0) + 1),
                ),
          ),
        );
        const once = Object.entries(counts).every(
          ([key, count]) => count === 1 || key.endsWith('.type'),
        );
        assert.ok(once, `${name}: ${JSON.stringify(counts)}`);
      }
    });

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

    test('a buffer that goes or shrinks in the middle of a call is an error, never old numbers', () => {
      rw.attention(...calls.attention()); // leaves numbers in the transfer buffer
      for (const place of [0, 1, 2]) {
        const args = calls.attention();
        const { data, shape } = args[3].bias;
        args[3].bias = guarded(
          { data, shape },
          () => args[place].data.length && detach(args[place].data),
        );
        assert.throws(() => rw.attention(...args), TypeError);
        assertUnchanged('an operand detached by a getter');

        const shrinking = calls.attention();
        const buffer = new ArrayBuffer(shrinking[place].data.byteLength, { maxByteLength: 4096 });
        shrinking[place].data = new Float32Array(buffer);
        shrinking[3].bias = guarded({ data, shape }, () => buffer.resize(4));
        assert.throws(
          () => rw.attention(...shrinking),
          /^RangeError: the transfer buffer holds \d+ numbers, the call takes \d+$/,
        );
        assertUnchanged('an operand shrunk by a getter');
      }
    });

    test('arrays are read by index, not by their own iterators', () => {
      for (const name of Object.keys(calls)) {
        assert.deepEqual(
          rw[name](...calls[name]().map(uniterable)),
          rw[name](...calls[name]()),
          name,
        );
      }
      const [q, k, v] = calls.attention();
      for (const data of [Uint8Array.of(1, 0, 1, 1, 0), [true, false, true, true, false]]) {
        const settings = { mask: { data, shape: [5], whenTrue: 'attend' } };
        assert.deepEqual(
          rw.attention(q, k, v, uniterable(settings)),
          rw.attention(q, k, v, settings),
        );
      }
      const [x, frequencies, { layout }] = calls.rotate();
      const table = rw.rotaryTable(frequencies, { positions: [0, 1, 2] });
      assert.deepEqual(
        rw.rotate(x, uniterable(table), { layout }),
        rw.rotate(x, table, { layout }),
      );
      const scaling = {
        type: 'longrope',
        longFactor: [1, 2],
        shortFactor: [1, 1],
        originalLength: 64,
        length: 100,
      };
      assert.deepEqual(
        rw.rotaryFrequencies({ dim: 4, scaling: uniterable(scaling) }),
        rw.rotaryFrequencies({ dim: 4, scaling }),
      );
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

    test('additions to Object.prototype change nothing, in an old or a new instance', async () => {
      const expected = callAll(rw);
      const shared = /** @type {Record<string, unknown>} */ (Object.prototype);
      shared.added = 7;
      try {
        assert.deepEqual(callAll(rw), expected);
        assert.deepEqual(callAll(await createRopewalk({ simd })), expected);
      } finally {
        delete shared.added;
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

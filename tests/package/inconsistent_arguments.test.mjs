/**
 * Inconsistent arguments: arrays with a redefined length, changing shapes, arrays of other realms.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { draws, tensor } from './inputs.mjs';
import { createRopewalk, simds } from './installed.mjs';
import { calls, watch } from './probes.mjs';

/** Returns a tensor whose shape is right at the first read and wrong later. */
function withUnstableShape({ data, shape }) {
  let reads = 0;
  return {
    data,
    get shape() {
      return reads++ === 0 ? shape : [7];
    },
  };
}

for (const simd of simds) {
  const rw = await createRopewalk({ simd });
  const assertUnchanged = watch(rw);

  describe(simd, () => {
    test('a shape is read once, and the result has the one that was checked', () => {
      for (const [name, good] of Object.entries(calls)) {
        const tensors = good().flatMap((argument, i) =>
          argument?.shape && argument?.data ? [i] : [],
        );
        for (const place of tensors) {
          const expected = rw[name](...good());
          const args = good();
          args[place] = withUnstableShape(args[place]);
          assert.deepEqual(rw[name](...args), expected, `${name}, argument ${place}`);
        }
      }
      const [q, k, v] = calls.attention();
      const past = { k: tensor([2, 3, 4], 5), v: tensor([2, 3, 3], 6) };
      const expected = rw.attention(q, k, v, { past });
      assert.deepEqual(
        rw.attention(q, withUnstableShape(k), withUnstableShape(v), {
          past: { k: withUnstableShape(past.k), v: withUnstableShape(past.v) },
        }),
        expected,
      );
    });

    test('an array with a redefined length is rejected before it overruns a buffer', () => {
      for (const real of [3, 300_000]) {
        const data = Object.defineProperty(new Float32Array(real).fill(1e30), 'length', {
          value: 8,
        });
        assert.throws(
          () =>
            rw.rotate({ data, shape: [2, 4] }, rw.rotaryFrequencies({ dim: 4 }), {
              layout: 'half-split',
            }),
          {
            name: 'TypeError',
            message:
              'x.data must be a Float32Array as it is made, got one whose length is redefined',
          },
        );
        assert.throws(() => rw.resident({ data, shape: [8] }), { name: 'TypeError' });
        assertUnchanged('a redefined length');
      }
      const cache = rw.createCache({ keyHeads: 1, dim: 4, capacity: 2 });
      const long = Object.defineProperty(new Float32Array(300_000), 'length', { value: 4 });
      const [good, bad] = [new Float32Array(4), long].map((data) => ({ data, shape: [1, 1, 4] }));
      assert.throws(() => cache.append(good, bad), {
        name: 'TypeError',
        message: 'v.data must be a Float32Array as it is made, got one whose length is redefined',
      });
      cache.dispose();
      assertUnchanged('a redefined length, cache');
    });

    test('a Float32Array of another realm is accepted, an object that only inherits from it is not', () => {
      const x = { data: draws(8, 1), shape: [2, 4] };
      const frequencies = rw.rotaryFrequencies({ dim: 4 });
      const rotated = (data) => rw.rotate({ ...x, data }, frequencies, { layout: 'half-split' });
      const foreign = runInNewContext('Float32Array');
      assert.deepEqual(rotated(foreign.from(x.data)), rotated(x.data));
      for (const data of [
        Object.create(Float32Array.prototype),
        Object.setPrototypeOf(new Float64Array(8), Float32Array.prototype),
      ]) {
        assert.throws(() => rotated(data), {
          name: 'TypeError',
          message: /^x\.data must be a Float32Array, got/,
        });
      }
    });

    test('a rotary table of another realm is accepted', () => {
      const [x, frequencies] = calls.rotate();
      const { cos, sin, shape } = rw.rotaryTable(frequencies, { positions: 3 });
      const foreign = runInNewContext('(list) => Float64Array.from(list)');
      assert.deepEqual(
        rw.rotate(x, { cos: foreign(cos), sin: foreign(sin), shape }, { layout: 'half-split' }),
        rw.rotate(x, { cos, sin, shape }, { layout: 'half-split' }),
      );
    });

    test('an array of a subclass with another constructor is read by its numbers', () => {
      class Vector extends Float32Array {
        constructor(...values) {
          super(values.length === 1 ? values[0] : values);
        }
      }
      const classed = (argument) =>
        argument?.data instanceof Float32Array
          ? { ...argument, data: new Vector(argument.data) }
          : argument;
      for (const [name, good] of Object.entries(calls))
        assert.deepEqual(rw[name](...good().map(classed)), rw[name](...good()), name);
      const [q, k, v] = calls.attention();
      const past = { k: tensor([2, 3, 4], 5), v: tensor([2, 3, 3], 6) };
      assert.deepEqual(
        rw.attention(...[q, k, v].map(classed), {
          past: { k: classed(past.k), v: classed(past.v) },
        }),
        rw.attention(q, k, v, { past }),
      );
    });

    test('sectionedFrequencies returns a copy of the frequencies', () => {
      const [given, settings] = calls.sectionedFrequencies();
      const { inverseFrequencies } = rw.sectionedFrequencies(given, settings);
      assert.deepEqual(inverseFrequencies, given.inverseFrequencies);
      assert.notEqual(inverseFrequencies, given.inverseFrequencies);
      assert.notEqual(inverseFrequencies.buffer, given.inverseFrequencies.buffer);
    });

    test('errors name the lists of LongRoPE as the options do', () => {
      const scaling = {
        type: 'longrope',
        originalLength: 64,
        maxLength: 128,
        shortFactor: [1, 0],
        longFactor: [1, 1],
      };
      assert.throws(() => rw.rotaryFrequencies({ dim: 4, scaling }), {
        name: 'RangeError',
        message: /shortFactor\[1\] must be positive/,
      });
    });
  });
}

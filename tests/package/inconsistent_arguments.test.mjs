/**
 * Arrays of other realms and subclasses, and what of the arguments is copied.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { draws, tensor } from './inputs.mjs';
import { createRopewalk, simds } from './installed.mjs';
import { calls } from './probes.mjs';

for (const simd of simds) {
  const rw = await createRopewalk({ simd });

  describe(simd, () => {
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
        message: /shortFactor\[1\] must be greater than 0, got 0/,
      });
    });
  });
}

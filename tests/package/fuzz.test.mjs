/** The fuzzers of the package, and the first of their cases; fuzz.sweep.test.mjs has more. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { api, called, functionsOf, withoutArguments } from '../fuzz/js/api.mjs';
import { namesOf } from '../fuzz/js/fuzzer.mjs';
import { areFinite, errorFault, resultFault, timeFault } from '../fuzz/js/judge.mjs';
import { Draws } from '../fuzz/js/random.mjs';
import { fuzz } from '../fuzz/js/supervise.mjs';
import { testSlices } from './fuzz_slices.mjs';
import { createRopewalk, simds } from './installed.mjs';

const seed = 20261121;

const tensor = (number, ...shape) => ({ data: Float32Array.of(number), shape });

test('the judge of calls detects inherited numbers, and results whose size differs from their shape', () => {
  for (const wrapped of [
    (object) => object,
    Object.create,
    (object) => new Proxy(object, {}),
    (object) => ({ deeper: [object] }),
  ]) {
    assert.ok(areFinite([wrapped(tensor(1, 1))]));
    assert.ok(!areFinite([wrapped(tensor(Infinity, 1))]));
  }
  assert.equal(resultFault({ output: tensor(1, 1) }, []), undefined);
  assert.equal(resultFault({ output: tensor(1, 2) }, []), 'output.data has 1 values for shape [2]');
});

test('a call may take longer the more it takes and gives', () => {
  const large = { data: new Float32Array(2 ** 24), shape: [2 ** 12, 2 ** 12] };
  assert.equal(timeFault(1.9, [1]), undefined);
  assert.equal(timeFault(3, [1]), 'took 3.0 s of processor time, at most 2.0 s for its size');
  assert.equal(timeFault(3, [1], large), undefined, 'a large result');
  assert.equal(timeFault(1000, [large, large]), undefined, 'a product of large matrices');
  assert.equal(timeFault(10, [2 ** 27, 'bf16']), undefined, 'as many positions as a count says');
  assert.equal(timeFault(10, [{ queries: 2 ** 27, heads: 1 }]), undefined, 'the same as an option');
  assert.match(timeFault(10, [{ heads: 2 ** 27 }]), /at most 2.0 s/);
  assert.match(timeFault(1000, [1], large), /took 1000.0 s of processor time, at most 5.4 s/);
});

test('an error may name an option that good calls leave out', async () => {
  const rw = await createRopewalk();
  for (const name of ['frequenciesFromConfig', 'positionFromConfig']) {
    const names = namesOf(rw, name);
    const wrong = { part: 1, length: 'x', layerType: 5 };
    for (const [option, value] of Object.entries(wrong)) {
      assert.ok(names.includes(option), option);
      assert.throws(
        () => called(rw, name, ['{}', { [option]: value }]),
        (error) => errorFault(error, names) === undefined,
      );
    }
    assert.match(errorFault(new RangeError('it must not be so'), names), /names no parameter/);
  }
});

for (const simd of simds) {
  const rw = await createRopewalk({ simd });

  describe(simd, () => {
    test('the fuzzer covers every public function', () => {
      assert.deepEqual(Object.keys(api).concat(withoutArguments).sort(), functionsOf(rw).sort());
    });

    test('the calls that it starts from are valid for every seed', () => {
      for (const name of Object.keys(api)) {
        let answered = 0;
        for (let one = 0; one < 60; one++) {
          try {
            called(rw, name, api[name](new Draws(one)))?.dispose?.();
            answered++;
          } catch (error) {
            // Options that are good each alone may exclude each other.
            assert.ok(
              ['attention', 'residentAttention', 'frequenciesFromConfig'].includes(name),
              `${name}, seed ${one}: ${error.message}`,
            );
          }
        }
        assert.ok(answered >= 20, `${name}: only ${answered} of 60 answered`);
      }
    });

    test('a call that does not return is ended and reported, and the next one made', async () => {
      const { faults, cases: made } = await fuzz('endless', { seed, simd, past: 3, limit: 0.5 });
      assert.equal(made, 3);
      assert.deepEqual(
        faults.map(({ index, fault }) => `${index}: ${fault}`),
        ['1: endless: no answer within 0.5 s of processor time'],
      );
    });

    testSlices(simd, { first: 0, past: 60 }, { first: 0, past: 16 });
  });
}

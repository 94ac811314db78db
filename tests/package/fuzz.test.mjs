/** A fixed slice of the fuzzer of the public functions; `npm run fuzz -- MINUTES js` goes on where it ends. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { api, called, functionsOf, withoutArguments } from '../fuzz/js/api.mjs';
import { createCrowded } from '../fuzz/js/crowded.mjs';
import { Fuzzer } from '../fuzz/js/fuzzer.mjs';
import { areFinite, resultFault } from '../fuzz/js/judge.mjs';
import { Draws } from '../fuzz/js/random.mjs';
import { createRopewalk, simds } from './installed.mjs';

const cases = 3000;

test('the judge of calls sees numbers that are inherited, and results of another size than they say', () => {
  const tensor = (number, ...shape) => ({ data: Float32Array.of(number), shape });
  for (const wrapped of [(object) => object, Object.create, (object) => new Proxy(object, {}), (object) => ({ deeper: [object] })]) {
    assert.ok(areFinite([wrapped(tensor(1, 1))]));
    assert.ok(!areFinite([wrapped(tensor(Infinity, 1))]));
  }
  assert.equal(resultFault({ output: tensor(1, 1) }, []), undefined);
  assert.equal(resultFault({ output: tensor(1, 2) }, []), 'output.data has 1 values for shape [2]');
});

for (const simd of simds) {
  const rw = await createRopewalk({ simd });

  describe(simd, () => {
    test('the fuzzer knows every public function', () => {
      assert.deepEqual(Object.keys(api).concat(withoutArguments).sort(), functionsOf(rw).sort());
    });

    test('what it starts from are good calls, whatever is drawn', () => {
      for (const name of Object.keys(api)) {
        let answered = 0;
        for (let seed = 0; seed < 60; seed++) {
          try {
            called(rw, name, api[name](new Draws(seed)))?.dispose?.();
            answered++;
          } catch (error) {
            // Options that are good each alone may exclude each other.
            assert.ok(['attention', 'rotaryFrequencies.fromConfig'].includes(name), `${name}, seed ${seed}: ${error.message}`);
          }
        }
        assert.ok(answered >= 20, `${name}: only ${answered} of 60 answered`);
      }
    });

    test(`${cases} hostile calls end in finite results or errors that name a parameter, and harm nothing`, async () => {
      const fuzzer = new Fuzzer(() => createRopewalk({ simd }), () => createCrowded({ simd }));
      const { faults } = await fuzzer.run(20261121, { past: cases });
      assert.deepEqual(faults.map(({ fault, text }) => `${fault}\n${text}`), []);
      assert.ok(fuzzer.ok > cases / 5 && fuzzer.refused > cases / 5, `${fuzzer.ok} answered, ${fuzzer.refused} refused`);
    });
  });
}

/** A fixed slice of the fuzzer of the public functions; `npm run fuzz -- MINUTES js` goes on where it ends. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { api, called, functionsOf, withoutArguments } from '../fuzz/js/api.mjs';
import { Fuzzer } from '../fuzz/js/fuzzer.mjs';
import { Draws } from '../fuzz/js/random.mjs';
import { createRopewalk, simds } from './installed.mjs';

const cases = 3000;

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
      const fuzzer = new Fuzzer(() => createRopewalk({ simd }));
      const { faults } = await fuzzer.run(20261121, { past: cases });
      assert.deepEqual(faults.map(({ fault, text }) => `${fault}\n${text}`), []);
      assert.ok(fuzzer.ok > cases / 5 && fuzzer.refused > cases / 5, `${fuzzer.ok} answered, ${fuzzer.refused} refused`);
    });
  });
}

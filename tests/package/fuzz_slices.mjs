/** A slice of the fuzzers of the package; `npm run fuzz -- MINUTES js`, `laws`, `combinations` and `models` go on where they end. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { laws } from '../fuzz/js/law_fuzzer.mjs';
import { fuzz } from '../fuzz/js/supervise.mjs';

const seed = 20261121;

const listed = (faults) =>
  faults.map(({ index, fault, text }) => `case ${index}: ${fault}\n${text}`);

/**
 * Describes the cases from `first` to before `past`, of calls, combinations and laws, and of models.
 * @param {string} simd
 * @param {{ first: number, past: number }} cases
 * @param {{ first: number, past: number }} models
 */
export function testSlices(simd, cases, models) {
  const count = cases.past - cases.first;

  test(`${count} hostile calls end in finite results or errors that name a parameter, and harm nothing`, async () => {
    const { faults, ok, refused } = await fuzz('calls', { seed, simd, ...cases });
    assert.deepEqual(listed(faults), []);
    assert.ok(ok > count / 5 && refused > count / 5, `${ok} answered, ${refused} refused`);
  });

  test(`${count} combinations of options give what a reference in double does`, async () => {
    const { faults, ok, refused } = await fuzz('combinations', { seed, simd, ...cases });
    assert.deepEqual(listed(faults), []);
    assert.ok(ok > 2 * refused, `${ok} answered, ${refused} refused`);
  });

  test(`${models.past - models.first} small models of drawn families keep the laws of models, or are refused by name`, async () => {
    const { faults, ok, refused } = await fuzz('models', { seed, simd, ...models });
    assert.deepEqual(listed(faults), []);
    assert.ok(ok > 3 * refused, `${ok} answered, ${refused} refused`);
  });

  describe(`ways to make one call agree in ${count} cases`, () => {
    let found;
    before(async () => (found = await fuzz('laws', { seed, simd, ...cases })));
    for (const name of Object.keys(laws)) {
      test(name, () =>
        assert.deepEqual(
          listed(found.faults.filter(({ fault }) => fault.startsWith(`${name}: `))),
          [],
        ),
      );
    }
    test('most cases are informative', () =>
      assert.ok(found.ok > 2 * found.refused, `${found.ok}, ${found.refused} refused`));
  });
}

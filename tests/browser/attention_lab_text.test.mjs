/** The lab's schemes whose positions come from the text, against their formulas in double. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRopewalk } from 'ropewalk';
import { request } from '../support/lab_reference.mjs';
import { largestDifference } from '../support/reference.mjs';
import { textSchemes, textWeights } from '../support/text_schemes_reference.mjs';
import { importFromWeb } from '../support/typescript.mjs';

const { runLab, schemeNames } = await importFromWeb('toy/forward.ts', 'toy/schemes.ts');
const rw = await createRopewalk();

const asked = (changes) => ({ ...request, causal: true, ...changes });

for (const scheme of textSchemes) {
  test(`${scheme}: weights equal the formula to 1e-5, also where gates are changed`, () => {
    for (const changes of [{}, { head: 3, heads: 8, seed: 9, gateLogits: { 2: -3, 7: 4 } }]) {
      const model = asked({ scheme, ...changes });
      const { shown } = runLab(rw, model);
      const expected = textWeights(model, scheme).flat();
      const difference = largestDifference([...shown.weights], expected);
      assert.ok(difference < 1e-5, `off by ${difference}`);
    }
  });
}

test('the bias that is shown is what a scheme adds to the scores', () => {
  for (const scheme of ['fox', 'cable', 'cope', 'selective']) {
    const { scores, bias, biased } = runLab(rw, asked({ scheme, head: 1 })).shown;
    const added = [...biased].map((logit, i) => (logit === -Infinity ? 0 : logit - scores[i]));
    const shown = [...bias].map((value, i) => (biased[i] === -Infinity ? 0 : value));
    const difference = largestDifference(added, shown);
    assert.ok(difference < 1e-5, `${scheme}: off by ${difference}`);
    assert.ok(Math.max(...shown.map(Math.abs)) > 0.1, scheme);
  }
});

test('every scheme of the text but CoPE and GRAPE-A, whose tables are random, has its formula here', () => {
  const own = schemeNames.slice(schemeNames.indexOf('fox'));
  assert.deepEqual(
    own.filter((name) => !textSchemes.includes(name)),
    ['cope', 'grape-a'],
  );
});

test('a scheme that depends on the text alone does not care where the text begins', () => {
  for (const scheme of [
    'fox',
    'cope',
    'selective-rope',
    'repo',
    'path',
    'wall',
    'stick-breaking',
  ]) {
    const { offsetChange } = runLab(rw, asked({ scheme, offset: 1000 }));
    assert.equal(offsetChange, 0, scheme);
  }
});

test('CoPE reads a table by a count that a closed gate shortens, GRAPE-A prefers near keys', () => {
  const bias = (changes) => runLab(rw, asked({ scheme: 'cope', ...changes })).shown.bias;
  const row = (map) => [...map.slice(10 * 11, 11 * 11)];
  const [open, closed] = [bias({}), bias({ gateLogits: { 8: -8 } })];
  assert.deepEqual(row(open).slice(9), row(closed).slice(9), 'keys after the gate');
  assert.ok(
    row(open)
      .slice(0, 8)
      .every((value, n) => value !== row(closed)[n]),
  );
  const { shown } = runLab(rw, asked({ scheme: 'grape-a', head: 0 }));
  const less = shown.biased.map((score, i) => score - shown.scores[i]);
  assert.ok(row(less).every((value, n, all) => n === 0 || n === 10 || value !== all[n - 1]));
  assert.equal(row(less)[10], 0);
  assert.ok(
    row(less)
      .slice(0, 10)
      .every((value) => value < 0),
  );
});

/** The lab's forward pass on the real package in Node, against the double reference. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { labReference, question, schemes } from '../support/lab_reference.mjs';
import { largestDifference } from '../support/reference.mjs';
import { importTypeScript } from '../support/typescript.mjs';

const root = join(import.meta.dirname, '..', '..');
const { runLab } = await importTypeScript(
  join(root, 'web', 'chapters', 'attention_lab', 'forward.ts'),
);
const { createRopewalk } = await import(pathToFileURL(join(root, 'dist', 'package', 'index.js')));
const rw = await createRopewalk();
const ask = (changes) => runLab(rw, { ...question, ...changes });

for (const scheme of schemes) {
  for (const causal of [false, true]) {
    test(`${scheme}, ${causal ? 'causal' : 'all keys seen'}: every map equals the reference to 1e-5`, () => {
      for (const changes of [
        {},
        { head: 3, heads: 6, headDim: 8, seed: 9 },
        { offset: 1000, shuffle: 2 },
      ]) {
        const asked = { ...question, scheme, causal, ...changes };
        const { shown } = ask(asked);
        const expected = labReference(asked);
        assert.deepEqual(shown.order, expected.order);
        for (const step of ['scores', 'biased', 'weights', 'output']) {
          const difference = largestDifference([...shown[step]], expected[step].flat());
          assert.ok(difference < 1e-5, `${step}: off by ${difference}`);
        }
      }
    });
  }
}

test('C01 without position a shuffle moves the outputs and changes none of them', () => {
  for (const shuffle of [1, 2, 3]) {
    const { outputChange } = ask({ shuffle });
    assert.ok(outputChange.largest < 1e-6, `none: ${outputChange.largest}`);
  }
  for (const scheme of schemes.slice(1)) {
    const { largest, perToken } = ask({ scheme, shuffle: 1 }).outputChange;
    assert.ok(largest > 0.1, `${scheme}: ${largest}`);
    assert.equal(largest, Math.max(...perToken));
  }
});

test('C01 without position equal tokens score equally at any distance, with position they do not', () => {
  const the = [0, 3, 6, 9];
  const scores = (scheme) => the.map((column) => ask({ scheme }).written.scores[2 * 11 + column]);
  assert.equal(new Set(scores('none')).size, 1);
  for (const scheme of ['sinusoidal', 'rope-interleaved', 'rope-half-split']) {
    assert.equal(new Set(scores(scheme)).size, 4, scheme);
  }
});

test('a causal mask tells the order by itself', () => {
  assert.ok(ask({ causal: true, shuffle: 1 }).outputChange.largest > 0.1);
});

test('only the sinusoid minds where the text begins', () => {
  for (const offset of [1, 1000, 1000000]) {
    for (const scheme of schemes) {
      const { offsetChange } = ask({ scheme, offset });
      if (scheme === 'sinusoidal')
        assert.ok(offsetChange > 0.001, `${scheme} ${offset}: ${offsetChange}`);
      else assert.ok(offsetChange < 1e-5, `${scheme} ${offset}: ${offsetChange}`);
    }
  }
});

test('one token, and as many as the lab takes', () => {
  assert.equal(ask({ tokens: ['alone'] }).written.weights[0], 1);
  const many = Array.from({ length: 512 }, (_, i) => `word ${i % 50}`);
  const { written } = ask({ tokens: many, scheme: 'alibi', heads: 8, headDim: 64, head: 7 });
  for (let row = 0; row < 512; row += 73) {
    const sum = written.weights.subarray(row * 512, (row + 1) * 512).reduce((a, b) => a + b);
    assert.ok(Math.abs(sum - 1) < 1e-5);
  }
});

/** The lab's forward pass on the real package in Node, against the double reference. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRopewalk } from 'ropewalk';
import { labReference, request, schemes } from '../support/lab_reference.mjs';
import { largestDifference } from '../support/reference.mjs';
import { importFromWeb } from '../support/typescript.mjs';

const root = join(import.meta.dirname, '..', '..');
const { lastStart, runLab } = await importFromWeb('toy/forward.ts', 'toy/schemes.ts');
const rw = await createRopewalk();
const ask = (changes) => runLab(rw, { ...request, ...changes });

for (const scheme of schemes) {
  for (const causal of [false, true]) {
    test(`${scheme}, ${causal ? 'causal' : 'all keys seen'}: every map equals the reference to 1e-5`, () => {
      for (const changes of [
        {},
        { head: 3, heads: 6, headDim: 8, seed: 9 },
        { offset: 1000, shuffle: 2 },
      ]) {
        const asked = { ...request, scheme, causal, ...changes };
        const { shown } = ask(asked);
        const expected = labReference(asked);
        assert.deepEqual(shown.order, expected.order);
        for (const step of ['scores', 'biased', 'weights', 'entropy', 'output']) {
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

test('a causal mask alone carries information about order', () => {
  assert.ok(ask({ causal: true, shuffle: 1 }).outputChange.largest > 0.1);
});

test('only the sinusoid and log n depend on the position of the first token', () => {
  for (const offset of [1, 1000, 1000000]) {
    for (const scheme of schemes) {
      const { offsetChange } = ask({ scheme, offset });
      if (['sinusoidal', 'log-n'].includes(scheme))
        assert.ok(offsetChange > 0.001, `${scheme} ${offset}: ${offsetChange}`);
      else assert.ok(offsetChange < 1e-5, `${scheme} ${offset}: ${offsetChange}`);
    }
  }
});

test('each of two schemes has its own answer to where the text begins, shuffled or not', () => {
  for (const shuffle of [0, 2]) {
    const asked = { scheme: 'rope-half-split', compare: 'sinusoidal', offset: 1000, shuffle };
    const { offsetChange, compared } = ask(asked);
    const [b, atZero] = [1000, 0].map((offset) =>
      labReference({ ...request, scheme: 'sinusoidal', shuffle, offset }).weights.flat(),
    );
    assert.ok(offsetChange < 1e-5, `A: ${offsetChange}`);
    // The request shows one head; the change is that of the head where it is largest.
    assert.ok(compared.offsetChange > largestDifference(b, atZero) - 1e-5);
    const one = ask({ ...asked, heads: 1 }).compared.offsetChange;
    assert.ok(Math.abs(one - largestDifference(b, atZero)) < 1e-5, `B: ${one}`);
    assert.equal(ask({ ...asked, offset: 0 }).compared.offsetChange, 0);
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

test('C14 a learned table ends: positions past 512 throw, those before have their own rows', () => {
  const { offsetChange } = ask({ scheme: 'learned', offset: 501 });
  assert.ok(offsetChange > 0.01);
  assert.throws(() => ask({ scheme: 'learned', offset: 502 }), /512/);
  assert.equal(lastStart(['rope-half-split', 'learned'], 11), 501);
  assert.equal(lastStart(['learned'], 512), 0);
  assert.equal(lastStart(['sinusoidal', 'alibi'], 11), Infinity);
});

test('C18 T5: the bias of a pair is that of its bucket, and a decoder puts all keys ahead in bucket 0', () => {
  const tokens = Array.from({ length: 100 }, (_, i) => `word ${i % 9}`);
  for (const causal of [false, true]) {
    const { bias, scores, biased } = ask({ scheme: 't5', tokens, causal }).shown;
    const at = (m, n) => bias[m * 100 + n];
    assert.equal(at(99, 2), at(98, 1), 'the same distance');
    assert.equal(at(99, 1), at(99, 2), 'one bucket for 98 and 97');
    assert.notEqual(at(99, 97), at(99, 98));
    assert.equal(at(3, 5) === at(3, 7), causal);
    assert.ok(Math.abs(biased[9903] - scores[9903] - bias[9903]) < 1e-5);
  }
});

test('C13 the four terms of an additive scheme sum to its scores; other schemes have none', () => {
  for (const scheme of ['sinusoidal', 'learned']) {
    const { scores, terms, content } = ask({ scheme, head: 2, shuffle: 1, offset: 40 }).shown;
    const maps = Object.values(terms.maps);
    assert.equal(maps.length, 4);
    const sums = scores.map((_, i) => maps.reduce((sum, map) => sum + map[i], 0));
    assert.ok(largestDifference([...sums], [...scores]) < 1e-5, scheme);
    assert.ok(largestDifference([...terms.maps.contentContent], [...content]) < 1e-5, scheme);
  }
  assert.equal(ask({ scheme: 'rope-half-split' }).shown.terms, undefined);
});

test('C31 ReRoPE: a score is that of one of two rotations, by distance', () => {
  const { scores, rotations } = ask({ scheme: 'rerope', head: 1 }).shown;
  assert.equal(rotations.window, 4);
  const chosen = scores.map((_, i) => {
    const distance = Math.floor(i / 11) - (i % 11);
    return (distance < 4 ? rotations.near : rotations.far)[i];
  });
  assert.ok(largestDifference([...chosen], [...scores]) < 1e-6);
  assert.ok(largestDifference([...rotations.near], [...rotations.far]) > 0.1);
});

test('C19 C20 a comparison shares everything but the scheme; its numbers are those of B - A', () => {
  const asked = { ...request, scheme: 'rope-half-split', shuffle: 3, offset: 7, causal: true };
  const { compared, shown } = ask({ ...asked, compare: 'alibi' });
  const [a, b] = [asked, { ...asked, scheme: 'alibi' }].map((one) =>
    labReference(one).weights.flat(),
  );
  assert.deepEqual(compared.pass.order, shown.order);
  assert.ok(largestDifference([...compared.pass.weights], b) < 1e-5);
  const changes = b.map((weight, i) => weight - a[i]);
  const mean = changes.reduce((sum, change) => sum + Math.abs(change), 0) / changes.length;
  assert.ok(Math.abs(compared.mean - mean) < 1e-6);
  const { row, column, change } = compared.largest;
  assert.ok(Math.abs(change - changes[row * 11 + column]) < 1e-6);
  assert.ok(Math.abs(Math.abs(change) - Math.max(...changes.map(Math.abs))) < 1e-6);
  assert.ok(Math.abs(compared.limits.weights - Math.abs(change)) < 1e-6);
  assert.equal(ask(asked).compared, undefined);
});

/** The experiments that the chapter describes, on its sentences. */
const sentences = {
  en: request.tokens,
  zh: [...'四川人不怕辣，湖南人辣不怕，贵州人怕不辣'],
};

for (const [language, tokens] of Object.entries(sentences)) {
  const versus = (compare, changes) =>
    ask({ tokens, scheme: 'rope-half-split', compare, causal: true, ...changes });

  test(`C28 C29 C32 as described in ${language}: PI changes a sentence, NTK hardly, xPos less`, () => {
    const [pi, ntk, xpos] = ['rope-linear', 'rope-ntk', 'xpos'].map((b) => versus(b).compared.mean);
    assert.ok(pi > 5 * ntk && ntk > 5 * xpos, `${pi} ${ntk} ${xpos}`);
    assert.ok(versus('rope-yarn').compared.mean > 5 * xpos);
  });

  test(`C31 as described in ${language}: ReRoPE and RoPE agree up to four tokens back, not beyond`, () => {
    const { shown, compared } = versus('rerope', { causal: false });
    const count = tokens.length;
    const largest = { near: 0, far: 0 };
    shown.scores.forEach((score, i) => {
      const where = Math.floor(i / count) - (i % count) <= 4 ? 'near' : 'far';
      largest[where] = Math.max(largest[where], Math.abs(compared.pass.scores[i] - score));
    });
    assert.ok(largest.near < 1e-5 && largest.far > 1, `${largest.near} ${largest.far}`);
  });

  test(`C13 as described in ${language}: a shuffle leaves position with position alone`, () => {
    const terms = (shuffle) => ask({ tokens, scheme: 'sinusoidal', shuffle }).shown.terms.maps;
    const [written, shuffled] = [terms(0), terms(1)];
    assert.deepEqual(shuffled.positionPosition, written.positionPosition);
    assert.notDeepEqual(shuffled.contentContent, written.contentContent);
  });

  test(`C27 as described in ${language}: log n sharpens every row from the fifth on`, async () => {
    const { shown, compared } = versus('log-n');
    shown.entropy.forEach((entropy, row) => {
      const sharper = compared.pass.entropy[row];
      assert.ok(row < 4 ? Math.abs(sharper - entropy) < 1e-5 : sharper < entropy, `row ${row}`);
    });
    const chapter = join(root, 'web', 'chapters', 'attention_lab', `${language}.md`);
    const told = (await readFile(chapter, 'utf8')).replaceAll(/\s+/g, ' ');
    const [from, to] = [shown, compared.pass].map(({ entropy }) => entropy.at(-1).toFixed(2));
    assert.match(told, new RegExp(`${from} (to|降到) ${to}`));
  });
}

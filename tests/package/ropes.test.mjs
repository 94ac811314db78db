/** The front page's ropes are what the kept models write, in both binaries. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { keptModel } from '../experiments/checkpoints.mjs';
import { planOf } from '../experiments/record.mjs';
import {
  firstRopes,
  layRope,
  pageCode,
  plan,
  recordedWords,
  words,
  yarnUse,
} from '../experiments/ropes.mjs';
import { few } from '../support/sweep.mjs';
import { createTraining, installed, simds } from './installed.mjs';

const files = await import(pathToFileURL(join(installed, 'entries/files.js')).href);
const page = await pageCode();
const recorded = recordedWords();
const { variants } = planOf(plan);

/** Words whose first wrong letters are computed again: every tenth, so of all lengths. */
const some = few(
  words.filter((_, i) => i % 10 === 5),
  2,
);

/** Rounding of what was recorded, and what the binaries differ by. */
const bound = { simd128: 6e-4, relaxed: 2e-3 };

/** The models by binary: { SCHEME: (word) => rope }. */
const started = await Promise.all(
  simds.map(async (simd) => {
    const training = await createTraining({ simd });
    const model = (variant) => {
      const trainer = keptModel(training, files, { plan, variant });
      after(() => trainer.dispose());
      return trainer;
    };
    const trainers = Object.fromEntries(Object.keys(variants).map((name) => [name, model(name)]));
    const use = yarnUse(training, page);
    const lay = (scheme, word) =>
      scheme === 'yarn'
        ? layRope(page, trainers.rope, word, use)
        : layRope(page, trainers[scheme], word);
    return { simd, lay };
  }),
);

for (const { simd, lay } of started)
  for (const scheme of page.ropeSchemes)
    describe(`${scheme}, ${simd}`, () => {
      for (const [word, ropes] of Object.entries(firstRopes().shown))
        test(`the rope of ${word} is the recorded one up to its first wrong letter, and as loose`, () => {
          const { block, symbols, right } = lay(scheme, word);
          const first = page.firstWrong(block, ropes[scheme].symbols);
          assert.equal(page.firstWrong(block, symbols), first);
          // After a wrong letter a last bit may change the text.
          const known = (first ?? page.ropeLength) - 2 * block.letters.length;
          right.slice(0, known).forEach((probability, i) => {
            const difference = Math.abs(probability - ropes[scheme].right[i]);
            assert.ok(difference <= bound[simd], `letter ${i}: ${difference}`);
          });
          if (simd === recorded.binary) assert.deepEqual(symbols, ropes[scheme].symbols);
        });

      test(`the first wrong letters of ${some.length} words are the recorded ones`, () => {
        const { first } = recorded.results.find((run) => run.scheme === scheme && run.seed === 0);
        const again = some.map((word) => {
          const { block, symbols } = lay(scheme, word);
          return page.firstWrong(block, symbols) ?? null;
        });
        const expected = some.map((word) => first[words.indexOf(word)]);
        assert.deepEqual(again, expected);
      });
    });

test('every scheme was recorded with three seeds, on 100 words of 4 to 12 different letters', () => {
  assert.equal(recorded.words.length, 100);
  for (const word of recorded.words) {
    assert.ok(word.length >= 4 && word.length <= 12, word);
    assert.equal(new Set(word).size, word.length, word);
  }
  const runs = recorded.results.map(({ scheme, seed }) => `${scheme} ${seed}`);
  assert.deepEqual(
    runs,
    page.ropeSchemes.flatMap((scheme) => [0, 1, 2].map((seed) => `${scheme} ${seed}`)),
  );
});

describe('the block of a word', () => {
  const { blockOf, firstWrong, promptOf } = page;

  test('has one symbol per letter, all different and among 32', () => {
    for (const word of [
      'ropewalk',
      'banana',
      'ZZZZZZZZZZZZZZZZ',
      '绳锯木断水滴石穿',
      'été',
      '👩‍👩‍👧 a b',
    ]) {
      const { letters, symbols } = blockOf(word);
      assert.equal(letters.length, symbols.length);
      assert.equal(new Set(symbols).size, symbols.length, word);
      assert.ok(symbols.every((symbol) => symbol >= 0 && symbol < 32));
      assert.ok(letters.length >= 4 && letters.length <= 16, word);
    }
  });

  test('is a short word more than once, a long one to its 16th letter, without spaces', () => {
    assert.deepEqual(blockOf('ab').letters.join(''), 'abab');
    assert.deepEqual(blockOf('a b\tc').letters.join(''), 'abcabc');
    assert.equal(blockOf('abcdefghijklmnopqrst').letters.join(''), 'abcdefghijklmnop');
    assert.deepEqual(blockOf('👩‍👩‍👧x').letters, ['👩‍👩‍👧', 'x', '👩‍👩‍👧', 'x']);
    assert.deepEqual(blockOf(' ').letters, []);
  });

  test('the same letter has the same symbol in every word, but where it comes again', () => {
    const [walk, rope] = [blockOf('walk'), blockOf('ropewalk')];
    assert.deepEqual(rope.symbols.slice(4), walk.symbols);
    const [first, second] = blockOf('aabc').symbols;
    assert.equal(second, (first + 5) % 32);
  });

  test('the first wrong letter is counted from the start of the rope', () => {
    const block = blockOf('walk');
    assert.equal(promptOf(block).length, 8);
    assert.equal(firstWrong(block, [...block.symbols, ...block.symbols]), undefined);
    assert.equal(firstWrong(block, [block.symbols[0], block.symbols[0]]), 10);
  });
});

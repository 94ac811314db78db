/** Why position: the score of a word with its copy, against the double reference. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labReference, request } from '../support/lab_reference.mjs';
import { browserNames } from './support/browser.mjs';
import { near } from './support/numbers.mjs';
import { visits } from './support/visits.mjs';

const farthest = 64;

/** Scores of the last of 65 equal words with the one at each distance. */
function scores(word, scheme, seed) {
  const tokens = Array.from({ length: farthest + 1 }, () => word);
  const model = { ...request, tokens, scheme, seed, heads: 1, headDim: 16, likeness: 1 };
  return labReference(model).biased.at(-1).toReversed();
}

for (const name of browserNames) {
  describe(`why position in ${name}`, () => {
    const visit = visits(name);

    for (const [language, word] of [
      ['', 'dog'],
      ['zh/', '狗'],
    ]) {
      test(`C01 ${language || 'en/'} equal words score equally at any distance, without a position scheme`, async () => {
        const same = await visit.figure('same-word', {}, language);
        for (const [scheme, seed] of /** @type {const} */ ([
          ['sinusoidal', 1],
          ['rope-interleaved', 7],
          ['alibi', 7],
        ])) {
          if (scheme !== 'sinusoidal') await same.set('scheme', scheme);
          await same.set('seed', seed);
          const [without, expected] = [scores(word, 'none', seed), scores(word, scheme, seed)];
          const { rows } = await same.csv();
          assert.equal(rows.length, farthest + 1);
          rows.forEach(([, flat, bent], k) => {
            near(Number(flat), without[0], 1e-4, `${k} back, without`);
            near(Number(bent), expected[k], 1e-4, `${k} back, ${scheme}`);
          });
          assert.ok((await same.number('spread-without')) < 1e-5);
          assert.ok((await same.number('spread-with')) > 0.1, scheme);
        }
        for (const distance of [0, 1, 50]) {
          await same.set('distance', distance);
          near(await same.number('with'), scores(word, 'alibi', 7)[distance], 1e-3, 'score here');
          near(await same.number('without'), scores(word, 'none', 7)[0], 1e-3, 'flat');
        }
        await visit.page.assertNoComplaint();
      });
    }
  });
}

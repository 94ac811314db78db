/**
 * The lab far out in a text and with a second scheme: what it says of both, in both languages, and
 * what the map between them holds, against the double reference.
 */
import assert from 'node:assert/strict';
import { labReference, request } from '../support/lab_reference.mjs';
import { largestDifference } from '../support/reference.mjs';
import { few } from '../support/sweep.mjs';
import { openLab } from './support/lab.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const sentence = 'the cat saw the bird and the bird saw the cat';
const usual = { text: sentence, heads: '1' };
const asked = { ...request, tokens: sentence.split(' '), heads: 1 };

/** Returns the largest change of the weights of one head when the text begins at `offset`. */
function changeBy(offset, scheme) {
  const [there, here] = [offset, 0].map((at) =>
    labReference({ ...asked, scheme, offset: at }).weights.flat(),
  );
  return largestDifference(there, here);
}

const languages = {
  en: {
    path: '',
    both: /^In order.*Starting at position 1,000 instead of 0 changes a weight by at most (.+) in A and (.+) in B\.$/,
    past: 'From position 1,000 on, the learned table has too few rows for 11 tokens. The text begins at 501, the last position with room for it.',
    names: ['A: RoPE, half-split', 'B: sinusoidal'],
  },
  zh: {
    path: 'zh/',
    both: /^现在是原序.*从位置 1,000 而不是 0 开始，权重的最大变化在 A 中是 (.+)，在 B 中是 (.+)。$/,
    past: '可学习的位置表到头了：从位置 1,000 起，放不下 11 个词元。下图从位置 501 开始，这是还放得下的最后一个起点。',
    names: ['A：RoPE（前后半配对）', 'B：正弦编码'],
  },
};

describeInBrowsers('the lab far out and with two schemes', (visit) => {
  const { claim } = visit;
  for (const [language, { path, both, past, names }] of few(Object.entries(languages))) {
    claim(
      `C20 the offset: its change in A and in B stand in one sentence, ${language}`,
      async () => {
        const lab = await openLab(visit, {
          path,
          ...usual,
          scheme: 'rope-half-split',
          compare: 'sinusoidal',
          offset: '1000',
        });
        const [said] = await lab.texts('.lab-verdict p');
        const [, a, b] = both.exec(said.replace(/\s+/g, ' ')) ?? assert.fail(said);
        assert.deepEqual(
          [a, b],
          [
            (await lab.texts('[data-number="offset-change"]'))[0],
            (await lab.texts('[data-number="offset-change-b"]'))[0],
          ],
        );
        assert.ok((await lab.number('offset-change')) < 1e-5);
        const expected = changeBy(1000, 'sinusoidal');
        assert.ok(expected > 0.1);
        assert.ok(Math.abs((await lab.number('offset-change-b')) - expected) < 1e-3);
        assert.deepEqual(await lab.texts('.lab-map h4'), names);
        await lab.choose('compare', 'off');
        assert.deepEqual(await lab.texts('[data-number="offset-change-b"]'), []);
      },
    );

    claim(
      `C14 where the learned table ends the lab says so, as A and as B, and is silent else, ${language}`,
      async () => {
        const lab = await openLab(visit, { path, ...usual, scheme: 'learned', offset: '1000' });
        const isShown = () => lab.tab.evaluate(() => inside('.lab-past')[0].checkVisibility());
        assert.deepEqual(await lab.texts('.lab-past'), [past]);
        assert.ok(await isShown());
        assert.equal((await lab.texts('.lab-position'))[0], '501');
        await lab.choose('scheme', 'rope-half-split');
        assert.deepEqual(await lab.texts('.lab-past'), ['']);
        assert.ok(!(await isShown()));
        assert.equal((await lab.texts('.lab-position'))[0], '1000');
        await lab.choose('compare', 'learned');
        assert.deepEqual(await lab.texts('.lab-past'), [past]);
      },
    );
  }

  claim(
    'C19 C20 the difference: one map of B - A, blank where the mask hides, and none of the terms',
    async () => {
      const lab = await openLab(visit, {
        ...usual,
        scheme: 'rope-half-split',
        compare: 'alibi',
        causal: 'yes',
        difference: 'yes',
      });
      const weights = (scheme) => labReference({ ...asked, scheme, causal: true }).weights;
      const [a, b] = [weights('rope-half-split'), weights('alibi')];
      const count = asked.tokens.length;
      const maps = await lab.tab.evaluate((size) => {
        const cells = Array.from({ length: size * size }, (_, i) => i);
        const valuesOf = ({ data }) => cells.map((i) => data.value(Math.floor(i / size), i % size));
        return inside('rw-score-map').map((map) =>
          valuesOf(map).map((value) => (Number.isNaN(value) ? 'blank' : value)),
        );
      }, count);
      assert.equal(maps.length, 1);
      maps[0].forEach((value, i) => {
        const [row, column] = [Math.floor(i / count), i % count];
        if (column > row) return assert.equal(value, 'blank');
        assert.ok(Math.abs(value - (b[row][column] - a[row][column])) < 1e-5, `${row}, ${column}`);
      });
      assert.match((await lab.texts('.lab-title'))[0], /^B − A: weights$/);
      assert.deepEqual(await lab.texts('.lab-map h4'), [], 'neither scheme has a map of its own');
      await lab.choose('view', 'terms');
      assert.deepEqual(await lab.texts('input#difference'), []);
      assert.equal((await lab.texts('.lab-terms p')).length, 2);
      await lab.choose('view', 'weights');
      await lab.choose('difference', false);
      assert.equal((await lab.texts('rw-score-map canvas')).length, 2);
    },
  );
});

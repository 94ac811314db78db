/**
 * The lab in Chromium and Firefox: the numbers on screen are read and compared with the double
 * reference; bad input is answered in words; the page works after it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labReference, request, schemes } from '../support/lab_reference.mjs';
import { largestDifference } from '../support/reference.mjs';
import { few, sweep } from '../support/sweep.mjs';
import { agree, openLab } from './support/lab.mjs';
import { numberOf } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const sentence = 'the cat saw the bird and the bird saw the cat';

/** Query and key of the pair whose sum is shown, by their places. */
async function focused(lab) {
  return (await lab.texts('.lab-cell h4 sub')).map(numberOf);
}

const views = 'input content scores bias biased output terms weights'.split(' ');

describeInBrowsers('the attention lab', (visit) => {
  const { claim } = visit;

  claim('C01 shuffled: without position nothing changes, with any scheme it does', async (t) => {
    const lab = await openLab(visit, { mode: 'inside', scheme: 'none' });
    assert.deepEqual(await lab.texts('.lab-bar-legend'), []);
    await lab.press('.lab-shuffle');
    const [legend] = await lab.texts('.lab-bar-legend');
    assert.match(legend, /^Change of each token’s output/);
    const asked = { ...request, shuffle: 1 };
    assert.deepEqual(
      await lab.texts('.lab-tokens bdi'),
      labReference(asked).order.map((token) => request.tokens[token]),
    );
    for (const scheme of few(schemes, 4)) {
      await t.test(scheme, async () => {
        await lab.choose('scheme', scheme);
        const change = await lab.number('output-change');
        assert.ok(scheme === 'none' ? change < 1e-6 : change > 0.1, `${change}`);
        agree(await lab.table(), { ...asked, scheme }, 'shuffled');
      });
    }
    await lab.press('.lab-restore');
    assert.deepEqual(await lab.texts('.lab-tokens bdi'), request.tokens);
  });

  test('a map has its height before the first frame that shows it', async () => {
    const lab = await openLab(visit);
    const [shown, first] = await lab.tab.evaluate(async () => {
      const [map] = inside('rw-score-map');
      const other = document.createElement('rw-score-map');
      other.data = map.data;
      map.after(other);
      await other.updateComplete;
      const heights = [map, other].map(({ clientHeight }) => clientHeight);
      other.remove();
      return heights;
    });
    assert.equal(first, shown);
  });

  claim('C01 the sum of a cell: its lines, and equal words at other distances', async () => {
    const lab = await openLab(visit, { mode: 'inside' });
    const expected = labReference(request);
    const spread = async () => {
      const scores = (await lab.texts('.lab-twin data')).map(numberOf);
      assert.equal(scores.length, 4);
      return Math.max(...scores) - Math.min(...scores);
    };
    await lab.tab.evaluate(() => inside('rw-score-map')[0].focus());
    await lab.tab.keyboard.press('ArrowDown'); // from "dog" with "the" to "bit" with "the"
    await lab.tab.waitForFunction(() => inside('.lab-cell bdi')[0].textContent === 'bit');
    const [product, scale, score] = [
      await lab.number('product'),
      await lab.number('scale'),
      await lab.number('score'),
    ];
    assert.ok(
      Math.abs(score - expected.scores[2][0]) < 1e-5 && Math.abs(product * scale - score) < 1e-5,
    );
    const quotient = (await lab.number('power')) / (await lab.number('row-sum'));
    assert.ok(Math.abs(quotient - expected.weights[2][0]) < 1e-5);
    assert.ok(Math.abs((await lab.number('weight')) - expected.weights[2][0]) < 1e-5);
    assert.equal(await spread(), 0);
    await lab.choose('scheme', 'rope-half-split');
    assert.ok((await spread()) > 0.01);
  });

  claim(
    'C19 C20 a million positions on: rotations and distances stay, the sinusoid and log n do not',
    async (t) => {
      const lab = await openLab(visit, { offset: '1000000' });
      for (const scheme of few(schemes, 4)) {
        await t.test(scheme, async () => {
          await lab.choose('scheme', scheme);
          const change = await lab.number('offset-change');
          assert.ok(
            ['sinusoidal', 'log-n'].includes(scheme) ? change > 0.01 : change < 1e-5,
            `${change}`,
          );
        });
      }
    },
  );

  claim(
    'C19 C20 two schemes side by side: both maps, both sums and what lies between them',
    async (t) => {
      const lab = await openLab(visit, {
        scheme: 'rope-half-split',
        text: sentence,
        causal: 'yes',
      });
      const asked = { ...request, tokens: sentence.split(' '), causal: true };
      const weights = (scheme) => labReference({ ...asked, scheme }).weights.flat();
      await lab.press('.lab-without');
      for (const compare of ['none', 'alibi', 'rerope']) {
        await t.test(`beside ${compare}`, async () => {
          await lab.choose('compare', compare);
          const [a, b] = [weights('rope-half-split'), weights(compare)];
          const rows = await lab.table();
          agree(rows, { ...asked, scheme: 'rope-half-split' }, 'A');
          const shown = rows.map((row) => numberOf(row.at(-1)));
          assert.ok(largestDifference(shown, b) < 1e-5, `B: ${compare}`);
          const mean = b.reduce((sum, w, i) => sum + Math.abs(w - a[i]), 0) / b.length;
          assert.ok(Math.abs((await lab.number('mean-change')) - mean) < 1e-3);
          const most = Math.max(...b.map((w, i) => Math.abs(w - a[i])));
          assert.ok(Math.abs(Math.abs(await lab.number('largest-change')) - most) < 1e-4);
          const sums = (await lab.texts('[data-number="weight"]')).map(numberOf);
          const [query, key] = await focused(lab);
          const cell = query * asked.tokens.length + key;
          assert.ok(largestDifference(sums, [a[cell], b[cell]]) < 1e-5, 'the sums of the cell');
          assert.equal((await lab.texts('rw-score-map canvas')).length, 2);
        });
      }
      await lab.choose('difference', true);
      assert.equal((await lab.texts('rw-score-map canvas')).length, 1);
      await lab.choose('compare', 'rope-half-split');
      assert.match((await lab.texts('.lab-changed'))[0], /same weights, bit for bit/);
      await lab.choose('compare', 'off');
      assert.equal((await lab.texts('.lab-changed')).length, 0);
    },
  );

  claim(
    'C13 four terms: they sum to the score of the cell, and other schemes say why there are none',
    async () => {
      const lab = await openLab(visit, { mode: 'inside', scheme: 'sinusoidal', view: 'terms' });
      assert.equal((await lab.texts('rw-score-map canvas')).length, 4);
      const names = ['contentContent', 'contentPosition', 'positionContent', 'positionPosition'];
      const terms = await Promise.all(names.map((name) => lab.number(name)));
      const sum = terms.reduce((a, b) => a + b);
      assert.ok(Math.abs(sum - (await lab.number('score'))) < 1e-5);
      const { scores } = labReference({ ...request, scheme: 'sinusoidal' });
      const [query, key] = await focused(lab);
      assert.ok(Math.abs(sum - scores[query][key]) < 1e-5);
      await lab.choose('scheme', 'rope-half-split');
      assert.match((await lab.texts('.lab-terms'))[0], /multiplies instead of adding/);
    },
  );

  test('the entropy of a row is beside it and in its sum, ReRoPE shows both of its rotations', async () => {
    const lab = await openLab(visit, { mode: 'inside', scheme: 'rerope' });
    const expected = labReference({ ...request, scheme: 'rerope' });
    const [query, key] = await focused(lab);
    const entropy = await lab.number('entropy');
    assert.ok(Math.abs(entropy - expected.entropy[query]) < 1e-5);
    const near = await lab.number(query - key < 4 ? 'near' : 'far');
    assert.ok(Math.abs(near - expected.scores[query][key]) < 1e-5);
  });

  test('an invalid text gives an error; text and figure stay, and the next text works', async () => {
    const lab = await openLab(visit);
    const shown = await lab.texts('.lab-tokens bdi');
    const refusals = /** @type {const} */ ([
      ['', /at least one word/],
      [' \n\u200b', /at least one word/],
      ['a'.repeat(10000), /10000 characters.*at most 5000/],
      ['a '.repeat(600), /600 tokens.*at most 512/],
    ]);
    for (const [text, words] of refusals) {
      await lab.paste(text);
      assert.match((await lab.texts('.lab-fault'))[0], words);
      assert.deepEqual(await lab.texts('.lab-tokens bdi'), shown);
      assert.equal(await lab.tab.evaluate(() => inside('textarea')[0].value), text);
    }
    for (const text of [
      '👩‍👩‍👧 🐶 👩‍👩‍👧',
      'الكلب عض الرجل',
      '不怕辣',
      'x'.repeat(400),
      '<img src=x onerror=alert(1)>',
    ]) {
      await lab.paste(text);
      assert.deepEqual(await lab.texts('.lab-fault'), ['']);
      const tokens = await lab.texts('.lab-tokens bdi');
      assert.equal(tokens.join(''), text.replaceAll(' ', ''));
      agree(await lab.table(), { ...request, tokens }, text.slice(0, 20));
    }
  });

  test('garbage in the address: the default with a note, and every control works after it', async () => {
    const lab = await openLab(visit, {
      heads: '1e9',
      dim: '0',
      scheme: '__proto__',
      offset: 'NaN',
      seed: '<script>',
      causal: '1',
      text: 'x'.repeat(1600),
    });
    assert.equal((await lab.texts('.note')).length, 7);
    agree(await lab.table(), request, 'defaults');
    await lab.choose('scheme', 'alibi');
    agree(await lab.table(), { ...request, scheme: 'alibi' }, 'after');
  });

  test('a link brings everything back', async () => {
    const lab = await openLab(visit, {
      text: 'ab ba ab',
      scheme: 'alibi',
      causal: 'yes',
      heads: '6',
      head: '5',
      dim: '8',
      seed: '7',
      shuffle: '2',
      likeness: '1',
    });
    const asked = {
      tokens: ['ab', 'ba', 'ab'],
      scheme: 'alibi',
      causal: true,
      heads: 6,
      head: 4,
      headDim: 8,
    };
    agree(await lab.table(), { ...request, ...asked, seed: 7, shuffle: 2, likeness: 1 }, 'link');
  });

  test('drawn says that the drawing is of the settings, and a drag is drawn as it goes', async () => {
    const lab = await openLab(visit, { mode: 'bench' });
    const { before, after, seeds } = await lab.tab.evaluate(async () => {
      const slider = /** @type {HTMLInputElement} */ (inside('#seed')[0]);
      const seeds = [];
      figure.addEventListener('draw', () => seeds.push(slider.value));
      const move = (seed) => {
        slider.value = seed;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        return figure.hasAttribute('drawn');
      };
      const before = [move(2), move(3), move(4)];
      await /** @type {Promise<void>} */ (
        new Promise((done) => {
          const watch = new MutationObserver(() => figure.hasAttribute('drawn') && done());
          watch.observe(figure, { attributeFilter: ['drawn'] });
        })
      );
      return { before, after: figure.hasAttribute('drawn'), seeds };
    });
    assert.deepEqual({ before, after }, { before: [false, false, false], after: true });
    assert.equal(seeds.length, 2, 'the request that ran, and the last one');
    agree(await lab.table(), { ...request, seed: 4 }, 'where the drag stopped');
  });

  sweep('every view draws, with one and with 512 tokens', async (t) => {
    const lab = await openLab(visit, { mode: 'inside', scheme: 'sinusoidal' });
    for (const text of ['alone', 'w '.repeat(512)]) {
      await lab.paste(text);
      for (const view of views) {
        await t.test(`${view} of ${text.length} characters`, async () => {
          await lab.choose('view', view);
          // A map is drawn in the frame after the numbers have come.
          await lab.tab.evaluate(() => new Promise(requestAnimationFrame));
          await lab.figure.until(`((map) => {
              const { width, height } = map;
              // A copy, since the browser warns of canvases that are read more than once.
              const copy = new OffscreenCanvas(width, height).getContext('2d');
              copy.drawImage(map, 0, 0);
              return copy.getImageData(0, 0, width, height).data.some((part) => part !== 0);
            })(inside('rw-score-map canvas')[0])`);
        });
      }
    }
  });
});

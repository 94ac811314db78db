/** Running long contexts: controls are moved, numbers are read and compared in double. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFromWeb } from '../support/typescript.mjs';
import { near } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';
import * as expected from '../support/longer_contexts_reference.mjs';
import { few } from '../support/sweep.mjs';

const { normal, stream } = await importFromWeb('toy/hash_random.ts');
const { fittingKey, fittingScore, rowSeed } = await importFromWeb(
  'chapters/running_long_contexts/jobs.ts',
);

const languages = ['', 'zh/'];

describeInBrowsers('running long contexts', (visit) => {
  const { alone, claim } = visit;

  const rows = async (shown) => (await shown.csv()).rows.map((row) => row.map(Number));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

  claim('C32 the temperature follows the factor, and the current rule is marked', async () => {
    for (const language of few(languages)) {
      const shown = await alone('attention-factor', {}, language);
      const mscale = (s, a = 1) => 0.1 * a * Math.log(s) + 1;
      await shown.set('factor', 40);
      assert.match(await shown.text('.finding'), / 1\.874/);
      assert.equal(await shown.text('.product'), '× 1.87');
      near(await shown.number('cos-sin'), mscale(40), 1e-6, 'third rule');
      near(await shown.number('logits'), mscale(40) ** 2, 1e-6, 'logits');
      await shown.set('mscale', 1);
      near(await shown.number('cos-sin'), mscale(40), 1e-6, 'one of the two is not enough');
      await shown.set('mscaleAllDim', 0.707);
      near(await shown.number('cos-sin'), mscale(40) / mscale(40, 0.707), 1e-6, 'second rule');
      near(await shown.number('softmax'), 1.589626, 1e-6, 'softmax scale');
      assert.match(await shown.text('[data-number="fired"]'), /mscale_all_dim/);
      await shown.set('given', 1.25);
      near(await shown.number('cos-sin'), 1.25, 1e-6, 'first rule');
      assert.match(await shown.text('[data-number="fired"]'), /^(写了 )?attention_factor/);
      for (const [s, yarn, longrope] of await rows(shown)) {
        near(yarn, mscale(s), 1e-12, `YaRN at ${s}`);
        near(longrope, Math.sqrt(1 + Math.log(s) / Math.log(4096)), 1e-12, `LongRoPE at ${s}`);
      }
    }
  });

  claim(
    'C32 more keys take the weight of one, and larger scores give some of it back',
    async () => {
      /** In percent. */
      const fitting = (keys, factor) => {
        const score = (k) => (k === fittingKey ? fittingScore : normal(stream(rowSeed), k));
        const terms = Array.from({ length: keys }, (_, k) => Math.exp(factor * score(k)));
        return (100 * terms[fittingKey]) / terms.reduce((sum, term) => sum + term);
      };
      for (const language of few(languages)) {
        const shown = await alone('attention-factor', {}, language);
        for (const s of [40, 2]) {
          await shown.set('factor', s);
          const wanted = [
            fitting(64, 1),
            fitting(64 * s, 1),
            fitting(64 * s, (0.1 * Math.log(s) + 1) ** 2),
          ];
          assert.ok(wanted[0] > wanted[2] && wanted[2] > wanted[1] + 5, wanted.join());
          const said = (await shown.text('.finding')).match(/\d+(?= ?%)/g);
          assert.deepEqual(said.map(Number), wanted.map(Math.round));
          for (const [k, row] of ['trained', 'plain', 'scaled'].entries())
            near(await shown.number(`weight-${row}`), wanted[k], 1e-2, `${row}, s = ${s}`);
          const heights = await shown.inside(
            `[...root.querySelectorAll('.fitting')].map((bar) => bar.height.baseVal.value)`,
          );
          heights.forEach((height, k) =>
            near(height / heights[0], wanted[k] / wanted[0], 1e-3, `height of row ${k}`),
          );
        }
      }
    },
  );

  /** The largest gap between the two sides of the area between the lines, in pixels. */
  const gap = (shown) =>
    shown.inside(`((numbers) => {
      const heights = numbers.filter((_, k) => k % 2 === 1).map(Number);
      const half = heights.length / 2;
      return Math.max(...heights.slice(0, half).map((y, k) => Math.abs(y - heights.at(-1 - k))));
    })(root.querySelector('.band.wrong').getAttribute('d').match(/-?[\\d.]+/g))`);

  /** The mean of each score and four neighbors on both sides, fewer at the ends. */
  const smoothed = (scores) =>
    scores.map((_, k) => {
      const reach = Math.min(4, k, scores.length - 1 - k);
      return mean(scores.slice(k - reach, k + reach + 1));
    });

  claim('C29 keys cached under an older base score wrongly, raw keys do not', async () => {
    for (const language of few(languages)) {
      const stale = await alone('stale-cache', {}, language);
      const shown = await rows(stale);
      const [right, cached] = [1, 2].map((column) => smoothed(shown.map((row) => row[column])));
      const gaps = right.map((score, k) => Math.abs(score - cached[k]));
      const worst = gaps.indexOf(Math.max(...gaps));
      const said = [cached[worst], right[worst]].map((score) => score.toFixed(2));
      const finding = await stale.text('.finding');
      assert.deepEqual(finding.match(/\d\.\d+/g), said);
      assert.ok(finding.includes(shown[worst][0].toLocaleString('en-US')), finding);
      const drawn = await stale.inside(
        `[...root.querySelectorAll('.limit-label')].map(({ textContent }) => textContent)`,
      );
      for (const score of said) assert.ok(drawn.includes(score), `${score} in ${drawn}`);
    }
    const shown = await alone('stale-cache');
    for (const [length, factor] of [
      [4096, 2],
      [6144, 4],
    ]) {
      await shown.set('length', length);
      await shown.set('factor', factor);
      const theta = (seen) =>
        expected.dynamicNtk({ dim: 128, base: 10000, trained: 2048, factor, seen });
      const mean = (angles) => angles.reduce((sum, angle) => sum + Math.cos(angle), 0) / 64;
      const now = theta(length);
      for (const [key, consistent, cached] of (await rows(shown)).filter((_, k) => k % 16 === 0)) {
        const then = theta(key + 1);
        const m = length - 1;
        near(consistent, mean(now.map((t) => (m - key) * t)), 2e-6, `key ${key}, today's base`);
        near(cached, mean(now.map((t, i) => m * t - key * then[i])), 2e-6, `key ${key}, its own`);
      }
    }
    assert.ok((await shown.number('worst')) > 0.1);
    assert.ok((await gap(shown)) > 20, 'errors are drawn');
    await shown.inside(`(root.getElementById('raw').click(), 0)`);
    await shown.until(
      `root.querySelector('[data-number="worst"]').textContent.trim() === '0.000000'`,
    );
    assert.ok((await gap(shown)) < 0.01, 'no error is drawn');
  });

  claim(
    'C27 log-n holds the entropy where the plain one grows, for its sharpness only',
    async () => {
      for (const language of few(languages)) {
        const shown = await alone('log-n-entropy', {}, language);
        for (const [n, plain, scaled, factor] of await rows(shown)) {
          near(factor, Math.log(n) / Math.log(512), 1e-12, `factor at ${n}`);
          if (n === 512) near(scaled, plain, 1e-5, 'at the training length');
        }
        const [first, last] = (await rows(shown)).filter(([n]) => n === 512 || n === 4096);
        const finding = await shown.text('.finding');
        for (const entropy of [first[1], last[1], last[2]])
          assert.ok(finding.includes(entropy.toFixed(2)), finding);
        assert.ok(finding.includes(Math.exp(last[1] - first[1]).toPrecision(2)), finding);
        assert.ok((await shown.number('plain')) > 1.5, 'the entropy grows');
        assert.ok(Math.abs(await shown.number('scaled')) < 0.6, 'log-n holds it');
        await shown.set('sharpness', 1);
        assert.ok((await shown.number('scaled')) > 1, 'a flatter head grows all the same');
        await shown.set('sharpness', 0);
        for (const [n, plain, scaled] of await rows(shown)) {
          near(plain, Math.log(n), 1e-4, 'even attention');
          near(scaled, Math.log(n), 1e-4, 'even attention, scaled');
        }
        await shown.set('trained', 64);
        near(await shown.number('factor'), Math.log(4096) / Math.log(64), 1e-6, 'factor');
      }
    },
  );

  test('bf16 merges positions and moves scores, by the rules of its rounding', async () => {
    for (const language of few(languages)) {
      const shown = await alone('position-rounding', { start: 480 }, language);
      assert.equal(await shown.number('first'), 769);
      for (const start of [480, 1000]) {
        await shown.set('start', start);
        const held = new Set();
        const scores = [];
        for (const [position, kept, score] of await rows(shown)) {
          assert.equal(kept, expected.rounded(position, 8), `position ${position}`);
          held.add(kept);
          scores.push(score);
          const distance = kept - expected.rounded(position - 1, 8);
          near(score, expected.meanCosine(64, distance), 1e-7, `score at ${position}`);
        }
        assert.equal(await shown.number('here'), held.size);
        const drawn = (look) => shown.inside(`root.querySelectorAll('.stored ${look}').length`);
        const moved = (await rows(shown)).filter(([position, kept]) => position !== kept);
        assert.deepEqual(
          [await drawn('.wrong'), await drawn('circle.held')],
          [moved.length, held.size],
        );
        const said = (await shown.text('.finding')).match(/[\d,.]*\d/g);
        const [exact, low, high] = [
          expected.meanCosine(64, 1),
          Math.min(...scores),
          Math.max(...scores),
        ];
        assert.ok(said.includes(String(held.size)), 'distinct values');
        assert.deepEqual(
          said.slice(-3),
          [exact, low, high].map((score) => score.toFixed(3)),
        );
      }
      await shown.set('format', 'f16');
      assert.equal(await shown.number('first'), 3073);
      await shown.set('format', 'f64');
      assert.ok((await shown.number('worst')) < 1e-12);
    }
  });
});

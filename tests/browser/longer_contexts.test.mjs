/** Longer contexts: controls are moved, numbers are read and compared with formulas in double. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';
import * as expected from '../support/longer_contexts_reference.mjs';
import { few } from '../support/sweep.mjs';

const languages = ['', 'zh/'];

describeInBrowsers('longer contexts', (visit) => {
  const { alone, claim } = visit;

  /** Every row of the figure's CSV, as numbers. */
  const rows = async (shown) => (await shown.csv()).rows.map((row) => row.map(Number));

  claim('C26 the pairs with unseen angles depend on training length, length and base', async () => {
    for (const language of few(languages)) {
      const shown = await alone('unseen-angles', {}, language);
      const settings = { dim: 128, base: 10000, trained: 2048, length: 8192 };
      for (const [key, value] of [
        ['pair', 50],
        ['length', 3000],
        ['trained', 512],
        ['base', 500000],
      ]) {
        await shown.set(key, value);
        if (key !== 'pair') settings[key] = value;
        const { unseen, first, turns } = expected.coverage(settings);
        assert.equal(await shown.number('unseen'), unseen.length, `${key} = ${value}`);
        assert.equal(await shown.number('first-unseen'), first[50]);
        near(await shown.number('turns'), turns[50], 6e-5, 'turns');
      }
      await shown.set('length', 512);
      assert.equal(await shown.number('unseen'), 0);
    }
  });

  claim(
    'C28 interpolation leaves no angle unseen, NTK some, and the last pair is divided by s',
    async () => {
      const shown = await alone('unseen-angles');
      const direct = await shown.number('unseen');
      await shown.set('method', 'linear');
      assert.equal(await shown.number('unseen'), 0);
      await shown.set('method', 'ntk');
      const ntk = await shown.number('unseen');
      const last = (await rows(shown)).at(-1);
      assert.ok(ntk > 0 && ntk < direct, `${ntk} is between 0 and ${direct}`);
      near(last[1], last[2], 1e-9, 'the last pair reaches exactly as far as in training');
    },
  );

  claim('C30 the digits are those of the number, the clocks show its angles', async () => {
    for (const language of few(languages)) {
      const shown = await alone('position-digits', {}, language);
      for (const position of [2026, 9075, 31]) {
        await shown.set('position', position);
        const padded = String(position).padStart(4, '0');
        assert.equal(await shown.text('[data-number="written"]'), padded);
        for (let i = 0; i < 4; i++) {
          assert.equal(await shown.number(`digit-${i}`), Number(padded[3 - i]));
          const angle = (position / 10 ** i) % (2 * Math.PI);
          near(await shown.number(`dial-${i}`), angle, 6e-4, `dial ${i}`);
        }
      }
      assert.match(await shown.text('.division'), /^3\.1\D.*\b10\b.*\D3\D.* ?3\.100\D$/);
      const [[turned], [angle]] = await shown.inside(`['', '.position'].map((hue) =>
        [...root.querySelectorAll('.is-example .vector' + (hue || ':not(.position)'))].map((hand) => {
          const [x, y] = ['x2', 'y2'].map((end) => Number(hand.getAttribute(end)) - 39);
          return Math.atan2(x, -y);
        }))`);
      near(turned, (2 * Math.PI * 3) / 10, 1e-6, 'three tenths of a turn');
      near(angle, 3.1, 1e-6, 'the angle');
      await shown.set('dim', 16);
      near(await shown.number('beta'), Math.sqrt(10), 1e-5, 'β');
      (await rows(shown)).forEach(([i, digit, dial]) => {
        near(digit, Math.floor(31 / 10 ** (i / 2)) % Math.sqrt(10), 1e-9, `digit ${i}`);
        near(dial, (31 / 10 ** (i / 2)) % (2 * Math.PI), 1e-9, `dial ${i}`);
      });
    }
  });

  test('a prime stands beside its letter, not in it', async () => {
    await visit.open('longer-contexts.html');
    const gaps = await visit.tab.$$eval('math mi', (parts) =>
      parts.flatMap((prime, k) => {
        if (prime.textContent !== '′') return [];
        const [letter, mark] = [parts[k - 1], prime].map((part) => part.getBoundingClientRect());
        return (mark.left - letter.right) / parseFloat(getComputedStyle(prime).fontSize);
      }),
    );
    assert.ok(gaps.length > 5);
    // An italic letter as tall as θ reaches beyond its box.
    for (const gap of gaps) assert.ok(gap > 0.08, `${gap} em`);
  });

  claim(
    'C28 C29 C32 every method is its formula at every pair, and follows the factor',
    async () => {
      const all = Object.fromEntries(expected.methods.map((method) => [method, 'yes']));
      const shown = await alone('frequency-scalings', { ...all, trained: 2048, length: 40000 });
      for (const factor of [16, 4]) {
        await shown.set('factor', factor);
        const wanted = expected.ratios({
          dim: 128,
          base: 10000,
          trained: 2048,
          length: 40000,
          factor,
        });
        for (const [i, ...ratios] of await rows(shown))
          ratios.forEach((ratio, k) => {
            const method = expected.methods[k];
            near(ratio, wanted[method][i], 1e-9, `${method} at pair ${i}, s = ${factor}`);
          });
      }
    },
  );

  claim('C28 C29 C32 the account of one pair follows the pair, in both languages', async () => {
    for (const language of few(languages)) {
      const shown = await alone(
        'frequency-scalings',
        { 'yarn-paper': 'yes', trained: 2048, factor: 16 },
        language,
      );
      for (const pair of [21, 38]) {
        await shown.set('pair', pair);
        const theta = 10000 ** (-pair / 64);
        const published = { 21: 0.0249462961, 38: 3.11322149e-4 }[pair];
        const coded = { 21: 0.0395661114, 38: 7.37968881e-4 }[pair];
        near(await shown.number('frequency-direct'), theta, theta * 1e-5, 'direct');
        near(await shown.number('frequency-linear'), theta / 16, theta * 1e-5, 'linear');
        near(await shown.number('frequency-yarn-paper'), published, theta * 1e-5, 'paper');
        near(await shown.number('frequency-yarn'), coded, theta * 1e-5, 'code');
      }
      const settings = { dim: 128, base: 10000, trained: 2048, length: 32768, factor: 16 };
      const ratios = expected.ratios(settings);
      assert.ok(ratios.linear.every((ratio) => ratio < 1.0001 / 16));
      const counts = ['ntk', 'yarn-paper', 'yarn'].flatMap((method) => [
        ratios[method].filter((ratio) => ratio > 0.9999).length,
        ratios[method].filter((ratio) => ratio < 1.0001 / 16).length,
      ]);
      const finding = await shown.text('.finding');
      assert.match(finding, /slows all to 1\/16|全部放慢到 1\/16/);
      const said = finding.replaceAll('1/16', '').match(/\d+/g);
      assert.deepEqual(said.map(Number), [64, ...counts]);
      near(await shown.number('base-ntk'), 10000 * 16 ** (128 / 126), 0.1, 'base');
      near(await shown.number('factor-yarn'), 1.2773, 5e-5, 'cos and sin');
      near(await shown.number('logits-yarn-paper'), 1.6314, 5e-5, 'logits');
    }
  });

  claim(
    'C31 relative positions are 0 … w, then w + 1/k, w + 2/k …; ReRoPE stays at w',
    async () => {
      for (const language of few(languages)) {
        const shown = await alone('rerope-map', {}, language);
        const said = (await shown.text('.finding')).match(/[\d.]*\d/g).map(Number);
        const beyond = (column) => read.filter((row) => row[column] > 31).length;
        const read = await rows(shown);
        assert.deepEqual(said.toSorted(), [32, 96, beyond(1)].toSorted());
        assert.deepEqual([beyond(2), beyond(3)], [0, 0]);
        assert.match(await shown.text('.finding'), /none.*none|和 ReRoPE 一个也没有/);
        const settings = { window: 16, factor: 8 };
        for (const [key, value] of [
          ['window', 4],
          ['factor', 2],
          ['factor', 5],
        ]) {
          await shown.set(key, value);
          settings[key] = value;
          for (const [distance, rope, leaky, rerope] of await rows(shown)) {
            const { window: w, factor: k } = settings;
            assert.equal(rope, distance);
            assert.equal(rerope, Math.min(distance, w));
            near(leaky, distance < w ? distance : w + (distance - w) / k, 1e-5, `at ${distance}`);
          }
        }
        await shown.set('distance', 9);
        near(await shown.number('leaky'), 5, 1e-6, 'Leaky ReRoPE');
        assert.equal(await shown.number('rerope'), 4);
        assert.match(await shown.text('[data-number="scores"]'), /4,656 \S+ 9,312/);
      }
    },
  );
});

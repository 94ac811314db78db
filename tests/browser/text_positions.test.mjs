/** Positions that depend on the text: gates are changed, and rulers and weights follow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { few, sweep } from '../support/sweep.mjs';
import { textWeights } from '../support/text_schemes_reference.mjs';
import { near } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const tokens = 'It rained all night . Now the garden is green .'.split(' ');
const model = { tokens, heads: 8, head: 0, headDim: 16, seed: 14, likeness: 0.5 };
const rulers = ['fox', 'cope', 'repo', 'selective'];
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Presses the button of a token, from 0. */
const press = (shown, place) =>
  shown.drawnAfter(() => shown.inside(`(root.querySelectorAll('.chip')[${place}].click(), 0)`));

describeInBrowsers('positions that depend on the text', (visit) => {
  const { alone, figure } = visit;

  /** Columns of the CSV by place: gate, plain, fox, cope, repo, selective. */
  const columns = async (shown) => {
    const { rows } = await shown.csv();
    const column = (at) => rows.map((row) => Number(row[at]));
    return {
      gate: column(2),
      plain: column(3),
      fox: column(4),
      cope: column(5),
      repo: column(6),
      selective: column(7),
    };
  };

  test('FoX sums the logarithms of the gates after each key', async () => {
    for (const language of few(['', 'zh/'])) {
      const { gate, plain, fox } = await columns(await alone('moving-ruler', {}, language));
      near(gate[4], 1 / (1 + Math.exp(3)), 1e-6, 'the changed gate');
      fox.forEach((distance, key) => {
        const expected = -sum(gate.slice(key + 1).map(Math.log));
        near(distance, expected, 1e-5, `key ${key}`);
      });
      assert.deepEqual(
        plain,
        fox.map((_, key) => fox.length - 1 - key),
      );
      assert.equal(fox.length, language === '' ? 11 : 13);
    }
  });

  test('the symbol of the changed gate is written once', async () => {
    for (const [language, label] of few(
      Object.entries({
        '': 'Changed gate x',
        'zh/': '改动后的门控 x',
      }),
    ))
      for (const name of few(['moving-ruler', 'text-attention'])) {
        const shown = await alone(name, {}, language);
        assert.equal(await shown.text('label[for="logit"]'), label);
      }
  });

  test('a gate that closes stretches FoX, shrinks CoPE and Selective RoPE, and moves its token in RePo', async () => {
    const shown = await alone('moving-ruler', { changed: '' });
    const open = await columns(shown);
    await press(shown, 4);
    const closed = await columns(shown);
    for (const key of [0, 1, 2, 3]) {
      assert.ok(closed.fox[key] > open.fox[key] + 2, `fox ${key}`);
      assert.ok(closed.cope[key] < open.cope[key] - 0.3, `cope ${key}`);
      assert.ok(closed.selective[key] < open.selective[key] - 0.3, `selective ${key}`);
      assert.equal(closed.repo[key], open.repo[key]);
    }
    for (const ruler of rulers)
      closed[ruler].forEach((distance, key) => {
        if (key > 4) near(distance, open[ruler][key], 1e-12, `${ruler} ${key}`);
      });
    assert.notEqual(closed.repo[4], open.repo[4]);
    await press(shown, 4);
    assert.deepEqual(await columns(shown), open);
  });

  test('the terms of each ruler sum to the distance that it shows', async () => {
    const shown = await alone('moving-ruler');
    for (const ruler of rulers) {
      await shown.inside(`(root.querySelector('input[name=ruler][value=${ruler}]').click(), 0)`);
      await shown.until(`root.querySelector('input[name=ruler][value=${ruler}]').checked`);
      const terms = await shown.inside(
        `[...root.querySelectorAll('.sum-parts li:not(.total) data')].map(({ value }) => Number(value))`,
      );
      const total = Number(await shown.inside(`root.querySelector('[data-number=sum]').value`));
      const expected = ruler === 'repo' ? terms[0] - terms[1] : sum(terms);
      near(expected, total, 1e-5, ruler);
      near(await shown.number(ruler), total, 0.0051, ruler);
      assert.equal(terms.length, { fox: 9, cope: 10, repo: 2, selective: 9 }[ruler]);
    }
  });

  test('rulers keep one scale, whatever the gates, the key and the query', async () => {
    /** Pixels per unit of both axes, in hundredths. */
    const units = (shown) =>
      shown.inside(`(() => {
        const number = (text) => Number(text.replace('−', '-'));
        const axes = [...root.querySelectorAll('.axis')].map((axis) => {
          const [first, ...others] = [...axis.querySelectorAll('text:not(.axis-label)')];
          const lines = [...axis.querySelectorAll('line')].slice(1);
          const last = others.at(-1);
          return (lines.at(-1).x1.baseVal.value - lines[0].x1.baseVal.value) /
            (number(first.textContent) - number(last.textContent));
        });
        return axes.map((unit) => Math.round(100 * unit));
      })()`);
    const shown = await alone('moving-ruler', { others: 'yes' });
    const before = await units(shown);
    assert.equal(before.length, 2);
    assert.ok(before[0] > before[1], 'RePo has room for both sides');
    for (const settings of [{ logit: -8 }, { changed: '2,3,5' }, { key: 8 }, { query: 6 }]) {
      await shown.inside(`element.set(${JSON.stringify(settings)}).then(() => 0)`);
      assert.deepEqual(await units(shown), before, JSON.stringify(settings));
    }
    await shown.inside(`element.set({ query: 11, changed: '4,5', logit: -8 }).then(() => 0)`);
    assert.ok(
      (await shown.inside(`root.querySelectorAll('[data-ruler="fox"] .beyond').length`)) >= 3,
    );
  });

  test('distance and FoX come first, the other rulers by a switch, and the finding names the largest term', async () => {
    for (const [language, word] of few(Object.entries({ '': 'alone adds', 'zh/': '一个就占' }))) {
      const shown = await alone('moving-ruler', {}, language);
      const drawn = () =>
        shown.inside(`[...root.querySelectorAll('[data-ruler]')].map((one) => one.dataset.ruler)`);
      assert.deepEqual(await drawn(), ['fox']);
      const { gate, fox } = await columns(shown);
      const says = await shown.text('.finding');
      assert.ok(says.includes(word), says);
      const [back, whole, most] = says.match(/\d+(\.\d+)?/g).map(Number);
      assert.equal(back, fox.length - 2);
      near(whole, fox[1], 0.051, says);
      near(most, Math.max(...gate.slice(2).map((value) => -Math.log(value))), 0.051, says);
      // Where it has room.
      if (language === '')
        assert.equal(await shown.text('.stretch-name'), `“.” adds ${most.toFixed(1)}`);
      await shown.inside(`element.set({ others: true }).then(() => 0)`);
      assert.deepEqual((await drawn()).toSorted(), ['cope', 'fox', 'repo', 'selective']);
    }
  });

  test('on a phone the red stretch still has the number that the finding names', async () => {
    for (const language of few(['', 'zh/'])) {
      await visit.openFigure('moving-ruler', {}, language, { width: 360 });
      const shown = await visit.page.figure('moving-ruler');
      const [, , most] = (await shown.text('.finding')).match(/\d+(\.\d+)?/g);
      assert.equal(await shown.text('.stretch-name'), most);
    }
  });

  test('a link keeps the sentence, the query and the changed gates; an invalid text gives an error', async () => {
    const settings = { text: 'a b c d', query: '3', changed: '1,2', logit: '0' };
    const shown = await figure('moving-ruler', settings);
    const { gate, plain } = await columns(shown);
    assert.deepEqual(plain, [2, 1, 0]);
    assert.deepEqual(gate.slice(0, 2), [0.5, 0.5]);
    const long = await figure('moving-ruler', { text: 'word '.repeat(30) }, 'zh/');
    assert.match(await long.text('.text-fault'), /最多 24 个词元，现在有 30 个/);
  });

  test('weights are those of each formula, with the gates that the reader changed', async () => {
    for (const scheme of few(['fox', 'repo', 'path', 'wall', 'stick-breaking'])) {
      const shown = await alone('text-attention', { scheme });
      const { rows } = await shown.csv();
      const expected = textWeights({ ...model, gateLogits: { 4: -3 } }, scheme)[7];
      rows.forEach((row, key) => near(Number(row[2]), expected[key], 1e-5, `${scheme} ${key}`));
      near(await shown.number('sum'), sum(expected), 5e-4, scheme);
      near(await shown.number('behind-with'), sum(expected.slice(0, 4)), 5e-4, scheme);
      const [share] = (await shown.text('.finding')).match(/\d+(?=%)/).map(Number);
      near(share, 100 * sum(expected.slice(0, 4)), 0.51, scheme);
      assert.equal(await shown.inside(`root.querySelectorAll('.shade').length`), 1);
    }
  });

  sweep('under FoX an open full stop lets the first sentence in', async () => {
    const shown = await alone('text-attention', {}, 'zh/');
    const first = async () =>
      sum((await shown.csv()).rows.slice(0, 4).map((row) => Number(row[2])));
    const closed = await first();
    assert.equal(await shown.text('.chip-gate'), '门已关');
    const [before, now] = (await shown.text('.shade-name')).match(/\d+(?= ?%)/g).map(Number);
    assert.equal(now, Math.round(100 * closed));
    assert.ok(before > 5 * now);
    await press(shown, 4);
    assert.ok((await first()) > 3 * closed);
  });
});

/** Learned, recurrent, multiplied, joined: numbers on screen against sums in double. */
import assert from 'node:assert/strict';
import { attention, dot, multiply, rowsOf, sinusoidal } from '../support/reference.mjs';
import { few } from '../support/sweep.mjs';
import { createRopewalk } from 'ropewalk';
import { importFromWeb } from '../support/typescript.mjs';
import { near, numberIn } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const { embed, modelWidth } = await importFromWeb('toy/toy_model.ts');

const languages = {
  '': 'the dog bit the man and the man bit the dog'.split(' '),
  'zh/': [...'狗咬人人咬狗狗和人都叫'],
};

/** The scores of every pair in the three ways, and of words and positions alone. */
function combined(words, size) {
  const x = rowsOf(embed(words, 3), modelWidth).map((row) => row.map((value) => size * value));
  const p = sinusoidal(
    words.map((_, t) => t),
    modelWidth,
  );
  const ways = {
    content: x,
    position: p,
    add: x.map((row, t) => row.map((value, j) => value + p[t][j])),
    multiply: x.map((row, t) => row.map((value, j) => value * p[t][j])),
    concatenate: x.map((row, t) => [...row, ...p[t]]),
  };
  return (way, m, n) => dot(ways[way][m], ways[way][n]) / Math.sqrt(modelWidth);
}

const { recurrentWeights } = await createRopewalk();
const drawn = recurrentWeights({ dim: modelWidth, hidden: 16, seed: 1 });

/** h(t) = tanh(x(t) W + h(t-1) U + b) in double, from the package's drawn weights. */
function states(words) {
  const [input, hidden] = [drawn.input, drawn.hidden].map(({ data }) => rowsOf(data, 16));
  let before = new Array(16).fill(0);
  return multiply(rowsOf(embed(words, 1), modelWidth), input).map((row) => {
    const [kept] = multiply([before], hidden);
    before = row.map((sum, j) => Math.tanh(sum + kept[j] + drawn.bias.data[j]));
    return before;
  });
}

/** The output of attention over the states, of the word at each place. */
const outputs = (words) => {
  const h = states(words);
  return attention(h, h, h).output;
};

describeInBrowsers('learned, recurrent, multiplied, joined', (visit) => {
  const { alone, claim } = visit;

  claim('C14 a row past the end gives the error of the package, and the figure stays', async () => {
    const table = await alone('learned-table');
    const refusal = () => table.text('[data-number="refusal"]');
    await table.set('length', 12);
    assert.equal(await refusal(), '', 'a short text fits');
    assert.equal(await table.number('given'), 12);
    await table.set('length', 20);
    assert.match(
      await refusal(),
      /learned: positions\[16\] must be a row of the table, 0 to 15, got 16$/,
    );
    assert.equal(await table.number('given'), 0);
    assert.equal(await table.number('missing'), 4);
    assert.equal(await table.number('sinusoid'), 20);
    assert.equal(await table.text('.fault'), undefined);
    const { rows: before } = await table.csv();
    assert.equal(before.length, 16, 'the rows that exist are still there');
    await table.set('length', 16);
    assert.equal(await refusal(), '');
    assert.equal(await table.number('given'), 16);
    assert.deepEqual((await table.csv()).rows, before, 'the table has not changed');
    await table.set('rows', 512);
    await table.set('dim', 768);
    assert.equal(await table.number('parameters'), 512 * 768);
    await table.set('length', 513);
    assert.match(await refusal(), /positions\[512\] must be a row of the table, 0 to 511/);
    assert.equal(await table.number('missing'), 1);
  });

  claim(
    'C15 with a recurrent layer outputs depend on order; without it only rounding is left',
    async () => {
      const layer = await alone('recurrent-order');
      for (const shuffle of [1, 5, 9]) {
        await layer.set('shuffle', shuffle);
        const [without, changed] = [await layer.number('without'), await layer.number('with')];
        const { rows } = await layer.csv();
        const words = rows.map(([, word]) => word);
        assert.deepEqual(words.toSorted(), ['cat', 'dog', 'old', 'sees', 'the', 'the']);
        assert.ok(without < 1e-6, `without: ${without}`);
        states(words).forEach((state, place) =>
          state.forEach((h, j) =>
            near(Number(rows[place][4 + j]), h, 1e-5, `state ${place}, ${j}`),
          ),
        );
        const [old, other] = ['the dog sees the old cat'.split(' '), words].map(
          (order) => outputs(order)[order.indexOf('cat')],
        );
        near(
          Number(rows.find(([, word]) => word === 'cat')[3]),
          Math.max(...old.map((value, j) => Math.abs(value - other[j]))),
          1e-5,
          'change of “cat”',
        );
        near(changed, Math.max(...rows.map((row) => Number(row[3]))), 1e-4, 'largest change');
        if (words.join(' ') !== 'the dog sees the old cat') assert.ok(changed > 0.01);
        const [first, second] = rows
          .filter(([, word]) => word === 'the')
          .map((row) => row.slice(4));
        assert.notDeepEqual(first, second, 'equal words, different states');
      }
      const changed = await layer.drawing();
      await layer.set('shuffle', 0);
      assert.equal(await layer.number('with'), 0);
      assert.notEqual(await layer.drawing(), changed);
    },
  );

  claim('C15 it costs one step per token where a table takes one', async () => {
    const layer = await alone('recurrent-order');
    for (const length of [12, 1, 512]) {
      await layer.set('length', length);
      assert.equal(await layer.number('steps'), length);
      assert.equal(await layer.number('steps-table'), 1);
      assert.equal(await layer.number('products'), length * 16 * (64 + 16));
      assert.equal(await layer.number('products-table'), length * 64);
      // Squares while they fit, then bars.
      const drawn = await layer.inside(`root.querySelectorAll('.steps rect').length`);
      assert.equal(drawn, length === 512 ? 2 : length + 1);
    }
  });

  for (const [language, words] of few(Object.entries(languages))) {
    claim(`C16 C17 ${language || 'en/'} three ways to combine give these scores`, async () => {
      const scores = await alone('combined-scores', {}, language);
      const expected = combined(words, 1);
      const { rows } = await scores.csv();
      assert.equal(rows.length, words.length ** 2);
      for (const [m, n, content, position, add, multiply, joined] of rows.map((row) =>
        row.map(Number),
      )) {
        near(content, expected('content', m, n), 1e-4, `x${m} x${n}`);
        near(position, expected('position', m, n), 1e-4, `p${m} p${n}`);
        near(add, expected('add', m, n), 1e-4, `added ${m} ${n}`);
        near(multiply, expected('multiply', m, n), 1e-4, `multiplied ${m} ${n}`);
        near(joined, content + position, 1e-4, `joined ${m} ${n}`);
      }
    });
  }

  claim('C16 a word of size 0 has no position when multiplied', async () => {
    const scores = await alone('combined-scores', { text: 'same' });
    assert.notEqual(await scores.number('multiply-score'), 0);
    await scores.set('size', 0);
    assert.equal(await scores.number('multiply-score'), 0);
    const position = dot(...sinusoidal([9, 1], 64)) / 8;
    near(await scores.number('add-score'), position, 1e-3, 'added');
    near(await scores.number('concatenate-score'), position, 1e-3, 'joined');
  });

  for (const folder of Object.keys(languages))
    claim(`C16 C17 ${folder || 'en/'} a score is drawn as the sum of its parts`, async () => {
      const scores = await alone('combined-scores', {}, folder);
      // A row for each way: added, multiplied, joined; in it what is drawn, from the left.
      const drawn = () =>
        scores.inside(
          `[...root.querySelectorAll('.part-value')].map(({ textContent }) => textContent)`,
        );
      const values = (await drawn()).map(numberIn);
      assert.equal(values.length, 4 + 2 + 3);
      const [word, position, crossing, added, , multiplied, ownWord, ownPosition, joined] = values;
      const number = (id) => scores.number(id);
      for (const [value, id] of /** @type {const} */ ([
        [word, 'add-content'],
        [position, 'add-position'],
        [crossing, 'add-rest'],
        [added, 'add-score'],
        [multiplied, 'multiply-score'],
        [joined, 'concatenate-score'],
      ]))
        near(value, await number(id), 0.0051, id);
      assert.deepEqual([ownWord, ownPosition], [word, position]);
      near(word + position + crossing, added, 0.02, 'added');
      near(ownWord + ownPosition, joined, 0.02, 'joined');
      // Bars of one scale: from their zero to the right, of negative values to the left.
      const bars = await scores.inside(`[...root.querySelectorAll('rect.part')].map((bar) => {
        const box = bar.getBoundingClientRect();
        const zero = bar.previousElementSibling.getBoundingClientRect().left;
        return [box.left - zero, box.right - zero];
      })`);
      assert.equal(bars.length, values.length);
      if (folder === '') assert.ok(Math.min(...values) < 0, 'one to the left');
      const unit = Math.max(...bars.flat().map(Math.abs)) / Math.max(...values.map(Math.abs));
      assert.ok(unit > 5, `${unit} pixels for 1`);
      bars.forEach(([left, right], i) => {
        near(left, Math.min(0, values[i]) * unit, 1, `bar ${i}, left`);
        near(right, Math.max(0, values[i]) * unit, 1, `bar ${i}, right`);
      });
      const isPale = await scores.inside(
        `[...root.querySelectorAll('rect.part')].map((bar) => bar.matches('.is-negative'))`,
      );
      assert.deepEqual(
        isPale,
        values.map((value) => value < 0),
      );
      await scores.set('query', 6);
      assert.notDeepEqual((await drawn()).map(numberIn), values);
    });

  claim(
    'C17 joining adds the two scores and doubles the width; adding has crossing terms',
    async () => {
      const scores = await alone('combined-scores', { size: 0.5 });
      const expected = combined(languages[''], 0.5);
      await scores.set('query', 4);
      await scores.set('key', 7);
      const apart = expected('content', 4, 7) + expected('position', 4, 7);
      near(await scores.number('concatenate-score'), apart, 1e-3, 'joined');
      near(await scores.number('add-rest'), expected('add', 4, 7) - apart, 1e-3, 'crossing terms');
      assert.ok((await scores.number('largest-concatenate')) < 1e-5);
      assert.ok((await scores.number('largest-add')) > 0.1);
      assert.equal(await scores.number('add-width'), 64);
      assert.equal(await scores.number('multiply-width'), 64);
      assert.equal(await scores.number('concatenate-width'), 128);
    },
  );
});

/** Why position: one row of attention and the score of a word with its copy, in plain double. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRopewalk } from 'ropewalk';
import { importFromWeb } from '../support/typescript.mjs';
import { labReference, request } from '../support/lab_reference.mjs';
import { few } from '../support/sweep.mjs';
import { near } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const farthest = 64;

/** Scores of the last of 65 equal words with the one at each distance. */
function scores(word, scheme, seed) {
  const tokens = Array.from({ length: farthest + 1 }, () => word);
  const model = { ...request, tokens, scheme, seed, heads: 1, headDim: 16, likeness: 1 };
  return labReference(model).biased.at(-1).toReversed();
}

const keys = [
  [1, 0],
  [0, 1],
  [1, 1],
];
const values = [
  [4, 0],
  [0, 1],
  [2, 4],
];

/** Rows of the table of values: key, q · k, score, weight, value, weight × value. */
function attentionRow(query, causal) {
  const products = keys.map((key) => key[0] * query[0] + key[1] * query[1]);
  const scores = products.map((one, k) => (causal && k > 1 ? -Infinity : one / Math.SQRT2));
  const sum = scores.reduce((total, score) => total + Math.exp(score), 0);
  return keys.map((key, k) => {
    const weight = Math.exp(scores[k]) / sum;
    const share = values[k].map((one) => one * weight);
    return [...key, products[k], scores[k], weight, ...values[k], ...share];
  });
}

const opening = join(import.meta.dirname, '..', '..', 'web/chapters/opening');

test('the captions say how much the order changes with the middle one of 300 random models', async () => {
  const { changeOfOrder } = await importFromWeb('chapters/opening/jobs.ts');
  const source = readFileSync(join(opening, 'word_order.ts'), 'utf8');
  const rw = await createRopewalk();
  for (const [words, said] of /** @type {const} */ ([
    [['dog', 'bites', 'man'], 'for half of them it is below 0.2'],
    [['狗', '咬', '人'], '半数的组变化不到 0.2'],
  ])) {
    const changes = Array.from({ length: 300 }, (_, k) => changeOfOrder(rw, words, k + 1));
    const median = changes.toSorted((a, b) => a - b)[150];
    assert.ok(median > 0.15 && median < 0.2, `${median}`);
    assert.ok(source.includes(said));
  }
});

/**
 * Where the letters of the words are on their way to the next order, as an expression over the
 * figure's root: at each twentieth of the animation, paused there.
 */
const wordsOnTheWay = `Array.from({ length: 21 }, (_, part) => {
  for (const animation of root.getAnimations()) {
    animation.pause();
    animation.currentTime = (part / 20) * animation.effect.getComputedTiming().endTime;
  }
  const canvas = document.createElement('canvas').getContext('2d');
  return [...root.querySelectorAll('.word text')].map((word) => {
    canvas.font = getComputedStyle(word).font;
    const text = canvas.measureText(word.textContent);
    const { a: scale, e: left, f: baseline } = word.getScreenCTM();
    return {
      left,
      right: left + scale * text.width,
      top: baseline - scale * text.actualBoundingBoxAscent,
      bottom: baseline + scale * text.actualBoundingBoxDescent,
    };
  });
})`;

/** How far each number stands left of its bar, in pixels. */
const gaps = `[...root.querySelectorAll('.share')].map((number) => {
  const bar = number.parentElement.querySelector('.part').getBoundingClientRect();
  return bar.left - number.getBoundingClientRect().right;
})`;

const nextStep = `(root.querySelector('.buttons button').click(), element.updateComplete.then(() => 0))`;

describeInBrowsers('why position', (visit) => {
  const { claim } = visit;
  /** The figure of the sorted words, which does not sort by itself. */
  async function openAtRest(folder, width) {
    await visit.openFigure('word-order', {}, folder, { width });
    const order = await visit.page.figure('word-order');
    await order.inside(
      `(root.querySelector('rw-play button [data-sign="pause"]')?.closest('button').click(), 0)`,
    );
    return order;
  }

  test('words that change places pass above and below each other', async () => {
    for (const [width, folder] of few(
      /** @type {const} */ ([
        [1200, ''],
        [360, 'zh/'],
      ]),
    )) {
      const order = await openAtRest(folder, width);
      for (let step = 0; step < 6; step++) {
        await order.inside(nextStep);
        for (const [part, words] of (await order.inside(wordsOnTheWay)).entries()) {
          assert.equal(words.length, 3);
          words.forEach((one, k) =>
            words.slice(k + 1).forEach((other) => {
              const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
              const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
              const meet = `step ${step}, ${part} / 20: ${JSON.stringify([one, other])}`;
              assert.ok(high <= 0 || wide <= 0, meet);
            }),
          );
        }
      }
    }
  });

  test('each bar has the number of its weight before it, clear of bars and notches', async () => {
    for (const [width, folder] of few(
      /** @type {const} */ ([
        [360, ''],
        [1200, 'zh/'],
      ]),
    )) {
      const order = await openAtRest(folder, width);
      const { rows } = await order.csv();
      const expected = Array.from({ length: 6 }, (_, k) =>
        [2, 5].flatMap((first) =>
          rows.slice(3 * k, 3 * k + 3).flatMap((row) => row.slice(first, first + 3)),
        ),
      ).map((weights) => weights.map((one) => Number(one).toFixed(2)).join(' '));
      // The weight of one word for another that changes most with position, as written and now.
      const farthest = Array.from({ length: 6 }, (_, k) => {
        const [now, written] = [k, 0].map((order) =>
          rows.slice(3 * order, 3 * order + 3).flatMap((row) => row.slice(5).map(Number)),
        );
        const changes = now.map((weight, at) => (at % 4 ? Math.abs(weight - written[at]) : 0));
        const most = changes.indexOf(Math.max(...changes));
        const both = [written, now].map((weights) => weights[most].toFixed(2));
        return k === 0 ? undefined : folder === '' ? both.toReversed() : both;
      });
      const seen = [];
      const said = [];
      for (let step = 0; step < 6; step++) {
        await order.inside(nextStep);
        const found = await order.inside(gaps);
        assert.equal(found.length, 18);
        for (const gap of found) assert.ok(gap > 2, `step ${step}: ${gap}`);
        seen.push(
          await order.inside(
            `[...root.querySelectorAll('.share')].map(({ textContent }) => textContent).join(' ')`,
          ),
        );
        said.push((await order.text('.finding')).match(/\d\.\d+/g) ?? undefined);
      }
      const first = expected.indexOf(seen[0]);
      assert.deepEqual(said, [...farthest.slice(first), ...farthest.slice(0, first)]);
      assert.deepEqual(seen, [...expected.slice(first), ...expected.slice(0, first)]);
    }
  });

  test('one row of attention: products, scores, weights and output of any query', async () => {
    for (const [first, second, causal] of few(
      /** @type {const} */ ([
        [2, 1, true],
        [-3.5, 4, false],
        [2, 1, false],
      ]),
    )) {
      const row = await visit.alone('attention-row', {
        first,
        second,
        causal: causal ? 'yes' : 'no',
      });
      const expected = attentionRow([first, second], causal);
      const { rows } = await row.csv();
      assert.equal(rows.length, 3);
      rows.forEach(([, ...found], k) =>
        found.forEach((value, column) => {
          if (expected[k][column] === -Infinity) assert.equal(value, '-Infinity');
          else near(Number(value), expected[k][column], 1e-6, `row ${k}, column ${column}`);
        }),
      );
      assert.equal(await row.number('sum'), 1);
      const output = [7, 8].map((column) => expected.reduce((sum, one) => sum + one[column], 0));
      const shown = await row.inside(`root.querySelector('[data-number=output]').textContent`);
      assert.ok(
        shown.endsWith(`= (${output.map((one) => one.toFixed(2)).join(',\u00a0')})`),
        shown,
      );
    }
  });

  test('the numbers in the text are those of the figure at its defaults', async () => {
    const row = await visit.figure('attention-row');
    const { rows } = await row.csv();
    const text = await visit.tab.$eval('article ol', (list) => list.textContent);
    const powers = rows.map(([, , , , score]) => Math.exp(Number(score)));
    const sum = powers.reduce((a, b) => a + b);
    const numbers = [
      ...rows.flatMap(([, , , , score, weight]) => [Number(score), Number(weight)]),
      ...powers,
      sum,
    ];
    for (const one of numbers) assert.ok(text.includes(one.toFixed(2)), `${one}`);
  });

  for (const [language, word] of few([
    ['', 'dog'],
    ['zh/', '狗'],
  ])) {
    claim(
      `C01 ${language || 'en/'} equal words score equally at any distance, without a position scheme`,
      async () => {
        const same = await visit.alone('same-word', {}, language);
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
        await same.inside(`(root.querySelector('.line-word.key').focus(), 0)`);
        await same.drawnAfter(() => visit.tab.keyboard.press('ArrowLeft'));
        assert.equal(await same.inside('element.state.distance'), 13, 'the copy is moved');
        for (const distance of [0, 1, 50]) {
          await same.set('distance', distance);
          near(await same.number('with'), scores(word, 'alibi', 7)[distance], 1e-3, 'score here');
          near(await same.number('without'), scores(word, 'none', 7)[0], 1e-3, 'flat');
        }
      },
    );
  }
});

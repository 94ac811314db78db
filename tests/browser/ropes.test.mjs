/** The front page's ropes: recorded first, then of the reader's word, mended, trained, linked. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readSafetensors } from 'ropewalk/files';
import { createTraining } from 'ropewalk/train';
import { firstRopes, layRope, pageCode, plan, yarnUse } from '../experiments/ropes.mjs';
import { modelFile } from '../experiments/checkpoints.mjs';
import { planOf } from '../experiments/record.mjs';
import { few, sweep } from '../support/sweep.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const training = await createTraining();
const page = await pageCode();

/** What the kept model of a scheme writes, by the package. */
function laid(scheme, word) {
  const variant = scheme === 'yarn' ? 'rope' : scheme;
  const { trainer: options, variants } = planOf(plan);
  const trainer = training.createTrainer({ ...options, ...variants[variant] });
  const { tensors } = readSafetensors(readFileSync(modelFile(plan, variant)));
  trainer.setParameters(Object.fromEntries(/** @type {any} */ (tensors)));
  const use = scheme === 'yarn' ? yarnUse(training, page) : undefined;
  const { block, symbols, right } = layRope(page, trainer, word, use);
  trainer.dispose();
  return { first: page.firstWrong(block, symbols), right, letters: 2 * block.letters.length };
}

const rows = ['sinusoidal', 'rope', 'alibi', 'fox'];
const folders = { en: '', zh: 'zh/' };

/** The first wrong letter of each rope that is drawn; 0: none. */
const shownFirst = (shown) =>
  shown.inside(`Object.fromEntries([...root.querySelectorAll('[data-rope]')].map((rope) =>
    [rope.dataset.rope, Number(rope.querySelector('.verdict').dataset.firstWrong)]))`);

/** Where the letters of a rope stand, in pixels, and whether they are wrong. */
const lettersOf = (shown, scheme) =>
  shown.inside(`[...root.querySelectorAll('[data-rope="${scheme}"] .letter')].map((letter) => {
    const { left, right, bottom } = letter.getBoundingClientRect();
    return { left, right, bottom, isWrong: letter.classList.contains('is-wrong') };
  })`);

const press = (shown, index) =>
  shown.inside(`(root.querySelectorAll('.ask button')[${index}].click(), 0)`);
const [lay, mend, train] = [0, 1, 2];

/** Types a word, of which at most 16 letters are read, and waits for its ropes; while they move, each frame is a drawing. */
async function type(shown, word) {
  await shown.inside(`((field) => {
    field.value = ${JSON.stringify(word)};
    field.dispatchEvent(new Event('input'));
    return 0;
  })(root.getElementById('word'))`);
  await shown.until(
    `root.querySelector('.plot svg').getAttribute('aria-label').includes('“${word.slice(0, 16)}”')`,
  );
}

/**
 * Ropes of a word by the package, as shownFirst() gives them.
 * @returns {Record<string, number>}
 */
const expected = (word, schemes = rows) =>
  Object.fromEntries(schemes.map((scheme) => [scheme, laid(scheme, word).first ?? 0]));

describeInBrowsers('the ropes', (visit) => {
  for (const [language, folder] of few(Object.entries(folders)))
    test(`${language}: the first ropes are the recorded ones, and no model is loaded for them`, async () => {
      const files = [];
      const opened = await visit.open(folder, {
        prepare: (tab) => tab.on('request', (request) => files.push(request.url())),
      });
      const shown = await opened.figure('ropes');
      const word = page.firstWords[language];
      const { columns, rows: lines } = await shown.csv();
      assert.equal(columns.length, 2 + 2 * rows.length);
      assert.equal(lines.length, page.ropeLength);
      const start = 2 * page.blockOf(word).letters.length;
      rows.forEach((scheme, k) => {
        const right = firstRopes().shown[word][scheme].right;
        const said = lines.slice(start).map((line) => Number(line[3 + 2 * k]));
        said.forEach((value, i) => assert.ok(Math.abs(value - right[i]) < 1e-9));
      });
      assert.deepEqual(await shownFirst(shown), expected(word));
      const ends = Object.values(expected(word));
      const said = (await shown.text('.finding')).match(/\d+/g).map(Number);
      // Where letters have no room under the rope, the rope is whole.
      const drawn = await shown.inside(
        `root.querySelector('.lens') ? ${page.ropeLength} : root.querySelectorAll('[data-rope="fox"] .letter').length`,
      );
      const apart = ends.filter((end) => end > 0 && end <= drawn).toSorted((a, b) => a - b);
      assert.deepEqual(said, [drawn, ...apart]);
      const models = files.filter((file) => /safetensors|\.wasm/.test(file));
      assert.deepEqual(models, []);
    });

  test('the ropes of a typed word are those of the package, and the link carries it', async () => {
    const shown = await (await visit.open()).figure('ropes');
    const words = few(['cat', 'anchor', 'attention']);
    for (const word of words) {
      await type(shown, word);
      assert.deepEqual(await shownFirst(shown), expected(word), word);
    }
    assert.ok((await visit.address()).includes(`ropes.word=${words.at(-1)}`));
  });

  test('RoPE is mended by YaRN, and a link shows it so', async () => {
    const shown = await (await visit.open()).figure('ropes');
    await shown.drawnAfter(() => press(shown, mend));
    const { rope: _, ...others } = { ...expected('ropewalk'), ...expected('ropewalk', ['yarn']) };
    assert.deepEqual(await shownFirst(shown), others);
    const again = await (await visit.open(`?ropes.yarn=yes&ropes.fox=no`)).figure('ropes');
    assert.deepEqual({ ...(await shownFirst(again)), fox: others.fox }, others);
    assert.equal(await again.inside(`root.querySelectorAll('[data-rope]').length`), 3);
  });

  sweep('the page says where YaRN harms, and which letters were given', async () => {
    const shown = await (await visit.open('?ropes.word=llama&ropes.yarn=yes')).figure('ropes');
    const { rope, yarn } = expected('llama', ['rope', 'yarn']);
    assert.ok(yarn < rope);
    const note = await shown.inside(
      `[...root.querySelectorAll('.note')].map((p) => p.textContent).join()`,
    );
    assert.match(note, new RegExp(`is ${yarn}; without YaRN it is ${rope}`));
    const { rows: lines } = await shown.csv();
    assert.deepEqual(
      lines.map((line) => Number.isNaN(Number(line[3]))),
      lines.map((_, i) => i < 10),
    );
  });

  sweep(
    'the page says what it does with short and long words and with repeated letters',
    async () => {
      const shown = await (await visit.open()).figure('ropes');
      const notes = () =>
        shown.inside(`[...root.querySelectorAll('.note')].map((p) => p.textContent)`);
      assert.deepEqual(await notes(), []);
      for (const [word, said] of /** @type {const} */ ([
        ['cat', /shorter word/],
        ['abcdefghijklmnopqrst', /first 16/],
        ['banana', /comes again/],
      ])) {
        await type(shown, word);
        const [note, ...more] = await notes();
        assert.match(note, said);
        assert.deepEqual(more, []);
      }
    },
  );

  test('a screen reader hears each rope’s first wrong letter', async () => {
    const shown = await (await visit.open()).figure('ropes');
    const label = await shown.inside(`root.querySelector('.plot svg').getAttribute('aria-label')`);
    for (const first of Object.values(expected('ropewalk')))
      assert.ok(first === 0 || label.includes(`the first wrong letter is ${first}`), label);
    assert.match(label, /every letter is right up to 136/);
  });

  test('training shows the loss, can be canceled, and leaves the ropes as they were', async () => {
    const shown = await (await visit.open()).figure('ropes');
    await press(shown, train);
    await shown.until(`/loss \\d/.test(root.querySelector('.verdict')?.textContent)`);
    assert.equal(await shown.inside(`root.querySelectorAll('.letter').length`), 0);
    await shown.inside(`([...root.querySelectorAll('.ask button')].at(-1).click(), 0)`);
    await shown.until(`root.querySelectorAll('.letter').length > 500`);
    await shown.until(`element.hasAttribute('drawn')`);
    assert.deepEqual(await shownFirst(shown), expected('ropewalk'));
  });

  test('on a phone everything fits, and a rope is on the first screen', async () => {
    for (const folder of few(Object.values(folders))) {
      const shown = await (await visit.open(folder, { width: 360 })).figure('ropes');
      await visit.page.assertFits();
      const bottom = await shown.inside(
        `root.querySelector('[data-rope] .strand').getBoundingClientRect().bottom`,
      );
      // What is left of a phone of 360 × 740 below the bars of its browser.
      assert.ok(bottom <= 600, `${folder}: ${bottom}`);
      // The letters around the first wrong one, in a line of their own.
      const letters = await lettersOf(shown, 'sinusoidal');
      const first = letters.findIndex(({ isWrong }) => isWrong);
      assert.ok(first > 5 && first < letters.length - 5, `${folder}: ${first}`);
      assert.equal(new Set(letters.map(({ bottom }) => Math.round(bottom))).size, 1);
    }
  });

  test('on a laptop each letter stands under its place of the rope, in both languages', async () => {
    for (const folder of few(Object.values(folders))) {
      const shown = await (await visit.open(folder, { width: 1336 })).figure('ropes');
      const letters = await lettersOf(shown, 'sinusoidal');
      assert.ok(letters.length >= 100, `${folder}: ${letters.length}`);
      const knot = await shown.inside(
        `(({ left, right }) => (left + right) / 2)(root.querySelector('.knot').getBoundingClientRect())`,
      );
      assert.equal(letters.filter(({ left, right }) => (left + right) / 2 < knot).length, 32);
      // Firefox rounds a letter's box outward to whole pixels, on both sides.
      for (const [i, { left }] of letters.entries())
        assert.ok(i === 0 || left >= letters[i - 1].right - 2.5, `${folder}: ${i}`);
    }
  });

  sweep('the ropes are laid again from the left', async () => {
    const shown = await (await visit.open()).figure('ropes');
    await press(shown, lay);
    await shown.until(`root.querySelectorAll('[data-rope="fox"] .letter').length < 136`);
    await shown.until(`root.querySelectorAll('[data-rope="fox"] .letter').length === 136`);
  });
});

/** The recorded experiments with models that write can be repeated, and show what they claim. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import * as healing from '../experiments/healing.mjs';
import * as poems from '../experiments/poems.mjs';
import { healingOrderings, poemOrderings } from '../experiments/report_models.mjs';
import { sweep } from '../support/sweep.mjs';
import { createModels, createRopewalk, createTraining, simds } from './installed.mjs';

/** The binaries differ in the last bits of each operation; few steps keep these small. */
const otherBinary = 2e-3;

const near = (a, b) => assert.ok(Math.abs(a / b - 1) < otherBinary, `${a}, not ${b}`);

/** JSON has no -0, and what TypeScript calls const. */
const asJson = (value) => JSON.parse(JSON.stringify(value));

describe('interpolation heals', async () => {
  const recorded = healing.recordedHealing();
  const page = await healing.pageCode();
  const [first] = recorded.results;

  test('is recorded with three seeds, with the plan of the page', () => {
    assert.deepEqual(recorded.plan, asJson(page.plan));
    const runs = recorded.results.map(({ method, seed }) => `${method} ${seed}`);
    assert.deepEqual(
      runs,
      page.methods.flatMap((method) => [0, 1, 2].map((seed) => `${method} ${seed}`)),
    );
    for (const { measured } of recorded.results)
      assert.deepEqual(
        measured.map(({ step }) => step),
        recorded.plan.measured,
      );
  });

  test('the first steps repeat the recorded losses', async () => {
    const weights = new Uint8Array(
      readFileSync(join(import.meta.dirname, '..', 'models', 'stories260k', 'stories260K.bin')),
    );
    const { createModel } = await createModels({ simd: recorded.binary });
    const [teacher, model] = [await createModel({ weights }), await createModel({ weights })];
    const rw = await createRopewalk({ simd: recorded.binary });
    const position = healing.positionOf(rw, page, first.method);
    const trainer = page.trainerOf(model, position);
    const windows = await page.lessons(teacher, first.seed, first.curve[0][0]);
    const losses = windows.map((window) => trainer.stepOn([window]).loss);
    assert.deepEqual(healing.curveOf(losses), first.curve.slice(0, 1));
  });

  test('C44: PI trained for 80 steps is below the unchanged model beyond 1,024 places, on every seed', () => {
    const [claim, ...others] = healingOrderings(recorded);
    assert.match(claim.says, /PI is below the unchanged model/);
    assert.deepEqual(claim.held, [true, true, true]);
    for (const { says, held } of others) assert.equal(held.length, 3, says);
  });

  test('C44: YaRN, trained as long, is best far out and costs a little on short stories, on every seed', () => {
    const orderings = healingOrderings(recorded).filter(({ says }) => says.startsWith('YaRN, '));
    assert.deepEqual(
      orderings.map(({ held }) => held),
      [
        [true, true, true],
        [true, true, true],
      ],
    );
  });

  test('C44: unchanged positions, trained as long, are below PI there and on short stories, on every seed', () => {
    const orderings = healingOrderings(recorded).filter(({ says }) => says.startsWith('Direct, '));
    assert.deepEqual(
      orderings.map(({ held }) => held),
      [
        [true, true, true],
        [true, true, true],
      ],
    );
  });
});

describe('poems that count', async () => {
  const page = await poems.pageCode();
  const text = page.poemsOf(poems.poemText());
  const recorded = poems.recordedPoems();

  test('are recorded with three seeds of each scheme, with the plan of the page', () => {
    assert.deepEqual(recorded.plan, asJson(page.plan));
    assert.deepEqual(
      recorded.results.map(({ scheme, seed }) => `${scheme} ${seed}`),
      page.schemes.flatMap((scheme) => [0, 1, 2].map((seed) => `${scheme} ${seed}`)),
    );
    for (const one of recorded.results) {
      assert.deepEqual(one.fives, poems.fivesOf(page, one));
      assert.equal(one.right.length, page.plan.lines);
    }
  });

  sweep('the first steps repeat the recorded losses', async () => {
    const [{ scheme, seed, curve }] = recorded.results;
    const training = await createTraining({ simd: recorded.binary });
    const trainer = page.trainerOf(training, text, scheme, seed);
    const losses = Array.from({ length: curve[0][0] }, () => page.learn(trainer, text, seed).loss);
    trainer.dispose();
    assert.deepEqual(poems.curveOf(losses), curve.slice(0, 1));
  });

  test('C45: the sinusoid fails in row 9, RoPE holds it, and ALiBi goes on counting to five', () => {
    const held = Object.fromEntries(poemOrderings(recorded).map((one) => [one.says, one.held]));
    const all = Object.entries(held).filter(([, seeds]) => seeds.every(Boolean));
    assert.deepEqual(
      Object.keys(held).filter((says) => !all.some(([other]) => other === says)),
      ['ALiBi has more places of rows 17 to 24 right than RoPE.'],
      'what the chapter says does not hold on every seed',
    );
    for (const [says, seeds] of Object.entries(held)) assert.equal(seeds.length, 3, says);
  });

  test('every poem has eight lines of five characters and a sign, and a pass takes each once', () => {
    assert.equal(text.tokens.length, page.plan.poems);
    assert.equal(text.characters.length, page.plan.characters + 3);
    for (const tokens of text.tokens) {
      const poem = tokens.slice(1).map((token) => text.characters[token]);
      assert.deepEqual(page.countedRight([poem]).slice(0, 8), new Array(8).fill(1));
      assert.equal(poem.length, 48);
    }
    const { batchSize } = page.plan;
    const seen = new Set();
    for (let step = 1; step <= Math.ceil(text.tokens.length / batchSize); step++) {
      const { targets } = page.batchOf(text, step, 1);
      for (let i = 0; i < batchSize; i++) seen.add(targets.slice(48 * i, 48 * (i + 1)).join(' '));
    }
    assert.equal(seen.size, new Set(text.tokens.map((poem) => poem.slice(1).join(' '))).size);
  });

  test('their training begins alike in both binaries, and what is written is counted', async () => {
    const [first, ...others] = await Promise.all(
      simds.map(async (simd) => {
        const trainer = page.trainerOf(await createTraining({ simd }), text, 'rope', 0);
        const losses = Array.from({ length: 5 }, () => page.learn(trainer, text, 0).loss);
        assert.equal(page.written(trainer, text, 0).length, 144);
        trainer.dispose();
        return losses;
      }),
    );
    assert.ok(first[4] < first[0]);
    for (const other of others) other.forEach((loss, i) => near(loss, first[i]));
    const straight = [...'一二三四五，'.repeat(24)];
    assert.deepEqual(page.countedRight([straight]), new Array(24).fill(1));
    const shifted = page.countedRight([['一', ...straight].slice(0, 144)]);
    assert.deepEqual(shifted, [5 / 6, ...new Array(23).fill(4 / 6)]);
    assert.deepEqual(page.lineLengths([...'一二，三。四']), [2, 1]);
    assert.deepEqual(page.sharesOfFive([straight, [...'一二，']]), [8 / 9, 1, 1]);
  });
});

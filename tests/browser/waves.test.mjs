/** From integers to waves: controls are moved, numbers are read and compared with sums in double. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { few } from '../support/sweep.mjs';
import { near, numberIn } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));
const bitsOf = (t, bits) => Array.from({ length: bits }, (_, i) => Math.floor(t / 2 ** i) % 2);
const dials = (t, dim) => Array.from({ length: dim }, (_, i) => Math.sin(t / 2 ** i));

/** The nearest that two points of the curve come, a turn or more apart, on a grid of 1/40. */
function collision(base, positions) {
  const steps = 40;
  const vectors = Array.from({ length: (positions - 1) * steps + 1 }, (_, k) =>
    [0, 1, 2].map((i) => Math.sin((k / steps) * base ** (-i / 2))),
  );
  let least = Infinity;
  for (let k = 0; k < vectors.length; k++) {
    for (let j = k + Math.ceil(2 * Math.PI * steps); j < vectors.length; j++)
      least = Math.min(least, distance(vectors[k], vectors[j]));
  }
  return least;
}

describeInBrowsers('from integers to waves', (visit) => {
  const { alone, claim, figure, sweptClaim } = visit;

  claim('C02 counting leaves the range that training saw, without a bound', async () => {
    const one = await alone('one-number');
    assert.equal(await one.number('largest'), 3);
    const beyond = () =>
      one.inside(`root.querySelector('.token.is-beyond').getAttribute('d').split('M').length - 1`);
    assert.equal(await beyond(), 1);
    for (const [trained, length] of [
      [64, 300],
      [128, 512],
      [128, 100],
    ]) {
      await one.set('trained', trained);
      await one.set('length', length);
      assert.equal(await one.number('largest'), length - 1);
      assert.equal(await beyond(), Math.max(0, length - trained));
      const { rows } = await one.csv();
      assert.deepEqual(
        rows.map(([m, integer]) => [Number(m), Number(integer)]),
        Array.from({ length }, (_, m) => [m, m]),
      );
    }
  });

  claim('C03 in [0, 1] a step is another one in every length', async () => {
    const one = await alone('one-number');
    near(await one.number('step-trained'), 0.5, 1e-9, 'three tokens');
    near(await one.number('step-text'), 1 / 3, 5e-5, 'four tokens');
    const { rows } = await one.csv();
    rows.forEach(([m, , text]) => near(Number(text), Number(m) / 3, 1e-7, `token ${m}`));
    await one.set('length', 101);
    near(await one.number('step-text'), 0.01, 1e-9, '101 tokens');
    await one.set('token', 1);
    assert.match(await one.text('[data-number="readout"]'), /0\.0100 .* carried 0\.5000/);
  });

  claim('C04 binary positions jump, and there are none in between', async () => {
    const both = await alone('bits-and-dials');
    assert.equal(await both.number('flips'), 4);
    for (const [bits, t] of [
      [5, 8],
      [5, 15],
      [6, 31],
      [6, 46],
    ]) {
      await both.set('bits', bits);
      await both.set('t', t);
      const flips = distance(bitsOf(t, bits), bitsOf(t + 1, bits)) ** 2;
      assert.equal(await both.number('flips'), Math.round(flips));
      near(await both.number('bit-step'), Math.sqrt(flips), 5e-5, 'length of the step');
    }
    assert.match(await both.text('.finding'), /at most 1\.16,.* √6 = 2\.45/);
    const bounds = await both.inside(`[...root.querySelectorAll('.bound, .line')].map((line) =>
      line.getBoundingClientRect()).map(({ top }) => top)`);
    assert.equal(bounds.length, 6, 'two bounds, two lines, and those of the legend');
    near(bounds[0], bounds[2], 1.5, 'the bits reach their bound');
    assert.ok(bounds[1] > bounds[0] && bounds[1] < bounds[3], 'the waves stay below theirs');
    const { rows } = await both.csv();
    assert.equal(rows.length, 64);
    rows.forEach(([m, ...rest], t) => {
      assert.equal(Number(m), t);
      assert.deepEqual(rest.slice(0, 6).map(Number), bitsOf(t, 6));
    });
    assert.equal(await both.text('[data-number="refusal"]'), '');
    await both.set('t', 7.5);
    assert.match(
      await both.text('[data-number="refusal"]'),
      /positions\[0\] must be a whole number from 0 to 2\^6 - 1, got 7\.5$/,
    );
    assert.equal(await both.text('.fault'), undefined, 'the rest of the figure stays');
    near(await both.number('dial-0'), Math.sin(7.5), 5e-5, 'a dial between two positions');
  });

  claim(
    'C05 each dial rotates half as fast as the one before, within [-1, 1], without a jump',
    async () => {
      const both = await alone('bits-and-dials', { bits: 6 });
      for (const t of [0, 7, 12.375, 63]) {
        await both.set('t', t);
        for (let i = 0; i < 6; i++)
          near(await both.number(`dial-${i}`), Math.sin(t / 2 ** i), 5e-5, `dial ${i} at ${t}`);
      }
      const { rows } = await both.csv();
      rows.slice(0, -1).forEach((row, t) => {
        near(Number(row[8]), distance(dials(t, 6), dials(t + 1, 6)), 1e-6, `step at ${t}`);
        assert.ok(Number(row[8]) < Math.sqrt(4 / 3), 'no step is longer than the dials turn');
      });
      const turns = await both.inside(
        `[...root.querySelectorAll('.knobs .faint')].map(({ textContent }) => textContent)`,
      );
      turns.forEach((text, i) =>
        near(numberIn(text.replace(/^\D+/, '')), 2 * Math.PI * 2 ** i, 0.5, `turn of dial ${i}`),
      );
    },
  );

  claim(
    'C06 with halved frequencies the curve closes; with the paper’s it does not over 50 positions',
    async () => {
      const curve = await alone('dial-curve');
      near(await curve.number('collision'), 0, 5e-5, 'halved frequencies');
      near(await curve.number('apart'), 8 * Math.PI, 2e-3, 'one lap');
      assert.match(await curve.text('[data-number="moments"]'), /^0\.00 and 25\.13$/);
      assert.equal(await curve.text('.space .mark'), 'positions 0, 12.57 and 25.13');
      assert.match(
        await curve.text('.finding'),
        /its start at 12\.57, and from 25\.13 on every place/,
      );
      await curve.set('positions', 20);
      near(await curve.number('apart'), 4 * Math.PI, 2e-3, 'where all three sines are 0 again');
      assert.match(await curve.text('.finding'), /positions 0\.00 and 12\.57 get the same vector/);
      await curve.set('positions', 12);
      const apart = collision(4, 12);
      assert.ok(apart > 0.1);
      near(await curve.number('collision'), apart, 0.01, 'before it crosses itself');
      await curve.set('positions', 50);
      const before = await curve.drawing();
      await curve.set('frequencies', 'dim-1');
      assert.notEqual(await curve.drawing(), before);
      const open = collision(10000, 50);
      assert.ok(open > 0.05);
      near(await curve.number('collision'), open, 2e-3, 'base 10000');
      assert.ok((await curve.number('apart')) >= 6.283, 'neighbors are no collision');
      await curve.set('base', 4);
      near(await curve.number('collision'), 0, 5e-5, 'base 4 is halving');
      await curve.set('base', 10000);
      await curve.set('positions', 200);
      assert.ok((await curve.number('collision')) < 0.002, 'past 157 the sine turns back');
      const { rows } = await curve.csv();
      rows.forEach(([t, ...point]) =>
        [0, 1, 2].forEach((i) =>
          near(Number(point[i]), Math.sin(Number(t) * 10000 ** (-i / 2)), 1e-6, `p${i}(${t})`),
        ),
      );
    },
  );

  test('C06 keys and dragging rotate the cube, and the link keeps the view', async () => {
    const curve = await figure('dial-curve');
    const turn = () => curve.inside('element.state.turn');
    const start = await turn();
    await curve.inside(`(root.querySelector('.space').focus({ preventScroll: true }), 0)`);
    await visit.tab.keyboard.press('ArrowRight');
    await curve.until(`element.state.turn === ${start + 5}`);
    await curve.point('.space svg');
    await visit.tab.mouse.down();
    await curve.point('.space svg', 0.7);
    await visit.tab.mouse.up();
    await curve.until(`element.state.turn !== ${start + 5}`);
    await visit.tab.waitForFunction(() => location.search.includes('dial-curve.turn'));
  });

  test('no word lies on the curve, however it is turned', async () => {
    for (const frequencies of few(['halving', 'dim-1']))
      for (const [turn, tilt] of [
        [35, 20],
        [0, 90],
        [-120, -50],
      ]) {
        const curve = await alone('dial-curve', { frequencies, turn, tilt });
        const [words, lowest] = await curve.inside(`[
          [...root.querySelectorAll('.space .mark')].map((word) => word.getBoundingClientRect().top),
          Math.max(...[...root.querySelectorAll('.thread')].map((part) => part.getBoundingClientRect().bottom)),
        ]`);
        assert.ok(words.length > 0);
        for (const top of words) assert.ok(top > lowest, `${top} is below ${lowest}`);
        await curve.inside(`(root.querySelector('.actions button').click(), 0)`);
        await curve.until(`root.querySelector('.chart').checkVisibility()`);
        const [name, line] = await curve.inside(`[
          root.querySelector('.limit-label').getBoundingClientRect().bottom,
          root.querySelector('.chart .line').getBoundingClientRect().top,
        ]`);
        assert.ok(name <= line, `the name ends at ${name}, the line is at ${line}`);
      }
  });

  sweptClaim('C02 C04 C06 the same numbers in Chinese', async () => {
    const one = await alone('one-number', { length: 9 }, 'zh/');
    assert.equal(await one.number('largest'), 8);
    assert.match(await one.text('.question'), /词元/);
    assert.equal(await (await alone('bits-and-dials', {}, 'zh/')).number('flips'), 4);
    const curve = await alone('dial-curve', {}, 'zh/');
    near(await curve.number('apart'), 8 * Math.PI, 2e-3, 'one lap');
    assert.equal(await curve.text('.space .mark'), '位置 0、12.57 与 25.13');
    assert.match(await curve.text('.finding'), /位置 12\.57 处回到起点，从 25\.13 起处处重复/);
  });
});

/** Rotation: positions, pairings, bases and distances are moved; numbers are compared with sums in double. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dot, rotate } from '../support/reference.mjs';
import { few, sweep } from '../support/sweep.mjs';
import { near, numberIn } from './support/numbers.mjs';
import { Figure } from './support/page.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const turned = (x, position, layout = 'interleaved', base = 10000) =>
  rotate([x], [position], layout, base)[0];

/** S_1 … S_pairs: sums of the first unit hands at an offset. */
function partialSums(offset, dim, base) {
  let [re, im] = [0, 0];
  return Array.from({ length: dim / 2 }, (_, i) => {
    const angle = offset * base ** ((-2 * i) / dim);
    re += Math.cos(angle);
    im += Math.sin(angle);
    return Math.hypot(re, im);
  });
}

const sum = (values) => values.reduce((a, b) => a + b, 0);
const meanOfSums = (offset, dim, base = 10000) => sum(partialSums(offset, dim, base)) / (dim / 2);

describeInBrowsers('rotation', (visit) => {
  const { alone, claim, figure, sweptClaim } = visit;

  /** Query and key as the clocks show them at position 0, where nothing turns. */
  async function vectors(clocks) {
    for (const key of ['query', 'key', 'shift']) await clocks.set(key, 0);
    const { rows } = await clocks.csv();
    const entries = rows.map((row) => row.map(Number));
    return {
      q: entries.flatMap(([, , first, second]) => [first, second]),
      k: entries.flatMap(([, , , , first, second]) => [first, second]),
    };
  }

  for (const [language, path] of few(Object.entries({ en: '', zh: 'zh/' }))) {
    claim(`C20 ${language}: the score depends on q, k and m − n only`, async () => {
      const clocks = await alone('rotary-clocks', {}, path);
      const { q, k } = await vectors(clocks);
      for (const [m, n, shift] of [
        [12, 9, 100],
        [5, 60, 99000],
        [128, 0, 7],
      ]) {
        await clocks.set('query', m);
        await clocks.set('key', n);
        await clocks.set('shift', shift);
        const score = dot(turned(q, m), turned(k, n));
        near(await clocks.number('placed'), score, 1e-4, `q at ${m}, k at ${n}`);
        near(await clocks.number('moved'), score, 1e-4, `both moved by ${shift}`);
        const [, parts, total] = (await clocks.text('.sum')).replaceAll('\u2212', '-').split('=');
        const printed = parts
          .replaceAll(' ', '')
          .match(/[+-]?[\d.]+/g)
          .map(Number);
        near(sum(printed), Number(total), 1e-9, 'the parts as printed add up to the score');
        const exchanged = dot(turned(q, n), turned(k, m));
        near(await clocks.number('exchanged'), exchanged, 1e-4, 'exchanged');
        assert.ok(Math.abs(exchanged - score) > 1e-2, 'the score is not symmetric');
        const { rows } = await clocks.csv();
        turned(q, m + shift).forEach((value, j) =>
          near(Number(rows[j >> 1][2 + (j % 2)]), value, 1e-6, `hand of q, entry ${j}`),
        );
        near(sum(rows.map((row) => Number(row[6]))), score, 1e-4, 'the parts add up');
      }
    });
  }

  /** In the figure: the rows of the table beside the large clock: m, n, angle and score of each. */
  const rowsBeside = `[...root.querySelectorAll('.kept tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent))`;

  claim('C20 the words are moved on their line, together by the shift', async () => {
    for (const path of few(['', 'zh/'])) {
      const clocks = await alone('rotary-clocks', { shift: 0 }, path);
      const [[m, n, angle, score]] = await clocks.inside(rowsBeside);
      assert.deepEqual([m, n, score], ['12', '9', '−5.64']);
      await clocks.set('shift', 1000);
      assert.deepEqual(await clocks.inside(rowsBeside), [
        ['12', '9', angle, score],
        ['1,012', '1,009', angle, score],
      ]);
      await clocks.inside(`(root.querySelector('.line-word.query').focus(), 0)`);
      for (const key of ['ArrowRight', 'PageUp'])
        await clocks.drawnAfter(() => visit.tab.keyboard.press(key));
      assert.equal(await clocks.inside('element.state.query'), 23);
      await clocks.drawnAfter(() => visit.tab.keyboard.press('Home'));
      assert.equal(await clocks.inside('element.state.query'), 0);
      const [, [, , turned, changed]] = await clocks.inside(rowsBeside);
      assert.notEqual(turned, angle);
      assert.notEqual(changed, score);
    }
  });

  test('a word is dragged along its line', async () => {
    const clocks = await alone('rotary-clocks', { shift: 0, key: 0 });
    await clocks.point('.line-word.key');
    await visit.tab.mouse.down();
    // The line is of positions 0 to 160, and is 46 pixels away from both sides.
    const [left, width] = await clocks.inside(
      `(({ left, width }) => [left, width])(root.querySelector('.word-line svg').getBoundingClientRect())`,
    );
    const { y } = await clocks.inside(
      `(({ y, height }) => ({ y: y + height / 2 }))(root.querySelector('.line-word.key').getBoundingClientRect())`,
    );
    await visit.tab.mouse.move(left + 46 + ((width - 92) * 40) / 160, y);
    await clocks.until('element.state.key === 40');
    await visit.tab.mouse.move(left + width, y);
    await clocks.until('element.state.key === 128');
    await visit.tab.mouse.up();
    assert.equal(await clocks.inside('element.state.query'), 12);
  });

  claim(
    'C20 a pair is one part of the score, and its angle is the offset times its frequency',
    async () => {
      const clocks = await alone('rotary-clocks', { dim: 8, base: 100 });
      const { q, k } = await vectors(clocks);
      await clocks.set('query', 20);
      await clocks.set('key', 3);
      for (const pair of [0, 3]) {
        const before = await clocks.drawing();
        await clocks.set('pair', pair);
        assert.notEqual(await clocks.drawing(), before);
        near(await clocks.number('angle'), 17 * 100 ** (-pair / 4), 1e-4, `angle of pair ${pair}`);
        const [a, b] = [turned(q, 20, 'interleaved', 100), turned(k, 3, 'interleaved', 100)];
        const part = a[2 * pair] * b[2 * pair] + a[2 * pair + 1] * b[2 * pair + 1];
        near(await clocks.number('part'), part, 2e-4, `part of pair ${pair}`);
      }
    },
  );

  claim(
    'C21 C23 lengths stay, turning back is turning by the difference, f(q, 0) = q',
    async () => {
      const clocks = await alone('rotary-clocks');
      const { q } = await vectors(clocks);
      for (const [m, n] of [
        [0, 5],
        [77, 128],
      ]) {
        await clocks.set('query', m);
        await clocks.set('key', n);
        const [before, after] = (await clocks.text('[data-number="norms"]'))
          .split(', ')
          .map(numberIn);
        near(before, Math.sqrt(dot(q, q)), 1e-4, 'length before');
        near(after, before, 1e-4, 'length after');
        near(await clocks.number('back'), 0, 2e-6, 'R(m) transposed times R(n)');
        assert.equal(await clocks.number('zero'), 0);
      }
    },
  );

  claim(
    'C22 both pairings, element by element, as a matrix, and the permutation between them',
    async () => {
      const published = {
        interleaved: [-2.23474169, 0.077003754, 2.919405353, 4.059196027],
        'half-split': [-3.144039117, 1.919605347, -0.339143083, 4.03919736],
      };
      const pairings = await alone('rotary-pairings', { vector: '1 2 3 4' });
      for (const layout of ['half-split', 'interleaved']) {
        await pairings.set('layout', layout);
        const { rows } = await pairings.csv();
        rows.forEach((row, j) => near(Number(row[5]), published[layout][j], 1e-6, layout));
        assert.deepEqual(
          rows.map((row) => Number(row[6])),
          [1, 3, 2, 4],
        );
        assert.ok((await pairings.number('form')) < 1e-6, 'both forms agree with the core');
        assert.ok((await pairings.number('order')) < 1e-6, 'the permutation carries over');
      }
      const x = [1, 2, 3, 4];
      for (const m of [2, 37]) {
        await pairings.set('position', m);
        const score = dot(turned(x, m), x);
        near(await pairings.number('score'), score, 1e-4, 'interleaved');
        near(await pairings.number('reordered'), score, 1e-4, 'reordered');
        const mixed = dot(turned(x, m, 'half-split'), x);
        near(await pairings.number('mixed'), mixed, 1e-4, 'mixed up');
        assert.ok(Math.abs(mixed - score) > 0.5);
      }
    },
  );

  claim('C22 a vector of an odd count gives a descriptive error', async () => {
    for (const [path, refusal] of /** @type {const} */ ([
      ['', /an even count of finite numbers, 4 to 12 of them, got 5/],
      ['zh/', /而且是偶数个，现在有 5 个/],
    ])) {
      await visit.openFigure('rotary-pairings', { vector: '1 2 3 4 5' }, path);
      const fault = await new Figure(visit.tab, 'rotary-pairings').until(
        `(element.scrollIntoView({ behavior: 'instant' }), root.querySelector('.fault')?.textContent)`,
      );
      assert.match(fault, refusal);
    }
  });

  claim(
    'C24 the mean of the partial sums falls, not steadily, and later for a larger base',
    async () => {
      const decay = await alone('rotary-decay');
      for (const [dim, offset, expected] of [
        [128, 0, 32.5],
        [128, 1, 31.538166],
        [128, 10, 17.954137],
        [128, 256, 6.543097],
        [64, 50, 5.733077],
        [64, 100, 7.465277],
      ]) {
        await decay.set('dim', dim);
        await decay.set('offset', offset);
        near(await decay.number('mean'), expected, 1e-4, `d = ${dim}, offset ${offset}`);
      }
      const curve = Array.from({ length: 257 }, (_, offset) => meanOfSums(offset, 64));
      const climbs = curve.filter((value, at) => at > 0 && value > curve[at - 1]).length;
      assert.equal(await decay.number('climbs'), climbs);
      assert.ok(climbs > 0);
      await decay.set('dim', 128);
      await decay.set('base', 500000);
      await decay.set('offset', 256);
      near(await decay.number('mean'), 12.164203, 1e-4, 'base 500000');
    },
  );

  sweptClaim('C24 a score is below its bound at every distance', async () => {
    const decay = await alone('rotary-decay', { vectors: 'ones', dim: 64, range: 128 });
    const ones = new Array(64).fill(1);
    const { rows } = await decay.csv();
    assert.equal(rows.length, 129);
    rows.forEach(([, , score, magnitude, bound], offset) => {
      near(Number(score), dot(turned(ones, offset), ones), 1e-6, `score at ${offset}`);
      const sums = partialSums(offset, 64, 10000);
      near(Number(magnitude), 2 * sums.at(-1), 1e-6, `magnitude at ${offset}`);
      near(Number(bound), 2 * sum(sums), 1e-5, `bound at ${offset}`);
    });
    const fading = await decay.drawing();
    await decay.set('vectors', 'random');
    assert.notEqual(await decay.drawing(), fading);
    const numbersIn = async (shown) =>
      (await shown.text('.finding'))
        .replaceAll('−', '-')
        .match(/-?\d+(\.\d)?/g)
        .toSorted();
    let found = [''];
    for (const seed of [1, 2]) {
      await decay.set('seed', seed);
      const random = (await decay.csv()).rows.map((row) => row.map(Number));
      const scores = random.map(([, , score]) => score);
      const top = scores.indexOf(Math.max(...scores));
      const numbers = [scores[0].toFixed(1), '0', scores[top].toFixed(1), String(top)];
      assert.deepEqual(await numbersIn(decay), numbers.toSorted());
      found = numbers;
      const factor = random[0][4] / meanOfSums(0, 64);
      random.forEach(([, mean, score, magnitude, bound], offset) => {
        near(mean, meanOfSums(offset, 64), 1e-6, `mean at ${offset}`);
        near(bound, factor * mean, 1e-6 * bound, 'the words give one factor, the distance one');
        assert.ok(Math.abs(score) <= magnitude + 1e-9 && magnitude <= bound);
      });
      await decay.set('offset', 40);
      near(await decay.number('score'), random[40][2], 1e-4, 'score at 40');
    }
    const chinese = await alone('rotary-decay', { dim: 64, range: 128, seed: 2 }, 'zh/');
    assert.deepEqual(await numbersIn(chinese), found.toSorted());
  });

  claim(
    'C25 the base sets the wavelengths, and with the context which pairs never come round',
    async () => {
      const reach = await alone('rotary-wavelengths', { length: 2048 });
      assert.match(await reach.text('[data-number="never"]'), /^23 \/ 64$/);
      assert.equal(await reach.text('[data-number="first"]'), 'i = 41');
      near(await reach.number('longest'), 54410.143, 1, 'longest wavelength');
      // Pairs that complete a turn have covered their circle.
      const parts = await reach.inside(`[...root.querySelectorAll('.pair-button')].map((button) =>
      [Number(button.querySelector('text').textContent), button.querySelector('.sector').localName])`);
      assert.ok(parts.length > 5);
      for (const [pair, drawn] of parts)
        assert.equal(drawn, pair < 41 ? 'circle' : 'path', `pair ${pair}`);
      await reach.drawnAfter(() =>
        reach.inside(
          `[...root.querySelectorAll('.presets button')].find(({ textContent }) => textContent === 'Llama 3').click()`,
        ),
      );
      assert.match(await reach.text('[data-number="never"]'), /^29 \/ 64$/);
      for (const [base, dim, length] of [
        [100, 128, 8192],
        [10000000, 24, 500],
      ]) {
        await reach.set('base', base);
        await reach.set('dim', dim);
        await reach.set('length', length);
        const expected = Array.from(
          { length: dim / 2 },
          (_, i) => 2 * Math.PI * base ** ((2 * i) / dim),
        );
        const { rows } = await reach.csv();
        rows.forEach((row, i) => {
          near(Number(row[1]) / expected[i], 1, 1e-12, `wavelength of pair ${i}`);
          near((Number(row[2]) * expected[i]) / length, 1, 1e-12, `turns of pair ${i}`);
        });
        const never = expected.filter((wavelength) => wavelength > length).length;
        assert.equal(await reach.text('[data-number="never"]'), `${never} / ${dim / 2}`);
      }
    },
  );

  test('a pair chosen in one figure is chosen in the others, by its wavelength', async () => {
    const clocks = await figure('rotary-clocks');
    const reach = await visit.page.figure('rotary-wavelengths');
    await reach.drawnAfter(() => clocks.set('pair', 4));
    near(await reach.number('wavelength'), 2 * Math.PI * 10000 ** 0.5, 0.1, 'pair 32 of 64');
    await clocks.drawnAfter(() => reach.set('pair', 8));
    near(await clocks.number('angle'), 3 * 10000 ** (-1 / 8), 1e-4, 'pair 1 of 8');
    assert.ok(!(await visit.address()).includes('rotary-clocks.pair=1'));
  });

  sweep('a pair under the pointer is shown in the others for as long as it is there', async () => {
    const clocks = await figure('rotary-clocks');
    const reach = await visit.page.figure('rotary-wavelengths');
    await reach.drawnAfter(() => clocks.set('pair', 1));
    const shown = () => reach.number('wavelength');
    const before = await shown();
    const after = async (kind) => {
      const old = await reach.text('[data-number="wavelength"]');
      await clocks.inside(
        `(root.querySelectorAll('.pair-button')[6].dispatchEvent(new PointerEvent('${kind}')), 0)`,
      );
      await reach.until(
        `root.querySelector('[data-number="wavelength"]').textContent.trim() !== ${JSON.stringify(old)}`,
      );
      return shown();
    };
    near(await after('pointerenter'), 2 * Math.PI * 10000 ** 0.75, 1, 'pair 48 of 64');
    assert.equal(await after('pointerleave'), before);
  });

  for (const folder of few(['', 'zh/']))
    test(`${folder || 'en/'}: findings name the slow pairs, and the pair of both layouts`, async () => {
      const numbersIn = async (figure) => (await figure.text('.finding')).match(/\d[\d,]*/g);
      const reach = await visit.alone('rotary-wavelengths', {}, folder);
      const slow = Array.from({ length: 64 }, (_, pair) => pair).find(
        (pair) => 2 * Math.PI * 10000 ** (pair / 64) > 4096,
      );
      assert.deepEqual(await numbersIn(reach), [String(slow), '63', '4,096']);
      const pairings = await visit.alone('rotary-pairings', {}, folder);
      assert.deepEqual(await numbersIn(pairings), ['3', '4', '2', '6']);
      await pairings.set('pair', 3);
      assert.deepEqual(await numbersIn(pairings), ['7', '8', '4', '8']);
    });
});

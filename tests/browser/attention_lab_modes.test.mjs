/** The modes of the lab, and tokens that a reader moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labReference, request } from '../support/lab_reference.mjs';
import { few, sweep } from '../support/sweep.mjs';
import { agree, openLab } from './support/lab.mjs';
import { describeInBrowsers } from './support/visits.mjs';

/** The controls of each mode besides those of the mode before it. */
const added = {
  basic: ['mode', 'scheme', 'text'],
  compare: ['compare', 'view'],
  inside: ['causal', 'offset', 'weights'],
  bench: ['dim', 'heads', 'likeness', 'seed'],
};
const modes = Object.keys(added);
const controlsOf = (mode) =>
  modes
    .slice(0, modes.indexOf(mode) + 1)
    .flatMap((name) => added[name])
    .sort();

/** Names of the controls that a reader sees. */
const seen = (lab) =>
  lab.tab.evaluate(() => {
    const parts = /** @type {HTMLInputElement[]} */ (
      inside('.drawing :is(input, select, textarea):not(.exact)')
    );
    const names = parts.map((part) => part.name || part.id);
    return [...new Set(names)].sort();
  });

const modeOf = (lab) => lab.tab.evaluate(() => figure.state.mode);
const tokensOf = (lab) => lab.texts('.lab-tokens bdi');

describeInBrowsers('the modes of the lab', (visit) => {
  test('each mode shows the controls of those before it and its own', async () => {
    const lab = await openLab(visit);
    for (const mode of modes) {
      await lab.choose('mode', mode);
      const difference = mode === 'compare' ? ['difference'] : [];
      assert.deepEqual(await seen(lab), [...controlsOf(mode), ...difference].sort(), mode);
      if (mode === 'compare') {
        assert.equal((await lab.texts('rw-score-map canvas')).length, 2, 'two schemes');
        await lab.choose('compare', 'off');
      }
      assert.equal((await lab.texts('.lab-cell')).length, modes.indexOf(mode) >= 2 ? 1 : 0);
      assert.equal((await lab.texts('.lab-heads')).length, modes.indexOf(mode) >= 2 ? 1 : 0);
    }
    assert.ok((await lab.number('elapsed')) > 0);
  });

  test('a link, an attribute and a script open the mode that has their control', async () => {
    for (const [settings, mode] of few(
      /** @type {const} */ ([
        [{ scheme: 'alibi', shuffle: '3' }, 'basic'],
        [{ scheme: 'rope-ntk' }, 'basic'],
        [{ compare: 'alibi' }, 'compare'],
        [{ layer: '1' }, 'inside'],
        [{ compare: 'alibi', offset: '7' }, 'inside'],
        [{ mode: 'basic', seed: '7' }, 'bench'],
        [{ mode: 'bench', compare: 'alibi' }, 'bench'],
      ]),
      3,
    )) {
      const lab = await openLab(visit, settings);
      assert.equal(await modeOf(lab), mode, JSON.stringify(settings));
    }
    const lab = await openLab(visit);
    await lab.drawnAfter(() => figure.setAttribute('view', 'scores'));
    assert.equal(await modeOf(lab), 'compare');
    await lab.drawnAfter(() => figure.set({ seed: 5 }).then(() => undefined));
    assert.equal(await modeOf(lab), 'bench');
    await lab.drawnAfter(() => figure.set({ seed: 1, view: 'weights' }).then(() => undefined));
    assert.equal(await modeOf(lab), 'bench', 'a control stays where it is used');
  });

  sweep('what a mode does not show is at its default, and the rest stays', async () => {
    const lab = await openLab(visit, { seed: '7', compare: 'alibi', text: 'a b a', causal: 'yes' });
    await lab.choose('mode', 'compare');
    const at = () => lab.tab.evaluate(() => figure.state);
    const { seed, causal, compare, text } = await at();
    assert.deepEqual([seed, causal, compare, text], [1, false, 'alibi', 'a b a']);
    await lab.choose('mode', 'basic');
    assert.deepEqual((await at()).compare, 'off');
    agree(await lab.table(), { ...request, tokens: ['a', 'b', 'a'] }, 'the plain lab');
  });

  test('the basic lab has five schemes, and the one on show', async () => {
    const names = () => lab.texts('input[name="scheme"] + span');
    let lab = await openLab(visit);
    assert.deepEqual(await names(), ['none', 'sinusoidal', 'learned', 'RoPE', 'ALiBi']);
    await lab.choose('scheme', 'rope-half-split');
    agree(await lab.table(), { ...request, scheme: 'rope-half-split' }, 'RoPE');
    lab = await openLab(visit, { path: 'zh/', scheme: 'rope-ntk' });
    assert.deepEqual((await names()).slice(4), ['ALiBi', 'RoPE + NTK，4 倍']);
    assert.match((await lab.texts('.lab-rows'))[0], /^“不”的 3 行不再相同，最多相差 0\.\d+：/);
    lab = await openLab(visit, { path: 'zh/', text: '猫看狗' });
    assert.match((await lab.texts('.lab-pointed p'))[0], /^最大的权重是 /);
  });

  test('rows of one word are joined: equal without position, not with one', async () => {
    /** Per map: rows of the word that is pointed at, if equal; and whether a bracket is drawn. */
    const joined = (lab) =>
      lab.tab.evaluate(async () => {
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        return inside('rw-score-map').map(({ data, marked, firstElementChild }) => {
          const canvas = firstElementChild.querySelector('canvas');
          const { width, height } = canvas;
          // A copy, since the browser warns of canvases that are read more than once.
          const copy = new OffscreenCanvas(width, height).getContext('2d');
          copy.drawImage(canvas, 0, 0);
          const density = width / canvas.clientWidth;
          const room = (data.margin ? 80 : 20) * density;
          const strip = copy.getImageData(width - room, 0, 16 * density, height).data;
          return { ...data.twins(marked.row), isDrawn: strip.some((part) => part !== 0) };
        });
      });
    let lab = await openLab(visit);
    const dogs = { rows: [1, 10], isDrawn: true };
    assert.deepEqual(await joined(lab), [{ ...dogs, areEqual: true }]);
    assert.deepEqual(await lab.texts('.lab-hint'), ['Point at a cell to read it.']);
    assert.match((await lab.texts('.lab-rows'))[0], /^The 2 rows of “dog” are equal: /);
    await lab.choose('scheme', 'rope-half-split');
    assert.deepEqual(await joined(lab), [{ ...dogs, areEqual: false }]);
    const { weights } = labReference({ ...request, scheme: 'rope-half-split' });
    const most = Math.max(...weights[1].map((weight, key) => Math.abs(weight - weights[10][key])));
    const [says] = await lab.texts('.lab-rows');
    assert.equal(/differ, by up to ([\d.]+):/.exec(says)[1], String(Number(most.toFixed(2))));
    await lab.tab.evaluate(() => inside('rw-score-map')[0].focus());
    for (let row = 2; row <= 5; row++) await lab.tab.keyboard.press('ArrowDown');
    await lab.figure.until(`/^“and”/.test(inside('.lab-pair')[0]?.textContent.trim())`);
    assert.deepEqual(await joined(lab), [{ rows: [5], isDrawn: false, areEqual: true }]);
    lab = await openLab(visit, { compare: 'alibi' });
    const equal = (await joined(lab)).map(({ areEqual }) => areEqual);
    assert.deepEqual(equal, [true, false], 'A has no position, B has');
  });

  sweep('the pair that is pointed at has its weight below the map', async () => {
    const lab = await openLab(visit, { compare: 'alibi' });
    await lab.tab.evaluate(() => inside('rw-score-map')[0].focus());
    await lab.tab.keyboard.press('ArrowDown');
    await lab.tab.keyboard.press('ArrowRight');
    await lab.figure.until(`/bit.*dog/.test(inside('.lab-pair')[0].textContent)`);
    const weight = (scheme) => labReference({ ...request, scheme }).weights[2][1].toFixed(3);
    assert.deepEqual(await lab.texts('.lab-pair'), [
      `“bit” gives “dog” ${weight('none')} (A), ${weight('alibi')} (B) of its attention.`,
    ]);
  });
});

const words = 'the dog bit the man'.split(' ');

describeInBrowsers('tokens that are moved', (visit, browser) => {
  /** Focuses the token of a place, and presses keys one after the other. */
  const press = async (lab, place, ...keys) => {
    await lab.tab.evaluate((at) => inside('.lab-tokens li')[at].focus(), place);
    for (const key of keys) await lab.figure.drawnAfter(() => lab.tab.keyboard.press(key));
  };
  const boxOf = (lab, place) =>
    lab.tab.evaluate((at) => {
      const item = inside('.lab-tokens li')[at];
      item.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top, width, height } = item.getBoundingClientRect();
      return { left, top, width, height, x: left + width / 2, y: top + height / 2 };
    }, place);

  test('arrow keys move a token, the text follows, and a screen reader is told', async () => {
    const lab = await openLab(visit, { text: words.join(' '), scheme: 'alibi' });
    await press(lab, 1, 'ArrowRight', 'ArrowRight', 'ArrowRight');
    const moved = ['the', 'bit', 'the', 'man', 'dog'];
    assert.deepEqual(await tokensOf(lab), moved);
    assert.equal(await lab.tab.evaluate(() => inside('textarea')[0].value), moved.join(' '));
    assert.deepEqual(await lab.texts('.lab-strip [role="status"]'), ['“dog” is now token 5 of 5.']);
    assert.equal(
      await lab.tab.evaluate(() => figure.shadowRoot.activeElement.textContent.trim()[0]),
      'd',
    );
    agree(await lab.table(), { ...request, tokens: moved, scheme: 'alibi' }, 'moved');
    await lab.tab.keyboard.press('ArrowUp');
    await lab.figure.until(`root.activeElement.textContent.includes('man')`);
    assert.deepEqual(await tokensOf(lab), moved, 'up and down only choose');
    await press(lab, 4, 'ArrowLeft');
    assert.deepEqual(await tokensOf(lab), ['the', 'bit', 'the', 'dog', 'man']);
  });

  test('the pointer drags a token; what is shuffled stays as it is seen', async () => {
    const lab = await openLab(visit, { text: words.join(' '), shuffle: '2' });
    const before = await tokensOf(lab);
    const { mouse } = lab.tab;
    const [from, to] = [await boxOf(lab, 0), await boxOf(lab, 3)];
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(to.x + to.width / 4, to.y, { steps: 4 });
    assert.equal(
      await lab.tab.evaluate(() => inside('[data-dragged], [data-before], [data-after]').length),
      2,
    );
    await lab.figure.drawnAfter(() => mouse.up());
    const after = [...before.slice(1, 4), before[0], before[4]];
    assert.deepEqual(await tokensOf(lab), after);
    const { text, shuffle } = await lab.tab.evaluate(() => figure.state);
    assert.deepEqual([text, shuffle], [after.join(' '), 0]);
    assert.deepEqual(await lab.texts('[data-dragged], [data-before], [data-after]'), []);
  });

  sweep('Chinese tokens are set without spaces, and pieces of a tokenizer stay', async () => {
    const lab = await openLab(visit, { path: 'zh/', text: '狗咬人。' });
    await press(lab, 0, 'ArrowRight', 'ArrowRight');
    assert.equal(await lab.tab.evaluate(() => inside('textarea')[0].value), '咬人狗。');
    assert.deepEqual(await lab.texts('.lab-strip [role="status"]'), [
      '“狗”移到了第 3 位，共 4 个词元。',
    ]);
    const llama = await openLab(visit, { weights: 'llama', text: 'the dog' });
    assert.deepEqual(await llama.texts('.is-movable, .lab-move'), []);
  });

  sweep(
    'a finger that goes sideways drags on a phone, one that goes up scrolls the page',
    async () => {
      // Puppeteer sends touches by the protocol of Chromium alone.
      if (browser !== 'chromium') return;
      const lab = await openLab(visit, { text: words.join(' ') });
      await lab.tab.setViewport({ width: 360, height: 640, hasTouch: true });
      // A screen that is touched is another page.
      await lab.ready();
      const swipe = async (x, y) => {
        const from = await boxOf(lab, 0);
        const scrolled = await lab.tab.evaluate(() => scrollY);
        const touch = await lab.tab.touchscreen.touchStart(from.x, from.y);
        for (const share of [0.2, 0.5, 1]) await touch.move(from.x + x * share, from.y + y * share);
        await touch.end();
        return scrolled;
      };
      const { x } = await boxOf(lab, 0);
      const third = await boxOf(lab, 2);
      await lab.figure.drawnAfter(() => swipe(third.left + 4 - x, 0));
      assert.deepEqual(await tokensOf(lab), ['dog', 'the', 'bit', 'the', 'man']);
      const before = await swipe(0, -150);
      await lab.tab.waitForFunction((was) => Math.abs(scrollY - was) > 50, {}, before);
      assert.deepEqual(await tokensOf(lab), ['dog', 'the', 'bit', 'the', 'man']);
    },
  );
});

describeInBrowsers('a lab that is hidden for a while', (visit) => {
  test('keeps its drawing', async () => {
    const lab = await openLab(visit);
    const isSame = await lab.tab.evaluate(async () => {
      const frames = () =>
        new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const [map] = inside('rw-score-map');
      figure.style.width = '0';
      await frames();
      const isDrawn = figure.hasAttribute('drawn');
      figure.style.width = '';
      await frames();
      return isDrawn && inside('rw-score-map')[0] === map;
    });
    assert.ok(isSame);
  });
});

/** Another theme: what is in the window is drawn anew at once, the rest one figure at a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeInChromium } from './support/visits.mjs';

/** Before the page: counts the tasks of timers, so that each change can be attributed to one. */
function countTasks() {
  const { setTimeout: later } = globalThis;
  globalThis.taskNumber = 0;
  const counting = (work, ...rest) =>
    later(
      () => {
        globalThis.taskNumber++;
        work();
      },
      ...rest,
    );
  globalThis.setTimeout = /** @type {typeof setTimeout} */ (counting);
}

/** In the page: notes for each figure in which tasks it was drawn. */
function watchDrawings() {
  globalThis.drawings = [];
  for (const figure of document.querySelectorAll('ropewalk-figure')) {
    const note = () =>
      globalThis.drawings.push({
        name: figure.getAttribute('name'),
        task: globalThis.taskNumber,
      });
    new MutationObserver(note).observe(figure.shadowRoot.querySelector('.drawing'), {
      subtree: true,
      attributes: true,
      attributeFilter: ['fill', 'stroke', 'stop-color', 'width'],
    });
  }
}

describeInChromium('the theme', (visit) => {
  test('a switch draws what is in the window at once, and of the rest one figure to a task', async () => {
    await visit.openFigure('combined-scores', {}, '', {
      prepare: async (tab) => {
        await tab.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
        await tab.evaluateOnNewDocument(countTasks);
        await tab.evaluateOnNewDocument(`${watchDrawings}`);
      },
    });
    const names = await visit.tab.$$eval('ropewalk-figure', (all) =>
      all.map((one) => one.getAttribute('name')),
    );
    for (const name of names) await visit.page.figure(name);
    await visit.page.figure('combined-scores');
    const { first, inWindow } = await visit.tab.evaluate(async () => {
      document.querySelector('[name="combined-scores"]').scrollIntoView({ behavior: 'instant' });
      for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
      watchDrawings();
      const seen = [...document.querySelectorAll('ropewalk-figure')].filter((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      });
      document.getElementById('theme').click();
      const now = globalThis.taskNumber;
      // Promises alone: no other task begins meanwhile.
      for (let turns = 0; turns < 100; turns++) await Promise.resolve();
      const drawn = globalThis.drawings.filter(({ task }) => task === now);
      return {
        first: [...new Set(drawn.map(({ name }) => name))],
        inWindow: seen.map((one) => one.getAttribute('name')),
      };
    });
    assert.ok(first.includes('combined-scores'), first.join());
    assert.deepEqual(
      first.filter((name) => !inWindow.includes(name)),
      [],
      'drawn though out of sight',
    );
    // Those with colors of numbers, which no style sheet gives them.
    const colored = ['learned-table', 'recurrent-order'];
    await visit.tab.waitForFunction(
      (wanted) => wanted.every((name) => globalThis.drawings.some((one) => one.name === name)),
      { polling: 50 },
      colored,
    );
    const drawn = await visit.tab.evaluate(() => globalThis.drawings);
    for (const { task } of drawn) {
      const others = drawn.filter((one) => one.task === task && !inWindow.includes(one.name));
      const together = [...new Set(others.map(({ name }) => name))];
      assert.ok(together.length <= 1, `task ${task} drew ${together.join()}`);
    }
  });

  test('paper does not wait for its turn', async () => {
    await visit.openFigure('alibi-slopes', {}, '', {
      prepare: (tab) =>
        tab.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]),
    });
    const figure = await visit.page.figure('alibi-slopes');
    const light = await figure.drawing();
    await visit.tab.evaluate(async () => {
      scrollTo({ top: 0, behavior: 'instant' });
      await new Promise(requestAnimationFrame);
    });
    const printed = await visit.tab.evaluate(async () => {
      const { shadowRoot: root } = document.querySelector('[name="alibi-slopes"]');
      const shown = () => root.querySelector('.drawing').querySelector('canvas').toDataURL();
      const before = shown();
      document.getElementById('theme').click();
      for (let turns = 0; turns < 20; turns++) await Promise.resolve();
      const waiting = shown() === before;
      dispatchEvent(new Event('beforeprint'));
      for (let turns = 0; turns < 20; turns++) await Promise.resolve();
      return { waiting, isDrawn: shown() !== before };
    });
    assert.deepEqual(printed, { waiting: true, isDrawn: true });
    assert.notEqual(await figure.drawing(), light);
  });
});

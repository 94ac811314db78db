/** What readers need beside the content: rest from motion, a word while they wait, the page's mark. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { players } from './support/figures.mjs';
import { describeInBrowsers } from './support/visits.mjs';

/** Requests to the worker wait until the page calls release(). */
function holdWorkers() {
  const held = [];
  globalThis.release = () => held.splice(0).forEach((send) => send());
  globalThis.Worker = class extends Worker {
    postMessage(message, transfer) {
      held.push(() => super.postMessage(message, transfer));
    }
  };
}

describeInBrowsers('comfort', (visit, name) => {
  const { open } = visit;

  /** Waits until the expression is true of the page's first figure. */
  const first = (isSo) =>
    visit.tab.waitForFunction(
      `(({ shadowRoot: root }) => ${isSo})(document.querySelector('ropewalk-figure'))`,
      { polling: 50 },
    );

  /** Whether a figure plays: its button would pause it. */
  const plays = `Boolean(root.querySelector('rw-play button [data-sign="pause"]'))`;

  const skip = name !== 'chromium' && `${name} cannot emulate media features`;
  test(
    'the first figure moves by itself, unless the reader wants less motion',
    { skip },
    async () => {
      for (const [value, isPlaying] of /** @type {const} */ ([
        ['no-preference', true],
        ['reduce', false],
      ])) {
        const features = [{ name: 'prefers-reduced-motion', value }];
        await visit.openFigure('word-order', {}, '', {
          prepare: (tab) => tab.emulateMediaFeatures(features),
        });
        await first(`root.querySelector('rw-play')`);
        const order = await visit.page.figure('word-order');
        assert.equal(await order.inside(plays), isPlaying, value);
      }
    },
  );

  const bars = `[...root.querySelectorAll('svg rect')].map((bar) =>
      bar.parentElement.textContent + getComputedStyle(bar).fill).join()`;
  /** Makes a figure draw once more, as it is. */
  const drawnAnew = async (figure, theme) => {
    const before = JSON.stringify(await figure.inside(bars));
    await visit.tab.evaluate((to) => (document.documentElement.dataset.theme = to), theme);
    await figure.until(`${bars} !== ${before}`);
  };

  test(
    'on paper nothing moves, and what paper stopped does not start by itself again',
    { skip },
    async () => {
      const features = [{ name: 'prefers-reduced-motion', value: 'no-preference' }];
      await visit.openFigure('word-order', {}, '', {
        prepare: (tab) => tab.emulateMediaFeatures(features),
      });
      const order = await visit.page.figure('word-order');
      await order.until(plays);
      await visit.tab.emulateMediaType('print');
      await order.until(`!${plays}`);
      await visit.tab.emulateMediaType('screen');
      for (const theme of ['dark', 'light']) await drawnAnew(order, theme);
      assert.equal(await order.inside(plays), false);
      await order.inside(`(root.querySelector('rw-play button').click(), 0)`);
      assert.equal(await order.inside(plays), true, 'the reader may');
    },
  );

  for (const [why, rest] of Object.entries({
    'goes onto paper': (tab) => tab.emulateMediaType('print'),
    'is to move less': (tab) =>
      tab.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]),
  })) {
    test(`whatever plays stops when the page ${why}`, { skip }, async (t) => {
      for (const figureName of players) {
        await t.test(figureName, async () => {
          const figure = await visit.figure(figureName);
          if (!(await figure.inside(plays)))
            await figure.inside(`(root.querySelector('rw-play button').click(), 0)`);
          assert.equal(await figure.inside(plays), true);
          await rest(visit.tab);
          await figure.until(`!${plays}`);
        });
      }
    });
  }

  test('a figure that has to wait says so, until its numbers are there', async () => {
    await visit.openFigure('word-order', {}, '', {
      prepare: (tab) => tab.evaluateOnNewDocument(holdWorkers),
    });
    await first(`root.querySelector('figure[aria-busy="true"] progress')`);
    await visit.tab.evaluate(() => globalThis.release());
    await first(`root.host.hasAttribute('drawn') && !root.querySelector('progress')
      && root.querySelector('figure').getAttribute('aria-busy') === 'false'`);
  });

  test('the page has its own mark', async () => {
    await open();
    const size = await visit.tab.$eval('link[rel="icon"]', async ({ href }) => {
      const image = new Image();
      image.src = href;
      await image.decode();
      return image.naturalWidth;
    });
    assert.ok(size > 0);
  });
});

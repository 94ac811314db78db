/** What readers need beside the content: rest from motion, a word while they wait, the page's mark. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { browserNames, launch } from './support/browser.mjs';
import { siteFolder, SitePage } from './support/page.mjs';
import { serve } from './support/server.mjs';

/** Questions to the worker wait until the page calls release(). */
function holdWorkers() {
  const held = [];
  globalThis.release = () => held.splice(0).forEach((send) => send());
  globalThis.Worker = class extends Worker {
    postMessage(...message) {
      held.push(() => super.postMessage(...message));
    }
  };
}

for (const name of browserNames) {
  describe(`comfort in ${name}`, () => {
    let site;
    let browser;
    let page;
    before(async () => {
      site = await serve(siteFolder);
      browser = await launch(name);
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });

    async function open(prepare) {
      await page?.page.close();
      page = new SitePage(await browser.newPage(), site.address);
      await prepare?.(page.page);
      await page.open();
    }

    /** Waits until the page's first figure is so. */
    const first = (isSo) =>
      page.page.waitForFunction(
        `(({ shadowRoot: root }) => ${isSo})(document.querySelector('ropewalk-figure'))`,
        { polling: 50 },
      );

    // Firefox cannot be told what its reader prefers over WebDriver BiDi.
    const withPreference = name === 'chromium' ? test : () => {};
    withPreference('the first figure moves by itself, unless the reader wants less motion', async () => {
      for (const [value, sign] of [['no-preference', '\u25a0'], ['reduce', '\u25b6']]) {
        await open((tab) => tab.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value }]));
        await first(`root.querySelector('rw-play')`);
        const order = await page.figure('word-order');
        assert.equal((await order.text('rw-play button'))[0], sign, value);
      }
    });

    test('a figure that has to wait says so, until its numbers are there', async () => {
      await open((tab) => tab.evaluateOnNewDocument(holdWorkers));
      await first(`root.querySelector('figure[aria-busy="true"] progress')`);
      await page.page.evaluate(() => release());
      await first(`root.host.hasAttribute('drawn') && !root.querySelector('progress')
        && root.querySelector('figure').getAttribute('aria-busy') === 'false'`);
      await page.assertNoComplaint();
    });

    test('the page has its own mark', async () => {
      await open();
      const size = await page.page.$eval('link[rel="icon"]', async ({ href }) => {
        const image = new Image();
        image.src = href;
        await image.decode();
        return image.naturalWidth;
      });
      assert.ok(size > 0);
    });
  });
}

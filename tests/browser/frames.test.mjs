/** Frames on pages of others: as high as their figures, in the theme of the page, without inline scripts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elsewhereIn } from './support/elsewhere.mjs';
import { valueIn } from './support/page.mjs';
import { describeInBrowsers } from './support/visits.mjs';

describeInBrowsers('frames', (visit) => {
  const elsewhere = elsewhereIn(visit);
  const frame = (name, search = '') =>
    `<iframe src="${elsewhere.site.url}figure/${name}/${search}" width="100%" height="300" frameborder="0"></iframe>`;
  const script = () => `<script src="${elsewhere.site.url}frames.js" async></script>`;

  async function visitPage(body, head = '') {
    return elsewhere.visit(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Another page</title>
<link rel="icon" href="data:,">${head}<h1>Another page</h1>${body}`,
      { width: 800 },
    );
  }

  /**
   * Waits until the figure of each frame is drawn and fits its frame, which becomes no lower while its
   * end is in sight; returns the frames.
   */
  async function fitting(page) {
    const frames = [];
    for (const handle of await page.page.$$('iframe')) {
      await handle.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
      const inner = await handle.contentFrame();
      // A lazy frame loads when it comes into sight: the wait may begin in what it leaves.
      const isFitting = await valueIn(
        inner,
        () =>
          document.querySelector('ropewalk-figure')?.hasAttribute('drawn') &&
          innerHeight > document.documentElement.getBoundingClientRect().height - 2,
      );
      assert.ok(isFitting, inner.url());
      frames.push(inner);
    }
    return frames;
  }

  test('one script under a strict policy makes each frame as high as its figure', async () => {
    const page = await visitPage(
      `${frame('sinusoid-shift', '?offset=7')}${frame('word-order')}${script()}`,
    );
    const [shift, order] = await fitting(page);
    const heights = await page.page.$$eval('iframe', (all) =>
      all.map(({ height }) => Number(height)),
    );
    assert.ok(heights.every((height) => height > 500) && heights[0] !== heights[1], `${heights}`);
    // It follows what the reader does.
    await shift.evaluate(() => {
      const { shadowRoot } = document.querySelector('ropewalk-figure');
      /** @type {HTMLElement} */ (shadowRoot.querySelector('.actions [aria-expanded]')).click();
    });
    await page.page.waitForFunction(
      (before) => Number(document.querySelector('iframe').height) > before + 100,
      { polling: 50 },
      heights[0],
    );
    assert.ok(order);
    await page.assertNoComplaint();
  });

  test('a frame names no height before its figure is there, and keeps what a reader sees in place', async () => {
    await elsewhere.write(
      'heights.js',
      `globalThis.heights = [];
       addEventListener('message', ({ data }) => data.height && heights.push(data.height));`,
    );
    const high = frame('word-order').replace('height="300"', 'height="780"');
    const page = await visitPage(
      `${high}<p>Text</p>${script()}`,
      '<script src="heights.js"></script>',
    );
    const inner = await (await page.page.$('iframe')).contentFrame();
    await inner.waitForSelector('ropewalk-figure[drawn]');
    await page.page.waitForFunction(() => globalThis.heights.length > 0, { polling: 50 });
    assert.ok((await page.page.evaluate(() => globalThis.heights)).every((height) => height > 300));
    const height = () => page.page.$eval('iframe', (element) => element.offsetHeight);
    assert.equal(await height(), 780, 'its end is in sight');
    await page.page.setViewport({ width: 800, height: 820 });
    await page.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(await height(), 780, 'its end would come into sight');
    await page.page.setViewport({ width: 800, height: 400 });
    await page.page.waitForFunction(
      () => document.querySelector('iframe').offsetHeight === globalThis.heights.at(-1),
      { polling: 50 },
    );
    assert.ok((await height()) < 780);
    await page.assertNoComplaint();
  });

  test('a script that comes after its frames, and a frame that comes after the script, work too', async () => {
    const page = await visitPage(`${frame('word-order')}<main></main>`);
    const inner = await (await page.page.$('iframe')).contentFrame();
    await inner.waitForSelector('ropewalk-figure[drawn]');
    assert.equal(await page.page.$eval('iframe', ({ height }) => height), '300');
    const bar = () =>
      inner.evaluate(() => getComputedStyle(document.documentElement).scrollbarWidth);
    assert.equal(await bar(), 'auto', 'a reader has to scroll');
    await page.page.evaluate((src) => {
      const late = Object.assign(document.createElement('script'), { src });
      document.body.append(late);
    }, `${elsewhere.site.url}frames.js`);
    await fitting(page);
    assert.equal(await bar(), 'none', 'a figure that grows gets no narrower');
    await page.page.evaluate((html) => {
      document.querySelector('main').innerHTML = html;
    }, frame('sinusoid-shift'));
    assert.equal((await fitting(page)).length, 2);
    await page.assertNoComplaint();
  });

  test('the theme of the page reaches its frames when it changes, but not one that has its own', async () => {
    await elsewhere.write(
      'theme.css',
      `:root { color-scheme: light; background: white; color: black }
       .dark { color-scheme: dark; background: #111; color: white }`,
    );
    const page = await visitPage(
      `${frame('word-order')}${frame('sinusoid-shift', '?theme=light')}${script()}`,
      '<link rel="stylesheet" href="theme.css">',
    );
    const frames = await fitting(page);
    const themes = () =>
      Promise.all(
        frames.map((inner) =>
          inner.evaluate(() =>
            [
              document.documentElement.dataset.theme,
              getComputedStyle(document.documentElement).colorScheme,
            ].join(),
          ),
        ),
      );
    assert.deepEqual(await themes(), ['light,light', 'light,light']);
    await page.page.evaluate(() => document.documentElement.classList.add('dark'));
    await frames[0].waitForFunction(() => document.documentElement.dataset.theme === 'dark', {
      polling: 50,
    });
    assert.deepEqual(await themes(), ['dark,dark', 'light,light']);
    // A frame that loads again is in the theme of the page, which does not change then.
    const address = `${elsewhere.site.url}figure/one-number/`;
    await page.page.$eval('iframe', (element, src) => (element.src = src), address);
    await page.page.waitForFunction(
      (src) => document.querySelector('iframe').src === src,
      { polling: 50 },
      address,
    );
    const again = await (await page.page.$('iframe')).contentFrame();
    await again.waitForFunction(
      () =>
        location.pathname.includes('one-number') &&
        document.documentElement.dataset.theme === 'dark',
      { polling: 50 },
    );
    await page.assertNoComplaint();
  });

  test('the inline script of earlier snippets still sets the height of its frame', async () => {
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Another page</title>
<link rel="icon" href="data:,">
<iframe src="${elsewhere.site.url}embed.html?figure=sinusoid-shift&amp;offset=7&amp;lang=en"
  title="x" width="100%" height="700" loading="lazy" style="border: 0"></iframe>
<script>
  addEventListener('message', ({ data, source }) => {
    if (data?.type !== 'ropewalk-height') return;
    for (const frame of document.querySelectorAll('iframe'))
      if (frame.contentWindow === source) frame.height = data.height;
  });
</script>`;
    const page = await elsewhere.visit(html, { policy: false, width: 800 });
    const [inner] = await fitting(page);
    const offset = await inner.evaluate(() => {
      const { shadowRoot } = document.querySelector('ropewalk-figure');
      return /** @type {HTMLInputElement} */ (shadowRoot.getElementById('offset')).value;
    });
    assert.equal(offset, '7');
    await page.assertNoComplaint();
  });
});

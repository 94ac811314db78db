/** Who comes back loads nothing again: what has a hash in its name is kept, the rest is unchanged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launch } from './support/browser.mjs';
import { siteFolder, SitePage } from './support/page.mjs';
import { serve } from './support/server.mjs';

/** What one visit to a page with a figure asks the server for: each file's name and its status. */
async function asked(browser, address) {
  const page = await browser.newPage();
  const wire = await page.createCDPSession();
  await wire.send('Network.enable');
  const [names, answers] = [new Map(), new Map()];
  wire.on('Network.requestWillBeSent', ({ requestId, request }) =>
    names.set(requestId, request.url.replace(address, '')),
  );
  wire.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) =>
    answers.set(requestId, statusCode),
  );
  await page.goto(`${address}opening.html`, { waitUntil: 'networkidle0' });
  // The worker has its binary then: a load that is cut off would rightly begin again.
  await new SitePage(page, address).figure('word-order');
  await page.close();
  return [...answers].map(([id, status]) => [names.get(id), status]);
}

// Firefox does not tell what it has from its cache.
test('a second visit gets no file again', async () => {
  const site = await serve(siteFolder);
  const browser = await launch('chromium');
  try {
    const first = await asked(browser, site.address);
    assert.ok(
      first.length > 10 && first.every(([, status]) => status === 200),
      JSON.stringify(first),
    );
    const names = new Set(first.map(([name]) => name));
    const second = await asked(browser, site.address);
    // A busy machine may come to a figure in one visit and not in the other.
    const again = second.filter(([name]) => names.has(name));
    assert.ok(
      again.some(([name]) => name === 'opening.html'),
      JSON.stringify(second),
    );
    for (const [name, status] of again) {
      assert.equal(status, 304, `${name}: ${status}`);
      assert.doesNotMatch(name, /^assets\/.*-[\w-]{8}\.\w+$/);
    }
  } finally {
    await browser.close();
    await site.close();
  }
});

/** Who comes back loads nothing again: what has a hash in its name is kept, the rest is unchanged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launch } from './support/browser.mjs';
import { siteFolder } from './support/page.mjs';
import { serve } from './support/server.mjs';

/** What one visit asks the server for: each answer's status, and the bytes of all bodies. */
async function asked(browser, address) {
  const page = await browser.newPage();
  const wire = await page.createCDPSession();
  await wire.send('Network.enable');
  const [answers, names] = [new Map(), new Map()];
  wire.on('Network.responseReceived', ({ requestId, response }) =>
    names.set(requestId, response.url),
  );
  wire.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) =>
    answers.set(requestId, statusCode),
  );
  await page.goto(address, { waitUntil: 'networkidle0' });
  await page.close();
  return [...answers].map(([id, status]) => [names.get(id)?.replace(address, ''), status]);
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
    const second = await asked(browser, site.address);
    assert.ok(second.length > 0);
    for (const [name, status] of second) {
      assert.equal(status, 304, name);
      assert.doesNotMatch(name, /^assets\/.*-[\w-]{8}\.\w+$/);
    }
  } finally {
    await browser.close();
    await site.close();
  }
});

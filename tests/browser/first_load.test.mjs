/** What a reader waits for before the first figure: what the build counts, and no more than it may. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytesOf, firstLoad, firstLoadLimit, sizeOf } from '../../tools/build/first_load.mjs';
import { few, sweep } from '../support/sweep.mjs';
import { browserFor, newTab } from './support/browser.mjs';
import { Elsewhere } from './support/elsewhere.mjs';
import { languages, pages } from './support/figures.mjs';
import { siteFolder } from './support/page.mjs';
import { serve } from './support/server.mjs';

/** The site's files that a fresh browser has asked for by the time the first figure is drawn. */
async function asked(browser, address, document) {
  const page = await newTab(browser);
  await page.setViewport({ width: 1200, height: 900 });
  const files = new Set();
  page.on('request', (request) => files.add(new URL(request.url()).href.replace(address, '')));
  await page.goto(address + document, { waitUntil: 'load' });
  const isDrawn = () => document.querySelector('ropewalk-figure').hasAttribute('drawn');
  await page.waitForFunction(isDrawn, { polling: 50 });
  return files;
}

/** Pages of each kind; the bytes are counted of all. A Chinese chapter may do without some font. */
const loaded = ['index.html', 'zh/index.html', 'rotation.html'];

for (const folder of Object.values(languages)) {
  for (const { path } of pages) {
    const document = `${folder}${path || 'index.html'}`;
    const limit = firstLoadLimit(document);
    test(`${document} loads at most ${limit / 1000} kB before its first figure`, async () => {
      assert.equal(limit, path === '' ? 180_000 : 250_000);
      const bytes = bytesOf(await firstLoad(siteFolder, document));
      assert.ok(bytes <= limit, `${bytes} bytes`);
    });
  }
}

// Firefox does not tell what its workers ask for.
for (const document of few(loaded)) {
  test(`${document} asks for what the build counts`, async () => {
    const counted = await firstLoad(siteFolder, document);
    const site = await serve(siteFolder);
    const browser = await browserFor('chromium');
    try {
      const files = await asked(browser, site.address, document);
      const names = counted.map(({ file }) => file);
      assert.deepEqual(
        [...files].filter((file) => !names.includes(file)),
        [],
      );
      // The icon comes whenever the browser finds the time.
      const unasked = names.filter((file) => !files.has(file) && file !== 'icon.svg');
      assert.deepEqual(unasked, []);
    } finally {
      await browser.close();
      await site.close();
    }
  });
}

test('a figure on another site loads the jobs of its chapter alone, at most 164 kB in 8 files', async () => {
  const browser = await browserFor('chromium');
  const elsewhere = new Elsewhere({ browser });
  await elsewhere.start();
  try {
    const files = await elsewhere.filesFor('sinusoid-shift');
    assert.equal(files.filter((file) => /jobs-/.test(file)).length, 1);
    assert.ok(files.length <= 8, files.join());
    const sizes = await Promise.all(files.map((file) => sizeOf(join(siteFolder, file))));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(bytes <= 164_000, `${bytes} bytes`);
  } finally {
    await browser.close();
    await elsewhere.close();
  }
});

sweep('a trained model loads one binary for training, its recorded weights none', async () => {
  const browser = await browserFor('chromium');
  const elsewhere = new Elsewhere({ browser });
  await elsewhere.start();
  try {
    const isOfModel = (file) => /ropewalk_train_|training_worker|safetensors$/.test(file);
    const first = await elsewhere.filesFor('trained-heads');
    assert.deepEqual(first.filter(isOfModel), []);
    const files = await elsewhere.filesFor('trained-heads', 'period="9"');
    const binaries = files.filter((file) => /ropewalk_train_/.test(file));
    assert.equal(binaries.length, 1, files.join());
    for (const file of files.filter((name) => name.endsWith('.js'))) {
      const { size } = await stat(join(siteFolder, file));
      assert.ok(size < 300_000, `${file} has ${size} bytes, as if it held a binary`);
    }
  } finally {
    await browser.close();
    await elsewhere.close();
  }
});

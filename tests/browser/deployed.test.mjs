/** Files of the site that are gone, as after a newer version, and that come back. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { elsewhereIn } from './support/elsewhere.mjs';
import { Figure, siteFolder } from './support/page.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const types = {
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
};

/** A host of the site. `gone` are its files that it no longer has; `kept` are texts of another version. */
async function deploy() {
  const host = { gone: [], kept: new Map(), asked: [], url: '', close: undefined };
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url, 'http://localhost');
    host.asked.push(pathname + search);
    const headers = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' };
    const send = (status, body) =>
      response
        .writeHead(status, { ...headers, 'Content-Type': types[extname(pathname)] ?? 'text/html' })
        .end(body);
    const kept = host.kept.get(pathname + search);
    if (kept !== undefined) return send(200, kept);
    if (host.gone.some((pattern) => pattern.test(pathname))) return send(404, '');
    try {
      return send(200, readFileSync(join(siteFolder, pathname)));
    } catch {
      return send(404, '');
    }
  });
  await new Promise((done) => server.listen(0, 'localhost', () => done(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  host.url = `http://localhost:${port}/`;
  host.close = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return host;
}

describeInBrowsers('files that are gone', (visits, browserName) => {
  const elsewhere = elsewhereIn(visits);
  let host;
  before(async () => (host = await deploy()));
  beforeEach(() => Object.assign(host, { gone: [], kept: new Map(), asked: [] }));
  after(() => host.close());

  const name = 'sinusoid-shift';

  /** A page with the snippet of a figure below the window, or at once. */
  async function open({ lang = 'en', isBelow = false, script = 'elements.js' } = {}) {
    const page = await elsewhere.visit(
      `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>A page</title>
<link rel="icon" href="data:,"><script type="module" src="${host.url}${script}"></script>
<div style="height: ${isBelow ? 5000 : 0}px"></div>
<ropewalk-figure name="${name}">
<a href="${host.url}sinusoid.html#${name}">The figure</a>
<img src="${host.url}stills/${name}_${lang}.webp" alt="" width="100%">
</ropewalk-figure>`,
      { from: host, policy: false },
    );
    await page.page.evaluate(() => (globalThis.isSameDocument = true));
    return page;
  }

  /** The figure, as soon as it says so in these words; its still and its link show. */
  async function failed(page, words) {
    const figure = new Figure(page.page, name);
    await figure.until(`(element.scrollIntoView(),
      ((element.innerText + (root?.querySelector('.fault')?.innerText ?? '')).includes(${JSON.stringify(words)})))`);
    const shown = await figure.inside(`['a', 'img'].map((part) =>
      element.querySelector(part).getBoundingClientRect().height > 0)`);
    assert.deepEqual(shown, [true, true], 'link and still');
    assert.equal(await figure.inside(`root?.querySelector('.drawing') == null`), true);
    return figure;
  }

  /** Presses the button beside the words: the figure draws, as a rule in the same page. */
  async function again(figure, mayReload = false) {
    const button = `(root?.querySelector('.retry') ?? element.querySelector('.ropewalk-fault button'))`;
    // What was computed a second time meanwhile needs no button.
    await figure.inside(`(${button}?.click(), 0)`);
    await figure.until(`element?.hasAttribute('drawn')`);
    // Firefox remembers the failure of a script that others import, as long as the page is open.
    if (!mayReload) assert.equal(await figure.page.evaluate(() => globalThis.isSameDocument), true);
    assert.equal(await figure.inside(`element.querySelector('.ropewalk-fault') === null`), true);
  }

  test('a chunk of the figure: still, link and a line; a second try draws it', async () => {
    const page = await open({ isBelow: true });
    await page.page.waitForFunction(() => customElements.get('ropewalk-figure'));
    host.gone = [/\/shift-/];
    const figure = await failed(page, 'This figure could not be loaded.');
    host.gone = [];
    await again(figure);
    const tries = host.asked.filter((path) => /\/shift-/.test(path));
    assert.ok(
      tries.some((path) => path.includes('?again=')),
      tries.join(),
    );
  });

  test('a chunk that is missing for a moment is noticed by nobody', async () => {
    const page = await open({ isBelow: true });
    await page.page.waitForFunction(() => customElements.get('ropewalk-figure'));
    host.gone = [/\/shift-[^?]*$/];
    host.kept = { get: (path) => (path.includes('?again') ? fileOf(path) : undefined) };
    await page.figure(name);
  });

  const fileOf = (path) => readFileSync(join(siteFolder, path.replace(/\?.*/, '')));

  test('a script that the browser kept from the version before loads the one of now', async () => {
    const old = readFileSync(join(siteFolder, 'elements.js'), 'utf8');
    host.kept.set('/elements.js', old.replaceAll(/figure-[\w-]{8}\.js/g, 'figure-00000000.js'));
    const page = await open();
    await page.figure(name);
    assert.ok(host.asked.some((path) => path.startsWith('/elements.js?again=')));
  });

  for (const [lang, words] of [
    ['en', 'This figure could not be loaded.'],
    ['zh', '这幅图未能加载。'],
  ]) {
    test(`the first chunk: the same in ${lang}, and once it is back the button works`, async () => {
      host.gone = [/\/figure-/];
      const page = await open({ lang });
      const figure = await failed(page, words);
      host.gone = [];
      await again(figure, browserName === 'firefox');
    });
  }

  test('the binary: still, link and a line, never an empty box', async () => {
    host.gone = [/\.wasm$/];
    const page = await open();
    const figure = await failed(page, 'This could not be computed');
    host.gone = [];
    await again(figure);
  });

  test('the worker: the same', async () => {
    host.gone = [/\/worker-/];
    const figure = await failed(await open(), 'This could not be computed');
    host.gone = [];
    await again(figure);
  });

  test('the script of this version at its own address, with the hash of integrity.json', async () => {
    const hashes = JSON.parse(readFileSync(join(siteFolder, 'integrity.json'), 'utf8'));
    const files = Object.keys(hashes);
    const { version } = JSON.parse(
      readFileSync(join(siteFolder, '..', '..', 'package.json'), 'utf8'),
    );
    assert.deepEqual(files, ['elements.js', `v/${version}/elements.js`]);
    for (const file of files) {
      const hash = createHash('sha384').update(readFileSync(join(siteFolder, file)));
      assert.equal(hashes[file], `sha384-${hash.digest('base64')}`);
    }
    const pinned = `v/${version}/elements.js`;
    const page = await open({ script: `${pinned}" crossorigin integrity="${hashes[pinned]}` });
    const figure = await page.figure(name);
    assert.equal(
      await figure.inside('customElements.get("ropewalk-figure").host.home("en").href'),
      host.url,
    );
  });
});

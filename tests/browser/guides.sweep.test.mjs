/** The guides' code in browsers, as copied: built by the reader's own Vite, or pasted into a page. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { serve } from '../../tools/serve.mjs';
import { guideNames, promised, snippets } from '../support/guides.mjs';
import { newTab, patience } from './support/browser.mjs';
import { elsewhereIn } from './support/elsewhere.mjs';
import { SitePage } from './support/page.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const root = join(import.meta.dirname, '..', '..');
const libraries = join(root, 'tests/guides/node_modules');
const filesOf = (guide) => snippets.filter((one) => one.guide === guide && one.kind === 'file');
const projects = guideNames.filter((guide) =>
  filesOf(guide).some(({ file }) => file.startsWith('main.')),
);
const policies = new Map(
  snippets.filter(({ kind }) => kind === 'policy').map(({ guide, code }) => [guide, code.trim()]),
);

/** Browsers request an icon from the root of the site where the page names none. */
const iconless = '<link rel="icon" href="data:,">';
const documentOf = (html) =>
  `<!doctype html><html lang="en"><title>x</title>${iconless}${html}</html>`;

/** One build serves both browsers. */
const made = new Map();
const builtOnce = (guide) => made.get(guide) ?? made.set(guide, built(guide)).get(guide);
after(async () => {
  for (const folder of made.values()) await rm(await folder, { recursive: true });
});

/** A reader's project: the guide's files beside what npm would have installed, built by Vite. */
async function built(guide) {
  const folder = await mkdtemp(join(root, 'build', 'guide-'));
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await symlink(root, join(modules, 'ropewalk'));
  for (const name of ['react', 'react-dom', 'vue', 'svelte', '@vitejs', '@sveltejs'])
    await symlink(join(libraries, name), join(modules, name));
  const files = filesOf(guide);
  for (const { file, code } of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), code);
  }
  const main = files.find(({ file }) => file.startsWith('main.')).file;
  const html = documentOf(`<div id="app"></div><script type="module" src="./${main}"></script>`);
  await writeFile(join(folder, 'index.html'), html);
  const config = join(folder, 'vite.config.js');
  const { default: own = {} } = existsSync(config) ? await import(pathToFileURL(config).href) : {};
  const output = { outDir: 'out', chunkSizeWarningLimit: 2000, ...own.build };
  await build({
    ...own,
    configFile: false,
    root: folder,
    base: './',
    logLevel: 'error',
    build: output,
    // Our package is a link here, beside whose real place there is no React.
    resolve: { dedupe: ['react'] },
    worker: { format: 'es' },
  });
  return folder;
}

describeInBrowsers('guides', (visits) => {
  const elsewhere = elsewhereIn(visits);
  const open = [];
  after(async () => {
    for (const close of open) await close();
  });

  async function visit(guide) {
    const folder = await builtOnce(guide);
    const policy = policies.get(guide);
    const headers = policy ? { 'Content-Security-Policy': `${policy}; img-src data:` } : {};
    const server = await serve(join(folder, 'out'), { base: '/some/where/', headers });
    open.push(() => server.close());
    const page = new SitePage(await newTab(visits.browser), server.url);
    const printed = [];
    page.page.on('console', (message) => {
      if (message.type() === 'log') printed.push(message.text());
    });
    await page.open();
    return { page, printed, server };
  }

  /** Every line that the guide promises, in order. */
  async function assertPrinted(guide, printed, page) {
    const wanted = filesOf(guide).flatMap(({ code }) => promised(code));
    const limit = AbortSignal.timeout(patience);
    while (printed.length < wanted.length && !limit.aborted) {
      await new Promise((done) => {
        page.page.once('console', done);
        limit.addEventListener('abort', done);
      });
    }
    assert.deepEqual(printed.slice(0, wanted.length), wanted);
  }

  for (const guide of projects) {
    test(`${guide}: the project builds and gives the printed result`, async () => {
      const { page, printed } = await visit(guide);
      const draws = filesOf(guide).some(({ code }) =>
        /<(ropewalk-figure|RopewalkFigure)/.test(code),
      );
      if (draws) {
        const figure = await page.figure('sinusoid-shift');
        const offset = () => figure.inside(`root.getElementById('offset').value`);
        assert.equal(await offset(), '7');
        await figure.drawnAfter(() => page.page.click('#app button'));
        assert.equal(await offset(), '8', 'the framework moves the figure');
      } else {
        await assertPrinted(guide, printed, page);
        assert.ok(printed.length > 0);
      }
      await page.assertNoComplaint();
    });
  }

  test('offline: the page loads again without its server', async () => {
    const { page, printed, server } = await visit('offline');
    await assertPrinted('offline', printed, page);
    await page.page.evaluate(() => navigator.serviceWorker.ready.then(() => 0));
    printed.length = 0;
    await page.page.reload({ waitUntil: 'load' }); // through the service worker, which keeps what it sees
    await assertPrinted('offline', printed, page);
    await server.close();
    printed.length = 0;
    await page.page.reload({ waitUntil: 'load' });
    await assertPrinted('offline', printed, page);
  });

  test('blog: both snippets draw on a page of another site', async () => {
    const isOfOneVersion = (code) => code.includes('/v/');
    const pasted = snippets.filter(
      ({ guide, kind, code }) => guide === 'blog' && kind === 'page' && !isOfOneVersion(code),
    );
    assert.equal(pasted.length, 2);
    for (const { code } of pasted) {
      const html = code.replaceAll('https://where-the-site-is/', elsewhere.site.url);
      // So low that no frame ends in sight, where it would keep its height.
      const prepare = (tab) => tab.setViewport({ width: 1000, height: 300 });
      const page = await elsewhere.visit(documentOf(html), { policy: false, prepare });
      if (html.includes('<iframe')) {
        const given = /height="(\d+)"/.exec(html)[1];
        await page.page.waitForFunction(
          (height) => document.querySelector('iframe').height !== height,
          { polling: 50 },
          given,
        );
      } else {
        const figure = await page.figure('sinusoid-shift');
        assert.equal(await figure.inside(`root.getElementById('offset').value`), '7');
      }
      await page.assertNoComplaint();
    }
  });

  test('article: each paragraph sets the figure as it crosses the window, and the text follows', async () => {
    const [{ code }] = snippets.filter(({ guide, kind }) => guide === 'article' && kind === 'page');
    const html = code.replaceAll('https://where-the-site-is/', elsewhere.site.url);
    await elsewhere.write('page.css', 'p { margin-block: 900px }');
    const styled = `<link rel="stylesheet" href="page.css">${html}`;
    const page = await elsewhere.visit(documentOf(styled), { policy: false });
    const figure = await page.figure('sinusoid-shift');
    const shows = (offset) =>
      page.page.waitForFunction(
        (wanted) => document.querySelector('output').textContent === wanted,
        { polling: 50 },
        String(offset),
      );
    for (const offset of [1, 7, 30, 7]) {
      await page.page.$eval(`[data-offset="${offset}"]`, (step) =>
        step.scrollIntoView({ block: 'center', behavior: 'instant' }),
      );
      await shows(offset);
      assert.equal(await figure.inside('element.state.offset'), offset);
    }
    await figure.set('offset', 12);
    await shows(12);
    await page.assertNoComplaint();
  });

  test('hosts: the rule of the guide sets colors and letters of a figure', async () => {
    const [{ code }] = snippets.filter(
      ({ guide, syntax }) => guide === 'hosts' && syntax === 'css',
    );
    await elsewhere.write('page.css', code);
    const script = `<script type="module" src="${elsewhere.site.url}elements.js"></script>`;
    const element = '<ropewalk-figure name="sinusoid-shift"></ropewalk-figure>';
    const html = documentOf(`<link rel="stylesheet" href="page.css">${script}${element}`);
    const page = await elsewhere.visit(html, { policy: false });
    const figure = await page.figure('sinusoid-shift');
    const styles = await figure.inside(`['.drawing', '.controls'].map((part) => {
      const { backgroundColor, fontFamily } = getComputedStyle(root.querySelector(part));
      return backgroundColor + ' ' + fontFamily;
    })`);
    assert.match(styles[0], /^rgb\(255, 255, 255\) /);
    assert.match(styles[1], / Inter, sans-serif$/);
    await page.assertNoComplaint();
  });

  test('observable: the cells show the figure', async () => {
    const cells = snippets.filter(({ kind }) => kind === 'observable').map(({ code }) => code);
    const code = cells.join('\n').replaceAll('https://where-the-site-is/', elsewhere.site.url);
    const display = 'const display = (value) => document.body.append(value);';
    const html = documentOf(`<script type="module">${display}\n${code}</script>`);
    const page = await elsewhere.visit(html, { policy: false });
    await page.page.waitForSelector('ropewalk-figure');
    const figure = await page.figure('sinusoid-shift');
    assert.equal(await figure.inside(`root.getElementById('offset').value`), '7');
    await page.assertNoComplaint();
  });
});

/**
 * Figures in one file, as `ropewalk figure` writes it: from the disk, from a server, under a strict
 * policy, and within a page that Pandoc made.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serve } from '../../tools/serve.mjs';
import { sweep } from '../support/sweep.mjs';
import { newTab } from './support/browser.mjs';
import { temporaryFolder } from './support/folder.mjs';
import { SitePage } from './support/page.mjs';
import { describeInBrowsers, describeInChromium } from './support/visits.mjs';

const command = join(import.meta.dirname, '../../dist/package/cli/node_bin.js');
const head = '<!doctype html><meta charset="utf-8"><title>x</title><link rel="icon" href="data:,">';
const own = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src data:";

function make(folder) {
  const figure = ['figure', 'sinusoid-shift', '--set', 'offset=7', '--out', folder];
  execFileSync(process.execPath, [command, ...figure]);
}

// Firefox cannot be driven without scripts.
describeInChromium('the page of a figure in one file, without scripts', (visits) => {
  const made = temporaryFolder();

  test('keeps no more place than the picture needs', async (t) => {
    make(made.path);
    const tab = await newTab(visits.browser);
    t.after(() => tab.close());
    await tab.setJavaScriptEnabled(false);
    await tab.goto(pathToFileURL(join(made.path, 'figure.html')).href);
    const [still, page] = await tab.evaluate(async () => {
      const picture = document.querySelector('img');
      await picture.decode();
      return [picture.getBoundingClientRect().bottom, document.documentElement.scrollHeight];
    });
    assert.ok(page < Math.max(still + 60, 900), `${page} px for a picture that ends at ${still}`);
  });
});

describeInBrowsers('figures in one file', (visits) => {
  const made = temporaryFolder();
  const pathOf = (name) => join(made.path, name);

  before(() => make(made.path));

  /**
   * Opens a page of the folder, from the disk or from `server`. Judged when the test ends: nothing
   * was requested but the files named, and nothing went wrong.
   */
  async function visit(
    t,
    name,
    { server = undefined, files = [name, 'elements.single.js'], isJudged = true },
  ) {
    const tab = await newTab(visits.browser);
    t.after(() => tab.close());
    await tab.evaluateOnNewDocument(() => {
      globalThis.replies = 0;
      globalThis.Worker = class extends Worker {
        constructor(address, options) {
          super(address, options);
          this.addEventListener('message', () => globalThis.replies++);
        }
      };
    });
    const folder = server?.url ?? `${pathToFileURL(made.path).href}/`;
    const page = new SitePage(tab, folder + name, [folder]);
    const requested = [];
    tab.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url())) requested.push(request.url().slice(folder.length));
    });
    await page.open();
    const judge = async () => {
      // Firefox does not tell of files from the disk.
      if (server) assert.deepEqual(requested.toSorted(), files.toSorted());
      if (isJudged) await page.assertNoComplaint();
    };
    return { page, judge };
  }

  async function served(t, headers = {}) {
    const server = await serve(made.path, { base: '/deep/', headers });
    t.after(() => server.close());
    return server;
  }

  /** It draws with the state of the command, and a slider moves it. */
  async function operate(page) {
    const figure = await page.figure('sinusoid-shift');
    assert.equal(await figure.inside('element.state.offset'), 7);
    const before = await figure.drawing();
    await figure.set('offset', 12);
    assert.notEqual(await figure.drawing(), before);
    assert.equal(await figure.inside(`root.querySelectorAll(':not(:defined)').length`), 0);
    return figure;
  }

  test('straight from the disk it draws by a worker, and a slider moves it', async (t) => {
    const { page, judge } = await visit(t, 'figure.html', {});
    await operate(page);
    assert.ok(await page.page.evaluate(() => globalThis.replies > 0), 'by a worker');
    await judge();
  });

  test('a worker computes it where workers are allowed, and the page itself where not', async (t) => {
    for (const workers of ['blob:', "'none'"]) {
      const policy = `${own}; worker-src ${workers}`;
      const server = await served(t, { 'Content-Security-Policy': policy });
      const isJudged = workers === 'blob:';
      const { page, judge } = await visit(t, 'figure.html', { server, isJudged });
      await operate(page);
      const replies = await page.page.evaluate(() => globalThis.replies);
      assert.equal(replies > 0, workers === 'blob:', policy);
      await judge();
    }
  });

  sweep('as a part of the page it needs no file, and a second copy changes nothing', async (t) => {
    const script = `<script>${readFileSync(pathOf('elements.single.js'), 'utf8')}</script>`;
    const element = '<ropewalk-figure name="sinusoid-shift" offset="7"></ropewalk-figure>';
    writeFileSync(pathOf('inline.html'), `${head}${script}${element}${script}`);
    const server = await served(t, { 'Content-Security-Policy': '' });
    const { page, judge } = await visit(t, 'inline.html', { server, files: ['inline.html'] });
    await operate(page);
    await judge();
  });

  sweep('a module imports it, as bundlers do', async (t) => {
    const script = '<script type="module" src="main.js"></script>';
    const element = '<ropewalk-figure name="sinusoid-shift" offset="7"></ropewalk-figure>';
    writeFileSync(pathOf('main.js'), "import './elements.single.js';\n");
    writeFileSync(pathOf('module.html'), `${head}${script}${element}`);
    const files = ['module.html', 'main.js', 'elements.single.js'];
    const { page, judge } = await visit(t, 'module.html', { server: await served(t), files });
    await operate(page);
    await judge();
  });

  test('the static page has no script, and shows the picture', async (t) => {
    const files = ['static.html'];
    const { page, judge } = await visit(t, 'static.html', { server: await served(t), files });
    const [scripts, width] = await page.page.evaluate(async () => {
      const picture = document.querySelector('img');
      await picture.decode();
      return [document.scripts.length, picture.naturalWidth];
    });
    assert.equal(scripts, 0);
    assert.ok(width > 600);
    await judge();
  });

  const { error, stdout } = spawnSync('pandoc', ['--version'], { encoding: 'utf8' });
  const skip = error && 'pandoc is not on PATH';
  test(`Pandoc embeds it, ${skip || stdout.split('\n')[0]}`, { skip }, async (t) => {
    const html = readFileSync(pathOf('figure.html'), 'utf8');
    const [, lines] = /<!-- Copy .*-->\n([^]*)\n<!-- … to here/.exec(html);
    writeFileSync(
      pathOf('post.md'),
      `---\ntitle: A post\n---\n\nText.\n\n${lines}\n\nMore text.\n`,
    );
    const flags = ['--standalone', '--self-contained', '--output=post.html', 'post.md'];
    execFileSync('pandoc', flags, { cwd: made.path });
    const { page, judge } = await visit(t, 'post.html', {});
    await operate(page);
    await judge();
  });
});

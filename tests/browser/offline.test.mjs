/** What failed to load is loaded again when the reader presses the retry button. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../../tools/serve.mjs';
import { few, sweep } from '../support/sweep.mjs';
import { patience } from './support/browser.mjs';
import { siteFolder } from './support/page.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const base = '/some/where/';

describeInBrowsers('a site that was away', (visit) => {
  /** A page of a site that leaves after `until`; `work` is given what brings the site back. */
  async function whereItLeaves(path, until, work) {
    let site = await serve(siteFolder, { base });
    const port = Number(new URL(site.url).port);
    try {
      await visit.open(path, { address: site.url });
      visit.page.expectsComplaints = true;
      await visit.tab.waitForFunction(until, { polling: 20 });
      await site.close();
      await work(async () => (site = await serve(siteFolder, { base, port })));
    } finally {
      await site.close();
    }
  }

  const isDrawn = (figure) => `document.querySelector('[name="${figure}"]').hasAttribute('drawn')`;
  const says = (figure, selector) =>
    visit.tab.waitForFunction(
      (wanted, part) => {
        const element = document.querySelector(`[name="${wanted}"]`);
        element?.scrollIntoView();
        return element?.shadowRoot?.querySelector(part)?.textContent.trim();
      },
      { polling: 50 },
      figure,
      selector,
    );
  const press = (figure) =>
    visit.tab.evaluate((wanted) => {
      const { shadowRoot } = document.querySelector(`[name="${wanted}"]`);
      /** @type {HTMLElement} */ (shadowRoot.querySelector('.retry')).click();
    }, figure);
  // Trying again may reload the page, and a wait inside the page can be lost with it: each look is
  // a new one. After a reload the window may stand elsewhere, and what is out of sight does not load.
  async function drawn(figure) {
    const look = async (wanted) => {
      await new Promise(requestAnimationFrame);
      const element = document.querySelector(`[name="${wanted}"]`);
      element.scrollIntoView();
      return element.hasAttribute('drawn');
    };
    const late = AbortSignal.timeout(patience);
    while (!late.aborted) {
      const answer = visit.tab.evaluate(look, figure).catch(() => false);
      if ((await Promise.race([answer, once(AbortSignal.timeout(5000), 'abort')])) === true) return;
    }
    const shown = await visit.tab.evaluate(
      (wanted) => document.querySelector(`[name="${wanted}"]`).shadowRoot?.textContent,
      figure,
    );
    assert.fail(`${figure} is not drawn within ${patience / 1000} s; it shows ${shown}`);
  }

  for (const [path, label] of few([
    ['rotation.html?rotary-decay.dim=32', 'Try again'],
    ['zh/rotation.html?rotary-decay.dim=32', '重试'],
  ])) {
    test(`a figure that could not be loaded says “${label}” and then draws, at its settings`, async () => {
      await whereItLeaves(path, isDrawn('rotary-clocks'), async (bringBack) => {
        assert.equal(await (await says('rotary-decay', '.retry')).jsonValue(), label);
        await press('rotary-decay');
        await says('rotary-decay', '.retry');
        await bringBack();
        await press('rotary-decay');
        await drawn('rotary-decay');
        const figure = await visit.page.figure('rotary-decay');
        assert.equal(await figure.inside(`root.getElementById('dim').value`), '32');
        assert.equal(await figure.text('.fault'), undefined);
      });
    });
  }

  test('an engine that could not be loaded is requested again', async () => {
    const shut = () => {
      const { fetch } = globalThis;
      globalThis.Worker = new Proxy(Worker, {
        construct() {
          throw new Error('no workers here');
        },
      });
      globalThis.fetch = async () => new Response('', { status: 503 });
      globalThis.restoreFetch = () => void (globalThis.fetch = fetch);
    };
    const prepare = (tab) => tab.evaluateOnNewDocument(shut);
    await visit.openFigure('word-order', {}, '', { prepare });
    await says('word-order', '.retry');
    await press('word-order');
    await says('word-order', '.retry');
    await visit.tab.evaluate(() => globalThis.restoreFetch());
    await press('word-order');
    await drawn('word-order');
  });

  sweep('jobs that could not be loaded are requested again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ropewalk-without-jobs-'));
    await cp(siteFolder, folder, { recursive: true });
    const assets = join(folder, 'assets');
    const jobs = (await readdir(assets)).filter((file) => /jobs-.*\.js$/.test(file));
    const move = (from, to) =>
      Promise.all(jobs.map((file) => rename(join(from, file), join(to, file))));
    const site = await serve(folder, { base });
    try {
      await move(assets, folder);
      await visit.open('sinusoid.html', { address: site.url });
      visit.page.expectsComplaints = true;
      await says('sinusoid-shift', '.retry');
      await move(folder, assets);
      await press('sinusoid-shift');
      await drawn('sinusoid-shift');
    } finally {
      await site.close();
      await rm(folder, { recursive: true });
    }
  });

  test('a figure that there is not offers no retry', async () => {
    await visit.open('embed.html?figure=nothing');
    await says('nothing', '.fault');
    assert.equal(
      await visit.tab.evaluate(() =>
        document.querySelector('ropewalk-figure').shadowRoot.querySelector('.retry'),
      ),
      null,
    );
  });
});

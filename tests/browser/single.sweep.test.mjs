/** Every figure in a file of its own: nothing that it needs is missing, at any of its settings. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { run } from '../../dist/package/cli/main.js';
import { newTab } from './support/browser.mjs';
import { figureNames } from './support/figures.mjs';
import { temporaryFolder } from './support/folder.mjs';
import { SitePage } from './support/page.mjs';
import { prepareSettings } from './support/settings.mjs';
import { describeInChromium } from './support/visits.mjs';

/** `ropewalk figure` in this process: each of its own would load the package first. */
async function writeFigure(name, out) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await run(['figure', name, '--out', out], { stdout, stderr });
  assert.equal(code, 0, String(stderr.read()));
}

describeInChromium('every figure in one file', (visits) => {
  const made = temporaryFolder();

  for (const name of figureNames) {
    test(`${name}: all its settings draw, and nothing is requested`, async (t) => {
      const folder = join(made.path, name);
      await writeFigure(name, folder);
      const tab = await newTab(visits.browser);
      t.after(() => tab.close());
      await prepareSettings(tab);
      const address = pathToFileURL(join(folder, 'figure.html')).href;
      const page = new SitePage(tab, address, [pathToFileURL(folder).href]);
      await page.open();
      await page.figure(name);
      const faults = await tab.evaluate(async (wanted) => {
        const figure = document.querySelector(`ropewalk-figure[name="${wanted}"]`);
        const found = [];
        for (const settings of settingsOf(figure, { texts: [], count: 0 })) {
          await show(figure, settings);
          const fault = figure.shadowRoot.querySelector('.fault')?.textContent;
          if (fault) found.push(`${fault} at ${JSON.stringify(settings)}`);
        }
        return found;
      }, name);
      assert.deepEqual(faults, []);
      await page.assertNoComplaint();
    });
  }

  test('a model trains in the page', async (t) => {
    const folder = join(made.path, 'trained');
    await writeFigure('length-race', folder);
    const tab = await newTab(visits.browser);
    t.after(() => tab.close());
    const address = pathToFileURL(join(folder, 'figure.html')).href;
    const page = new SitePage(tab, address, [pathToFileURL(folder).href]);
    await page.open();
    const figure = await page.figure('length-race');
    await figure.inside(`([...root.querySelectorAll('button')]
      .find(({ textContent }) => textContent.includes('Train')).click(), 0)`);
    await figure.until(`/step \\d+ of/.test(root.querySelector('figure').textContent)`);
    await page.assertNoComplaint();
  });
});

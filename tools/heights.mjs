// Measures the height of each figure at its defaults for several widths of the window, and writes
// web/style/heights.json with it, of which the page reserves what a figure will take.
import { readFile, writeFile } from 'node:fs/promises';
import { inRoot } from './setup/paths.mjs';

const file = inRoot('web/style/heights.json');

/** @param {Record<string, string[]>} pages in each language, the addresses of the pages with figures */
export async function writeHeights(browser, pages) {
  const { widths } = JSON.parse(await readFile(file, 'utf8'));
  const heights = {};
  for (const [language, urls] of Object.entries(pages))
    for (const url of urls)
      for (const [name, measured] of Object.entries(await heightsOn(browser, url, widths)))
        (heights[name] ??= {})[language] = measured;
  const list = (numbers) => `[${numbers.join(', ')}]`;
  const rows = Object.entries(heights).map(
    ([name, of]) => `"${name}": { "en": ${list(of.en)}, "zh": ${list(of.zh)} }`,
  );
  const text = `{
  "widths": ${list(widths)},
  "heights": {
    ${rows.join(',\n    ')}
  }
}
`;
  await writeFile(file, text);
}

/** The heights of every figure by its name, for each width. */
async function heightsOn(browser, url, widths) {
  const page = await browser.newPage();
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  await page.goto(url, { waitUntil: 'load' });
  await page.$$eval('ropewalk-figure', (all) => Promise.all(all.map((figure) => figure.load())));
  const heights = {};
  for (const width of widths) {
    await page.setViewport({ width, height: 900 });
    // Figures get their new width after one layout and draw for it before the next.
    await page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(done))));
    await page.waitForFunction(() =>
      [...document.querySelectorAll('ropewalk-figure')].every(
        (figure) =>
          figure.hasAttribute('drawn') &&
          !figure.isUpdatePending &&
          figure.width === Math.floor(figure.getBoundingClientRect().width),
      ),
    );
    const now = await page.$$eval('ropewalk-figure', (all) =>
      all.map((figure) => [
        figure.getAttribute('name'),
        Math.round(figure.getBoundingClientRect().height),
      ]),
    );
    for (const [name, height] of now) (heights[name] ??= []).push(height);
  }
  await page.close();
  return heights;
}

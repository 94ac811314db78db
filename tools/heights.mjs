// How high each figure is at its defaults, by the width of the window: what the page keeps free
// until the figure draws, so that nothing moves then. `npm run screenshots` writes it into
// web/style/heights.css.
import { writeFile } from 'node:fs/promises';
import { inRoot } from './setup/paths.mjs';

/** Of the window, in CSS pixels; between two of them heights are interpolated. */
const widths = [320, 360, 390, 430, 520, 639, 640, 760, 850, 920, 1000, 1120, 1224];

/** @param pages the address of the page in each language */
export async function writeHeights(browser, pages) {
  const rules = [];
  for (const [language, url] of Object.entries(pages)) {
    const heights = await measured(browser, url);
    for (const name of Object.keys(heights[0])) {
      const sum = heights.map((of, k) => `${of[name]} * var(--w${k})`);
      rules.push(`ropewalk-figure[name='${name}']:lang(${language}) {
  --reserved: calc(
    ${lines(sum).join(' +\n    ')}
  );
}`);
    }
  }
  const text = `/*
 * Written by npm run screenshots: the height of each figure at its defaults, which the page keeps
 * free until the figure draws. It is measured at some widths of the window. The --w are their
 * weights at the width of today's window, in pixels: two neighbours share 1px.
 */
${weights().join('\n')}
${rules.join('\n')}
`;
  await writeFile(inRoot('web/style/heights.css'), text);
}

/** For each width, the height of every figure by its name. */
async function measured(browser, url) {
  const page = await browser.newPage();
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  await page.goto(url, { waitUntil: 'load' });
  await page.$$eval('ropewalk-figure', (all) => Promise.all(all.map((figure) => figure.load())));
  const heights = [];
  for (const width of widths) {
    await page.setViewport({ width, height: 900 });
    // Figures hear of their new width after the layout and draw for it before the next.
    await page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(done))));
    await page.waitForFunction(() =>
      [...document.querySelectorAll('ropewalk-figure')].every(
        (figure) =>
          figure.hasAttribute('drawn') &&
          !figure.isUpdatePending &&
          figure.width === Math.floor(figure.getBoundingClientRect().width),
      ),
    );
    heights.push(
      await page.$$eval('ropewalk-figure', (all) =>
        Object.fromEntries(
          all.map((figure) => [
            figure.getAttribute('name'),
            Math.round(figure.getBoundingClientRect().height),
          ]),
        ),
      ),
    );
  }
  await page.close();
  return heights;
}

/** The shares of the measured widths in each stretch of the window's. */
function weights() {
  const last = widths.length - 1;
  const none = widths.map((_, k) => `--w${k}: 0px;`);
  const stretches = widths.slice(0, -1).map((from, k) => {
    const to = widths[k + 1];
    const share = (part) => `calc((${part}) / ${to - from})`;
    return `@media (${from}px <= width < ${to}px) {
  :root {
    --w${k}: ${share(`${to}px - 100vw`)};
    --w${k + 1}: ${share(`100vw - ${from}px`)};
  }
}`;
  });
  return [
    `:root {\n  ${lines(none, ' ').join('\n  ')}\n}`,
    `@media (width < ${widths[0]}px) {\n  :root {\n    --w0: 1px;\n  }\n}`,
    ...stretches,
    `@media (width >= ${widths[last]}px) {\n  :root {\n    --w${last}: 1px;\n  }\n}`,
  ];
}

/** Parts joined four to a line. */
const lines = (parts, between = ' + ') =>
  Array.from({ length: Math.ceil(parts.length / 4) }, (_, k) =>
    parts.slice(4 * k, 4 * k + 4).join(between),
  );

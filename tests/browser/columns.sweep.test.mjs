/** Every figure in columns of another site, narrower than its window: nothing is cut or overlaps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complaintsOf, prepareComplaints } from './support/complaints.mjs';
import { elsewhereIn } from './support/elsewhere.mjs';
import { figureNames, languages } from './support/figures.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const widths = [360, 480, 600, 720, 768];
const windowWidth = 1440;

describeInBrowsers('columns', (visit, name) => {
  const elsewhere = elsewhereIn(visit);

  for (const [turn, language] of Object.keys(languages).entries()) {
    // A second language differs in the lengths of its lines, at any width. Another engine differs in how
    // it lays out a width, in any language.
    const isEvery = name === 'chromium' && language === 'en';
    const tried = widths.filter((_, k) => isEvery || k % 2 === (name === 'chromium' ? 0 : turn));
    test(`${language}: nothing is wider than its column, and nothing lies on anything else`, async (t) => {
      const figures = figureNames.map((one) => `<ropewalk-figure name="${one}"></ropewalk-figure>`);
      const rules = widths.map((width) => `[data-width="${width}"] { width: ${width}px }`);
      await elsewhere.write('columns.css', rules.join('\n'));
      const page = await elsewhere.visit(
        `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>Columns</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="columns.css">
<main data-width="${tried[0]}">${figures.join('\n')}</main>
<script type="module" src="${elsewhere.site.url}elements.js"></script>`,
        { width: windowWidth, prepare: prepareComplaints },
      );
      for (const width of tried) {
        await page.page.$eval('main', (main, to) => (main.dataset.width = String(to)), width);
        await t.test(`${width} pixels`, async () => {
          for (const one of figureNames)
            await (await page.figure(one)).until(`element.width === ${width}`);
          const options = { texts: [], count: 0 };
          assert.deepEqual(await page.page.evaluate(complaintsOf, figureNames, options), []);
        });
      }
      await page.assertNoComplaint();
    });
  }
});

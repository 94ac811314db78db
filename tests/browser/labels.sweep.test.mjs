/** What drawings write: inside their boxes and beside each other, at every setting worth a look. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complaintsOf, prepareComplaints } from './support/complaints.mjs';
import { languages, pages } from './support/figures.mjs';
import { describeInChromium } from './support/visits.mjs';

const texts = ['x', 'antidisestablishmentarianism ever after', '龙 '.repeat(30)];
/** Widths of the window. */
const [narrow, wide] = [320, 1200];

describeInChromium('labels', (visit) => {
  for (const [language, folder] of Object.entries(languages)) {
    test(`${language}: nothing that a figure writes leaves its box or lies on another`, async () => {
      const found = [];
      for (const { path, figures } of pages) {
        await visit.open(folder + path, { width: narrow, prepare: prepareComplaints });
        for (const width of [narrow, wide]) {
          await visit.tab.setViewport({ width, height: 900 });
          for (const name of figures) {
            const figure = await visit.page.figure(name);
            await figure.until(`element.width ${width === wide ? '>' : '<'} ${narrow}`);
          }
          const here = await visit.tab.evaluate(complaintsOf, figures, { texts, count: 4 });
          found.push(...here.map((complaint) => `${width} pixels: ${complaint}`));
        }
      }
      assert.deepEqual(found, []);
    });
  }
});

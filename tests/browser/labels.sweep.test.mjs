/** What drawings write: inside their boxes and beside each other, at every setting worth a look. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complaintsOf, prepareComplaints } from './support/complaints.mjs';
import { languages, pages } from './support/figures.mjs';
import { describeInChromium } from './support/visits.mjs';

const texts = ['x', 'antidisestablishmentarianism ever after', '龙 '.repeat(30)];
const widths = [320, 1200];

describeInChromium('labels', (visit) => {
  for (const [language, folder] of Object.entries(languages)) {
    for (const width of widths) {
      test(`${language}, ${width} pixels: nothing that a figure writes leaves its box or lies on another`, async () => {
        const found = [];
        for (const { path, figures } of pages) {
          await visit.open(folder + path, { width, prepare: prepareComplaints });
          for (const name of figures) {
            await visit.page.figure(name);
            found.push(...(await visit.tab.evaluate(complaintsOf, name, { texts, count: 4 })));
          }
        }
        assert.deepEqual(found, []);
      });
    }
  }
});

/** "Which should I use?": three questions lead to one recommendation, without a script. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { few } from '../support/sweep.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const options = [
  ['trained', 'new'],
  ['same', 'longer'],
  ['can', 'cannot'],
];

describeInBrowsers('which should I use', (visit) => {
  const shown = () =>
    visit.tab.$$eval('.questions li', (items) =>
      items.filter((item) => item.checkVisibility()).map((item) => item.dataset.for),
    );
  const choose = (value) => visit.tab.click(`.questions [value="${value}"]`);

  for (const folder of few(['', 'zh/']))
    test(`every three choices leave the one recommendation that fits, ${folder || 'en/'}`, async () => {
      await visit.open(`${folder}choosing.html`);
      assert.equal((await shown()).length, 6);
      for (const weights of options[0])
        for (const inputs of options[1])
          for (const long of options[2]) {
            for (const value of [weights, inputs, long]) await choose(value);
            const fits = inputs === 'same' ? [weights, inputs] : [weights, inputs, long];
            assert.deepEqual(await shown(), [fits.join(' ')]);
          }
      await visit.tab.click('.questions [type="reset"]');
      assert.equal((await shown()).length, 6);
      await visit.assertAccessible();
    });
});

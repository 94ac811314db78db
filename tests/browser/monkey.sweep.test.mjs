/** A slice of the monkey; `npm run monkey -- SECONDS SEED` runs as much of it as one likes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultText, monkey } from './monkey/monkey.mjs';
import { describeInChromium } from './support/visits.mjs';

describeInChromium('the monkey', (visit) => {
  test('200 operations on each page raise no error and show no number that is none', async () => {
    const { faults } = await monkey(visit, { seed: 1, isEnough: (count) => count >= 400 });
    assert.equal(faults.map(faultText).join('\n'), '');
  });
});

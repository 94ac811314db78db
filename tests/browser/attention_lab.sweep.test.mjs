/** The lab at every scheme, in Chromium and Firefox. */
import { test } from 'node:test';
import { request, schemes } from '../support/lab_reference.mjs';
import { agree, openLab } from './support/lab.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const sentence = 'the cat saw the bird and the bird saw the cat';

describeInBrowsers('every scheme in the lab', (visit) => {
  test('a typed sentence: weights on screen equal the reference for every scheme and both masks', async (t) => {
    const lab = await openLab(visit, { mode: 'inside' });
    const tokens = sentence.split(' ');
    await lab.type(sentence, tokens);
    for (const scheme of schemes) {
      for (const causal of [false, true]) {
        await t.test(`${scheme}, ${causal ? 'causal' : 'all keys seen'}`, async () => {
          await lab.choose('scheme', scheme);
          await lab.choose('causal', causal);
          agree(await lab.table(), { ...request, tokens, scheme, causal }, scheme);
        });
      }
    }
  });
});

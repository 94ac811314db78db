/** The environments of `npm run matrix` that need nothing beyond what the tests have anyway. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { complaint } from '../matrix/checks.mjs';
import { environments } from '../matrix/environments.mjs';
import { placed } from '../matrix/home.mjs';
import { rowsOf } from '../matrix/rows.mjs';
import { installed, project } from '../package/installed.mjs';
import { browserNames } from './support/browser.mjs';

const fixtures = await mkdtemp(join(project, 'environments-'));
after(() => rm(fixtures, { recursive: true }));

/** What needs no browser runs beside Chromium. */
const tried = environments.filter(
  ({ quick, browser = 'chromium' }) => quick && browserNames.includes(browser),
);
for (const environment of tried) {
  test(`${environment.name}: ${environment.proves}`, async () => {
    const folder = await placed(fixtures, environment);
    const rows = await rowsOf(environment, { folder, tools: { installed } });
    assert.ok(rows.length > 0);
    for (const { entry, wrong } of rows) assert.equal(wrong, undefined, `${entry}: ${wrong}`);
  });
}

test('an entry fails that is silent, broken, run by another binary or wrong anywhere', async () => {
  const [{ way, ...node }] = environments;
  const place = { folder: await placed(fixtures, node), tools: {} };
  const { answers } = await way(place);
  const [binary, good] = [node.expects['.'], answers['.']];
  const numbers = good.numbers.with(7, good.numbers[7] + 1e-4);
  assert.equal(complaint(good, binary), undefined);
  assert.equal(complaint(undefined, binary), 'no answer');
  assert.equal(complaint({ error: 'why' }, binary), 'why');
  assert.match(complaint({ ...good, simd: 'other' }, binary), /^other ran in place of/);
  assert.match(complaint({ ...good, numbers }, binary), /off by 0\.00010$/);
  assert.match(complaint({ ...good, numbers: good.numbers.slice(1) }, binary), /off by NaN$/);
  const absent = { ...node, way: () => Promise.reject(new Error('none here')) };
  const missing = await rowsOf(absent, place);
  const reasons = missing.map(({ wrong }) => wrong);
  assert.deepEqual(
    reasons,
    Object.keys(node.expects).map(() => 'none here'),
  );
});

/** What a newcomer copies out of the README runs, in both languages. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promised, tableRows } from '../support/guides.mjs';
import { manifest, project } from './installed.mjs';

const read = (name) => readFileSync(join(import.meta.dirname, '..', '..', name), 'utf8');

for (const file of ['README.md', 'README.zh.md']) {
  test(`the sample of ${file} prints what it says`, () => {
    const samples = [...read(file).matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code);
    assert.equal(samples.length, 1);
    const [code] = samples;
    assert.equal(promised(code).length, 2);
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: project,
      encoding: 'utf8',
    });
    assert.deepEqual(output.trim().split('\n'), promised(code));
  });
}

test('the guide lists the entries that the package has', () => {
  const named = tableRows('node').flatMap(([entry]) => entry.match(/ropewalk[\w./*]*/g));
  const entries = Object.keys(manifest.exports)
    .map((entry) => entry.replace(/^\./, 'ropewalk'))
    .filter((entry) => !entry.endsWith('package.json'));
  assert.deepEqual(named.sort(), entries.sort());
});

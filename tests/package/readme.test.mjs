/** What a newcomer copies out of the README runs, in both languages. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { manifest, project } from './installed.mjs';

const read = (name) => readFileSync(join(import.meta.dirname, '..', '..', name), 'utf8');

/**
 * One module out of all samples in a language: each stands inside the one before, so that it
 * sees what was made there and may use a name again.
 */
function asOneModule(samples) {
  const isImport = /^import .*;$/gm;
  const imports = samples.flatMap((sample) => sample.match(isImport) ?? []);
  const bodies = samples.map((sample) => sample.replaceAll(isImport, ''));
  return `${imports.join('\n')}\n${bodies.join('\n{\n')}\n${'}\n'.repeat(samples.length - 1)}`;
}

for (const file of ['README.md', 'README.zh.md']) {
  test(`every sample of ${file} runs, one after the other`, () => {
    const samples = [...read(file).matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code);
    assert.equal(samples.length, 2);
    const code = asOneModule([...samples, 'console.log(output.shape);\n']);
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: project,
      encoding: 'utf8',
    });
    assert.equal(output, '[ 50, 128 ] [ 8, 16, 64 ] [ 8, 16, 16 ]\n[ 8, 16, 64 ]\n');
  });
}

test('the README lists the entries that the package has', () => {
  const [, table] = /^\| entry \|.*\n\| --- .*\n((?:\|.*\n)+)/m.exec(read('README.md'));
  const listed = table
    .split('\n')
    .flatMap((row) => row.split('|')[1]?.match(/ropewalk[\w./*]*/g) ?? []);
  const named = new Set([
    ...listed,
    ...(read('README.md').match(/import 'ropewalk\/elements'/) ? ['ropewalk/elements'] : []),
  ]);
  const entries = Object.keys(manifest.exports)
    .map((entry) => entry.replace(/^\./, 'ropewalk'))
    .filter((entry) => !entry.endsWith('package.json'));
  assert.deepEqual([...named].sort(), entries.sort());
});

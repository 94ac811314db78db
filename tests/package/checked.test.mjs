/** The types of the package's own source and of the page, as an editor checks them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');

for (const project of ['.', 'web']) {
  test(`the TypeScript of ${project === '.' ? 'src/js' : project} has no error`, () => {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout, status } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', project], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  });
}

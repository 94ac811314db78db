/** The types of every source, as an editor checks them; the JavaScript of tests and tools by its JSDoc. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');

for (const project of ['.', 'web', 'tests', 'tools']) {
  test(`${project === '.' ? 'src/js' : project} has no type error`, () => {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    // What has not changed since the last time is not checked again.
    const known = join('build', 'types', project === '.' ? 'package' : project);
    const kept = ['--incremental', '--tsBuildInfoFile', `${known}.tsbuildinfo`];
    const options = [compiler, '--noEmit', '-p', project, ...kept];
    const { stdout, status } = spawnSync(process.execPath, options, {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  });
}

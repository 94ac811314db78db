/** Node 20 knows relaxed SIMD behind a flag only: there the same tests run once more, with the flag. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary } from './installed.mjs';

const folder = import.meta.dirname;
const runsHere = WebAssembly.validate(binary('relaxed'));

test(
  'every test of the package with the relaxed binary',
  { skip: runsHere && 'this engine ran it already' },
  () => {
    // The command line and the page's code start programs of their own, without the flag; the queue
    // of a pool knows no binary.
    const others = /^(relaxed|contents|types|cli\w*|page_code|pool_queue)\./;
    const files = readdirSync(folder).filter(
      (name) => name.endsWith('.test.mjs') && !others.test(name),
    );
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const flags = ['--experimental-wasm-relaxed-simd', '--test', '--test-reporter=tap'];
    const child = spawnSync(
      process.execPath,
      [...flags, ...files.map((name) => join(folder, name))],
      {
        env: { ...env, ROPEWALK_SIMD: 'relaxed' },
        encoding: 'utf8',
      },
    );
    const count = (what) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(child.stdout)?.[1]);
    const failures = child.stdout
      .split('\n')
      .filter((line) => /^\s*not ok/.test(line))
      .join('\n');
    assert.equal(child.status, 0, `${failures}\n${child.stderr}`);
    assert.equal(count('fail'), 0);
    assert.ok(count('pass') > 50, `only ${count('pass')} tests ran`);
  },
);

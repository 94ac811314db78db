/** Node 20 knows relaxed SIMD behind a flag only: there the same tests run once more, with the flag. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary } from './installed.mjs';

const folder = import.meta.dirname;
const runsHere = WebAssembly.validate(binary('relaxed'));

test(
  'every test of the package with the relaxed binary',
  { skip: runsHere && 'this engine ran it already' },
  () => {
    // The command line and the code of texts start programs of their own, without the flag.
    const starting = /^(cli\w*|page_code|guides|readme)\./;
    const withoutBinary =
      /^(relaxed|bundlers|checked|contents|documented|fuzz_reference|pool_queue|schemas|types|diagnose_generated)\./;
    const files = readdirSync(folder).filter(
      (name) => name.endsWith('.test.mjs') && !starting.test(name) && !withoutBinary.test(name),
    );
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const flags = [
      '--experimental-wasm-relaxed-simd',
      ...['--test', '--test-reporter=tap', `--test-concurrency=${availableParallelism()}`],
    ];
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

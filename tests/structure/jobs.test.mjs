/** The jobs of the worker: one name, one function. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runnerImport } from 'vite';

const file = join(import.meta.dirname, '..', '..', 'web/assembly/jobs.ts');
const { module } = await runnerImport(file, { configFile: false });
const { placesIn } = module;

test('jobs are the functions that files export, and two of one name throw', () => {
  const wave = 'export function wave(rw) {}\nexport const rate = 1;\nfunction own() {}';
  const again = "export { wave } from './waves.ts';";
  assert.deepEqual(
    [...placesIn([wave, 'export function turn(rw) {}'])],
    [
      ['wave', 0],
      ['turn', 1],
    ],
  );
  assert.throws(() => placesIn([wave, again]), /two files export a job of the name "wave"/);
});

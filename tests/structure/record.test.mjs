/** The numbers of an attention call cross by their places: both sides name them alike, in one order. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const text = (file) => readFileSync(join(root, file), 'utf8');

test('TypeScript sends the numbers of an attention call in the order in which the core reads them', () => {
  const [, read] = /enum Field \{(.*?)field_count/s.exec(text('src/bindings/attention.cpp'));
  const [, sent] = /function recordOf.*?return \[(.*?)\];/s.exec(text('src/js/attention/call.ts'));
  const names = Array.from(read.matchAll(/^\s*(\w+),/gm), ([, name]) => name);
  const lines = sent.trim().split('\n');
  assert.ok(names.length > 40);
  assert.deepEqual(
    lines.map((line) => /, \/\/ (\w+)$/.exec(line)?.[1]),
    names,
  );
});

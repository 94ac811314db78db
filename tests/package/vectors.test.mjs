import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

import { readSuite, suiteNames } from '../vectors/read.mjs';
import { committedData, report, runSuites } from '../vectors/run.mjs';

for (const suite of suiteNames(committedData)) {
  test(`vectors: ${suite}`, async () => {
    const { lines, failed } = report(await runSuites({ suites: [suite] }));
    assert.equal(failed, 0, lines.join('\n'));
  });
}

/**
 * A folder with one suite of one case.
 * @param {import('node:test').TestContext} context
 * @param {string} suite
 * @param {object} output
 * @param {string} [output.dtype]
 * @param {number[]} [output.shape]
 * @param {Uint8Array} output.bytes
 * @param {string} [output.hash] of the bytes, in the manifest; by default the right one
 * @param {object} [output.attrs] of the case
 */
function folderWith(context, suite, { dtype = 'f64', shape = [1], bytes, hash, attrs = {} }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vectors-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const output = { dtype, shape, off: 0, len: bytes.length };
  const cases = [
    { id: 'only', feature: `${suite}/only`, attrs, inputs: {}, outputs: { pe: output } },
  ];
  const bin_sha256 = hash ?? createHash('sha256').update(bytes).digest('hex');
  writeFileSync(path.join(folder, `${suite}.bin`), bytes);
  writeFileSync(
    path.join(folder, `${suite}.json`),
    JSON.stringify({ suite, bin: `${suite}.bin`, bin_sha256, cases }),
  );
  return folder;
}

const lastLines = async (folder) => report(await runSuites({ folder })).lines.slice(-2);

test('a suite without an adapter has failed', async (context) => {
  const folder = folderWith(context, 'unheard_of', { bytes: new Uint8Array(8) });
  assert.deepEqual(await lastLines(folder), [
    'FAILED unheard_of only: the suite has no adapter',
    '0 passed, 1 failed',
  ]);
});

test('an output without a tolerance has failed', async (context) => {
  const folder = folderWith(context, 'attention', { bytes: new Uint8Array(8) });
  assert.match((await lastLines(folder))[1], /^0 passed, 1 failed$/);
});

test('numbers that are not those of the manifest have failed', async (context) => {
  const folder = folderWith(context, 'sinusoidal', { bytes: new Uint8Array(8), hash: 'another' });
  assert.match((await lastLines(folder))[0], /sinusoidal\.bin is not the file its manifest names/);
});

test('half and bfloat16 numbers are read exactly', (context) => {
  const read = (dtype, words) => {
    const bytes = new Uint8Array(Uint16Array.from(words).buffer);
    const folder = folderWith(context, 'some', { dtype, shape: [words.length], bytes });
    return Array.from(readSuite(folder, 'some').cases[0].expected.pe.num);
  };
  const halves = [
    0x3c00, 0xc000, 0x0001, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x8000, 0x3555,
  ];
  const values = [
    1,
    -2,
    2 ** -24,
    1023 * 2 ** -24,
    2 ** -14,
    65504,
    Infinity,
    -Infinity,
    NaN,
    -0,
    0.333251953125,
  ];
  assert.deepEqual(read('f16', halves), values);
  assert.deepEqual(read('bf16', [0x3f80, 0xc000, 0x7f80, 0x3eab, 0x7fc0]), [
    1,
    -2,
    Infinity,
    0.333984375,
    NaN,
  ]);
});

test('attributes spelled as strings are numbers again', (context) => {
  const attrs = { low: '-Infinity', nested: { high: 'Infinity', none: 'NaN' }, name: 'kept' };
  const folder = folderWith(context, 'some', { bytes: new Uint8Array(8), attrs });
  const expected = { low: -Infinity, nested: { high: Infinity, none: NaN }, name: 'kept' };
  assert.deepEqual(readSuite(folder, 'some').cases[0].attrs, expected);
});

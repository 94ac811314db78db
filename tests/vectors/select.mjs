// Makes data/ from larger folders of vectors:   node tests/vectors/select.mjs FOLDER...
//
// Keeps the small cases and, of each feature, the smallest unless it is large, so that the repository
// stays small; of a suite of large cases, such as train_steps, the smallest one. Numbers are copied as
// they are; only their places in the shorter .bin are new.
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { readFiles, suiteNames } from './read.mjs';
import { committedData } from './run.mjs';
import { isOptionalSuite } from './tolerances.mjs';

const largestCase = 20_000;
const largestOfFeature = 150_000;

const entries = ({ inputs, outputs }) => [...Object.values(inputs), ...Object.values(outputs)];
const size = (one) => entries(one).reduce((sum, { len = 0 }) => sum + len, 0);

function kept(cases) {
  const smallest = new Map();
  for (const one of cases) {
    const best = smallest.get(one.feature);
    if (!best || size(one) < size(best)) smallest.set(one.feature, one);
  }
  const small = cases.filter(
    (one) =>
      size(one) <= largestCase ||
      (smallest.get(one.feature) === one && size(one) <= largestOfFeature),
  );
  return small.length > 0 ? small : [...cases].sort((a, b) => size(a) - size(b)).slice(0, 1);
}

/** Packs the numbers of some cases again, each array at a multiple of 8, and moves their offsets. */
function packed(cases, bytes) {
  const parts = [];
  let end = 0;
  for (const entry of cases.flatMap(entries)) {
    if (entry.gen) continue;
    const part = new Uint8Array(Math.ceil(entry.len / 8) * 8);
    part.set(bytes.subarray(entry.off, entry.off + entry.len));
    entry.off = end;
    end += part.length;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function text({ cases, ...head }) {
  const lines = cases.map((one) => JSON.stringify(one)).join(',\n');
  return `${JSON.stringify(head).slice(0, -1)},"cases":[\n${lines}\n]}\n`;
}

const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error('name the folders to select from');
mkdirSync(committedData, { recursive: true });
for (const file of readdirSync(committedData)) {
  if (/\.(json|bin)$/.test(file)) rmSync(path.join(committedData, file));
}
const suites = folders.flatMap((folder) =>
  suiteNames(folder)
    .filter((name) => !isOptionalSuite(name))
    .map((suite) => ({ folder, suite })),
);
for (const { folder, suite } of suites) {
  const { manifest, bytes } = readFiles(folder, suite);
  const cases = kept(manifest.cases);
  const numbers = packed(cases, bytes);
  const bin_sha256 = createHash('sha256').update(numbers).digest('hex');
  writeFileSync(path.join(committedData, manifest.bin), numbers);
  writeFileSync(
    path.join(committedData, `${suite}.json`),
    text({ ...manifest, split: 'selected', bin_sha256, count: cases.length, cases }),
  );
  console.log(
    `${suite}: ${cases.length} of ${manifest.cases.length} cases, ${numbers.length} bytes`,
  );
}

// Judges a folder of dumps with known faults:   npm run dumps -- FOLDER [--table]
// or dumps that it makes itself:   npm run dumps -- --generate 500 --correct 300 [--seed 1]
//
// The latter prints the score of each fault.
//
// Each dump is a folder with config.json, its arrays (.npy or .safetensors) or a .gguf, optionally
// reference/, and expect.json, which names the faults. GGUF files are counted apart before the last
// line, which is `N passed, N failed` of all; the exit code is 1 if any failed.
import { parseArgs } from 'node:util';
import { createRopewalk } from 'ropewalk';

import { generatedDumps } from './generated/generate.mjs';
import { judgedDump, readDumps } from './judge.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    table: { type: 'boolean' },
    generate: { type: 'string' },
    correct: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});
const [folder] = positionals;
const isGenerated = values.generate !== undefined;
if (folder === undefined && !isGenerated) {
  console.error('npm run dumps must be followed by a folder of dumps, got nothing');
  process.exit(2);
}
const rw = await createRopewalk();
const dumps = isGenerated
  ? generatedDumps({
      faulty: Number(values.generate),
      correct: Number(values.correct),
      seed: Number(values.seed),
    })
  : readDumps(folder);
const results = [];
for (const dump of dumps) results.push(await judgedDump(rw, dump));

/** Prints for each fault how often it was ranked first, among the first three, or lower. */
function table() {
  const keys = [...new Set(results.map(({ expected }) => expected))].sort();
  const columns = ['first', 'among three', 'not'];
  console.log(['faults', 'dumps', ...columns].join(' | '));
  for (const key of keys) {
    const own = results.filter(({ expected }) => expected === key);
    const counts = columns.map((column) => own.filter(({ rank }) => rank === column).length);
    console.log([key, own.length, ...counts].join(' | '));
  }
  const sound = results.filter(({ expected }) => ['none', 'unknown'].includes(expected));
  const alarms = sound.filter(({ rank }) => rank !== 'first').length;
  console.log(`${alarms} false alarms in ${sound.length} dumps without a known fault`);
}

for (const { name, credit, expected, got } of results) {
  if (credit < 1)
    console.log(`${credit ? 'HALF' : 'FAILED'} ${name}: ${got}, expected ${expected}`);
}
if (values.table || isGenerated) table();

/** Prints how many passed, and returns whether all did. */
function count(some, what = '') {
  const passed = some.filter(({ credit }) => credit === 1).length;
  if (some.length > 0) console.log(`${what}${passed} passed, ${some.length - passed} failed`);
  return passed === some.length;
}
const files = results.filter(({ isModelFile }) => isModelFile);
if (files.length > 0) {
  count(files, 'GGUF files: ');
  count(
    results.filter(({ isModelFile }) => !isModelFile),
    'dumps: ',
  );
}
if (!count(results)) process.exitCode = 1;

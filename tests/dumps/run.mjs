// Judges a folder of dumps with known faults:   npm run dumps -- FOLDER [--table]
// or dumps that it makes itself:   npm run dumps -- --generate 500 --correct 300 [--seed 1]
//
// or some of each fault in each family:           npm run dumps -- --matrix 3 [--seed 1] [--ids a,b]
//
// The latter two print the score of each fault, the last one also of each family.
//
// Each dump is a folder with config.json, its arrays (.npy or .safetensors) or a .gguf, optionally
// reference/, and expect.json, which names the faults. GGUF files are counted apart before the last
// line, which is `N passed, N failed` of all; the exit code is 1 if any failed.
import { parseArgs } from 'node:util';
import { createRopewalk } from 'ropewalk';

import { generatedDumps, matrixDumps } from './generated/generate.mjs';
import { judgedDump, readDumps } from './judge.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    table: { type: 'boolean' },
    generate: { type: 'string' },
    matrix: { type: 'string' },
    ids: { type: 'string' },
    families: { type: 'string' },
    correct: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});
const [folder] = positionals;
const seed = Number(values.seed);
const list = (text) => text?.split(',');

/** @returns {Generator<any>} */
function* dumpsToJudge() {
  if (values.matrix !== undefined)
    yield* matrixDumps({
      each: Number(values.matrix),
      seed,
      ids: list(values.ids),
      names: list(values.families),
    });
  else if (values.generate !== undefined)
    yield* generatedDumps({
      faulty: Number(values.generate),
      correct: Number(values.correct),
      seed,
    });
  else yield* readDumps(folder);
}

const isGenerated = (values.generate ?? values.matrix) !== undefined;
if (folder === undefined && !isGenerated) {
  console.error('npm run dumps must be followed by a folder of dumps, got nothing');
  process.exit(2);
}
const rw = await createRopewalk();
const results = [];
for (const dump of dumpsToJudge()) {
  const result = { id: dump.id, ...(await judgedDump(rw, dump)) };
  results.push(result);
  const { name, credit, expected, got } = result;
  if (credit < 1)
    console.log(`${credit ? 'HALF' : 'FAILED'} ${name}: ${got}, expected ${expected}`);
}

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

/** Prints each fault in each family: passed of all. */
function matrix() {
  const families = [...new Set(results.map(({ expect }) => expect.family))];
  const ids = [...new Set(results.map(({ id }) => id))];
  const cell = (own) => {
    const passed = own.filter(({ credit }) => credit === 1).length;
    return own.length === 0 ? '' : passed === own.length ? `${passed}` : `${passed}/${own.length}`;
  };
  const of = (id, family) =>
    results.filter((each) => each.id === id && each.expect.family === family);
  console.log(['', ...families].join(' | '));
  for (const id of ids)
    console.log([id, ...families.map((family) => cell(of(id, family)))].join(' | '));
  const all = families.map((family) => results.filter(({ expect }) => expect.family === family));
  console.log(['all', ...all.map(cell)].join(' | '));
}

if (values.matrix !== undefined) matrix();
else if (values.table || isGenerated) table();

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

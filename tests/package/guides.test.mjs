/** The guides of the site: what they print is what they say, and the names in their tables are ours. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { guideNames, promised, snippets, snippetsOf, tableRows } from '../support/guides.mjs';
import { compiled } from './compiled.mjs';
import { createRopewalk, installed, project } from './installed.mjs';

const kinds = ['node', 'file', 'page', 'observable', 'policy'];

test('every piece of code says how it is run, and something runs it', () => {
  const silent = snippets.filter(({ kind, syntax }) => !kinds.includes(kind) && syntax !== 'sh');
  assert.deepEqual(silent, []);
});

for (const { guide, code } of snippets.filter(({ kind }) => kind === 'node')) {
  const [first] = promised(code);
  test(`${guide}: Node prints ${first}`, () => {
    assert.ok(first, 'it prints something');
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: project,
      encoding: 'utf8',
    });
    assert.deepEqual(output.trim().split('\n'), promised(code));
  });
}

test('numbers: every command of the guide does what it says, on files of NumPy', () => {
  const lines = snippets
    .filter(({ guide }) => guide === 'numbers')
    .flatMap(({ code }) => code.trim().split('\n'));
  assert.ok(lines.length >= 5 && lines.every((line) => line.startsWith('npx ropewalk ')));
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-guide-'));
  try {
    for (const name of ['q', 'k', 'v', 'attention'])
      copyFileSync(join(import.meta.dirname, 'numpy', `${name}.npy`), join(folder, `${name}.npy`));
    const script = join(installed, 'cli/main.js');
    const printed = lines.map((line) =>
      execFileSync(process.execPath, [script, ...line.split(' ').slice(2)], {
        cwd: folder,
        encoding: 'utf8',
      }),
    );
    assert.equal(JSON.parse(printed[1]).agrees, true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** A consumer in which each expression of the column "here" stands alone, with anything for its data. */
async function asConsumer(expressions) {
  const { simd, release, ...functions } = await createRopewalk();
  const anything = [
    'q',
    'k',
    'v',
    'x',
    'data',
    'shape',
    'bias',
    'table',
    'config',
    'dim',
    'factor',
    'originalLength',
    'length',
    'weights',
    'heads',
    'positions',
    'ids',
    'size',
    'distances',
    'cos',
    'sin',
    'past',
    'keyLengths',
    'softcap',
    'lookback',
    'maxFrequency',
  ];
  return `import { createRopewalk, type RotaryFrequencies } from 'ropewalk';
import { frequenciesFromConfig, positionFromConfig } from 'ropewalk/config';
const rw = await createRopewalk();
const { ${Object.keys(functions).join(', ')} } = rw;
declare const frequencies: RotaryFrequencies;
declare const ${anything.map((name) => `${name}: any`).join(', ')};
export const all = [
${expressions.map((expression) => `${expression},`).join('\n')}
];
`;
}

const expressionsIn = (rows) =>
  rows.flatMap(([, here]) => [...here.matchAll(/`([^`]+)`/g)].map(([, code]) => code));
const settings = { module: 'nodenext', moduleResolution: 'nodenext' };

test('coming from elsewhere: every name and option on our side compiles', async () => {
  const expressions = expressionsIn(tableRows('coming_from'));
  assert.ok(expressions.length >= 40, `${expressions.length} expressions`);
  assert.equal(compiled(await asConsumer(expressions), settings), '');
});

test('the compiler refuses names and options that are not ours', async () => {
  const wrong = [
    'sdpa(q, k, v)',
    "attention(q, k, v, { causal: 'lower-right' })",
    'attention(q, k, v, { isCausal: true })',
  ];
  const said = compiled(await asConsumer(wrong), settings);
  assert.equal(said.match(/error TS/g)?.length, wrong.length, said);
});

test('both languages have the same code and the same names of ours', () => {
  const bare = (guide, language) =>
    snippetsOf(guide, language).map(({ code, ...one }) => ({
      ...one,
      code: code.replaceAll(/^ *\/\/ .*$|(?<!console\.log\(.*\);) \/\/ .*$/gm, ''),
    }));
  for (const guide of guideNames) assert.deepEqual(bare(guide, 'zh'), bare(guide, 'en'), guide);
  const ours = (language) => tableRows('coming_from', language).map(([, here]) => here);
  assert.deepEqual(ours('zh'), ours('en'));
});

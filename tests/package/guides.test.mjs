/** The guides of the site: what they print is what they say, and the names in their tables are ours. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  guideNames,
  guideText,
  promised,
  snippets,
  snippetsOf,
  tableRows,
} from '../support/guides.mjs';
import { few } from '../support/sweep.mjs';
import { compiled } from './compiled.mjs';
import { createRopewalk, installed, project } from './installed.mjs';

const { elsewhere } = await import(pathToFileURL(join(installed, 'runtime/hints.js')).href);

const kinds = ['node', 'file', 'page', 'observable', 'policy', 'host'];

test('every piece of code states how it is run, and a test runs it', () => {
  const silent = snippets.filter(({ kind, syntax }) => !kinds.includes(kind) && syntax !== 'sh');
  assert.deepEqual(silent, []);
});

const forNode = snippets.filter(({ kind }) => kind === 'node');
for (const { guide, code } of few(forNode, 3)) {
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

test('bugs: the command of the guide ends with the printed result', async () => {
  const [line, ...others] = snippets
    .filter(({ guide, syntax }) => guide === 'bugs' && syntax === 'sh')
    .flatMap(({ code }) => code.trim().split('\n'));
  // Model files have tests of their own, which run these commands.
  const operands = others.map((each) => each.split(' ')[3]);
  assert.deepEqual(operands, ['model.gguf', 'model.safetensors.index.json', 'model.onnx']);
  const rw = await createRopewalk();
  const { writeNpy } = await import(pathToFileURL(join(installed, 'entries/files.js')).href);
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-guide-'));
  try {
    const shape = [1, 1, 8, 32];
    const q = { data: Float32Array.from({ length: 256 }, (_, i) => (i * i) % 7), shape };
    const frequencies = rw.rotaryFrequencies({ dim: 32 });
    const config = { model_type: 'llama', hidden_size: 32, num_attention_heads: 1 };
    const ids = { data: Int32Array.from([0, 1, 2, 3, 4, 5, 6, 7]), shape: [8] };
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config, rope_theta: 10000 }));
    writeFileSync(join(folder, 'q.npy'), writeNpy(q));
    writeFileSync(join(folder, 'position_ids.npy'), writeNpy(ids));
    const script = join(installed, 'cli/node_bin.js');
    const ending = () =>
      spawnSync(process.execPath, [script, ...line.split(' ').slice(2)], { cwd: folder }).status;
    assert.equal(ending(), 2, 'without q_rot.npy');
    for (const [layout, code] of Object.entries({ 'half-split': 0, interleaved: 1 })) {
      const rotated = rw.rotate(q, frequencies, { layout });
      writeFileSync(join(folder, 'q_rot.npy'), writeNpy(rotated));
      assert.equal(ending(), code, layout);
    }
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
    'keyHeads',
    'strides',
    'base',
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

test('the compiler rejects unknown names and options', async () => {
  const wrong = [
    'sdpa(q, k, v)',
    "attention(q, k, v, { causal: 'lower-right' })",
    'attention(q, k, v, { isCausal: true })',
  ];
  const said = compiled(await asConsumer(wrong), settings);
  assert.equal(said.match(/error TS/g)?.length, wrong.length, said);
});

/** Names of other libraries in a guide, each with the code beside it. */
function namesIn(language) {
  const text = guideText('coming_from', language);
  const code = (part) => [...part.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  const listed = [...text.matchAll(/^- (.*) → (.*)$/gm)].flatMap(([, names, here]) =>
    code(names).map((name) => [name, code(here)]),
  );
  return { text, listed: new Map(/** @type {[string, string[]][]} */ (listed)) };
}

for (const language of ['en', 'zh']) {
  test(`coming from elsewhere, ${language}: the hints of errors are those of the guide`, () => {
    const { text, listed } = namesIn(language);
    assert.ok(elsewhere.size > 80);
    for (const [name, [correction]] of elsewhere) {
      const here = listed.get(name);
      const [word] = /^[\w-]+/.exec(correction);
      if (here) assert.ok(word === 'leave' || here.some((code) => code.startsWith(word)), name);
      else assert.ok(text.includes(`\`${name}\``) && text.includes(`\`${word}\``), name);
    }
    assert.deepEqual(
      [...listed.keys()].filter((name) => !elsewhere.has(name)),
      [],
    );
  });
}

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

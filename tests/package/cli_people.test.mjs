/** `npx ropewalk` for people: sentences on a terminal, JSON in pipes, near names. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { command, k, place, printed, q, run, v, writeSafetensors } from './command.mjs';
import { createRopewalk, frequenciesFromConfig } from './installed.mjs';

const rw = await createRopewalk();
const yarn = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 2048 };
const model = {
  model_type: 'llama',
  hidden_size: 256,
  num_attention_heads: 4,
  rope_theta: 10000,
  max_position_embeddings: 8192,
  rope_scaling: yarn,
};
writeFileSync(place('yarn.json'), JSON.stringify(model));

test('frequencies in sentences: what became of which pairs, their wavelengths, and warnings', async () => {
  const config = { ...model, rope_scaling: { ...yarn, mscale: 0.7 } };
  writeFileSync(place('doubtful.json'), JSON.stringify(config));
  const text = await printed('frequencies doubtful.json --format text');
  const { pairs } = frequenciesFromConfig(rw, config).derivation;
  const count = (fate) => pairs.filter((each) => each === fate).length;
  assert.match(
    text,
    /^doubtful\.json: rotary positions, scaling yarn; 32 pairs from a head of 64, half-split\./,
  );
  for (const fate of ['kept', 'blended', 'interpolated']) {
    const first = pairs.indexOf(fate);
    const last = pairs.lastIndexOf(fate);
    const line = new RegExp(`^ +${fate} +${first}–${last} +${count(fate)} `, 'm');
    assert.match(text, line);
  }
  // 2π · 10000^(i/32) exceeds 2048 from i = 21 on.
  const partial = '11 pairs of 32 completed no turn within the 2048 positions of training';
  assert.ok(text.includes(`${partial}: from pair 21 on.`), text);
  assert.match(text, /Scores of rotated values are multiplied by 1\.29648 in all/);
  assert.match(text, /^Warnings\n {2}config\.rope_scaling\.mscale = 0\.7: has no effect/m);
  assert.match(text, /^Assumed\n {2}config\.head_dim = 64: not given: 256 \/ 4$/m);
  for (const line of text.split('\n')) assert.equal(line, line.trimEnd());
});

test('each command has words: tables cut short, and whether two arrays agree', async () => {
  const text = await printed('table sinusoidal --positions 50 --dim 8 --format text');
  assert.match(text, /^table \[50, 8\]\n +0 +1 .* …\n {2}\[0\] /);
  assert.match(text, /^ {2}… 38 more rows$/m);
  assert.match(text, /All values: --json, or --out FILE\./);
  assert.match(await printed(`attention ${q} ${k} ${v} --format text`), /^output \[2, 6, \d\]\n/);
  assert.match(
    await printed(`compare ${q} ${q} --format text`),
    /^They agree: the largest difference is 0 at \[0, 0, 0\] of \[2, 6, 8\], the tolerance 0\.00001\.$/m,
  );
  const { status, stdout } = await run(`compare ${q} ${k} --format text`);
  assert.deepEqual([status, stdout.slice(0, 12)], [1, 'They differ:']);
});

const script = spawnSync('script', ['--version'], { encoding: 'utf8' });
const noTerminal = script.status !== 0 && 'there is no program `script` to make a terminal';

test('text on a terminal; JSON in a pipe, and with --json', { skip: noTerminal }, async () => {
  const onTerminal = (args) => {
    const line = ['-qec', `'${command}' ${args}`, '/dev/null'];
    return spawnSync('script', line, { encoding: 'utf8' }).stdout.replaceAll('\r', '');
  };
  const args = 'frequencies yarn.json';
  assert.equal(onTerminal(args), await printed(args, '--format text'));
  assert.deepEqual(JSON.parse(onTerminal(`${args} --json`)), JSON.parse(await printed(args)));
  assert.equal(await printed(args, '--json'), await printed(args));
});

test('unknown commands, options, values, files and arrays have the nearest name', async () => {
  writeFileSync(
    place('dump.safetensors'),
    writeSafetensors({
      query: { data: new Float32Array(2), shape: [1, 2] },
      key: { data: new Float32Array(2), shape: [1, 2] },
    }),
  );
  for (const [code, text, args] of /** @type {[number, string, string][]} */ ([
    [2, 'got frequency (did you mean frequencies?)', 'frequency yarn.json'],
    [2, 'unknown option --formt (did you mean --format?)', 'frequencies yarn.json --formt csv'],
    [
      2,
      'unknown option --is-causal (did you mean --causal?)',
      `attention ${q} ${k} ${v} --is-causal`,
    ],
    [2, 'unknown option --head-dim (did you mean --dim?)', 'table rotary --head-dim 8'],
    [2, 'got neox (did you mean half-split?)', `attention ${q} ${k} ${v} --layout neox`],
    [1, 'no such place (did you mean yarn.json?)', 'frequencies yran.json'],
    [1, 'no such place (did you mean yarn.json?)', 'frequencies yarn.jsn'],
    [2, 'got query, key (did you mean query?)', `compare dump.safetensors#qeury ${q}`],
    [2, '--json must come without --format csv', 'frequencies yarn.json --json --format csv'],
  ])) {
    const { status, stderr } = await run(args);
    assert.equal(status, code, stderr);
    assert.ok(stderr.includes(text), `${stderr} says ${text}`);
  }
  const far = await run('frequencies nothing-like-it.json');
  assert.equal(
    far.stderr,
    'ropewalk: nothing-like-it.json must be a file that can be read, got no such place\n',
  );
});

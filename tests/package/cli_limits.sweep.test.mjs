/** `npx ropewalk` where there is nothing to write, very much, or no file to write it to. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  command,
  folder,
  place,
  printed,
  readNpy,
  readSafetensors,
  run,
  runInTerminal,
  writeNpy,
  writeSafetensors,
} from './command.mjs';
import { createRopewalk } from './installed.mjs';

const rw = await createRopewalk();

const most = 2 ** 31;
const shapes = [
  [0, most],
  [most, 0],
  [3, 0, most, 1],
  [0, ...Array(31).fill(most)],
];
const formats = ['json', 'csv', 'npy', 'safetensors', 'svg'];

describe('arrays without a value, however long their axes', () => {
  for (const [i, shape] of shapes.entries()) {
    const empty = { data: new Float32Array(0), shape };
    writeFileSync(place(`${i}.npy`), writeNpy(empty));
    writeFileSync(place(`${i}.safetensors`), writeSafetensors({ empty }));
    // Half of the formats from either kind of file.
    for (const [k, format] of formats.entries()) {
      const file = `${i}.${k % 2 ? 'npy' : 'safetensors'}`;
      test(`compare --format ${format} of ${file}, [${shape.slice(0, 4)}]`, async () => {
        const args = `compare ${file} ${file} --return difference --format ${format}`;
        const { status, bytes, stdout, stderr } = await run(args);
        if (format === 'svg') {
          assert.deepEqual(
            [status, stderr],
            [
              2,
              `ropewalk: --return must name an array with an axis and values for ${format}, got difference\n`,
            ],
          );
          return;
        }
        assert.deepEqual([status, stderr], [0, '']);
        if (format === 'json') assert.deepEqual(JSON.parse(stdout).difference, { data: [], shape });
        if (format === 'csv')
          assert.equal(
            stdout,
            `${shape
              .slice(0, -1)
              .map((_, axis) => `axis${axis}`)
              .join()}\n`,
          );
        if (format === 'npy') assert.deepEqual(readNpy(bytes).shape, shape);
        if (format === 'safetensors')
          assert.deepEqual(readSafetensors(bytes).tensors.get('difference').shape, shape);
      });
    }
  }

  writeFileSync(place('x.npy'), writeNpy({ data: new Float32Array(8).fill(1), shape: [1, 2, 4] }));
  writeFileSync(
    place('bool.npy'),
    writeNpy({ data: new Uint8Array(0), shape: shapes[0], format: 'bool' }),
  );
  const x = 'x.npy x.npy x.npy';
  for (const args of [
    '0.npy x.npy x.npy',
    'x.npy 2.npy 2.npy',
    '2.npy 2.npy 2.npy',
    `${x} --bias 0.npy`,
    `${x} --sinks 0.npy`,
    `${x} --key-lengths 0.npy`,
    `${x} --row-scale 0.npy`,
    `${x} --mask bool.npy`,
    `${x} --position t5 --table 0.npy`,
    `${x} --position rope --positions 0.npy`,
  ]) {
    test(`attention ${args} is refused in a line`, async () => {
      const { status, stdout, stderr } = await run(`attention ${args} --format csv`);
      assert.ok([1, 2].includes(status), `${status} ${stderr.slice(0, 300)}`);
      assert.match(stderr, /^ropewalk: [^\n]* must [^\n]*\n$/);
      assert.equal(stdout, '');
    });
  }
});

test('a table of many pieces is that of the API', async () => {
  const { data, shape } = rw.sinusoidal({ positions: 9000, dim: 8 });
  const size = 'table sinusoidal --positions 9000 --dim 8';
  assert.deepEqual(JSON.parse(await printed(size)), { table: { data: [...data], shape } });
  const lines = (await printed(size, '--format csv')).trimEnd().split('\n');
  assert.deepEqual(
    lines.slice(1),
    Array.from({ length: 9000 }, (_, m) => [m, ...data.subarray(8 * m, 8 * m + 8)].join()),
  );
  await printed(size, '--out table.csv');
  assert.equal(readFileSync(place('table.csv'), 'utf8'), `${lines.join('\n')}\n`);
});

for (const [format, ...sizes] of [
  ['json', 1e6, 32],
  ['csv', 1e6, 32],
  ['csv', 1, 32e6],
]) {
  test(
    `a table of ${sizes.join(' × ')} begins as ${format}, which as a whole is longer than a string can be`,
    { skip: process.platform === 'win32' && 'there is no head' },
    () => {
      const [positions, dim] = sizes;
      const line = `"${command}" table sinusoidal --positions ${positions} --dim ${dim} --format ${format} | head -c 300000`;
      const { stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
      assert.deepEqual(
        [stdout.slice(0, 12), stdout.length, stderr],
        [format === 'json' ? '{"table":{"d' : 'axis0,0,1,2,', 300_000, ''],
      );
    },
  );
}

const calls = {
  table: 'table sinusoidal --positions 3 --dim 4',
  frequencies: 'frequencies config.json',
  attention: 'attention x.npy x.npy x.npy',
  compare: 'compare x.npy x.npy --return difference',
};
writeFileSync(
  place('config.json'),
  JSON.stringify({ model_type: 'llama', hidden_size: 64, num_attention_heads: 4, rope_theta: 1e4 }),
);

for (const [name, args] of Object.entries(calls)) {
  test(`${name} --out - writes to standard output, in every format`, async () => {
    for (const format of formats) {
      const plain = await run(args, '--format', format);
      assert.deepEqual([plain.status, plain.stderr], [0, '']);
      const dash = { json: '-o -', csv: '--out=-' }[format] ?? '--out -';
      assert.deepEqual(await run(args, '--format', format, dash), plain, format);
    }
    const json = await printed(args);
    assert.equal(await printed(args, '--out -'), json, 'json where nothing names a format');
    assert.ok(!readdirSync(folder).includes('-'));
  });
}

test('help describes -', async () =>
  assert.match(
    await printed('table --help'),
    /--out FILE [^-]*- or\s+default:\s+standard\s+output/,
  ));

test('a terminal gets text, and no bytes', async () => {
  for (const format of formats) {
    const { status, stderr } = await runInTerminal(calls.table, '--format', format, '--out -');
    if (['json', 'csv', 'svg'].includes(format)) assert.equal(status, 0, stderr);
    else
      assert.deepEqual(
        [status, stderr],
        [2, `ropewalk: --out must name a file for ${format}, got a terminal\n`],
      );
  }
});

describe('drawings', () => {
  const of = (...shape) => ({
    shape,
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(i)),
  });
  const drawn = (shape, format) => {
    writeFileSync(place('maps.npy'), writeNpy(of(...shape)));
    return run('compare maps.npy maps.npy --return difference --format', format);
  };

  test('are at most 3400 wide and high with up to 256 maps', async () => {
    for (const shape of [
      [700, 700],
      [2, 700, 700],
      [64, 700, 700],
      [256, 100, 100],
      [2, 128, 1, 1],
      [256, 1, 700],
    ]) {
      const { stdout: svg } = await drawn(shape, 'svg');
      const sides = /viewBox="0 0 (\S+) (\S+)"/.exec(svg).slice(1).map(Number);
      assert.ok(
        sides.every((side) => side <= 3400),
        `[${shape}] ${sides}`,
      );
      const [, width, height] = /<image x="\d+" y="\d+" width="(\d+)" height="(\d+)"/
        .exec(svg)
        .map(Number);
      assert.ok(width > 0 && height > 0);
    }
  });

  test('of more than 256 maps are rejected', async () => {
    const { status, stderr } = await drawn([257, 2, 2], 'svg');
    assert.deepEqual(
      [status, stderr],
      [2, 'ropewalk: --return must name an array of at most 256 maps for svg, got difference\n'],
    );
  });
});

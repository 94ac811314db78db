/** `npx ropewalk`: its numbers are those of the API. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Draws } from '../fuzz/js/random.mjs';
import { snippetsOf } from '../support/guides.mjs';
import {
  command,
  config,
  folder,
  k,
  numpy,
  place,
  printed,
  q,
  readNpy,
  readSafetensors,
  run,
  tensors,
  v,
  writeNpy,
  writeSafetensors,
} from './command.mjs';
import { distanceTypes, drawnBias, schemes } from './distance_biases.mjs';
import { createRopewalk, frequenciesFromConfig, inside, manifest } from './installed.mjs';

const rw = await createRopewalk();
const qkv = `${q} ${k} ${v}`;

test('help lists every command and option, and where to read on', async () => {
  const all = await printed('--help');
  for (const name of ['table', 'frequencies', 'attention', 'diagnose', 'compare']) {
    assert.match(all, new RegExp(`^  ${name} `, 'm'));
    const one = await printed(name, '--help');
    for (const option of ['--out', '--format', '--return'])
      assert.ok(one.includes(option), `${name} ${option}`);
  }
  assert.match(await printed('table', '-h'), /--positions N +how many rows \(required\)/);
  assert.match(await printed('attention', '--help'), /--return NAMES +of output, .*weights/);
  assert.match(await printed('frequencies', '--help'), /--layer-type TEXT/);
  for (const line of (await printed('attention', '--help')).split('\n')) {
    assert.ok(line.length <= 90, line);
    assert.doesNotMatch(line, / $/, 'an option without a text');
  }
  assert.equal((await printed('--version')).trim(), manifest.version);
});

test('a table is that of the API, as JSON, CSV and .npy', async () => {
  const { data, shape } = rw.sinusoidal({ positions: 3, dim: 4, base: 100 });
  const size = 'table sinusoidal --positions 3 --dim=4 --base 100';
  assert.deepEqual(JSON.parse(await printed(size)), { table: { data: [...data], shape } });
  const [header, ...rows] = (await printed(size, '--format csv')).trimEnd().split('\n');
  assert.equal(header, 'axis0,0,1,2,3');
  assert.deepEqual(
    rows.map((row) => row.split(',').map(Number)),
    [0, 1, 2].map((m) => [m, ...data.slice(4 * m, 4 * m + 4)]),
  );
  assert.equal(await printed(size, '--out table.npy'), '');
  assert.deepEqual(readNpy(readFileSync(place('table.npy'))), { data, shape, format: 'f32' });
});

test("the rotary table is NumPy's", async () => {
  await printed('table rotary --positions 50 --dim 8 -o rotary.npy');
  const [ours, theirs] = [place('rotary.npy'), numpy('rotary')].map((path) =>
    readNpy(readFileSync(path)),
  );
  assert.deepEqual(ours.shape, theirs.shape);
  theirs.data.forEach((value, i) =>
    assert.ok(Math.abs(value - ours.data[i]) < 1e-14, `[${i}]: ${value}, ${ours.data[i]}`),
  );
  const rows = (await printed('table rotary --positions 2 --dim 4 --format csv'))
    .trimEnd()
    .split('\n');
  assert.deepEqual(
    rows.map((row) => row.split(',').slice(0, 2).join()),
    ['axis0,axis1', '0,0', '0,1', '1,0', '1,1'],
  );
});

test('the frequencies of a config.json are those of the API, with how they came about', async () => {
  const { inverseFrequencies, derivation, attentionFactor } = frequenciesFromConfig(rw, config);
  const told = JSON.parse(await printed('frequencies config.json'));
  assert.deepEqual(
    [told.inverseFrequencies.data, told.trained.data],
    [[...inverseFrequencies], [...derivation.trained]],
  );
  assert.deepEqual(
    [told.attentionFactor, told.rule, told.pairs],
    [attentionFactor, derivation.rule, derivation.pairs],
  );
  const lists = 'frequencies config.json --format csv --return inverseFrequencies,wavelength';
  const [header, first] = (await printed(lists)).split('\n');
  assert.deepEqual(
    [header, first],
    [
      'index,inverseFrequencies,wavelength',
      `0,${inverseFrequencies[0]},${(2 * Math.PI) / inverseFrequencies[0]}`,
    ],
  );
  await printed('frequencies config.json --out f.npy');
  assert.deepEqual(readNpy(readFileSync(place('f.npy'))).data, inverseFrequencies);
});

test('attention is that of the API, from .npy and .safetensors', async () => {
  const position = {
    type: 'rope',
    layout: 'half-split',
    frequencies: rw.rotaryFrequencies({ dim: 8 }),
  };
  const expected = rw.attention(...tensors, {
    causal: 'top-left',
    position,
    intermediates: ['weights', 'biased'],
  });
  const { output } = rw.attention(...tensors, { causal: 'top-left', position }); // steps take another path
  const how = '--position rope --causal top-left';
  await printed(`attention ${qkv} ${how} --out output.npy`);
  assert.deepEqual(readNpy(readFileSync(place('output.npy'))).data, output.data);
  const told = JSON.parse(await printed(`attention ${qkv} ${how} --return weights,biased`));
  assert.deepEqual(Object.keys(told), ['weights', 'biased']);
  assert.deepEqual(
    [told.biased.data[0], told.biased.data[1]],
    [expected.biased.data[0], '-Infinity'],
  );

  writeFileSync(
    place('qkv.safetensors'),
    writeSafetensors({ q: tensors[0], k: tensors[1], v: tensors[2], other: tensors[0] }),
  );
  const names = '--return output,weights --out both.safetensors';
  await printed(`attention qkv.safetensors ${how} ${names}`);
  const { tensors: both } = readSafetensors(readFileSync(place('both.safetensors')));
  for (const name of ['output', 'weights'])
    assert.deepEqual(both.get(name).data, expected[name].data, name);
  await printed(`attention qkv.safetensors#other ${k} ${v} ${how} --out named.npy`);
  assert.deepEqual(readNpy(readFileSync(place('named.npy'))).data, output.data);
});

test('a file of several arrays is read once, and arrays of other formats do not matter', async () => {
  const { attention } = await inside('cli/attention');
  const [q, k, v] = tensors;
  const file = writeSafetensors({ q, k, v, other: { data: new Uint8Array(4), shape: [4] } });
  const text = new TextDecoder('latin1').decode(file).replace('"dtype":"U8"', '"dtype":"F8"');
  const paths = [];
  const read = (path) => (paths.push(path), Buffer.from(text, 'latin1'));
  const { arrays } = attention.run({ rw, operands: ['qkv.safetensors'], given: {}, read });
  assert.deepEqual(arrays.output, rw.attention(q, k, v).output);
  assert.deepEqual(paths, ['qkv.safetensors']);
});

test('attention takes every option', async () => {
  const data = async (args) => JSON.parse(await printed(`attention ${qkv} ${args}`)).output.data;
  const api = (options) => [...rw.attention(...tensors, options).output.data];
  assert.deepEqual(await data(''), api({}));
  assert.deepEqual(
    await data('--position alibi --causal bottom-right'),
    api({ position: { type: 'alibi' }, causal: 'bottom-right' }),
  );
  assert.deepEqual(await data('--scale -0.5 --softcap 2'), api({ scale: -0.5, softcap: 2 }));
  const frequencies = rw.rotaryFrequencies({ dim: 8, base: 100 });
  const rope = { type: 'rope', layout: 'interleaved', frequencies };
  assert.deepEqual(
    await data('--position rope --base 100 --layout interleaved'),
    api({ position: rope }),
  );
  writeFileSync(place('small.json'), JSON.stringify({ ...config, hidden_size: 32 }));
  const turned = {
    type: 'rope',
    layout: 'half-split',
    frequencies: frequenciesFromConfig(rw, { ...config, hidden_size: 32 }),
  };
  assert.deepEqual(await data('--config small.json'), api({ position: turned }));
});

/**
 * Options as the command line and as the API spell them.
 * @returns {[args: string, options: object][]}
 */
const spellings = (files) => [
  ['--window 2', { window: { size: 2 } }],
  [
    '--lookback 1 --lookahead=0 --causal after-past',
    { window: { lookback: 1, lookahead: 0 }, causal: 'after-past' },
  ],
  [
    '--mask mask.npy --fully-masked nan',
    { mask: { ...files.mask, whenTrue: 'attend' }, fullyMasked: 'nan' },
  ],
  [
    '--mask mask.npy --mask-when-true ignore --bias bias.npy',
    { mask: { ...files.mask, whenTrue: 'ignore' }, bias: files.bias },
  ],
  ['--bias bias.npy --scale 1', { bias: files.bias, scale: 1 }],
  ['--sinks 0.5,-1 --key-lengths 4', { sinks: [0.5, -1], keyLengths: [4] }],
  ['--row-scale 1,2,3,4,5,6', { rowScale: [1, 2, 3, 4, 5, 6] }],
  [
    '--position kerple --kind log --r1 1,2 --r2 rates.npy',
    { position: { type: 'kerple', kind: 'log', r1: [1, 2], r2: [0.5, 2] } },
  ],
  [
    '--position rope --rotary-fraction 0.5 --positions 3,4,5,9,10,11',
    {
      position: {
        type: 'rope',
        layout: 'half-split',
        frequencies: rw.rotaryFrequencies({ dim: 8, rotaryFraction: 0.5 }),
        positions: [3, 4, 5, 9, 10, 11],
      },
    },
  ],
  ['--config bloom.json', { position: { type: 'alibi' } }],
];

test('every option of attention does what it does in the API', async () => {
  const of = (...shape) => ({
    shape,
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(i * i)),
  });
  const mask = {
    shape: [6, 6],
    data: Uint8Array.from({ length: 36 }, (_, i) => Number(i >= 6 && i % 5 !== 0)),
  };
  const files = {
    mask,
    bias: of(2, 6, 6),
    rates: { data: Float32Array.of(0.5, 2), shape: [2] },
  };
  writeFileSync(place('mask.npy'), writeNpy({ ...mask, format: 'bool' }));
  for (const name of ['bias', 'rates']) writeFileSync(place(`${name}.npy`), writeNpy(files[name]));
  writeFileSync(
    place('bloom.json'),
    JSON.stringify({ model_type: 'bloom', hidden_size: 16, n_head: 2 }),
  );
  for (const [args, options] of spellings(files)) {
    await printed(`attention ${qkv} ${args} --out one.npy`);
    const { output } = rw.attention(...tensors, options);
    assert.deepEqual(readNpy(readFileSync(place('one.npy'))).data, output.data, args);
  }
});

test('every option of a bias by distance is an option of attention', async () => {
  const draws = new Draws(31);
  for (const type of distanceTypes) {
    const given = new Set();
    for (let i = 0; i < 8; ++i) {
      const position = drawnBias(draws, type, 2);
      const args = Object.entries(position).map(([name, value]) => {
        given.add(name);
        if (name === 'type') return `--position ${value}`;
        const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        if (!value.shape) return `${option}=${value}`;
        writeFileSync(place(`${name}.npy`), writeNpy(value));
        return `${option} ${name}.npy`;
      });
      await printed(`attention ${qkv} ${args.join(' ')} --out one.npy`);
      const { output } = rw.attention(...tensors, { position });
      assert.deepEqual(readNpy(readFileSync(place('one.npy'))).data, output.data, args.join(' '));
    }
    const known = ['type', ...Object.keys(schemes[type].schema)];
    assert.deepEqual([...given].sort(), known.sort(), type);
  }
});

test('a rotary table is that of a config, where there is one', async () => {
  await printed('table rotary --positions 5 --config config.json --out model.npy');
  const { cos, sin } = rw.rotaryTable(frequenciesFromConfig(rw, config), { positions: 5 });
  assert.deepEqual(readNpy(readFileSync(place('model.npy'))), {
    data: Float64Array.of(...cos, ...sin),
    shape: [2, 5, 8],
    format: 'f64',
  });
  const size = '--positions 3 --dim 6';
  const told = JSON.parse(
    await printed(`table sinusoidal ${size} --layout half-split --spacing dim/2-1`),
  );
  assert.deepEqual(told.table.data, [
    ...rw.sinusoidal({ positions: 3, dim: 6, layout: 'half-split', spacing: 'dim/2-1' }).data,
  ]);
});

test('attention reports progress, and its parts give the numbers of one call', async () => {
  const { status, stderr } = await run(`attention ${qkv} --progress always --out parts.npy`);
  assert.deepEqual([status, stderr], [0, 'ropewalk: 1 of 2 parts\nropewalk: 2 of 2 parts\n']);
  const of = (...shape) => ({
    shape,
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(i * i)),
  });
  const grouped = { q: of(2, 4, 3, 8), k: of(2, 2, 5, 8), v: of(2, 2, 5, 6) };
  writeFileSync(place('grouped.safetensors'), writeSafetensors(grouped));
  const expected = rw.attention(grouped.q, grouped.k, grouped.v, {
    position: { type: 'alibi' },
    causal: 'bottom-right',
    intermediates: ['entropy'],
  });
  const told = JSON.parse(
    await printed(
      'attention grouped.safetensors --position alibi --causal bottom-right --return output,entropy',
    ),
  );
  for (const name of ['output', 'entropy'])
    assert.deepEqual(told[name], { ...expected[name], data: [...expected[name].data] }, name);
  writeFileSync(
    place('single.safetensors'),
    writeSafetensors({ q: of(3, 8), k: of(5, 8), v: of(5, 8) }),
  );
  assert.deepEqual(JSON.parse(await printed('attention single.safetensors')).output.shape, [3, 8]);
});

test('compare prints the largest difference and its place, and fails above the tolerance', async () => {
  const [ours, theirs] = [
    [1, 2, 3, NaN],
    [1, 2.5, 3, NaN],
  ].map((values) => ({ data: Float64Array.from(values), shape: [2, 2] }));
  writeFileSync(
    place('a.safetensors'),
    writeSafetensors({ ours, theirs, holed: { ...ours, data: Float64Array.of(NaN, 2, 3, NaN) } }),
  );
  const call = (args) => run(`compare a.safetensors#ours a.safetensors#${args}`);
  const facts = { agrees: true, largest: 0.5, at: [0, 1], tolerance: 0.5, shape: [2, 2] };
  const close = await call('theirs --tolerance 0.5');
  assert.deepEqual([close.status, close.stderr, JSON.parse(close.stdout)], [0, '', facts]);
  const far = await call('theirs --return difference');
  assert.deepEqual(
    [far.status, far.stderr],
    [1, 'ropewalk: both arrays must agree within 0.00001, got 0.5 at [0, 1]\n'],
  );
  assert.deepEqual(JSON.parse(far.stdout), {
    ...facts,
    agrees: false,
    tolerance: 1e-5,
    difference: { data: [0, 0.5, 0, 0], shape: [2, 2] },
  });
  assert.match((await call('holed')).stderr, /got Infinity at \[0, 0\]/);
  assert.equal(JSON.parse((await call('ours')).stdout).largest, 0);
});

test('compare distinguishes neighbors beyond 2^53, and names no place where there are no values', async () => {
  const whole = (value) => ({ data: BigInt64Array.of(value), shape: [1] });
  writeFileSync(
    place('whole.safetensors'),
    writeSafetensors({
      ours: whole(2n ** 53n),
      theirs: whole(2n ** 53n + 1n),
      none: { data: new Float32Array(0), shape: [0, 3] },
    }),
  );
  const call = (a, b) => run(`compare whole.safetensors#${a} whole.safetensors#${b}`);
  assert.match((await call('ours', 'theirs')).stderr, /got 1 at \[0\]$/m);
  assert.match((await call('theirs', 'ours')).stderr, /got 1 at \[0\]$/m);
  assert.deepEqual(JSON.parse((await call('none', 'none')).stdout), {
    agrees: true,
    largest: 0,
    at: [],
    tolerance: 1e-5,
    shape: [0, 3],
  });
});

test('a reader with files of NumPy follows the guide and finds the same numbers', () => {
  const all = snippetsOf('numbers');
  const lines = all.flatMap(({ syntax, code }) => (syntax === 'sh' ? code.trim().split('\n') : []));
  const reader = mkdtempSync(join(folder, 'reader-'));
  for (const name of ['q', 'k', 'v', 'attention', 'rotary'])
    copyFileSync(numpy(name), join(reader, `${name}.npy`));
  const verdicts = lines.map((line) => {
    const [npx, ropewalk, ...args] = line.split(' ');
    assert.deepEqual([npx, ropewalk], ['npx', 'ropewalk']);
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: reader,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    assert.deepEqual([status, stderr], [0, ''], line);
    return args[0] === 'compare' ? JSON.parse(stdout).agrees : args[0];
  });
  const attention = 'attention';
  assert.deepEqual(verdicts, [attention, true, attention, attention, 'table', true]);
  // The lines of NumPy are those that made the file.
  const [{ code }] = all.filter(({ syntax }) => syntax === 'python');
  const made = readFileSync(numpy('make').replace('.npy', '.py'), 'utf8').split('\n');
  assert.deepEqual(
    code.split('\n').filter((line) => !made.includes(line)),
    [],
  );
});

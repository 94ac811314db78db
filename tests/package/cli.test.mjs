/** `npx ropewalk`, as a process of its own: its numbers are the API's, its refusals one line each. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { crc32, inflateSync } from 'node:zlib';
import { createRopewalk, installed, project } from './installed.mjs';

const { readNpy, readSafetensors, toFloats, writeNpy, writeSafetensors } = await import(pathToFileURL(join(installed, 'entries/files.js')));
const rw = await createRopewalk();
const folder = mkdtempSync(join(tmpdir(), 'ropewalk-cli-'));
after(() => rmSync(folder, { recursive: true }));
const place = (name) => join(folder, name);
const numpy = (name) => join(import.meta.dirname, 'numpy', `${name}.npy`);
const [q, k, v] = ['q', 'k', 'v'].map(numpy);
const tensors = [q, k, v].map((path) => toFloats(readNpy(readFileSync(path))));
const command = join(project, 'node_modules', '.bin', 'ropewalk');

const run = (...args) => spawnSync(command, args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });

/** What a sound call prints; it says nothing beside that. */
function printed(...args) {
  const { status, stdout, stderr } = run(...args);
  assert.deepEqual([status, stderr], [0, ''], args.join(' '));
  return stdout;
}

const config = {
  model_type: 'llama', hidden_size: 64, num_attention_heads: 4, rope_theta: 500000, max_position_embeddings: 8192,
  rope_scaling: { rope_type: 'linear', factor: 4 },
};
writeFileSync(place('config.json'), JSON.stringify(config));

test('help tells every command and option, and where to go on', () => {
  const all = printed('--help');
  for (const name of ['table', 'frequencies', 'attention', 'compare']) {
    assert.match(all, new RegExp(`^  ${name} `, 'm'));
    const one = printed(name, '--help');
    for (const option of ['--out', '--format', '--return']) assert.ok(one.includes(option), `${name} ${option}`);
  }
  assert.match(printed('table', '-h'), /--positions N +how many rows \(required\)/);
  assert.match(printed('attention', '--help'), /--return NAMES +of output, .*weights/);
  assert.match(printed('frequencies', '--help'), /--layer-type TEXT/);
  for (const line of printed('attention', '--help').split('\n')) assert.ok(line.length <= 90, line);
  assert.equal(printed('--version').trim(), JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version);
});

test('a table is that of the API, as JSON, CSV and .npy', () => {
  const { data, shape } = rw.sinusoidal({ positions: 3, dim: 4, base: 100 });
  const size = ['table', 'sinusoidal', '--positions', '3', '--dim=4', '--base', '100'];
  assert.deepEqual(JSON.parse(printed(...size)), { table: { data: [...data], shape } });
  const [header, ...rows] = printed(...size, '--format', 'csv').trimEnd().split('\n');
  assert.equal(header, 'axis0,0,1,2,3');
  assert.deepEqual(rows.map((row) => row.split(',').map(Number)), [0, 1, 2].map((m) => [m, ...data.slice(4 * m, 4 * m + 4)]));
  assert.equal(printed(...size, '--out', 'table.npy'), '');
  assert.deepEqual(readNpy(readFileSync(place('table.npy'))), { data, shape, format: 'f32' });
});

test("the rotary table is NumPy's", () => {
  printed('table', 'rotary', '--positions', '50', '--dim', '8', '-o', 'rotary.npy');
  const [ours, theirs] = [place('rotary.npy'), numpy('rotary')].map((path) => readNpy(readFileSync(path)));
  assert.deepEqual(ours.shape, theirs.shape);
  theirs.data.forEach((value, i) => assert.ok(Math.abs(value - ours.data[i]) < 1e-14, `[${i}]: ${value}, ${ours.data[i]}`));
  const rows = printed('table', 'rotary', '--positions', '2', '--dim', '4', '--format', 'csv').trimEnd().split('\n');
  assert.deepEqual(rows.map((row) => row.split(',').slice(0, 2).join()), ['axis0,axis1', '0,0', '0,1', '1,0', '1,1']);
});

test('the frequencies of a config.json are those of the API, with how they came about', () => {
  const { inverseFrequencies, derivation, attentionFactor } = rw.rotaryFrequencies.fromConfig(config);
  const told = JSON.parse(printed('frequencies', 'config.json'));
  assert.deepEqual([told.inverseFrequencies.data, told.trained.data], [[...inverseFrequencies], [...derivation.trained]]);
  assert.deepEqual([told.attentionFactor, told.rule, told.pairs], [attentionFactor, derivation.rule, derivation.pairs]);
  const [header, first] = printed('frequencies', 'config.json', '--format', 'csv', '--return', 'inverseFrequencies,wavelength').split('\n');
  assert.deepEqual([header, first], ['index,inverseFrequencies,wavelength', `0,${inverseFrequencies[0]},${2 * Math.PI / inverseFrequencies[0]}`]);
  printed('frequencies', 'config.json', '--out', 'f.npy');
  assert.deepEqual(readNpy(readFileSync(place('f.npy'))).data, inverseFrequencies);
});

test('attention is that of the API, from .npy and .safetensors', () => {
  const position = { type: 'rope', layout: 'half-split', frequencies: rw.rotaryFrequencies({ dim: 8 }) };
  const expected = rw.attention(...tensors, { causal: 'top-left', position, intermediates: ['weights', 'biased'] });
  const { output } = rw.attention(...tensors, { causal: 'top-left', position }); // steps take another path
  const how = ['--position', 'rope', '--causal', 'top-left'];
  printed('attention', q, k, v, ...how, '--out', 'output.npy');
  assert.deepEqual(readNpy(readFileSync(place('output.npy'))).data, output.data);
  const told = JSON.parse(printed('attention', q, k, v, ...how, '--return', 'weights,biased'));
  assert.deepEqual(Object.keys(told), ['weights', 'biased']);
  assert.deepEqual([told.biased.data[0], told.biased.data[1]], [expected.biased.data[0], '-Infinity']);

  writeFileSync(place('qkv.safetensors'), writeSafetensors({ q: tensors[0], k: tensors[1], v: tensors[2], other: tensors[0] }));
  printed('attention', 'qkv.safetensors', ...how, '--return', 'output,weights', '--out', 'both.safetensors');
  const { tensors: both } = readSafetensors(readFileSync(place('both.safetensors')));
  for (const name of ['output', 'weights']) assert.deepEqual(both.get(name).data, expected[name].data, name);
  printed('attention', 'qkv.safetensors#other', k, v, ...how, '--out', 'named.npy');
  assert.deepEqual(readNpy(readFileSync(place('named.npy'))).data, output.data);
});

test('attention takes every option', () => {
  const data = (...args) => JSON.parse(printed('attention', q, k, v, ...args)).output.data;
  const api = (options) => [...rw.attention(...tensors, options).output.data];
  assert.deepEqual(data(), api({}));
  assert.deepEqual(data('--position', 'alibi', '--causal', 'bottom-right'), api({ position: { type: 'alibi' }, causal: 'bottom-right' }));
  assert.deepEqual(data('--scale', '-0.5', '--softcap', '2'), api({ scale: -0.5, softcap: 2 }));
  const frequencies = rw.rotaryFrequencies({ dim: 8, base: 100 });
  const rope = { type: 'rope', layout: 'interleaved', frequencies };
  assert.deepEqual(data('--position', 'rope', '--base', '100', '--layout', 'interleaved'), api({ position: rope }));
  writeFileSync(place('small.json'), JSON.stringify({ ...config, hidden_size: 32 }));
  const turned = { type: 'rope', layout: 'half-split', frequencies: rw.rotaryFrequencies.fromConfig({ ...config, hidden_size: 32 }) };
  assert.deepEqual(data('--config', 'small.json'), api({ position: turned }));
});

/** Options as the command line and as the API spell them. */
const spellings = (files) => [
  [['--window', '2'], { window: { size: 2 } }],
  [['--lookback', '1', '--lookahead=0', '--causal', 'after-past'], { window: { lookback: 1, lookahead: 0 }, causal: 'after-past' }],
  [['--mask', 'mask.npy', '--fully-masked', 'nan'], { mask: { ...files.mask, whenTrue: 'attend' }, fullyMasked: 'nan' }],
  [['--mask', 'mask.npy', '--mask-when-true', 'ignore', '--bias', 'bias.npy'], { mask: { ...files.mask, whenTrue: 'ignore' }, bias: files.bias }],
  [['--bias', 'bias.npy', '--scale', '1'], { bias: files.bias, scale: 1 }],
  [['--sinks', '0.5,-1', '--key-lengths', '4'], { sinks: [0.5, -1], keyLengths: [4] }],
  [['--row-scale', '1,2,3,4,5,6'], { rowScale: [1, 2, 3, 4, 5, 6] }],
  [['--position', 't5', '--table', 'table.npy', '--direction', 'causal', '--max-distance', '8'],
    { position: { type: 't5', table: files.table, direction: 'causal', maxDistance: 8 } }],
  [['--position', 'kerple', '--kind', 'log', '--r1', '1,2', '--r2', 'rates.npy'], { position: { type: 'kerple', kind: 'log', r1: [1, 2], r2: [0.5, 2] } }],
  [['--position', 'sandwich', '--base', '100'], { position: { type: 'sandwich', base: 100 } }],
  [['--position', 'alibi', '--slopes', '1,0.25', '--direction', 'symmetric'], { position: { type: 'alibi', slopes: [1, 0.25], direction: 'symmetric' } }],
  [['--position', 'rope', '--rotary-fraction', '0.5', '--positions', '3,4,5,9,10,11'],
    { position: { type: 'rope', layout: 'half-split', frequencies: rw.rotaryFrequencies({ dim: 8, rotaryFraction: 0.5 }), positions: [3, 4, 5, 9, 10, 11] } }],
  [['--config', 'bloom.json'], { position: { type: 'alibi' } }],
];

test('every option of attention does what it does in the API', () => {
  const of = (...shape) => ({ shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(i * i)) });
  const mask = { shape: [6, 6], data: Uint8Array.from({ length: 36 }, (_, i) => Number(i >= 6 && i % 5 !== 0)) };
  const files = { mask, bias: of(2, 6, 6), table: of(8, 2), rates: { data: Float32Array.of(0.5, 2), shape: [2] } };
  writeFileSync(place('mask.npy'), writeNpy({ ...mask, format: 'bool' }));
  for (const name of ['bias', 'table', 'rates']) writeFileSync(place(`${name}.npy`), writeNpy(files[name]));
  writeFileSync(place('bloom.json'), JSON.stringify({ model_type: 'bloom', hidden_size: 16, n_head: 2 }));
  for (const [args, options] of spellings(files)) {
    printed('attention', q, k, v, ...args, '--out', 'one.npy');
    const { output } = rw.attention(...tensors, options);
    assert.deepEqual(readNpy(readFileSync(place('one.npy'))).data, output.data, args.join(' '));
  }
});

test('a rotary table is that of a config, where there is one', () => {
  printed('table', 'rotary', '--positions', '5', '--config', 'config.json', '--out', 'model.npy');
  const { cos, sin } = rw.rotaryTable(rw.rotaryFrequencies.fromConfig(config), { positions: 5 });
  assert.deepEqual(readNpy(readFileSync(place('model.npy'))), { data: Float64Array.of(...cos, ...sin), shape: [2, 5, 8], format: 'f64' });
  const told = JSON.parse(printed('table', 'sinusoidal', '--positions', '3', '--dim', '6', '--layout', 'half-split', '--spacing', 'dim/2-1'));
  assert.deepEqual(told.table.data, [...rw.sinusoidal({ positions: 3, dim: 6, layout: 'half-split', spacing: 'dim/2-1' }).data]);
});

test('attention says how far it is, and its parts make up the numbers of one call', () => {
  const { status, stderr } = run('attention', q, k, v, '--progress', 'always', '--out', 'parts.npy');
  assert.deepEqual([status, stderr], [0, 'ropewalk: 1 of 2 parts\nropewalk: 2 of 2 parts\n']);
  const of = (...shape) => ({ shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(i * i)) });
  const grouped = { q: of(2, 4, 3, 8), k: of(2, 2, 5, 8), v: of(2, 2, 5, 6) };
  writeFileSync(place('grouped.safetensors'), writeSafetensors(grouped));
  const expected = rw.attention(grouped.q, grouped.k, grouped.v, { position: { type: 'alibi' }, causal: 'bottom-right', intermediates: ['entropy'] });
  const told = JSON.parse(printed('attention', 'grouped.safetensors', '--position', 'alibi', '--causal', 'bottom-right', '--return', 'output,entropy'));
  for (const name of ['output', 'entropy']) assert.deepEqual(told[name], { ...expected[name], data: [...expected[name].data] }, name);
  writeFileSync(place('single.safetensors'), writeSafetensors({ q: of(3, 8), k: of(5, 8), v: of(5, 8) }));
  assert.deepEqual(JSON.parse(printed('attention', 'single.safetensors')).output.shape, [3, 8]);
});

/** Colours of the pixels of a PNG that has no filter, its checksums checked. */
function pixelsOf(file) {
  const chunks = {};
  assert.equal(file.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const end = at + 8 + length;
    assert.equal(file.readUInt32BE(end), crc32(file.subarray(at + 4, end)));
    chunks[file.toString('latin1', at + 4, at + 8)] = file.subarray(at + 8, end);
    at = end + 4;
  }
  const [width, height] = [chunks.IHDR.readUInt32BE(0), chunks.IHDR.readUInt32BE(4)];
  const lines = inflateSync(chunks.IDAT);
  assert.equal(lines.length, height * (4 * width + 1));
  return { width, height, colour: (x, y) => lines.subarray(y * (4 * width + 1) + 1 + 4 * x).subarray(0, 4).toString('hex') };
}

/** The pictures inside an SVG. */
const picturesIn = (svg) =>
  [...svg.matchAll(/href="data:image\/png;base64,([^"]+)"/g)].map(([, code]) => pixelsOf(Buffer.from(code, 'base64')));
const textsIn = (svg) => [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, content]) => content);

test('a plot is a map with a cell per value: signs apart, what is hidden left clear', () => {
  const how = ['attention', q, k, v, '--causal', 'top-left', '--return', 'biased'];
  const { data } = rw.attention(...tensors, { causal: 'top-left', intermediates: ['biased'] }).biased;
  const svg = printed(...how, '--format', 'svg');
  const [first, second, legend] = picturesIn(svg);
  assert.equal([...svg.matchAll(/<image x="\d+" y="\d+" width="144" height="144"/g)].length, 2);
  const limit = Math.max(...data.filter(Number.isFinite).map(Math.abs));
  data.forEach((value, i) => {
    const [head, row, column] = [Math.floor(i / 36), Math.floor(i / 6) % 6, i % 6];
    const cell = [first, second][head].colour(column, row);
    if (value === -Infinity) return assert.equal(cell, '00000000', `[${i}]`);
    if (Math.abs(value) === limit) assert.equal(cell, value < 0 ? '123780ff' : '7f211bff');
    if (Math.abs(value) > limit / 4) assert.equal(parseInt(cell.slice(0, 2), 16) > parseInt(cell.slice(4, 6), 16), value > 0);
  });
  assert.deepEqual([legend.colour(0, 0), legend.colour(0, legend.height - 1)], ['7f211bff', '123780ff']);
  assert.deepEqual(textsIn(svg), ['biased [2, 6, 6]', 'query down, key across', 'head 0', '0', '2', '4', '0', '2', '4',
    'head 1', '0', '2', '4', String(Number(limit.toPrecision(3))), '0', String(Number((-limit).toPrecision(3)))]);
  assert.match(svg, /<title>biased \[2, 6, 6\]<\/title>\n<desc>query down, key across; colours from -/);
});

test('a list is a line, beside others of its length; long axes are thinned and say so', () => {
  const svg = printed('frequencies', 'config.json', '--return', 'trained,inverseFrequencies', '--format', 'svg');
  const lines = [...svg.matchAll(/<polyline points="([^"]*)" fill="none" stroke="(#\w+)" stroke-width="2"/g)];
  const { inverseFrequencies, derivation: { trained } } = rw.rotaryFrequencies.fromConfig(config);
  // The axis runs over whole powers of ten.
  const [low, high] = [Math.floor(Math.log10(Math.min(...inverseFrequencies))), Math.ceil(Math.log10(Math.max(...trained)))];
  for (const [i, values] of [trained, inverseFrequencies].entries()) {
    const points = lines[i][1].split(' ').map((point) => point.split(',').map(Number));
    assert.equal(points.length, 8);
    const [top, bottom] = [80, 360];
    points.forEach(([, y], pair) => {
      const expected = bottom - (bottom - top) * (Math.log10(values[pair]) - low) / (high - low);
      assert.ok(Math.abs(y - expected) <= 0.01, `${pair}: ${y}, ${expected}`);
    });
  }
  assert.ok(textsIn(svg).includes('by pair, logarithmic') && textsIn(svg).includes('trained'));
  const long = printed('table', 'rotary', '--positions', '2000', '--dim', '8', '--format', 'svg');
  assert.deepEqual(textsIn(long).slice(0, 3), ['table [2, 2000, 4]', 'position (1 of 4) down, pair across', 'cos']);
  const [thinned, whole] = [long, printed('table', 'rotary', '--positions', '100', '--dim', '8', '--format', 'svg')].map((plot) => picturesIn(plot)[0]);
  assert.deepEqual([thinned.width, thinned.height, whole.height], [4, 500, 100]);
  for (const row of [0, 1, 7, 20]) for (const pair of [0, 1]) assert.equal(thinned.colour(pair, row), whole.colour(pair, 4 * row));
});

test('compare tells the largest difference and where it is, and fails above the tolerance', () => {
  const [ours, theirs] = [[1, 2, 3, NaN], [1, 2.5, 3, NaN]].map((values) => ({ data: Float64Array.from(values), shape: [2, 2] }));
  writeFileSync(place('a.safetensors'), writeSafetensors({ ours, theirs, holed: { ...ours, data: Float64Array.of(NaN, 2, 3, NaN) } }));
  const call = (name, ...args) => run('compare', 'a.safetensors#ours', `a.safetensors#${name}`, ...args);
  const facts = { agrees: true, largest: 0.5, at: [0, 1], tolerance: 0.5, shape: [2, 2] };
  const close = call('theirs', '--tolerance', '0.5');
  assert.deepEqual([close.status, close.stderr, JSON.parse(close.stdout)], [0, '', facts]);
  const far = call('theirs', '--return', 'difference');
  assert.deepEqual([far.status, far.stderr], [1, 'ropewalk: both arrays must agree within 0.00001, got 0.5 at [0, 1]\n']);
  assert.deepEqual(JSON.parse(far.stdout), { ...facts, agrees: false, tolerance: 1e-5, difference: { data: [0, 0.5, 0, 0], shape: [2, 2] } });
  assert.match(call('holed').stderr, /got Infinity at \[0, 0\]/);
  assert.equal(JSON.parse(call('ours').stdout).largest, 0);
});

test('compare tells neighbours beyond 2^53 apart, and has nothing to point at where no values are', () => {
  const whole = (value) => ({ data: BigInt64Array.of(value), shape: [1] });
  writeFileSync(place('whole.safetensors'), writeSafetensors({ ours: whole(2n ** 53n), theirs: whole(2n ** 53n + 1n), none: { data: new Float32Array(0), shape: [0, 3] } }));
  const call = (a, b) => run('compare', `whole.safetensors#${a}`, `whole.safetensors#${b}`);
  assert.match(call('ours', 'theirs').stderr, /got 1 at \[0\]$/m);
  assert.match(call('theirs', 'ours').stderr, /got 1 at \[0\]$/m);
  assert.deepEqual(JSON.parse(call('none', 'none').stdout), { agrees: true, largest: 0, at: [], tolerance: 1e-5, shape: [0, 3] });
});

for (const file of ['README.md', 'README.zh.md']) {
  test(`a reader with files of NumPy follows ${file} and finds the same numbers`, () => {
    const lines = [...readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8').matchAll(/^npx ropewalk (.*?)(?: +#.*)?$/gm)];
    assert.equal(lines.length, 4);
    const project = mkdtempSync(join(folder, 'reader-'));
    for (const name of ['q', 'k', 'v', 'attention', 'rotary']) copyFileSync(numpy(name), join(project, `${name}.npy`));
    const verdicts = lines.map(([line, args]) => {
      const { status, stdout, stderr } = spawnSync(command, args.split(' '), { cwd: project, encoding: 'utf8', shell: process.platform === 'win32' });
      assert.deepEqual([status, stderr], [0, ''], line);
      return stdout && JSON.parse(stdout).agrees;
    });
    assert.deepEqual(verdicts, ['', true, '', true]);
  });
}

const size = ['--positions', '4', '--dim', '8'];
writeFileSync(place('broken.npy'), 'no array');
writeFileSync(place('bert.json'), '{ "model_type": "bert", "max_position_embeddings": 512, "hidden_size": 64 }');
writeFileSync(place('logn.json'), JSON.stringify({ model_type: 'qwen', hidden_size: 32, num_attention_heads: 4, seq_length: 2048, use_logn_attn: true, rotary_emb_base: 10000 }));
writeFileSync(place('cut.npy'), readFileSync(k).subarray(0, 200));
mkdirSync(place('folder.npy'));
writeFileSync(place('bool.npy'), writeNpy({ data: new Uint8Array(36), shape: [6, 6], format: 'bool' }));
writeFileSync(place('alone.safetensors'), writeSafetensors({ q: tensors[0] }));
const refusals = [
  [2, 'the command must be one of table, frequencies, attention, compare, got nothing'],
  [2, 'the command must be one of table, frequencies, attention, compare, got toString', 'toString'],
  [2, 'table must be followed by sinusoidal|rotary, got nothing', 'table', ...size],
  [2, 'table must be sinusoidal or rotary, got cubic', 'table', 'cubic', ...size],
  [2, '--dim must be given, got nothing', 'table', 'rotary', '--positions', '4'],
  [2, '--dim must be followed by a value, got nothing', 'table', 'rotary', '--positions', '4', '--dim'],
  [2, '--positions must be a whole number of at least 1, got 1.5', 'table', 'rotary', '--positions', '1.5', '--dim', '8'],
  [2, '--base must be a finite number, got ten', 'table', 'rotary', ...size, '--base', 'ten'],
  [2, '--dim must be even, got 7', 'table', 'rotary', '--positions', '4', '--dim', '7'],
  [2, '--dim must be given once, got it twice', 'table', 'rotary', ...size, '--dim', '8'],
  [2, 'unknown option --width; run `ropewalk table --help`', 'table', 'rotary', '--width', '3'],
  [2, 'unknown option --partial, which is now called --rotary-fraction; run `ropewalk attention --help`', 'attention', q, k, v, '--partial', '0.5'],
  [2, 'unknown option --mask-true, which is now called --mask-when-true; run `ropewalk attention --help`', 'attention', q, k, v, '--mask-true', 'ignore'],
  [2, '--layout must be one of interleaved, half-split, got concatenated, which is now called half-split', 'table', 'sinusoidal', ...size, '--layout', 'concatenated'],
  [2, '--format must be one of json, csv, npy, safetensors, svg, got xml', 'table', 'rotary', ...size, '--format', 'xml'],
  [2, '--out must end in one of json, csv, npy, safetensors, svg, or --format be given, got t.xml', 'table', 'rotary', ...size, '--out', 't.xml'],
  [2, '--return must be of table, got cos', 'table', 'rotary', ...size, '--return', 'cos'],
  [1, '--out must be a file that can be written, got none/t.npy (no such place)', 'table', 'rotary', ...size, '--out', 'none/t.npy'],
  [1, 'none.json must be a file that can be read, got no such place', 'frequencies', 'none.json'],
  [1, "bert.json: config must describe a rotary model, got scheme 'learned'", 'frequencies', 'bert.json'],
  [2, '--softcap must be greater than 0, got -1', 'attention', q, k, v, '--softcap', '-1'],
  [2, 'attention must have 3 files, or one .safetensors of q, k and v, got folder.npy bool.npy', 'attention', 'folder.npy', 'bool.npy'],
  [2, 'attention must have 3 files, or one .safetensors of q, k and v, got bool.npy', 'attention', 'bool.npy'],
  [2, 'alone.safetensors must hold a tensor k, got q', 'attention', 'alone.safetensors'],
  [2, '--bias must hold numbers, got bool: what hides keys is --mask', 'attention', q, k, v, '--bias', 'bool.npy'],
  [2, 'a file of arrays must end in .npy or .safetensors, got config.json', 'attention', 'config.json', k, v],
  [1, 'broken.npy: npy file must have at least 10 bytes, got 8', 'attention', 'broken.npy', k, v],
  [2, '--position must be rope with this --config, got alibi', 'attention', q, k, v, '--position', 'alibi', '--config', 'config.json'],
  [2, '--base must come with --position rope or sandwich, got none', 'attention', q, k, v, '--base', '100'],
  [2, '--base must come without --config, got both', 'attention', q, k, v, '--base', '100', '--config', 'config.json'],
  [2, '--key-positions must come with --position rope, got alibi', 'attention', q, k, v, '--key-positions', '1', '--position', 'alibi'],
  [2, '--window must be a whole number of at least 1, got 0', 'attention', q, k, v, '--window', '0'],
  [2, '--causal must be one of top-left, bottom-right, after-past, got --window', 'attention', q, k, v, '--causal', '--window', '2'],
  [2, '--mask must hold bool, got f32: numbers to be added are --bias', 'attention', q, k, v, '--mask', q],
  [2, '--mask.shape must broadcast to [1, 2, 6, 6], got [2, 3]', 'attention', q, k, v, '--mask', numpy('b1_C')],
  [2, '--mask-when-true must come with --mask, got it alone', 'attention', q, k, v, '--mask-when-true', 'ignore'],
  [2, '--table.shape must be [buckets, heads], got [2, 6, 8]', 'attention', q, k, v, '--position', 't5', '--table', q],
  [2, "--direction must be one of 'causal', 'symmetric', got \"bidirectional\"", 'attention', q, k, v, '--position', 'alibi', '--direction', 'bidirectional'],
  [2, '--sinks must have 2 values, got 3', 'attention', q, k, v, '--sinks', '1,2,3'],
  [2, '--sinks must be numbers with commas, or a file of them, got 1,b', 'attention', q, k, v, '--sinks', '1,b'],
  [2, "--row-scale must be given, since this --config has one factor per query (log-n)", 'attention', q, k, v, '--config', 'logn.json'],
  [1, '. must be a file that can be read, got a folder', 'frequencies', '.'],
  [1, 'folder.npy must be a file that can be read, got a folder', 'attention', 'folder.npy', k, v],
  [1, 'cut.npy: npy data must have 384 bytes for f32 of shape [2, 6, 8], got 72', 'attention', q, 'cut.npy', v],
  [1, 'length of k and v must be equal, got 6 and 50', 'attention', q, k, numpy('rotary')],
  [2, '--layout must come with the other table, got rotary', 'table', 'rotary', ...size, '--layout', 'interleaved'],
  [2, '--dim must come without --config, got both', 'table', 'rotary', ...size, '--config', 'config.json'],
  [2, '--return must be of output, scores, capped, biased, weights, entropy, logSumExp, got heat', 'attention', q, k, v, '--return', 'heat'],
  [2, 'compare must be followed by OURS THEIRS, got a.npy', 'compare', 'a.npy'],
  [1, 'both arrays must have one shape, got [2, 6, 8] and [2, 50, 4]', 'compare', q, numpy('rotary')],
  [2, '--return must name one array, or lists of one length, for svg, got output,weights', 'attention', q, k, v, '--return', 'output,weights', '--format', 'svg'],
  [2, '--return must name one array for svg, got nothing', 'compare', q, q, '--format', 'svg'],
  [2, '--return must name one array for csv, got nothing', 'compare', q, k, '--format', 'csv'],
  [2, '--return must name one array for npy, got output,weights', 'attention', q, k, v, '--return', 'output,weights', '--format', 'npy'],
];

test('whoever stops reading early is no failure', { skip: process.platform === 'win32' && 'there is no head' }, () => {
  const line = `"${command}" table rotary --positions 20000 --dim 64 --format csv | head -n 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
  assert.deepEqual([stdout.split(',').slice(0, 3).join(), stderr], ['axis0,axis1,0', '']);
});

test('a place that takes nothing more is a failure', { skip: !existsSync('/dev/full') && 'there is no full place' }, () => {
  const { status, stderr } = spawnSync('sh', ['-c', `"${command}" table sinusoidal --positions 4 --dim 8 > /dev/full`], { encoding: 'utf8' });
  assert.deepEqual([stderr, status], ['ropewalk: standard output must take what is written, got no space left\n', 1]);
});

for (const [code, line, ...args] of refusals) {
  test(`refused with ${code}: ${line}`, () => {
    const { status, stdout, stderr } = run(...args);
    assert.deepEqual([stderr, status, stdout], [`ropewalk: ${line}\n`, code, '']);
  });
}

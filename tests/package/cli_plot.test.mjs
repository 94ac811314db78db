/** The pictures that `npx ropewalk` draws. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { config, k, printed, q, tensors, v } from './command.mjs';
import { createRopewalk, frequenciesFromConfig } from './installed.mjs';

const rw = await createRopewalk();

/** Colors of the pixels of a PNG that has no filter, its checksums checked. */
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
  return {
    width,
    height,
    color: (x, y) =>
      lines
        .subarray(y * (4 * width + 1) + 1 + 4 * x)
        .subarray(0, 4)
        .toString('hex'),
  };
}

/** The pictures inside an SVG. */
const picturesIn = (svg) =>
  [...svg.matchAll(/href="data:image\/png;base64,([^"]+)"/g)].map(([, code]) =>
    pixelsOf(Buffer.from(code, 'base64')),
  );
const textsIn = (svg) => [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, content]) => content);

test('a plot is a map with a cell per value: colors by sign, masked cells transparent', async () => {
  const how = `attention ${q} ${k} ${v} --causal top-left --return biased`;
  const { data } = rw.attention(...tensors, {
    causal: 'top-left',
    intermediates: ['biased'],
  }).biased;
  const svg = await printed(how, '--format svg');
  const [first, second, legend] = picturesIn(svg);
  assert.equal([...svg.matchAll(/<image x="\d+" y="\d+" width="144" height="144"/g)].length, 2);
  const limit = Math.max(...data.filter(Number.isFinite).map(Math.abs));
  data.forEach((value, i) => {
    const [head, row, column] = [Math.floor(i / 36), Math.floor(i / 6) % 6, i % 6];
    const cell = [first, second][head].color(column, row);
    if (value === -Infinity) return assert.equal(cell, '00000000', `[${i}]`);
    if (Math.abs(value) === limit) assert.equal(cell, value < 0 ? '123780ff' : '7f211bff');
    if (Math.abs(value) > limit / 4)
      assert.equal(parseInt(cell.slice(0, 2), 16) > parseInt(cell.slice(4, 6), 16), value > 0);
  });
  assert.deepEqual(
    [legend.color(0, 0), legend.color(0, legend.height - 1)],
    ['7f211bff', '123780ff'],
  );
  assert.deepEqual(textsIn(svg), [
    'biased [2, 6, 6]',
    'query down, key across',
    'head 0',
    '0',
    '2',
    '4',
    '0',
    '2',
    '4',
    'head 1',
    '0',
    '2',
    '4',
    String(Number(limit.toPrecision(3))),
    '0',
    String(Number((-limit).toPrecision(3))),
  ]);
  assert.match(
    svg,
    /<title>biased \[2, 6, 6\]<\/title>\n<desc>query down, key across; colors from -/,
  );
});

test('lists of equal length share a drawing; long axes are thinned and marked', async () => {
  const svg = await printed(
    'frequencies config.json --return trained,inverseFrequencies --format svg',
  );
  const lines = [
    ...svg.matchAll(/<polyline points="([^"]*)" fill="none" stroke="(#\w+)" stroke-width="2"/g),
  ];
  const {
    inverseFrequencies,
    derivation: { trained },
  } = frequenciesFromConfig(rw, config);
  // The axis runs over whole powers of ten.
  const [low, high] = [
    Math.floor(Math.log10(Math.min(...inverseFrequencies))),
    Math.ceil(Math.log10(Math.max(...trained))),
  ];
  for (const [i, values] of [trained, inverseFrequencies].entries()) {
    const points = lines[i][1].split(' ').map((point) => point.split(',').map(Number));
    assert.equal(points.length, 8);
    const [top, bottom] = [80, 360];
    points.forEach(([, y], pair) => {
      const expected = bottom - ((bottom - top) * (Math.log10(values[pair]) - low)) / (high - low);
      assert.ok(Math.abs(y - expected) <= 0.01, `${pair}: ${y}, ${expected}`);
    });
  }
  assert.ok(textsIn(svg).includes('by pair, logarithmic') && textsIn(svg).includes('trained'));
  const long = await printed('table rotary --positions 2000 --dim 8 --format svg');
  assert.deepEqual(textsIn(long).slice(0, 3), [
    'table [2, 2000, 4]',
    'position (1 of 4) down, pair across',
    'cos',
  ]);
  const [thinned, whole] = [
    long,
    await printed('table rotary --positions 100 --dim 8 --format svg'),
  ].map((plot) => picturesIn(plot)[0]);
  assert.deepEqual([thinned.width, thinned.height, whole.height], [4, 500, 100]);
  for (const row of [0, 1, 7, 20])
    for (const pair of [0, 1]) assert.equal(thinned.color(pair, row), whole.color(pair, 4 * row));
});

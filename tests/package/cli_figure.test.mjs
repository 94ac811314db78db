/** `npx ropewalk figure`: what it writes, what it refuses, and how large the files are. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { place, printed, run } from './command.mjs';
import { installed } from './installed.mjs';

const folder = join(installed, 'elements/single');
const figures = JSON.parse(readFileSync(join(folder, 'figures.json'), 'utf8'));
const textIn = (...names) => readFileSync(place(join(...names)), 'utf8');

test('it writes a script, a page with the lines to copy, and pictures', async () => {
  const said = await printed(
    'figure sinusoid-shift --set offset=7 --lang zh --site https://a.test/b --out made',
  );
  const made = readdirSync(place('made')).sort();
  assert.deepEqual(made, [
    'elements.single.js',
    'figure.html',
    'sinusoid-shift.webp',
    'static.html',
  ]);
  for (const name of made) assert.ok(said.includes(join('made', name)), said);
  assert.match(said, /the picture is of the defaults/i);
  const page = textIn('made', 'figure.html');
  assert.match(page, /<ropewalk-figure name="sinusoid-shift" offset="7" lang="zh" height="\d+">/);
  const { question, caption } = figures['sinusoid-shift'].texts.zh;
  const link = 'https://a.test/b/zh/figure/sinusoid-shift/?offset=7';
  const linkedStill = new RegExp(`<a href="([^"]+)"><img src="data:[^"]+" alt="${question}"`);
  assert.equal(linkedStill.exec(page)?.[1], link);
  const still = textIn('made', 'static.html');
  assert.ok(still.includes(`<figcaption>${caption}`) && still.includes(`<a href="${link}"><img `));
  assert.ok(!still.includes('<script'));
  for (const text of [page, still]) {
    const address = /src="data:image\/webp;base64,([^"]+)"/.exec(text)[1];
    assert.deepEqual(
      Buffer.from(address, 'base64'),
      readFileSync(join(folder, 'sinusoid-shift_zh.webp')),
    );
  }
});

test('the script is plain text in a page: no tag ends it, and it says whose it is', async () => {
  await printed('figure rotary-clocks word-order --out two');
  const script = textIn('two', 'elements.single.js');
  assert.ok(!/<\/?script/i.test(script.slice(script.indexOf('*/'))));
  assert.match(script, /^\/\*![^]*MIT License[^]*lit[^]*\*\//);
  assert.equal(textIn('two', 'figure.html').match(/<ropewalk-figure /g).length, 2);
});

test('without an address of the site there is no link, and it says so', async () => {
  const said = await printed('figure word-order --out linkless');
  assert.match(said, /--site or ROPEWALK_SITE/);
  assert.ok(!/<a /.test(textIn('linkless', 'figure.html') + textIn('linkless', 'static.html')));
});

test('a picture of the chosen state takes the place of the one at the defaults', async () => {
  writeFileSync(place('own.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const said = await printed('figure word-order --still own.svg --out stilled');
  assert.ok(!said.includes('defaults'));
  const src = `src="data:image/svg+xml;base64,${Buffer.from(readFileSync(place('own.svg'))).toString('base64')}"`;
  assert.ok(textIn('stilled', 'figure.html').includes(src));
  assert.ok(textIn('stilled', 'static.html').includes(src));
});

test('files that are there stay unless --force is given', async () => {
  mkdirSync(place('kept'));
  writeFileSync(place('kept/figure.html'), 'mine');
  const { status, stderr } = await run('figure word-order --out kept');
  assert.equal(status, 2);
  assert.equal(
    stderr,
    'ropewalk: --out must have no figure.html yet, or --force be given, got kept\n',
  );
  assert.equal(textIn('kept', 'figure.html'), 'mine');
  assert.deepEqual(readdirSync(place('kept')), ['figure.html']);
  await printed('figure word-order --force --out kept');
  assert.match(textIn('kept', 'figure.html'), /ropewalk-figure/);
});

const names = Object.keys(figures).join(', ');
const refusals = {
  'figure --out x': 'figure must be followed by NAME…, got nothing',
  'figure word-order': '--out must be given, got nothing',
  'figure sinusoid-shfit --out x': `figure must be one of ${names}, got sinusoid-shfit (did you mean sinusoid-shift?)`,
  'figure toString --out x': `figure must be one of ${names}, got toString`,
  'figure word-order --lang fr --out x': '--lang must be one of en, zh, got fr',
  'figure sinusoid-shift --set offset --out x': '--set must be followed by NAME=VALUE, got offset',
  'figure sinusoid-shift --set ofset=7 --out x':
    '--set must name a setting of sinusoid-shift: SETTINGS, got ofset (did you mean offset?)',
  'figure sinusoid-shift --set offset=99 --out x':
    '--set offset must be a number from -50 to 50 in steps of 1, got 99',
  'figure sinusoid-shift --set offset=7.5 --out x':
    '--set offset must be a number from -50 to 50 in steps of 1, got 7.5',
  'figure word-order rotary-clocks --set seed=1 --out x': '--set must come with one figure, got 2',
  'figure word-order --still own.txt --out x':
    '--still must end in png, svg, webp, jpg, got own.txt',
  'figure word-order --site here --out x': '--site must be a whole address, with https:, got here',
};

for (const [line, said] of Object.entries(refusals)) {
  test(`refused: ropewalk ${line}`, async () => {
    const { status, stdout, stderr } = await run(line);
    const settings = Object.keys(figures['sinusoid-shift'].settings).join(', ');
    assert.deepEqual(
      [status, stdout, stderr],
      [2, '', `ropewalk: ${said.replace('SETTINGS', settings)}\n`],
    );
  });
}

/** In kB, of the script of a figure that needs no trained model. */
const most = 480;

test(`a figure without a trained model takes at most ${most} kB`, async (t) => {
  const sizes = [];
  for (const [name, { files }] of Object.entries(figures)) {
    await printed(`figure ${name} --out sizes/${name}`);
    const path = join('sizes', name, 'elements.single.js');
    const { size } = statSync(place(path));
    sizes.push([name, size / 1000, gzipSync(textIn(path)).length / 1000]);
    t.diagnostic(`${name}: ${Math.round(size / 1000)} kB, ${Math.round(sizes.at(-1)[2])} in gzip`);
    if (Object.keys(files).length === 1) assert.ok(size <= most * 1000, `${name}: ${size} bytes`);
  }
  const own = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  t.diagnostic(`what they are made of: ${Math.round(own.reduce((a, b) => a + b) / 1000)} kB`);
});

/** The page “Compare arrays”: the source it shows is what runs, its numbers are NumPy's, hostile files get a note. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { few } from '../support/sweep.mjs';
import { checkIn } from './support/check.mjs';
import { temporaryFolder } from './support/folder.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const root = join(import.meta.dirname, '..', '..');
const numpy = (name) => join(root, 'tests/package/numpy', `${name}.npy`);
const cells = join(root, 'web/notebook/cells');

/** The doubles of a plain .npy file, without our reader. */
async function doublesOf(name) {
  const file = await readFile(numpy(name));
  const start = 10 + file.readUInt16LE(8);
  return Array.from({ length: (file.length - start) / 8 }, (_, i) =>
    file.readDoubleLE(start + 8 * i),
  );
}

describeInBrowsers('numbers', (visit) => {
  const { write: written } = temporaryFolder();
  const { choose, idle, open } = checkIn(visit);

  const textOf = (cell) => visit.tab.$eval(`#result-${cell}`, ({ innerText }) => innerText);
  /** The cells of a result's table, row by row. */
  const rowsOf = (cell) =>
    visit.tab.$$eval(`#result-${cell} tbody tr`, (rows) =>
      rows.map(({ cells }) => [...cells].map(({ innerText }) => innerText.trim())),
    );
  for (const path of few(['arrays.html', 'zh/arrays.html'])) {
    test(`${path} shows the source that runs, and NumPy's numbers agree`, async () => {
      await open(path);
      const sources = await readdir(cells);
      for (const file of sources) {
        const shown = await visit.tab.$$eval(
          '.snippet',
          (all, wanted) =>
            all
              .find((one) => one.querySelector('.file code')?.textContent === wanted)
              ?.querySelector('pre').textContent,
          file,
        );
        const source = await readFile(join(cells, file), 'utf8');
        assert.equal(shown, source.replace(/^\/\*\* @type .*\n/m, ''), file);
      }
      assert.deepEqual(
        (await rowsOf('compare')).map(([array]) => array),
        ['rotary', 'output', 'weights'],
      );
      assert.equal(await visit.tab.$$eval('#result-compare .agrees', (all) => all.length), 3);
      const listed = await rowsOf('arrays');
      assert.deepEqual(listed.map(([array, format, shape]) => [array, format, shape]).sort(), [
        ['attention', 'f64', '[2, 6, 8]'],
        ['k', 'f32', '[2, 6, 8]'],
        ['q', 'f32', '[2, 6, 8]'],
        ['rotary', 'f64', '[2, 50, 4]'],
        ['v', 'f32', '[2, 6, 8]'],
        ['weights', 'f64', '[2, 6, 6]'],
      ]);
      const weights = await doublesOf('weights');
      const grid = (await rowsOf('attention')).slice(2);
      assert.deepEqual(
        grid,
        [0, 1, 2, 3, 4, 5].map((row) => [
          String(row),
          ...weights.slice(6 * row, 6 * row + 6).map((value) => value.toFixed(3)),
        ]),
      );
    });
  }

  test('another layout differs, and the note reports the difference', async () => {
    await open('arrays.html');
    await visit.tab.select('#settings [name="layout"]', 'interleaved');
    await visit.tab.waitForSelector('#result-compare .differs');
    await idle('#notebook');
    const rows = await rowsOf('compare');
    assert.deepEqual(
      rows.map((row) => row.at(-1)),
      ['agrees', 'differs', 'differs'],
    );
    assert.ok(Number(rows[1][1]) > 0.01);
  });

  test("the reader's own files take the example's place; a safetensors holds several", async () => {
    await open('arrays.html');
    await choose('#files', numpy('q'), numpy('k'));
    assert.match(await textOf('attention'), /waits for arrays named v/);
    assert.equal((await rowsOf('arrays')).length, 2);
    await choose('#files', numpy('v'));
    assert.match(await textOf('attention'), /output/);
    const values = Float32Array.of(1, 2, 3, 4);
    const header = JSON.stringify(
      Object.fromEntries(
        ['q', 'k', 'v'].map((each) => [
          each,
          { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] },
        ]),
      ),
    )
      .replace(/"k":\{(.*?)\[0,16\]/, '"k":{$1[16,32]')
      .replace(/"v":\{(.*?)\[0,16\]/, '"v":{$1[32,48]');
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    const body = Buffer.concat([1, 2, 3].map(() => Buffer.from(values.buffer)));
    await choose(
      '#files',
      await written('mine.safetensors', Buffer.concat([length, Buffer.from(header), body])),
    );
    assert.ok(
      (await rowsOf('arrays')).some(([array, , shape]) => array === 'q' && shape === '[2, 2]'),
    );
    await visit.tab.click('#examples');
    await visit.tab.waitForFunction(
      () => document.querySelectorAll('#result-compare .agrees').length === 3,
    );
  });

  test('hostile files get a clear note, and the page goes on', async () => {
    await open('arrays.html');
    const q = await readFile(numpy('q'));
    await choose(
      '#files',
      await written('cut.npy', q.subarray(0, 200)),
      await written('empty.npy', Buffer.alloc(0)),
      await written('huge.safetensors', Buffer.from('ffffffffffffff7f7b7d', 'hex')),
      await written('notes.txt', 'no array'),
      numpy('q'),
      numpy('k'),
      numpy('axes'),
    );
    const text = await textOf('arrays');
    for (const line of [
      /cut\.npy: npy data must have 384 bytes for f32 of shape \[2, 6, 8\], got 72/,
      /empty\.npy: npy file must have at least 10 bytes, got 0/,
      /huge\.safetensors: safetensors header must/,
      /notes\.txt: must end in \.npy or \.safetensors/,
    ])
      assert.match(text, line);
    assert.equal((await rowsOf('arrays')).length, 3);
    await choose('#files', await written('v.npy', await readFile(numpy('axes'))));
    assert.match(await textOf('attention'), /must be equal, got 6 and 3/);
  });

  test('a result is saved as a .npy file of the same numbers', async () => {
    await open('arrays.html');
    const { name, bytes } = await visit.tab.evaluate(async () => {
      let name, saved;
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => ((saved = blob), make.call(URL, blob));
      // The click that would open the browser's own dialog.
      HTMLAnchorElement.prototype.click = function () {
        name = this.download;
      };
      /** @type {HTMLElement} */ (document.querySelector('#result-write button')).click();
      return { name, bytes: [...new Uint8Array(await saved.arrayBuffer())] };
    });
    assert.equal(name, 'rotary.npy');
    const ours = Buffer.from(bytes);
    const start = 10 + ours.readUInt16LE(8);
    const theirs = await doublesOf('rotary');
    theirs.forEach((value, i) =>
      assert.ok(Math.abs(ours.readDoubleLE(start + 8 * i) - value) < 1e-14),
    );
  });
});

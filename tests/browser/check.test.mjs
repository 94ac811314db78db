/** The page “Check your model”: example dumps, uploaded files, unreadable files. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertAccessible } from './support/axe.mjs';
import { checkIn, dumps, examples, exampleFolder, ofPackage } from './support/check.mjs';
import { temporaryFolder } from './support/folder.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const { readSafetensors, writeNpy, writeSafetensors } = await ofPackage('entries/files');

test('the example dumps of the page equal dumps of the tests', async () => {
  assert.deepEqual(
    (await readdir(exampleFolder)).sort(),
    Object.keys(examples)
      .flatMap((name) => [`${name}.json`, `${name}.safetensors`])
      .sort(),
  );
  for (const [name, number] of Object.entries(examples)) {
    const { options } = dumps.get(number);
    const { tensors } = readSafetensors(await readFile(join(exampleFolder, `${name}.safetensors`)));
    assert.deepEqual(tensors, options.arrays, name);
    assert.deepEqual(
      JSON.parse(await readFile(join(exampleFolder, `${name}.json`), 'utf8')),
      options.config,
    );
  }
});

describeInBrowsers('check', (visit) => {
  const { choose, idle, open, text, ids, tryDump } = checkIn(visit);
  const { write: written } = temporaryFolder();

  const tensor = (data, shape = [data.length]) => ({ data: Float32Array.from(data), shape });

  for (const path of ['numbers.html', 'zh/numbers.html']) {
    test(`${path}: each unreadable file is reported in a line, and the others are checked`, async () => {
      await open(path);
      const bytes = writeNpy(tensor([1, 0.1, 0.01, 0.001]));
      await choose(
        '#files',
        await written('cut.npy', bytes.subarray(0, 20)),
        await written('notes.txt', 'no array'),
        await written('inv_freq.npy', bytes),
        await written('config.json', '{'),
      );
      const isChinese = path.startsWith('zh');
      const lines = await visit.tab.$$eval('#result-check .refused', (all) =>
        all.map(({ innerText }) => innerText.trim()),
      );
      assert.equal(lines.length, 3, lines.join('\n'));
      assert.match(lines[0], isChinese ? /^cut\.npy: npy .*字节/ : /^cut\.npy: npy .*bytes/);
      assert.match(lines[1], isChinese ? /^notes\.txt: 文件名必须/ : /^notes\.txt: must end in/);
      assert.match(lines[2], isChinese ? /^config 必须是合法的 JSON/ : /^config must be JSON/);
      const config = { model_type: 'llama', head_dim: 8, num_attention_heads: 1, hidden_size: 8 };
      await choose('#files', await written('config.json', JSON.stringify(config)));
      assert.equal(await visit.tab.$('#result-check .refused'), null);
      assert.match(await text('.headline'), isChinese ? /没有发现错误/ : /^Nothing is wrong/);
    });
  }

  test('uploaded files replace an example dump, and “Start over” removes them', async () => {
    await open();
    await tryDump('slopes');
    const noise = tensor([0.3, 0.9, 0.1, 0.7]);
    await choose('#files', await written('inv_freq.npy', writeNpy(noise)));
    assert.match(await text('.headline'), /^None of the known faults/);
    assert.equal(await visit.tab.$('[data-dump][aria-pressed]'), null);
    assert.match(await text('.brief'), /Largest error/);
    await visit.tab.click('#clear');
    await idle('#result-check');
    assert.match(await text(), /^Waiting for files/);
  });

  test('a reference reveals rows of weights that were permuted twice', async () => {
    await open();
    const rows = [0, 1, 2, 3, 4, 5, 6, 7];
    const config = { model_type: 'llama', head_dim: 8, num_attention_heads: 1, hidden_size: 8 };
    const right = writeSafetensors({ q: tensor(rows, [1, 8]) });
    await choose('#reference-files', await written('right.safetensors', right));
    await choose(
      '#files',
      await written('q.npy', writeNpy(tensor([0, 2, 4, 6, 1, 3, 5, 7], [1, 8]))),
      await written('config.json', JSON.stringify(config)),
    );
    assert.deepEqual(await ids(), ['weights_permuted_twice']);
  });

  test('a verdict is accessible and does not scroll horizontally at 360 px', async () => {
    await open('numbers.html', { width: 360 });
    await tryDump('groups');
    await visit.tab.waitForFunction(() =>
      document.querySelector('rw-curve')?.shadowRoot?.querySelector('svg.chart'),
    );
    await visit.page.assertFits();
    await assertAccessible(visit.tab);
  });
});

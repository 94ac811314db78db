/** The page “Check your model”: example dumps, uploaded files, unreadable files. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readPackedDumps } from '../dumps/judge.mjs';
import { importTypeScript } from '../support/typescript.mjs';
import { assertAccessible } from './support/axe.mjs';
import { browserNames } from './support/browser.mjs';
import { visits } from './support/visits.mjs';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'web/check/dumps');
const dumps = new Map(
  readPackedDumps(join(root, 'tests/dumps/data')).map((dump) => [dump.name, dump]),
);
/** Example dumps of the page, with the names of the equal dumps in tests/dumps/data. */
const examples = {
  layout: '0001',
  base: '0002',
  scaling: '0007',
  attention_factor: '0017',
  restart: '0029',
  padding: '0032',
  positions: '0033',
  groups: '0047',
  slopes: '0054',
  two: '0067',
};
const ofPackage = (name) => import(pathToFileURL(join(root, 'dist/package', `${name}.js`)).href);
const { readSafetensors, writeNpy, writeSafetensors } = await ofPackage('entries/files');
const chinese = /\p{Script=Han}/u;

test('the example dumps of the page equal dumps of the tests', async () => {
  assert.deepEqual(
    (await readdir(folder)).sort(),
    Object.keys(examples)
      .flatMap((name) => [`${name}.json`, `${name}.safetensors`])
      .sort(),
  );
  for (const [name, number] of Object.entries(examples)) {
    const { options } = dumps.get(number);
    const { tensors } = readSafetensors(await readFile(join(folder, `${name}.safetensors`)));
    assert.deepEqual(tensors, options.arrays, name);
    assert.deepEqual(
      JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')),
      options.config,
    );
  }
});

test('every fault, array and configuration has a Chinese text', async () => {
  const entry = (name) => importTypeScript(join(root, 'web/check', `${name}.ts`));
  const { configIn, dataIn, arrayIn, explanationIn } = await entry('chinese');
  const { faults } = await ofPackage('diagnose/faults');
  const { faultsInChinese } = await entry('faults_in_chinese');
  assert.deepEqual(Object.keys(faultsInChinese).sort(), faults.map(({ id }) => id).sort());
  const { createRopewalk } = await ofPackage('entries/index');
  const { diagnose } = await ofPackage('entries/diagnose');
  const rw = await createRopewalk();
  for (const { name, options } of dumps.values()) {
    const { data, expected, hypotheses, further } = diagnose(rw, options);
    for (const line of data) assert.match(dataIn('zh', line), /：/, `${name}: ${line}`);
    for (const line of expected) assert.match(configIn('zh', line), chinese, `${name}: ${line}`);
    if (further && further !== 'inv_freq') assert.match(arrayIn('zh', further), chinese, further);
    for (const hypothesis of hypotheses) {
      const { says, fix } = explanationIn('zh', hypothesis);
      assert.match(says, chinese, `${name}: ${hypothesis.says}`);
      assert.doesNotMatch(`${says}${fix}`, /undefined|NaN/, `${name}: ${says}`);
      assert.equal(fix === '', hypothesis.fix === '', name);
    }
  }
});

for (const name of browserNames) {
  describe(`check in ${name}`, () => {
    const visit = visits(name);
    let directory;
    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'ropewalk-check-'));
    });
    after(async () => {
      await rm(directory, { recursive: true });
    });

    const idle = (selector) =>
      visit.tab.waitForFunction(
        (box) => document.querySelector(box)?.getAttribute('aria-busy') === 'false',
        {},
        selector,
      );
    async function open(path = 'numbers.html', settings = {}) {
      await visit.open(path, settings);
      await idle('#result-check');
      await idle('#notebook');
    }
    const text = (selector = '') =>
      visit.tab.$eval(`#result-check ${selector}`.trim(), (box) => box.innerText);
    const ids = () =>
      visit.tab.$$eval('#result-check .hypotheses li:first-child h3 code', (all) =>
        all.map(({ innerText }) => innerText),
      );
    async function tryDump(dump) {
      await visit.tab.click(`[data-dump="${dump}"]`);
      await visit.tab.waitForSelector(`[data-dump="${dump}"][aria-pressed="true"]`);
      await idle('#result-check');
    }
    async function choose(input, ...files) {
      await (await visit.tab.$(input)).uploadFile(...files);
      await visit.tab.waitForFunction(
        (box) => /** @type {HTMLInputElement} */ (document.querySelector(box)).files.length === 0,
        {},
        input,
      );
      await idle('#result-check');
    }
    async function written(file, content) {
      await writeFile(join(directory, file), content);
      return join(directory, file);
    }
    const tensor = (data, shape = [data.length]) => ({ data: Float32Array.from(data), shape });

    for (const path of ['numbers.html', 'zh/numbers.html']) {
      test(`${path}: every example dump shows a verdict, a curve and a fix`, async () => {
        await open(path);
        assert.match(await text(), /config\.json/);
        for (const [dump, number] of Object.entries(examples)) {
          await tryDump(dump);
          const { faults } = dumps.get(number).expect;
          assert.deepEqual((await ids()).sort(), [...faults].sort(), dump);
          await visit.tab.waitForFunction(() =>
            document
              .querySelector('#result-check rw-curve')
              ?.shadowRoot?.querySelector('svg.chart'),
          );
          const series = await visit.tab.$eval('rw-curve', ({ shadowRoot }) =>
            [...shadowRoot.querySelectorAll('.legend li')].map((item) => item.textContent.trim()),
          );
          assert.equal(series.length, 3, `${dump}: ${series}`);
          const [says, fix] = [await text('.says'), await text('.fix')];
          const isChinese = [says, fix].every((line) => chinese.test(line));
          assert.equal(isChinese, path.startsWith('zh'), `${says} ${fix}`);
        }
        await visit.page.assertNoComplaint();
      });

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
        await visit.page.assertNoComplaint();
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
      await visit.page.assertNoComplaint();
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
      await visit.page.assertNoComplaint();
    });

    test('a verdict is accessible and does not scroll horizontally at 360 px', async () => {
      await open('numbers.html', { width: 360 });
      await tryDump('groups');
      await visit.tab.waitForFunction(() =>
        document.querySelector('rw-curve')?.shadowRoot?.querySelector('svg.chart'),
      );
      const [content, view] = await visit.tab.evaluate(() => {
        const { scrollWidth, clientWidth } = document.scrollingElement;
        return [scrollWidth, clientWidth];
      });
      assert.ok(content <= view, `${content} > ${view}`);
      await assertAccessible(visit.tab);
      await visit.page.assertNoComplaint();
    });

    test('every page links to the check', async () => {
      const pages = ['', 'gallery.html', 'guides.html', 'reference.html', 'numbers.html'];
      for (const path of [
        ...pages,
        'zh/',
        'zh/gallery.html',
        'zh/guides.html',
        'zh/numbers.html',
      ]) {
        await visit.open(path);
        const link = await visit.tab.$eval('.bar nav a[href$="numbers.html"]', ({ href }) => href);
        const own = path.startsWith('zh') ? 'zh/numbers.html' : 'numbers.html';
        assert.equal(link, visit.site.address + own, path);
      }
    });
  });
}

/** The package's workers in browsers: plain module workers under the page's own strict policy. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { browserNames, browserFor, newTab } from './support/browser.mjs';
import { serve } from './support/server.mjs';

const built = join(import.meta.dirname, '..', '..', 'dist', 'package');
const stories = join(import.meta.dirname, '..', 'models', 'stories260k', 'stories260K.bin');

/** Where the package lies beside the page's own files. */
const place = './package';

/** A worker of the package that breaks at its first work, as one in trouble would. */
const dying = `
  import '${place}/entries/worker.js';
  addEventListener('message', ({ data }) => {
    if (data.name === 'attention') throw new Error('broken on purpose');
  });
`;

const page = `
  import { createPool } from '${place}/entries/pool.js';
  import { createRopewalk } from '${place}/entries/index.js';
  import { createModel } from '${place}/entries/model.js';
  import { createModelInWorker } from '${place}/entries/model_in_worker.js';
  const tensor = (...shape) => {
    const count = shape.reduce((a, b) => a * b);
    return { shape, data: Float32Array.from({ length: count }, (_, i) => Math.sin(i * i + shape.length)) };
  };
  const [q, k, v] = [tensor(2, 4, 300, 32), tensor(2, 2, 310, 32), tensor(2, 2, 310, 16)];
  const options = { causal: 'bottom-right', position: { type: 'alibi' }, intermediates: ['logSumExp'] };
  const text = (value) => JSON.stringify(value, (_, x) => (ArrayBuffer.isView(x) ? [...x] : x));
  globalThis.results = async (settings) => {
    const pool = await createPool({ size: 2, ...settings });
    const rw = await createRopewalk();
    const same = text(await pool.attention(q, k, v, options)) === text(rw.attention(q, k, v, options));
    const table = text(await pool.sinusoidal({ positions: 3, dim: 4 })) === text(rw.sinusoidal({ positions: 3, dim: 4 }));
    await pool.close();
    return { same, table, simd: pool.simd === rw.simd, size: (await createPool()).size === navigator.hardwareConcurrency };
  };
  globalThis.decoded = async (settings) => {
    const [rw, pool] = await Promise.all([createRopewalk(), createPool({ size: 2, ...settings })]);
    const sizes = { batch: 2, keyHeads: 2, dim: 32, valueDim: 16, capacity: 320, dtype: 'int8' };
    const [own, held] = [rw.createCache(sizes), await pool.createCache(sizes)];
    own.append(k, v);
    held.append(k, v);
    const same = text(await pool.attention(q, held, options)) === text(rw.attention(q, own, options));
    await pool.close();
    return same;
  };
  globalThis.written = async () => {
    const weights = await (await fetch('stories260K.bin')).blob();
    const models = [await createModel({ weights }), await createModelInWorker({ weights })];
    const results = models.map(async (model) => {
      const tokens = [];
      for await (const token of model.generate([1], { maxTokens: 40 })) tokens.push(token);
      return { tokens, losses: [...(await model.loss(tokens))] };
    });
    const [here, there] = await Promise.all(results);
    await models[1].dispose();
    return { same: text(here) === text(there), count: there.tokens.length };
  };
  globalThis.rejection = (settings) => createPool({ size: 1, ...settings }).then(() => 'started', ({ name, message }) => name + ': ' + message);
`;

for (const name of browserNames) {
  describe(`the pool in ${name}`, () => {
    let folder;
    let site;
    let browser;
    let tab;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ropewalk-pool-'));
      await cp(built, join(folder, 'package'), { recursive: true });
      await cp(stories, join(folder, 'stories260K.bin'));
      await writeFile(join(folder, 'dying.js'), dying);
      await writeFile(join(folder, 'page.js'), page);
      await writeFile(
        join(folder, 'index.html'),
        '<!doctype html><script type="module" src="page.js"></script>',
      );
      site = await serve(folder);
      browser = await browserFor(name);
      tab = await newTab(browser);
      await tab.goto(site.address);
      await tab.waitForFunction(() => globalThis.results);
    });
    after(async () => {
      await browser?.close();
      await site?.close();
      await rm(folder, { recursive: true });
    });
    const expected = { same: true, table: true, simd: true, size: true };

    test("answers as an instance does, with the package's own workers and with the caller's", async () => {
      assert.deepEqual(await tab.evaluate(() => globalThis.results()), expected);
      const own = () =>
        globalThis.results({
          worker: () => new Worker('package/entries/worker.js', { type: 'module' }),
        });
      assert.deepEqual(await tab.evaluate(own), expected);
    });

    test('workers that hold a cache answer as an instance does', async () => {
      assert.equal(await tab.evaluate(() => globalThis.decoded()), true);
      const own = () =>
        globalThis.decoded({
          worker: () => new Worker('package/entries/worker.js', { type: 'module' }),
        });
      assert.equal(await tab.evaluate(own), true);
    });

    test('a model in a worker writes what it writes on the page', async () =>
      assert.deepEqual(await tab.evaluate(() => globalThis.written()), { same: true, count: 40 }));

    test('a worker that breaks is replaced, and its work done once more', async () => {
      const result = await tab.evaluate(async () => {
        let made = 0;
        const worker = () =>
          new Worker(made++ === 0 ? 'dying.js' : 'package/entries/worker.js', { type: 'module' });
        return { ...(await globalThis.results({ worker })), made };
      });
      assert.deepEqual(result, { ...expected, made: 3 });
    });

    test('a worker that cannot be loaded, and a value that is none, are descriptive errors', async () => {
      const rejection = (worker) => tab.evaluate(`globalThis.rejection({ worker: ${worker} })`);
      const missing = await rejection("() => new Worker('missing.js', { type: 'module' })");
      assert.match(missing, /^Error: Two workers of the pool died of this work: \w/);
      assert.equal(await rejection('() => 5'), 'TypeError: worker must return a Worker, got 5');
    });
  });
}

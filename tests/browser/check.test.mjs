/** The page “Check your model”: example dumps, uploaded files, unreadable files. */
import assert from 'node:assert/strict';
import { open as openFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import onnxProto from 'onnx-proto';
import { matrixDumps } from '../dumps/generated/generate.mjs';
import { ggufBytes } from '../dumps/gguf_writer.mjs';
import { few, sweep } from '../support/sweep.mjs';
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
    if (typeof number !== 'string') continue;
    const { options } = dumps.get(number);
    const { tensors } = readSafetensors(await readFile(join(exampleFolder, `${name}.safetensors`)));
    assert.deepEqual(tensors, options.arrays, name);
    assert.deepEqual(
      JSON.parse(await readFile(join(exampleFolder, `${name}.json`), 'utf8')),
      options.config,
    );
  }
});

test('the lines to copy save arrays that diagnose knows', async () => {
  const { recognized } = await ofPackage('diagnose/dump');
  const folder = join(exampleFolder, '../hooks');
  const saved = {
    'transformers.py': /dump\.update\(([^)]*)\)|dump\["(\w+)"\]/g,
    'vllm.py': /\["(position_ids)", "(q)", "(k)"\]|dump\["(\w+)"\]/g,
    'mlx_lm.py': /"(position_ids)"|cycle\("(q)(k)"\)/g,
    'llama_cpp.txt': /\? "(Kcur)" : "(Qcur)"/g,
  };
  assert.deepEqual((await readdir(folder)).sort(), Object.keys(saved).sort());
  const tensor = { data: Float32Array.of(1, 1), shape: [1, 2] };
  for (const [file, pattern] of Object.entries(saved)) {
    const text = await readFile(join(folder, file), 'utf8');
    const names = Array.from(text.matchAll(pattern), ([, ...found]) => found)
      .flat()
      .flatMap((part) => part?.match(/\w+(?==)|^\w+$/g) ?? []);
    const known = new Set([...names, 'q_rot', 'k_rot']);
    assert.ok(known.size >= 4, `${file}: ${[...known]}`);
    assert.ok(text.includes('_rot'), file);
    const arrays = [...known].map((name) => [`layers.0.${name}`, tensor]);
    assert.deepEqual(recognized(arrays).unknown, [], file);
  }
});

/** Makes a file 6 GB long; the rest of it is a hole. */
async function extend(path) {
  const handle = await openFile(path, 'r+');
  await handle.truncate(6 * 2 ** 30);
  await handle.close();
  return path;
}

/** The header of a checkpoint of 6 GB, most of it one matrix. */
function checkpointHeader() {
  const room = 1024;
  const rows = 6 * 2 ** 20 - room / 1024 - 384;
  const header = {
    'model.layers.0.self_attn.q_proj.weight': {
      dtype: 'F16',
      shape: [512, 256],
      data_offsets: [0, 262144],
    },
    'model.layers.0.self_attn.k_proj.weight': {
      dtype: 'F16',
      shape: [256, 256],
      data_offsets: [262144, 393216],
    },
    'model.embed_tokens.weight': {
      dtype: 'U8',
      shape: [rows, 1024],
      data_offsets: [393216, 393216 + rows * 1024],
    },
  };
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(room - 8));
  return Buffer.concat([length, Buffer.from(JSON.stringify(header).padEnd(room - 8))]);
}

/** An ONNX model whose caches, of base 10000, are external data, and the bytes of these. */
function onnxWithData(location) {
  const { onnx } = onnxProto;
  const input = ['x', 'position_ids', 'cos_cache', 'sin_cache'];
  const node = [{ opType: 'RotaryEmbedding', domain: 'com.microsoft', input, output: ['y'] }];
  const dims = [256, 64];
  const angles = Float32Array.from(
    { length: dims[0] * dims[1] },
    (_, i) => Math.floor(i / 64) * 10000 ** (-(i % 64) / 64),
  );
  const parts = [Math.cos, Math.sin].map((of) => Buffer.from(angles.map(of).buffer));
  const initializer = parts.map(({ length }, i) => ({
    name: input[2 + i],
    dims,
    dataType: onnx.TensorProto.DataType.FLOAT,
    dataLocation: onnx.TensorProto.DataLocation.EXTERNAL,
    externalData: [
      { key: 'location', value: location },
      { key: 'offset', value: String(i * length) },
      { key: 'length', value: String(length) },
    ],
  }));
  const graph = { node, initializer };
  const model = { irVersion: 9, opsetImport: [{ version: 21 }], graph };
  const bytes = onnx.ModelProto.encode(onnx.ModelProto.fromObject(model)).finish();
  return { bytes, data: Buffer.concat(parts) };
}

describeInBrowsers('check', (visit, name) => {
  const { choose, open, text, ids, tryDump } = checkIn(visit);
  const { write: written } = temporaryFolder();

  const tensor = (data, shape = [data.length]) => ({ data: Float32Array.from(data), shape });

  for (const path of few(['numbers.html', 'zh/numbers.html'])) {
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
    const noise = tensor([0.9, 0.7, 0.3, 0.1]);
    await choose('#files', await written('inv_freq.npy', writeNpy(noise)));
    assert.match(await text('.headline'), /^None of the known faults/);
    assert.equal(await visit.tab.$('[data-dump][aria-pressed]'), null);
    await visit.tab.click('.behind summary');
    assert.match(await text('.brief'), /Largest difference/);
    const legend = await visit.tab.$eval('rw-curve >>> .legend', (list) => list.textContent);
    assert.match(legend, /by the nearest fault/);
    assert.doesNotMatch(legend, /verdict/);
    await visit.tab.click('#clear');
    await visit.tab.waitForSelector('#result-check:not([data-drawn])');
    assert.equal(await text(), '');
    await choose('#files', await written('config.json', '{"model_type":"bloom","n_head":4}'));
    assert.match(await text(), /^Files: config\.json/);
  });

  sweep('a reference reveals rows of weights that were permuted twice', async () => {
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

  const heads = { hidden_size: 256, num_attention_heads: 2, num_hidden_layers: 1 };
  const small = { model_type: 'qwen3', ...heads, head_dim: 128, rope_theta: 1000000 };
  /** How much of the files was read, in MB. */
  const megabytesRead = async () => {
    const line = await visit.tab.$$eval('#result-check .of', (all) => all.at(-1).textContent);
    const [, read, unit] = /(?:^|取了 )([\d.]+) (k?B|MB)(?: of|。)/.exec(line) ?? assert.fail(line);
    return Number(read) * { B: 1e-6, kB: 1e-3, MB: 1 }[unit];
  };

  for (const path of few(['numbers.html', 'zh/numbers.html'])) {
    test(`${path}: of a GGUF of 6 GB less than 64 MB are read for its verdict`, async () => {
      await open(path, { width: 360 });
      const keys = {
        'general.architecture': 'qwen3',
        'qwen3.block_count': 1,
        'qwen3.context_length': 40960,
        'qwen3.embedding_length': 256,
        'qwen3.attention.head_count': 2,
        'qwen3.attention.key_length': 128,
        'qwen3.rope.freq_base': 10000,
        'tokenizer.ggml.tokens': Array.from({ length: 50000 }, (_, i) => `token ${i}`),
      };
      const name = path.startsWith('zh') ? 'zh.gguf' : 'model.gguf';
      const file = await extend(await written(name, ggufBytes(keys)));
      await choose('#files', file, await written('config.json', JSON.stringify(small)));
      const isChinese = path.startsWith('zh');
      const says = isChinese
        ? '底数是 10000，config 要的是 1000000。'
        : 'The base is 10000; the config says 1000000.';
      assert.equal(await text('.headline'), says);
      assert.match(await text('.fix'), /qwen3\.rope\.freq_base = 1000000/);
      assert.match(await text('table'), isChinese ? /底数\s+1000000\s+10000/ : /changed/);
      assert.ok((await megabytesRead()) < 64);
      await visit.page.assertFits();
      await visit.assertAccessible();
    });
  }

  sweep('of a checkpoint of 6 GB with its index only headers are read', async () => {
    await open();
    const shard = 'weights-00001-of-00001.safetensors';
    const part = 'model.layers.0.self_attn.q_proj.weight';
    await choose(
      '#files',
      await extend(await written(shard, checkpointHeader())),
      await written(
        'model.safetensors.index.json',
        JSON.stringify({ weight_map: { [part]: shard } }),
      ),
      await written('config.json', JSON.stringify(small)),
    );
    assert.match(await text('table'), /rows of q_proj/);
    assert.ok((await megabytesRead()) < 1);
  });

  test('a single file of weights is a model, whatever its name, and one of arrays is not', async () => {
    await open();
    const q = { data: new Float32Array(512 * 256), shape: [512, 256] };
    const weights = {
      'model.layers.0.self_attn.q_proj.weight': q,
      'model.embed_tokens.weight': { data: new Float32Array(256), shape: [1, 256] },
    };
    await choose(
      '#files',
      await written('finetuned.safetensors', writeSafetensors(weights)),
      await written('config.json', JSON.stringify(small)),
    );
    assert.match(await text('table'), /rows of q_proj/);
    const all = await visit.tab.$eval('#result-check', (box) => box.textContent);
    assert.match(all, /the weights of a model, not arrays of a run/);
    assert.match(await text(), /This is a checkpoint/, 'visible while the details are closed');
    assert.match(await text('table'), /256, or 512 with a gate/);
    await visit.tab.click('#clear');
    const vector = { data: Float32Array.from({ length: 128 }, (_, i) => i), shape: [1, 1, 1, 128] };
    await choose(
      '#files',
      await written('model_dump.safetensors', writeSafetensors({ q: vector, q_rot: vector })),
      await written('config.json', JSON.stringify(small)),
    );
    const found = await visit.tab.$eval('#result-check', (box) => box.textContent);
    assert.match(found, /queries before rotation/);
  });

  sweep('of an ONNX model with 6 GB beside it only its caches are read', async () => {
    await open();
    const location = 'model.onnx_data';
    const { bytes, data } = onnxWithData(location);
    await choose(
      '#files',
      await written('model.onnx', bytes),
      await extend(await written(location, data)),
      await written('config.json', JSON.stringify(small)),
    );
    assert.equal(await text('.headline'), 'The frequencies have base 10000.');
    assert.match(await text('.fix'), /rope_theta|cos_cache/);
    assert.match(await text('table'), /cos_cache/);
    assert.ok((await megabytesRead()) < 1);
  });

  for (const path of few(['numbers.html', 'zh/numbers.html'])) {
    test(`${path}: a config.json alone shows layers, mistakes and settings`, async () => {
      await open(path, { width: 360 });
      const rope = { rope_type: 'llama3', factor: 8, original_max_position_embeddings: 8192 };
      const config = {
        model_type: 'smollm3',
        hidden_size: 2048,
        num_attention_heads: 16,
        num_hidden_layers: 8,
        rope_theta: 5e6,
        rope_scaling: { ...rope, low_freq_factor: 1, high_freq_factor: 4 },
      };
      await choose('#files', await written('config.json', JSON.stringify(config)));
      const isChinese = path.startsWith('zh');
      assert.match(await text('.headline'), isChinese ? /底数 5,000,000/ : /base 5,000,000/);
      assert.match(await text('.causes'), isChinese ? /8 个注意力层里有 2 层/ : /2 of 8 attention/);
      await visit.tab.waitForSelector('rw-layers >>> rect.layer');
      const bars = await visit.tab.$$('rw-layers >>> rect.layer');
      assert.equal(bars.length, 2 + 8, 'two kinds and eight layers');
      await visit.tab.$eval('rw-layers', ({ shadowRoot }) =>
        [...shadowRoot.querySelectorAll('button')].at(-1).click(),
      );
      await visit.tab.waitForFunction(
        () =>
          /2/.test(
            document.querySelector('rw-layers').shadowRoot.querySelector('[role=status]')
              .textContent,
          ),
        { polling: 50 },
      );
      const programs = await visit.tab.$$eval('[name="runtime"]', (all) =>
        all.map((each) => {
          each.setAttribute('open', '');
          return each.querySelector('summary').textContent;
        }),
      );
      assert.deepEqual(programs, ['transformers', 'vLLM', 'llama.cpp', 'MLX']);
      const all = await visit.tab.$eval('#result-check', (box) => box.textContent);
      assert.match(all, /--hf-overrides '\{"rope_parameters"/);
      await visit.page.assertFits();
      await visit.assertAccessible();
    });

    test(`${path}: each symptom opens alone and leads to the lines to copy`, async () => {
      await open(path, { width: 360 });
      const names = await visit.tab.$$eval('[name="symptom"]', (all) => all.map(({ id }) => id));
      assert.ok(names.length >= 8);
      for (const name of names) {
        await visit.tab.focus(`#${name} summary`);
        await visit.tab.keyboard.press('Enter');
        const opened = await visit.tab.$$eval('[name="symptom"][open]', (all) =>
          all.map((each) => [each.id, each.querySelectorAll('.causes li').length > 1]),
        );
        assert.deepEqual(opened, [[name, true]]);
        await visit.page.assertFits();
      }
      await visit.assertAccessible();
      await visit.tab.click('[name="symptom"][open] a[href="#hooks"]');
      assert.equal(new URL(visit.tab.url()).hash, '#hooks');
    });
  }

  test('where a verdict is still open, what to save next follows its sentence', async () => {
    await open();
    const dumpFiles = async (number) => {
      const { arrays, config } = dumps.get(number).options;
      return [
        await written(`${number}.safetensors`, writeSafetensors(arrays)),
        await written('config.json', JSON.stringify(config)),
      ];
    };
    const llama = { model_type: 'llama', ...heads, rope_theta: 10000 };
    /** @type {Record<string, [string[], RegExp]>} */
    const cases = {
      unknown: [await dumpFiles('0077'), /Save q before and q_rot/],
      undecided: [await dumpFiles('0018'), /also save scores/],
      rotary: [[await written('llama.json', JSON.stringify(llama))], /save q, q_rot and/],
      alibi: [[await written('bloom.json', '{"model_type":"bloom","n_head":4}')], /k and scores/],
    };
    for (const [name, [files, wanted]] of few(Object.entries(cases), 2)) {
      if (name !== 'unknown') await visit.tab.click('#clear');
      await choose('#files', ...files);
      const next = await visit.tab.$eval('.headline + .fix', (line) => line.textContent);
      assert.match(next, wanted, name);
      assert.ok(await visit.tab.$('.headline + .fix a[href="#hooks"]'), name);
    }
  });

  sweep(
    'a wrong width is drawn as two bars, and along the pairs, never along one channel',
    async () => {
      const wide = [...matrixDumps({ each: 2, ids: ['rotary_width_wrong'], names: ['gptj'] })];
      assert.deepEqual(
        wide.map(({ expect }) => expect.kind),
        ['inv', 'q'],
      );
      await open();
      for (const { options, expect } of wide) {
        await choose(
          '#files',
          await written('dump.safetensors', writeSafetensors(options.arrays)),
          await written('config.json', JSON.stringify(options.config)),
        );
        const [first, second] = await visit.tab.$$eval('.widths .rotated', (bars) =>
          bars.map((bar) => Number(bar.getAttribute('width'))),
        );
        assert.match(await text('.headline'), new RegExp(`^${second} of .* says ${first}`));
        assert.match(await text('.widths'), new RegExp(`config: ${first} of`));
        assert.equal((await visit.tab.$('rw-curve')) !== null, expect.kind === 'inv');
      }
    },
  );

  sweep('nothing else moves when a verdict comes', async () => {
    await open('numbers.html', { width: 1440 });
    await visit.tab.evaluate(() => {
      const moved = (globalThis.moved = []);
      const observer = new PerformanceObserver((list) =>
        // The room for the verdict opens with the click.
        moved.push(...list.getEntries().map((entry) => Reflect.get(entry, 'value'))),
      );
      observer.observe({ type: 'layout-shift', buffered: true });
    });
    await tryDump('layout');
    await visit.tab.waitForFunction(() =>
      document.querySelector('rw-curve')?.shadowRoot?.querySelector('svg.chart'),
    );
    const shift = await visit.tab.evaluate(() => globalThis.moved.reduce((a, b) => a + b, 0));
    assert.ok(shift < 0.05, `${shift}`);
  });

  for (const width of few([360, 1440]))
    test(`${width} px: nothing else moves when a config.json is described`, async () => {
      await open('numbers.html', { width });
      await visit.tab.evaluate(async () => {
        // The room for the verdict opens with the choice: that is no fault, and is over by then.
        document.querySelector('#result-check').setAttribute('data-drawn', '');
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        const moved = (globalThis.moved = []);
        const observer = new PerformanceObserver((list) =>
          moved.push(...list.getEntries().map((entry) => Reflect.get(entry, 'value'))),
        );
        observer.observe({ type: 'layout-shift' });
      });
      await choose('#files', await written('config.json', JSON.stringify(small)));
      await visit.tab.waitForSelector('rw-layers >>> rect.layer');
      const shift = await visit.tab.evaluate(
        () =>
          new Promise((resolve) =>
            requestAnimationFrame(() =>
              requestAnimationFrame(() => resolve(globalThis.moved.reduce((a, b) => a + b, 0))),
            ),
          ),
      );
      assert.ok(shift <= 0.05, `${shift}`);
    });

  const paper = { skip: name !== 'chromium' && `${name} cannot emulate print` };

  test('a verdict is printed by itself, with what is behind it', paper, async () => {
    await open('numbers.html', { width: 720 });
    const seen = () =>
      visit.tab.evaluate(() =>
        ['.start', '#hooks', '#made', '.headline', '.behind .brief'].filter((each) =>
          document.querySelector(each)?.checkVisibility({ contentVisibilityAuto: true }),
        ),
      );
    const config = { ...small, rope_scaling: { rope_type: 'linear', factor: 4 } };
    await choose('#files', await written('config.json', JSON.stringify(config)));
    await visit.tab.emulateMediaType('print');
    assert.deepEqual(await seen(), ['.headline', '.behind .brief']);
    await visit.tab.emulateMediaType('screen');
    assert.deepEqual(await seen(), ['.start', '#hooks', '#made', '.headline']);
  });

  sweep('an address of the time when arrays were compared here leads to their page', async () => {
    for (const path of few(['', 'zh/'])) {
      await visit.open(`${path}numbers.html#compare`);
      const isThere = () =>
        location.pathname.endsWith('arrays.html') &&
        document.querySelector('#compare:target') !== null;
      await visit.page.until(isThere);
    }
  });

  sweep('a verdict is accessible and does not scroll horizontally at 360 px', async () => {
    await open('numbers.html', { width: 360 });
    await tryDump('groups');
    await visit.tab.waitForFunction(() =>
      document.querySelector('rw-curve')?.shadowRoot?.querySelector('svg.chart'),
    );
    await visit.page.assertFits();
    await visit.assertAccessible();
  });
});

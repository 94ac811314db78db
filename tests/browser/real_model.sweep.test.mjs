/** A real model: the losses on the page against those of another program, and its stories. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { byteKeys, pieceKeys } from '../models/gguf_tokenizers.mjs';
import { expected, ggufFile } from '../models/llama2c_file.mjs';
import { recordedFile } from '../models/ship.mjs';
import { byteTokenizer } from '../support/byte_tokenizer.mjs';
import { near } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const root = join(import.meta.dirname, '..', '..');
const { edges, modes } = expected;

/** The mean loss of the places from `first` to `end`, which are edges of the file's bins. */
function lossOf(mode, first, end) {
  let sum = 0;
  modes[mode].forEach((loss, bin) => {
    if (edges[bin] >= first && edges[bin + 1] <= end) sum += loss * (edges[bin + 1] - edges[bin]);
  });
  return sum / (end - first);
}

const { results, unchanged } = JSON.parse(
  readFileSync(join(root, 'web/trained/recorded/healing.json'), 'utf8'),
);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const far = ({ places }) => mean(places.slice(-2));
const short = (measured) => measured.short;

/** The mean over seeds after so many steps of training. */
const healed = (method, steps, of) =>
  mean(
    results
      .filter((one) => one.method === method)
      .map(({ measured }) => of(measured.find(({ step }) => step === steps))),
  );

const poems = JSON.parse(
  readFileSync(join(root, 'web/trained/recorded/poems.json'), 'utf8'),
).results;

/** The mean over seeds of what the poems of a scheme count. */
const counted = (scheme, of) => mean(poems.filter((one) => one.scheme === scheme).map(of));
const ninth = ({ right }) => right[8];
const known = ({ right }) => mean(right.slice(0, 8));

/** What float16 weights and two decimals may change. */
const bound = 0.002 + 0.005;

describe('the numbers of the text are those of the file', () => {
  for (const language of ['en', 'zh'])
    test(language, () => {
      const text = readFileSync(join(root, `web/chapters/real_model/${language}.md`), 'utf8');
      const stated = new Set(text.match(/\d\.\d\d(?!\d)/g));
      const first = (mode) => lossOf(mode, 0, 128);
      const numbers = [
        ...['direct', 'none', 'half_split', 'inverted', 'pi_4', 'ntk_4'].map(first),
        ...['window_512', 'rerope_256', 'direct', 'log_n'].map((mode) => lossOf(mode, 512, 640)),
        ...['direct', 'window_512'].map((mode) => lossOf(mode, 768, 1024)),
        ...['yarn_4_1_32', 'ntk_by_parts_1_32'].map(first),
        JSON.parse(readFileSync(recordedFile, 'utf8')).alibi,
        ...[healed('pi', 0, far), healed('pi', 80, far), far(unchanged), healed('ntk', 5, far)],
        ...[healed('pi', 80, short), short(unchanged)],
        ...[healed('direct', 80, far), healed('direct', 80, short)],
        ...[0, 80].flatMap((steps) => [healed('yarn', steps, far), healed('yarn', steps, short)]),
        // 0.345, which the difference of two floats is just below.
        healed('yarn', 0, short) - short(unchanged) + 1e-9,
        ...[counted('sinusoidal', ninth), 5 / 6, counted('rope', ninth)],
        ...[counted('alibi', known), counted('rope', known)],
        ...['alibi', 'rope', 'sinusoidal'].map((name) => counted(name, ({ fives }) => fives[2])),
        counted('none', ({ fives }) => fives[0]),
        lossOf('direct', 0, 512),
        Math.log(512),
        Math.log(1100) / Math.log(512),
      ];
      assert.deepEqual(
        [...stated].sort(),
        [...new Set(numbers.map((number) => number.toFixed(2)))].sort(),
      );
    });
});

/** Makes the page see another device; runs in the page. */
function pretend({ memory, vendor = '', isTouch = false }) {
  const set = (name, value) =>
    Object.defineProperty(navigator, name, { value, configurable: true });
  set('deviceMemory', memory);
  set('vendor', vendor);
  globalThis.realMatchMedia ??= globalThis.matchMedia;
  globalThis.matchMedia = (query) =>
    /pointer: coarse/.test(query)
      ? /** @type {MediaQueryList} */ ({ matches: isTouch })
      : globalThis.realMatchMedia(query);
}

/** A folder whose weights of 2 GB are a hole in a file; returns the paths. */
function writeSparseModel(folder) {
  const shape = [2 ** 20, 1024];
  const end = 2 * shape[0] * shape[1];
  const header = {
    'model.embed_tokens.weight': { dtype: 'F16', shape, data_offsets: [0, end] },
  };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const config = {
    model_type: 'llama',
    hidden_size: shape[1],
    intermediate_size: 1024,
    num_hidden_layers: 1,
    num_attention_heads: 16,
    vocab_size: shape[0],
    tie_word_embeddings: true,
  };
  const files = {
    'config.json': JSON.stringify(config),
    'tokenizer.json': '{}',
    'model.safetensors': Buffer.concat([length, text]),
  };
  return Object.entries(files).map(([name, content]) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    if (name === 'model.safetensors') truncateSync(file, 8 + text.length + end);
    return file;
  });
}

describeInBrowsers('a real model', (visit) => {
  const { claim } = visit;
  const { figure } = visit;
  const story = (shown) => shown.text('.story');
  const stories = (shown) =>
    shown.inside(`[...root.querySelectorAll('.story')].map(({ textContent }) => textContent)`);
  const verdict = (shown) => shown.text('.verdict');

  claim('C23 C41 at other positions the story is the same, letter for letter', async () => {
    const shown = await figure('break-a-llama', { change: 'trained' });
    const before = await story(shown);
    assert.ok(before.startsWith('Once upon a time, there was a little girl named Lily.'), before);
    for (const first of [500, 2000]) {
      await shown.set('firstPosition', first);
      assert.deepEqual(await stories(shown), [before, before]);
      assert.match(await verdict(shown), /letter for letter/);
    }
    near(await shown.number('loss'), lossOf('direct', 0, 512), bound, 'the loss');
  });

  claim(
    'C42 without rotation, with the wrong pairing or negated angles it breaks at once',
    async () => {
      for (const language of ['', 'zh/']) {
        const shown = await figure('break-a-llama', { change: 'trained' }, language);
        const before = await story(shown);
        for (const [change, mode] of [
          ['none', 'none'],
          ['pairing', 'half_split'],
          ['negated', 'inverted'],
        ]) {
          await shown.set('change', change);
          const [broken, trained] = await stories(shown);
          assert.notEqual(broken, before);
          assert.equal(trained, before);
          near(await shown.number('loss'), lossOf(mode, 0, 512), bound, change);
          assert.match(await verdict(shown), /The story breaks|故事写坏了/);
          assert.ok((await shown.number('surprise')) > 2, change);
        }
        await shown.set('change', 'trained');
        assert.deepEqual(await stories(shown), [before]);
      }
    },
  );

  claim('C43 interpolation by 4 makes it stammer, and another base changes less', async () => {
    const shown = await figure('break-a-llama', { change: 'trained', factor: '4' });
    near(await shown.number('loss'), lossOf('pi_4', 0, 512), bound, 'factor 4');
    assert.match(await verdict(shown), /stammers/);
    await shown.set('factor', 1);
    await shown.set('base', 1e6);
    near(await shown.number('loss'), lossOf('base_1e6', 0, 512), bound, 'base 1,000,000');
  });

  claim('C42 it opens with what was recorded, which the live model writes, too', async () => {
    for (const language of ['', 'zh/']) {
      const shown = await figure('break-a-llama', {}, language);
      const [broken, trained] = await stories(shown);
      assert.ok(trained.startsWith('Once upon a time, there was a little girl named Lily.'));
      assert.ok(broken.startsWith('Once upon a time') && !broken.includes('Lily'), broken);
      near(await shown.number('loss'), lossOf('half_split', 0, 512), bound, 'the loss');
      assert.match(await verdict(shown), /The story breaks|故事写坏了/);
      const loaded = () =>
        visit.tab.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      assert.ok(!(await loaded()).some((name) => name.includes('.gguf')), 'no model is loaded');
      // No distance changes, and nothing was recorded of it.
      await shown.set('firstPosition', 1);
      assert.ok(
        (await loaded()).some((name) => name.includes('.gguf')),
        'the model writes',
      );
      assert.deepEqual(await stories(shown), [broken, trained]);
    }
  });

  test('it continues what the reader writes', async () => {
    const shown = await figure('break-a-llama');
    await shown.drawnAfter(() =>
      shown.inside(`(() => {
        const field = root.getElementById('prompt');
        field.value = 'Tom had a blue dog';
        field.dispatchEvent(new Event('input'));
        return 0;
      })()`),
    );
    const [, trained] = await stories(shown);
    assert.match(trained, /^Tom had a blue dog\b/);
    assert.match(await story(shown), /^Tom had a blue dog/);
    const { columns, rows } = await shown.csv();
    assert.deepEqual(columns, ['word', 'surprise (nats)', 'origin']);
    assert.equal(rows.filter((row) => row.at(-1) === 'given').length, 5);
  });

  claim(
    'C43 beyond 512 the finding says by how much ReRoPE helps, and what YaRN costs',
    async () => {
      for (const language of ['', 'zh/']) {
        const finding = await (await figure('beyond-512', {}, language)).text('.finding');
        const above = (mode, first, end) => lossOf(mode, first, end) - lossOf('direct', first, end);
        const said = [-above('rerope_256', 768, 1024), above('yarn_4_1_32', 128, 512)];
        assert.ok(Math.abs(above('rerope_256', 128, 512)) < bound);
        assert.match(finding, /hardly changes|几乎不改变/);
        for (const [k, number] of finding.match(/\d\.\d\d/g).entries())
          near(Number(number), said[k], 2 * bound, finding);
        assert.match(finding, /ReRoPE.*YaRN/);
      }
    },
  );

  claim('C43 beyond 512 the losses are those of the file, recorded and computed here', async () => {
    const shown = await figure('beyond-512', {
      window: 'yes',
      'log-n': 'yes',
      'by-parts': 'yes',
      pi: 'yes',
    });
    const named = {
      direct: 'direct',
      window: 'window_512',
      rerope: 'rerope_256',
      pi: 'pi_4',
      ntk: 'ntk_4',
      'by-parts': 'ntk_by_parts_1_32',
      yarn: 'yarn_4_1_32',
      'log-n': 'log_n',
    };
    const sections = [
      [0, 128],
      [128, 512],
      [512, 640],
      [640, 768],
      [768, 1024],
      [1024, 1099],
    ];
    const compare = async ({ window, ...others }) => {
      for (const [method, mode] of Object.entries({ ...others, ...(window && { window }) }))
        for (const [at, [first, end]] of sections.entries())
          near(
            await shown.number(`${method}-${at}`),
            lossOf(mode, first, end),
            bound,
            `${method} from ${first}`,
          );
    };
    await compare(named);
    // Nothing was recorded of this window.
    await shown.set('keys', 496);
    await compare({ ...named, window: undefined });
    await shown.set('factor', 2);
    const other = await shown.number('pi-0');
    assert.ok(other < lossOf('pi_4', 0, 128) - 0.3, `${other}`);
  });

  const folder = join(root, 'tests/models/stories260k');
  /** Gives files to the second of the inputs, which takes single files. */
  async function give(shown, ...names) {
    const input = await visit.tab.evaluateHandle(
      () => document.querySelector('[name="own-model"]').shadowRoot.querySelectorAll('input')[1],
    );
    await input.uploadFile(...names.map((name) => join(folder, name)));
  }
  const load = async (shown, ...names) => {
    await give(shown, ...(names.length > 0 ? names : ['stories260K.bin', 'tok512.bin']));
    await shown.until(`root.querySelector('.main')`);
    await shown.drawnAfter(() => shown.inside(`(root.querySelector('.main').click(), 0)`));
    await shown.until(`root.querySelector('[data-number="surprise"]')`);
  };

  test('a model of the reader says what it takes, is loaded and writes', async () => {
    let shown = await figure('own-model');
    const preview = `root.querySelectorAll('.preview .story').length`;
    assert.equal(await shown.inside(preview), 2);
    const said = (await shown.text('.verdict')).match(/\d\.\d\d/g);
    const named = (
      await shown.inside(
        `[...root.querySelectorAll('.story-name')].map((name) => name.textContent).join(' ')`,
      )
    ).match(/\d\.\d\d/g);
    assert.deepEqual(said.slice(0, 2), named);
    assert.ok(said[0] > 5 && said[1] < 1, `${said}`);
    const loss = await (await figure('break-a-llama')).number('trained-loss');
    for (const language of ['', 'zh/']) {
      const verdict = await (await figure('own-model', {}, language)).text('.verdict');
      near(Number(verdict.match(/\d\.\d\d/g)[2]), loss, 1e-9, 'on the fixed text');
    }
    shown = await figure('own-model');
    await give(shown, 'stories260K.bin', 'tok512.bin');
    await shown.until(`root.querySelector('.main')`);
    assert.equal(await shown.text('.story'), undefined, 'nothing is loaded before the reader asks');
    assert.match(await shown.text('[data-number="peak"]'), /^\d\d MB$/);
    await load(shown);
    assert.match(await story(shown), /^Once upon a time, there was a little girl named Lily\./);
    const trained = await shown.number('trained-prompt');
    near(await shown.number('prompt'), trained, 0.0051, 'unchanged');
    assert.match(await shown.text('.verdict'), /^As trained/);
    await shown.set('change', 'pairing');
    await shown.until(`root.querySelector('[data-number="surprise"]')`);
    const [prompt, surprise] = [await shown.number('prompt'), await shown.number('surprise')];
    assert.ok(prompt > trained + 0.2, `${prompt}, not ${trained}`);
    assert.ok(surprise > 2, `${surprise}`);
    assert.match(await shown.text('.verdict'), /^The story breaks, at/);
    near(
      await shown.number('surprise'),
      Number(/\d\.\d\d/.exec(await shown.text('.verdict'))[0]),
      1e-9,
    );
  });

  test('where no model is at hand one button loads the small Llama', async () => {
    for (const language of ['', 'zh/']) {
      const shown = await figure('own-model', {}, language);
      await shown.drawnAfter(() => shown.inside(`(root.querySelector('.shipped').click(), 0)`));
      await shown.until(`root.querySelector('[data-number="surprise"]')`);
      assert.match(await shown.text('[data-number="peak"]'), /^\d\.?\d* MB$/);
      assert.match(await story(shown), /^Once upon a time, there was a little girl named Lily\./);
      await shown.set('change', 'pairing');
      await shown.until(`root.querySelector('[data-number="surprise"]')`);
      assert.ok((await shown.number('surprise')) > 2);
    }
  });

  test('a .gguf file brings its tokenizer, and one that is not read is refused in words', async () => {
    const place = mkdtempSync(join(tmpdir(), 'ropewalk-gguf-'));
    try {
      const write = (name, keys) => {
        writeFileSync(join(place, name), ggufFile(keys));
        return relative(folder, join(place, name));
      };
      const good = write('stories.gguf', pieceKeys());
      const other = write('other.gguf', byteKeys(byteTokenizer(), 'deepseek-llm'));
      for (const [language, refused] of /** @type {const} */ ([
        ['', /tokenizer\.ggml\.pre must be one of gpt-2, .*, got "deepseek-llm"/],
        [
          'zh/',
          /分词器读不了：tokenizer\.ggml\.pre 只支持 gpt-2, .*现在是 "deepseek-llm"；旁边放上/,
        ],
      ])) {
        const shown = await figure('own-model', {}, language);
        await give(shown, other);
        await shown.until(`root.querySelector('.main')`);
        await shown.inside(`(root.querySelector('.main').click(), 0)`);
        await shown.until(`root.querySelector('.refused')`);
        assert.match(await shown.text('.refused'), refused);
        await load(shown, good);
        assert.match(await story(shown), /^Once upon a time, there was a little girl named Lily\./);
      }
    } finally {
      rmSync(place, { recursive: true });
    }
  });

  test('what a phone or WebKit cannot hold is refused from its header, before it is loaded', async () => {
    const place = mkdtempSync(join(tmpdir(), 'ropewalk-large-'));
    try {
      const names = writeSparseModel(place);
      for (const language of ['', 'zh/']) {
        const shown = await figure('own-model', {}, language);
        /** What the figure says of the folder on a device: the button to load it, or a refusal. */
        const saidOn = async (device) => {
          await visit.tab.evaluate(pretend, device);
          const input = await visit.tab.evaluateHandle(
            () =>
              document.querySelector('[name="own-model"]').shadowRoot.querySelectorAll('input')[1],
          );
          await input.uploadFile(...names);
          await shown.until(`root.querySelector('[data-number="peak"]')`);
          return shown.text('.main, .refused');
        };
        assert.match(await saidOn({ memory: 8 }), /^(Load it|加载)$/);
        assert.match(await saidOn({}), /^(Load it|加载)$/);
        for (const [device, room] of /** @type {[object, RegExp][]} */ ([
          [{ isTouch: true, vendor: 'Apple Computer, Inc.' }, /1\.1 GB/],
          [{ isTouch: true, memory: 4 }, /1\.1 GB/],
          [{ vendor: 'Apple Computer, Inc.' }, /2\.1 GB/],
          [{ memory: 2 }, /1\.1 GB/],
        ])) {
          const said = await saidOn(device);
          assert.match(said, /2\.3 GB/);
          assert.match(said, room, JSON.stringify(device));
          assert.match(said, /Nothing was loaded|没有加载/);
        }
      }
    } finally {
      rmSync(place, { recursive: true });
    }
  });

  test('files that are no model are refused in words, and the next ones work', async () => {
    for (const [language, noTokenizer, noWeights] of /** @type {const} */ ([
      ['', /tokenizer\.json is missing/, /must have weights/],
      ['zh/', /缺少 tokenizer\.json/, /没有权重文件/],
    ])) {
      const shown = await figure('own-model', {}, language);
      await give(shown, 'stories260K.bin');
      await shown.until(`root.querySelector('.refused')`);
      assert.match(await shown.text('.refused'), noTokenizer);
      await give(shown, 'expected.json');
      await shown.until(`!/tokenizer.json/.test(root.querySelector('.refused')?.textContent)`);
      await shown.until(`root.querySelector('.refused')`);
      assert.match(await shown.text('.refused'), noWeights);
      await load(shown);
      assert.match(await story(shown), /^Once upon a time/);
    }
  });
});

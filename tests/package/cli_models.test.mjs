/** `npx ropewalk generate`, `loss` and `dump` with the Llama of llama2.c and a Hugging Face folder. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, test } from 'node:test';
import { byteKeys, pieceKeys } from '../models/gguf_tokenizers.mjs';
import { ggufFile } from '../models/llama2c_file.mjs';
import { byteTokenizer } from '../support/byte_tokenizer.mjs';
import { place, printed, readSafetensors, run } from './command.mjs';
import { filesOf, hubFolder } from './hub_folder.mjs';
import {
  createModel,
  createRopewalk,
  inside,
  installed,
  readLlama2cTokenizer,
  readModelFolder,
  createTokenizer,
} from './installed.mjs';
import { interrupted, lines } from './training_runs.mjs';

const stories = join(import.meta.dirname, '..', 'models', 'stories260k');
const bytesOf = (file) => new Uint8Array(readFileSync(join(stories, file)));
const greedy = readFileSync(join(stories, 'greedy.txt'), 'utf8');
const { tokens } = JSON.parse(readFileSync(join(stories, 'expected.json'), 'utf8'));
const llama2c = readLlama2cTokenizer(bytesOf('tok512.bin'));
const book = llama2c.decode(tokens);
writeFileSync(place('book.txt'), book);
const model = await createModel({ weights: bytesOf('stories260K.bin') });
const rw = await createRopewalk();
/** As much of its greedy text as so many tokens are. */
const llama2cText = async (count) => {
  const written = [];
  for await (const token of model.generate([1], { maxTokens: count })) written.push(token);
  return llama2c.decode(written);
};
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Writes a Hugging Face folder under the working directory.
 * @param {(folder: ReturnType<typeof hubFolder>) => unknown} change
 */
function writeHub(name, change = (_) => {}) {
  const made = hubFolder();
  change(made);
  mkdirSync(place(name), { recursive: true });
  for (const [file, bytes] of Object.entries(filesOf(made)))
    writeFileSync(place(`${name}/${file}`), bytes);
  return filesOf(made);
}
const hub = writeHub('hub');

describe('generate', () => {
  test('writes at temperature 0 what llama2.c writes, from a folder and from its file', async () => {
    for (const from of [stories, join(stories, 'stories260K.bin')])
      assert.equal(await printed('generate', from, '--max-tokens 256'), greedy);
  });
  test('begins a text where the prompt is empty', async () => {
    const text = await llama2cText(12);
    assert.equal(await printed('generate', stories, '--prompt= --max-tokens 12'), `${text}\n`);
  });
  test('continues a prompt, with the same text for the same seed', async () => {
    const args = `generate ${stories} --prompt Once --max-tokens 30`;
    const text = `Once${await printed(args)}`.trim();
    assert.ok(text.length > 60 && greedy.startsWith(text), text);
    const drawn = `${args} --temperature 1 --top-p 0.9 --seed`;
    assert.equal(await printed(drawn, 3), await printed(drawn, 3));
    assert.notEqual(await printed(drawn, 3), await printed(drawn, 4));
  });
  test('writes while it reads on', async () => {
    const main = await inside('cli/main');
    const pieces = [];
    const write = (piece, _, done) => (pieces.push(String(piece)), done());
    const io = { stdout: new Writable({ write }), stderr: new Writable({ write }) };
    assert.equal(await main.run(['generate', stories, '--max-tokens', '50'], io), 0);
    assert.ok(pieces.filter(Boolean).length > 40, `${pieces.length} pieces`);
    assert.ok(greedy.startsWith(pieces.join('').trim()));
  });
  test('ends well when its reader has enough', async () => {
    const args = ['generate', stories, '--max-tokens', '400'];
    const child = spawn(process.execPath, [join(installed, 'cli/node_bin.js'), ...args]);
    child.stdout.once('data', () => child.stdout.destroy());
    assert.equal(await new Promise((resolve) => child.on('exit', resolve)), 0);
    let count = 0;
    const closed = Object.assign(new Error('closed'), { code: 'EPIPE' });
    const stdout = { write: (_, done) => (count++, done(closed)), on() {} };
    const main = await inside('cli/main');
    assert.equal(await main.run(args, { stdout, stderr: process.stderr }), 0);
    assert.ok(count < 3, `${count} pieces for nobody`);
  });
  test('stops at the end tokens of a Hugging Face folder', async () => {
    const { model: files, tokenizer: tokenizerFiles } = await readModelFolder(hub);
    const small = await createModel(files);
    const tokenizer = await createTokenizer(tokenizerFiles);
    const written = [];
    for await (const token of small.generate(tokenizer.encode('the'), { maxTokens: 12 }))
      written.push(token);
    const args = '--prompt the --max-tokens 12';
    assert.equal(await printed('generate hub', args), `${tokenizer.decode(written)}\n`);
    const end = written[5];
    writeHub('ending', ({ json }) => (json['generation_config.json'].eos_token_id = [1, end]));
    const before = tokenizer.decode(written.slice(0, written.indexOf(end)));
    assert.equal(await printed('generate ending', args), `${before}\n`);
    const chat = await tokenizer.encodeChat([{ role: 'user', content: 'the' }]);
    const answer = [];
    for await (const token of small.generate(chat, { maxTokens: 12, stop: [1, 2] }))
      answer.push(token);
    assert.equal(await printed('generate hub --chat', args), `${tokenizer.decode(answer)}\n`);
    small.dispose();
  });
  test('takes a tokenizer from elsewhere', async () => {
    copyFileSync(join(stories, 'stories260K.bin'), place('alone.bin'));
    const tokenizer = `--tokenizer ${join(stories, 'tok512.bin')}`;
    const out = await printed(`generate alone.bin --max-tokens 20 ${tokenizer}`);
    assert.ok(greedy.startsWith(out.trim()));
  });
});

describe('a .gguf file brings its tokenizer', () => {
  const named = (keys) => ggufFile({ ...pieceKeys(), ...keys });
  writeFileSync(place('stories.gguf'), named({}));
  // Those of a folder with this name are of another model.
  mkdirSync(place('file'), { recursive: true });
  writeFileSync(place('file/model.gguf'), named({}));

  test('generate writes what llama2.c writes', async () => {
    for (const from of ['stories.gguf', 'file'])
      assert.equal(
        await printed('generate', from, '--max-tokens 120'),
        `${await llama2cText(120)}\n`,
      );
    const drawn = '--prompt Lily --max-tokens 20 --temperature 1 --seed 4';
    assert.equal(
      await printed('generate stories.gguf', drawn),
      await printed('generate', stories, drawn),
    );
  });
  test('loss and dump are those of the folder', async () => {
    const args = '--text book.txt --length 100 --windows 2 --position own,none';
    assert.equal(await printed('loss stories.gguf', args), await printed('loss', stories, args));
    const dumped = async (from, out) => {
      await printed('dump', from, `--text book.txt --tokens 20 --layers 0 --out ${out}`);
      return readSafetensors(readFileSync(place(out))).tensors;
    };
    assert.deepEqual(
      await dumped('stories.gguf', 'own.safetensors'),
      await dumped(stories, 'folder.safetensors'),
    );
  });
  test('chats are written by its template, and end at its end token', async () => {
    const template = '{{ bos_token }}{% for m in messages %}{{ m.content }}{% endfor %}';
    const chat = { 'tokenizer.chat_template': template };
    writeFileSync(place('chat.gguf'), named(chat));
    const plain = await printed('generate stories.gguf --prompt Lily --max-tokens 9');
    assert.equal(await printed('generate chat.gguf --chat --prompt Lily --max-tokens 9'), plain);
    const written = llama2c.encode(`Lily${plain.trimEnd()}`).slice(2);
    const end = written[5];
    writeFileSync(place('chat.gguf'), named({ ...chat, 'tokenizer.ggml.eot_token_id': end }));
    const ended = await printed('generate chat.gguf --chat --prompt Lily --max-tokens 9');
    assert.ok(plain.startsWith(ended.trimEnd()) && ended.length < plain.length, ended);
  });
  test('a tokenizer.json beside it is taken instead, and that of another .gguf by name', async () => {
    const keys = byteKeys(byteTokenizer(), 'deepseek-llm');
    writeFileSync(place('file/model.gguf'), ggufFile(keys));
    const { status, stderr } = await run('generate file --prompt the');
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^ropewalk: file: file\/model\.gguf: tokenizer\.ggml\.pre must be one of gpt-2, /,
    );
    assert.match(stderr, /unless a tokenizer\.json is beside the file, got "deepseek-llm"\n$/);
    const args = '--prompt the --max-tokens 3';
    const named = await printed('generate file --tokenizer stories.gguf', args);
    assert.equal(named, await printed('generate stories.gguf', args));
    writeFileSync(place('file/tokenizer.json'), JSON.stringify(byteTokenizer()));
    assert.equal(
      await printed('generate file', args),
      await printed('generate stories.gguf --tokenizer file/tokenizer.json', args),
    );
  });
  test('without one, what is missing is said', async () => {
    writeFileSync(place('bare.gguf'), ggufFile());
    const { status, stderr } = await run('generate bare.gguf');
    assert.deepEqual(
      [status, stderr],
      [1, 'ropewalk: bare.gguf: tokenizer.json is missing; --tokenizer names another place\n'],
    );
  });
});

describe('loss', () => {
  const rope = (options) => ({ frequencies: rw.rotaryFrequencies({ dim: 8, ...options }) });
  const scaled = (type) => rope({ scaling: { type, factor: 4, originalLength: 512 } });
  const { inverseFrequencies } = rope().frequencies;
  const negated = { frequencies: { inverseFrequencies: inverseFrequencies.map((each) => -each) } };
  const factorOf = (place) => Math.max(1, Math.log(place + 1) / Math.log(16));
  const logN = { rowScale: factorOf };
  /** What each text means. */
  const positions = {
    own: {},
    none: { frequencies: 'none' },
    'half-split': { layout: 'half-split' },
    interleaved: {},
    inverted: negated,
    'base:1e6': rope({ base: 1e6 }),
    'pi:4': rope({ scaling: { type: 'linear', factor: 4 } }),
    'ntk:4': rope({ scaling: { type: 'ntk', factor: 4 } }),
    'ntk-by-parts:4': scaled('ntk-by-parts'),
    'yarn:4': scaled('yarn'),
    'llama3:4:512': scaled('llama3'),
    'window:16': { lookback: 15 },
    'rerope:16': { map: { type: 'rerope', window: 16 } },
    'leaky-rerope:16:4': { map: { type: 'leaky-rerope', window: 16, factor: 4 } },
    'self-extend:4:16': { map: { type: 'self-extend', groupSize: 4, neighborWindow: 16 } },
    'dual-chunk:32:8': { map: { type: 'dual-chunk', chunkSize: 32, localWindow: 8 } },
    'log-n:16': logN,
    'rerope:16+log-n:16': { map: { type: 'rerope', window: 16 }, ...logN },
    alibi: { frequencies: 'none', slopes: rw.alibiSlopes({ heads: 8 }) },
  };
  const [begin, ...text] = llama2c.encode(book);
  const windowOf = (i, length) => [begin, ...text.slice(i * (length - 1), (i + 1) * (length - 1))];

  test('of a text shorter than the model was made for is that of the whole text', async () => {
    writeFileSync(place('short.txt'), 'She ran home.');
    const out = await printed(`loss ${stories} --text short.txt`);
    const [title, , ...rows] = out.trim().split('\n');
    const { length } = llama2c.encode('She ran home.');
    assert.equal(title, `Loss in nats per token, 1 window of ${length} tokens`);
    assert.equal(rows.length, length - 1 + 1, 'a row for each place, and that of all');
  });

  test('is that of the model, by place, under every position by name', async () => {
    const names = Object.keys(positions).map((name) => `--position ${name}`);
    const out = await printed(
      `loss ${stories} --text book.txt --length 64 --windows 2 --bins 3`,
      ...names,
    );
    const [title, head, ...rows] = out.trim().split('\n');
    assert.equal(title, 'Loss in nats per token, 2 windows of 64 tokens');
    assert.deepEqual(head.trim().split(/ +/), ['places', ...Object.keys(positions)]);
    const cells = rows.map((row) => row.trim().split(/ +/));
    assert.deepEqual(
      cells.map(([place]) => place),
      ['0–20', '21–41', '42–62', 'all'],
    );
    for (const [i, [name, position]] of Object.entries(positions).entries()) {
      const losses = [0, 1].map((window) => model.loss(windowOf(window, 64), { position }));
      const range = (from, to) => mean(losses.map((each) => mean(each.subarray(from, to))));
      const expected = [range(0, 21), range(21, 42), range(42, 63), range(0, 63)];
      assert.deepEqual(
        cells.map((row) => row[i + 1]),
        expected.map((value) => value.toFixed(4)),
        name,
      );
    }
  });

  const args = `loss ${stories} --text book.txt --length 200 --bins 4 --position own,pi:4`;
  test('is kept in a folder, from which the same command or one with more goes on', async () => {
    const whole = await printed(args);
    assert.equal(await printed(args, '--out losses'), whole);
    const results = lines('losses/results.jsonl');
    const windows = Math.floor(text.length / 199);
    assert.equal(results.length, 2 * windows);
    const svg = readFileSync(place('losses/results.svg'), 'utf8');
    for (const content of ['loss (nats per token)', '>own<', '>pi:4<', `${windows} windows of 200`])
      assert.ok(svg.includes(content), content);
    // One result is changed, to see that it is not computed again; one is lost, and one cut off.
    results[0].losses[0] += 10;
    const kept = results.slice(0, -2).map((result) => `${JSON.stringify(result)}\n`);
    writeFileSync(place('losses/results.jsonl'), `${kept.join('')}{"position":"ow`);
    const again = await printed(args, '--out losses');
    const rows = (table) => table.split('\n').map((row) => row.trim().split(/ +/));
    assert.notEqual(rows(again)[2][1], rows(whole)[2][1]);
    assert.deepEqual(rows(again).slice(3, 6), rows(whole).slice(3, 6));
    assert.equal(lines('losses/results.jsonl').length, 2 * windows);
    const more = await printed(args.replace('pi:4', 'none'), '--out losses');
    assert.equal(lines('losses/results.jsonl').length, 3 * windows);
    assert.match(more, /places +own +none/);
    const { status, stderr } = await run(args.replace('200', '100'), '--out losses');
    assert.equal(status, 2);
    assert.match(
      stderr,
      /^ropewalk: --out must be new or of this text, got losses with another\n$/,
    );
  });
  test('goes on after a signal', { skip: process.platform === 'win32' }, async () => {
    const long = args.replace('200', '40');
    assert.equal(await interrupted('SIGINT', [/[1-9] of/], `${long} --out part`), 130);
    const done = lines('part/results.jsonl').length;
    assert.ok(done > 0 && done < 2 * Math.floor(text.length / 39), `${done} are done`);
    assert.equal(await printed(long, '--out part'), await printed(long));
  });
});

describe('dump', () => {
  const args = 'dump hub --text book.txt --tokens 24';
  const verdict = async (name) => {
    const { status, stdout } = await run(`diagnose ${name} --config hub/config.json --json`);
    const { verdict: said, faults } = JSON.parse(stdout);
    return { status, said, faults };
  };
  test('of the right model has no fault, and of another pairing that one', async () => {
    await printed(args, '--out right.safetensors');
    assert.deepEqual(await verdict('right.safetensors'), {
      status: 0,
      said: 'correct',
      faults: [],
    });
    await printed(args, '--position interleaved --layers 1 --out wrong.safetensors');
    const { tensors } = readSafetensors(readFileSync(place('wrong.safetensors')));
    assert.deepEqual([...tensors.keys()].sort(), [
      ...['k', 'k_rot', 'q', 'q_rot'].map((name) => `model.layers.1.self_attn.${name}`),
      'position_ids',
    ]);
    const { status, said, faults } = await verdict('wrong.safetensors');
    assert.deepEqual([status, said, faults], [1, 'faults', ['layout_swapped']]);
  });
  test('says of which model it is, whose rows llama2.c and llama.cpp have in their own order', async () => {
    for (const from of ['hub', stories, 'stories.gguf'])
      for (const [position, expected] of /** @type {const} */ ([
        ['own', [0, 'correct', []]],
        ['inverted', [1, 'faults', ['rotation_inverted']]],
      ])) {
        const given = `--text book.txt --tokens 24 --position ${position}`;
        await printed('dump', from, `${given} --out own.safetensors`);
        const { status, stdout } = await run('diagnose own.safetensors --json');
        const { verdict: said, faults } = JSON.parse(stdout);
        assert.deepEqual([status, said, faults], expected, `${from}, ${position}`);
      }
  });
});

describe('errors name the file or the option', () => {
  mkdirSync(place('empty'), { recursive: true });
  writeHub('lost', ({ json }) => delete json['tokenizer.json']);
  /** @type {[string, string | RegExp, number][]} */
  const wrong = [
    ['generate', 'generate must be followed by FOLDER, got nothing', 2],
    [
      'generate empty',
      'empty: files must have weights: .safetensors, .gguf or .bin, got nothing',
      1,
    ],
    ['generate gone.gguf', 'gone.gguf must be a file that can be read, got no such place', 1],
    ['generate lost', 'lost: tokenizer.json is missing; --tokenizer names another place', 1],
    [
      `generate ${stories} --prompt ${'Lily'.repeat(300)}`,
      /^--max-tokens must be given: the model was made for 512 tokens, and the prompt has \d{3,4}$/,
      2,
    ],
    ['generate hub --temperature -1', '--temperature must be at least 0, got -1', 2],
    [
      `generate ${stories} --chat`,
      '--chat must come with a model that has a template of chats, got none',
      2,
    ],
    [
      'generate hub --position yarm:4',
      '--position must be one of own, none, half-split, interleaved, inverted, base:base, pi:factor, ntk:factor, ntk-by-parts:factor[:L0], yarn:factor[:L0], llama3:factor[:L0], window:tokens, rerope:window, leaky-rerope:window:factor, self-extend:groupSize:neighborWindow, dual-chunk:chunkSize:localWindow, log-n[:L0], alibi, got yarm:4 (did you mean yarn?)',
      2,
    ],
    [
      'generate hub --position yarn',
      '--position must be of the form yarn:factor[:L0], got yarn',
      2,
    ],
    ['generate hub --position pi:x', '--position must be of the form pi:factor, got pi:x', 2],
    ['loss hub', '--text must be given, got nothing', 2],
    [
      'loss hub --text config.json --length 100000',
      /^--length must be at least 3, and at most the \d+ tokens of the text, got 100000$/,
      2,
    ],
    ['loss hub --text book.txt --length 8 --bins 9', '--bins must be below --length 8, got 9', 2],
    ['dump hub --text book.txt --layers 7', 'layer must be below 2, got 7', 1],
  ];
  for (const [args, message, code] of wrong)
    test(args.slice(0, 80), async () => {
      const { status, stdout, stderr } = await run(args);
      const line = stderr.replace(/^ropewalk: |\n$/g, '');
      if (typeof message === 'string') assert.equal(line, message);
      else assert.match(line, message);
      assert.deepEqual([status, stdout], [code, '']);
    });
});

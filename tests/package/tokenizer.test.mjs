/** The tokenizer of a folder: a tokenizer.json by its library, or that of llama2.c. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { shippedFile } from '../models/ship.mjs';
import { filesOf, hubFolder, tokenOf, tokenizerJson } from './hub_folder.mjs';
import {
  createModel,
  createTokenizer,
  decodeStream,
  packageFolder,
  readModelFolder,
} from './installed.mjs';

const stories = join(import.meta.dirname, '..', 'models', 'stories260k');
const bytesOf = (file) => new Uint8Array(readFileSync(join(stories, file)));
const folder = await readModelFolder(filesOf(hubFolder()));
const tokenizer = await createTokenizer(folder.tokenizer);

/** What a stream gives for each token. */
const pieces = (from, tokens, before) => tokens.map(decodeStream(from, before));

describe('a tokenizer.json', () => {
  test('encodes by its merges, with the token that begins a text or without', () => {
    const the = tokenOf('Ġthe');
    assert.deepEqual(tokenizer.encode('a the'), [0, tokenOf('a'), the]);
    assert.deepEqual(tokenizer.encode('a the', { first: false }), [tokenOf('a'), the]);
    assert.deepEqual(tokenizer.encode(''), [0]);
    assert.deepEqual(tokenizer.encode('</s>', { first: false }), [1]);
    assert.equal(tokenizer.vocabulary, tokenOf('Ã©') + 1);
  });
  test('may add tokens that no row of the model has', async () => {
    const json = tokenizerJson();
    json.added_tokens.push({ ...json.added_tokens[1], id: 900, content: '<image>' });
    const own = await createTokenizer({ tokenizer: json });
    assert.equal(own.vocabulary, tokenizer.vocabulary);
    assert.deepEqual(own.encode('<image>', { first: false }), [900]);
  });
  test('decodes what it encoded, without its special tokens', () => {
    for (const text of ['Lily’s 球 is\nred .  Two spaces', ' the', '\u{1F600}', ''])
      assert.equal(tokenizer.decode(tokenizer.encode(text)), text);
    assert.equal(tokenizer.decode([0, 1, 2]), '');
    // Models have more rows than their tokenizer has tokens.
    assert.equal(tokenizer.decode([tokenOf('a'), 263]), 'a');
  });
  test('has the end tokens of all its files', async () => {
    assert.deepEqual(tokenizer.endTokens, [1, 2]);
    const of = async (files) =>
      (await createTokenizer({ tokenizer: tokenizerJson(), ...files })).endTokens;
    assert.deepEqual(await of({}), []);
    assert.deepEqual(await of({ config: '{ "eos_token_id": 2 }' }), [2]);
    assert.deepEqual(await of({ generationConfig: { eos_token_id: null } }), []);
    assert.deepEqual(await of({ tokenizerConfig: { eos_token: { content: '<|end|>' } } }), [2]);
    await assert.rejects(
      of({ generationConfig: { eos_token_id: [1, '</s>'] } }),
      /generationConfig\.eos_token_id must be whole numbers of at least 0, got "<\/s>"/,
    );
  });
});

describe('a chat', () => {
  const messages = [{ role: 'user', content: 'the' }];
  const expected = tokenizer.encode('user: the</s>assistant:', { first: false });
  test('is written by the template of its folder', async () =>
    assert.deepEqual(await tokenizer.encodeChat(messages), expected));
  test('takes a list of templates, or a file of its own', async () => {
    const json = tokenizerJson();
    const list = [
      { name: 'tools', template: 'no' },
      { name: 'default', template: '{{ messages[0].content }}' },
    ];
    const tokens = async (files) =>
      (await createTokenizer({ tokenizer: json, ...files })).encodeChat(messages);
    const the = [tokenOf('the')];
    assert.deepEqual(await tokens({ tokenizerConfig: { chat_template: list } }), the);
    const own = { tokenizerConfig: { chat_template: 'no' }, chatTemplate: 'the' };
    assert.deepEqual(await tokens(own), the);
    assert.equal((await createTokenizer({ tokenizer: json })).encodeChat, undefined);
  });
  test('that the template refuses is an error', async () => {
    const chatTemplate = "{{ raise_exception('roles must alternate') }}";
    const strict = await createTokenizer({ tokenizer: tokenizerJson(), chatTemplate });
    await assert.rejects(
      strict.encodeChat(messages),
      /messages must suit the template of chats: .*roles must alternate/,
    );
  });
});

describe('a stream of tokens', () => {
  const llama2c = bytesOf('tok512.bin');
  test('has the text of all of them, and holds back characters that are cut', async () => {
    const text = ' the 球, é and Lily’s\n the end';
    for (const from of [tokenizer, await createTokenizer({ tokenizer: llama2c })]) {
      const tokens = from.encode(text, { first: false });
      const parts = pieces(from, tokens, from.encode('She said'));
      assert.ok(!parts.some((part) => part.includes('\uFFFD')));
      const before = from.encode('She said');
      assert.equal(`She said${parts.join('')}`, from.decode([...before, ...tokens]));
    }
    assert.deepEqual(pieces(tokenizer, tokenizer.encode('球', { first: false })), ['', '', '球']);
  });
  test('continues a text, whose space it keeps', async () => {
    const from = await createTokenizer({ tokenizer: llama2c });
    const [, ...tokens] = from.encode('a girl');
    assert.equal(pieces(from, tokens, from.encode('was')).join(''), ' a girl');
    assert.deepEqual(from.endTokens, [1, 2]);
  });
});

test('a file of llama2.c, or a .gguf file without one, has its tokenizer beside it', async () => {
  const others = { 'tok512.bin': bytesOf('tok512.bin'), LICENSE: bytesOf('LICENSE') };
  for (const weights of [
    { 'stories260K.bin': bytesOf('stories260K.bin') },
    { 'stories260k.gguf': new Uint8Array(readFileSync(shippedFile)) },
  ]) {
    const { model: own, tokenizer: pieces } = await readModelFolder({ ...weights, ...others });
    const model = await createModel(own);
    const { endTokens, vocabulary } = await createTokenizer(pieces);
    assert.deepEqual([endTokens, vocabulary], [[1, 2], model.options.vocabulary]);
    model.dispose();
  }
});

describe('files that are no tokenizer are refused', () => {
  /** @type {[string, any, RegExp][]} */
  const cases = [
    ['no file', {}, /^TypeError: tokenizer must be a tokenizer\.json, .*, got undefined/],
    ['no JSON', { tokenizer: '{' }, /^RangeError: tokenizer must be JSON: /],
    ['a list', { tokenizer: '[]' }, /^TypeError: tokenizer must be a JSON object/],
    ['another file', { tokenizer: '{}' }, /^RangeError: tokenizer must be one that @hugging/],
    [
      'no JSON beside it',
      { tokenizer: tokenizerJson(), config: 'eos' },
      /^RangeError: config must be JSON: /,
    ],
    [
      'an unknown option',
      { tokenizer: '{}', chat: '' },
      /^TypeError: tokenizer files has no "chat"/,
    ],
  ];
  for (const [name, files, message] of cases)
    test(name, () =>
      assert.rejects(
        createTokenizer(files),
        (error) => message.test(String(error)) || assert.fail(String(error)),
      ),
    );
});

test('without its library a tokenizer.json is an error that names it; llama2.c needs none', () => {
  const alone = mkdtempSync(join(tmpdir(), 'ropewalk-alone-'));
  try {
    cpSync(packageFolder, join(alone, 'node_modules', 'ropewalk'), { recursive: true });
    const code = `
      import { createTokenizer } from 'ropewalk/tokenizer';
      import { readFileSync } from 'node:fs';
      const own = await createTokenizer({ tokenizer: new Uint8Array(readFileSync(process.argv[1])) });
      const { message } = await createTokenizer({ tokenizer: '{}' }).catch((error) => error);
      console.log(own.vocabulary, message);
    `;
    const args = ['--input-type=module', '--eval', code, join(stories, 'tok512.bin')];
    const said = execFileSync(process.execPath, args, { cwd: alone, encoding: 'utf8' });
    const name = '@huggingface/tokenizers';
    assert.equal(said, `512 ${name} is missing beside ropewalk; run \`npm install ${name}\`\n`);
  } finally {
    rmSync(alone, { recursive: true });
  }
});

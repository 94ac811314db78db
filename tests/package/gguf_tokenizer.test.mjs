/** The tokenizer of a .gguf file gives the tokens of the one from which its keys were written. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ggufBytes, typed } from '../dumps/gguf_writer.mjs';
import {
  byteKeys,
  drawnTexts,
  kinds,
  pieceKeys,
  pieceTokenizerJson,
  storyPieces,
} from '../models/gguf_tokenizers.mjs';
import { bytesOf } from '../models/llama2c_file.mjs';
import { byteTokenizer, merges, tokenOf } from '../support/byte_tokenizer.mjs';
import { createTokenizer, inside, readLlama2cTokenizer } from './installed.mjs';

const { bytesSource } = await inside('formats/byte_source');
const llama2c = readLlama2cTokenizer(bytesOf('tok512.bin'));
const fileOf = (keys) => new Uint8Array(ggufBytes({ 'general.architecture': 'llama', ...keys }));
const ofKeys = (keys) => createTokenizer({ tokenizer: fileOf(keys) });
const own = await ofKeys(pieceKeys());

/** Both tokenizers give the same tokens and texts. */
function equal(a, b, texts) {
  for (const text of texts) {
    const tokens = a.encode(text);
    assert.deepEqual(tokens, b.encode(text), JSON.stringify(text));
    assert.deepEqual(a.encode(text, { first: false }), b.encode(text, { first: false }));
    assert.equal(a.decode(tokens), b.decode(tokens), JSON.stringify(text));
    assert.equal(a.decode(tokens), text);
  }
}

describe('pieces of SentencePiece', () => {
  test('are those of the tokenizer of llama2.c, and of the same as a tokenizer.json', async () => {
    const json = await createTokenizer({ tokenizer: pieceTokenizerJson() });
    const texts = drawnTexts(1, 400);
    equal(own, llama2c, texts);
    // The library trims what it decodes, and joins no text of nothing.
    for (const text of texts) assert.deepEqual(own.encode(text), json.encode(text), text);
    assert.equal(own.vocabulary, 512);
    assert.deepEqual(own.endTokens, [2]);
    assert.equal(own.encodeChat, undefined);
  });

  const { variants } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../models/stories260k/sentencepiece.json'), 'utf8'),
  );
  /** What each variant changes. */
  const changes = {
    'unused pieces': ({ texts, kinds: kindOf }) => {
      for (let token = 259; token < 420; token += 3)
        if ([...texts[token]].length > 1) kindOf[token] = kinds.unused;
    },
    'user-defined pieces': ({ texts, kinds: kindOf }) => {
      for (const [token, text] of [
        [300, '[x]'],
        [301, '[x][x]'],
      ])
        [texts[token], kindOf[token]] = [text, kinds.userDefined];
    },
  };
  for (const { name, hasSpacePrefix, cases } of variants)
    test(`are split as the library splits them: ${name}`, async () => {
      const pieces = storyPieces();
      changes[name]?.(pieces);
      // The library finds no special token in a text.
      const plain = { ...pieces, kinds: pieces.kinds.with(0, kinds.normal) };
      plain.texts[0] = '';
      plain.texts[1] = '';
      plain.texts[2] = '';
      const tokenizer = await ofKeys({
        ...pieceKeys(plain),
        'tokenizer.ggml.add_space_prefix': hasSpacePrefix,
      });
      for (const [text, ids, decoded] of cases) {
        const tokens = tokenizer.encode(text, { first: false });
        assert.deepEqual(tokens, ids, JSON.stringify(text));
        assert.equal(tokenizer.decode(tokens), decoded);
      }
    });

  test('long texts without spaces are split in proportion to their length', () => {
    const text = '球你好Oncetherewas'.repeat(20_000);
    const tokens = llama2c.encode(text, { first: false });
    assert.equal(llama2c.decode(tokens), text);
  });

  test('special tokens are found in a text, and the text after them begins as a new one', () => {
    const lily = own.encode('Lily', { first: false });
    assert.deepEqual(own.encode('<s>Lily</s>Lily'), [1, 1, ...lily, 2, ...lily]);
    assert.equal(own.decode([1, ...lily, 2]), 'Lily');
    assert.deepEqual(own.encode(''), [1]);
    assert.deepEqual(own.encode('\u2581Lily'), own.encode(' Lily'), 'the sign is a space');
  });

  test('keys say what comes before and after a text', async () => {
    const lily = own.encode('Lily', { first: false });
    const of = async (keys) => (await ofKeys({ ...pieceKeys(), ...keys })).encode('Lily');
    assert.deepEqual(await of({ 'tokenizer.ggml.add_bos_token': false }), lily);
    assert.deepEqual(await of({ 'tokenizer.ggml.add_eos_token': true }), [1, ...lily, 2]);
    const bare = { ...pieceKeys(), 'tokenizer.ggml.add_space_prefix': false };
    const tokenizer = await ofKeys(bare);
    assert.notDeepEqual(tokenizer.encode('Lily', { first: false }), lily);
    assert.equal(tokenizer.decode(tokenizer.encode(' Lily')), ' Lily');
    delete bare['tokenizer.ggml.bos_token_id'];
    delete bare['tokenizer.ggml.eos_token_id'];
    const { endTokens, encode } = await ofKeys(bare);
    assert.deepEqual([endTokens, encode('')], [[2], [1]], 'those of Llama');
  });

  test('without bytes, a character that no piece has is the unknown token, or refused', async () => {
    const pieces = storyPieces();
    pieces.kinds = pieces.kinds.map((kind) => (kind === kinds.byte ? kinds.unused : kind));
    const known = await ofKeys({ ...pieceKeys(pieces), 'tokenizer.ggml.unknown_token_id': 0 });
    assert.deepEqual(known.encode('球é', { first: false }).slice(-2), [0, own.encode('é').at(-1)]);
    const unknown = await ofKeys(pieceKeys(pieces));
    assert.throws(() => unknown.encode('球'), /^RangeError: text must be of pieces that the tok/);
  });
});

describe('byte pairs', () => {
  const level = (usesPattern) => ({
    type: 'ByteLevel',
    add_prefix_space: false,
    trim_offsets: true,
    use_regex: usesPattern,
  });
  const split = (pattern) => ({
    type: 'Split',
    pattern: { Regex: pattern },
    behavior: 'Isolated',
    invert: false,
  });
  const sequence = (...pretokenizers) => ({ type: 'Sequence', pretokenizers });
  /** What the published tokenizer.json of each has. */
  const published = {
    'gpt-2': { pre_tokenizer: level(true) },
    'llama-bpe': {
      pre_tokenizer: sequence(
        split(
          "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
        ),
        level(false),
      ),
      ignoresMerges: true,
    },
    qwen2: {
      normalizer: { type: 'NFC' },
      pre_tokenizer: sequence(
        split(
          "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
        ),
        level(false),
      ),
    },
    smollm: { pre_tokenizer: sequence({ type: 'Digits', individual_digits: true }, level(true)) },
  };

  /** A vocabulary that shows where words end: pairs of letters, digits, spaces, signs and lines. */
  const pairs = [
    ...merges,
    ...['1 2', '12 3', '3 4', '123 4', '3 4 5'.slice(0, 3)].slice(0, 4),
    ...[
      "' l",
      "'l l",
      "' L",
      "'L L",
      '. .',
      'Ġ Ġ',
      'Ċ Ċ',
      'Ġ Ċ',
      'ĉ t',
      'T h',
      'o n',
      '( a',
      'Ã ¥',
    ],
    ...['e Ì', 'eÌ ģ', 'å ½', 'Ġ 1', 'Ġ .', '. Ċ', '! !'],
  ];
  function jsonOf(pre) {
    const { ignoresMerges = false, ...parts } = published[pre];
    const json = { ...byteTokenizer(), ...parts };
    const { model } = json;
    const start = Object.keys(model.vocab).length + 3;
    const texts = [...new Set(pairs.map((pair) => pair.replace(' ', '')))];
    const more = texts.filter((text) => !Object.hasOwn(model.vocab, text));
    for (const [i, text] of [...more, 'Once', 'ĠLily', 'play'].entries())
      model.vocab[text] = start + i;
    model.merges = [...new Set(pairs)];
    model.ignore_merges = ignoresMerges;
    const id = start + more.length + 3;
    const own = { single_word: false, lstrip: false, rstrip: false, normalized: false };
    json.added_tokens.push({ id, content: '<tool>', special: false, ...own });
    return json;
  }

  const probe = "  we'LL (a) 12345\n\n..\n  the e\u0301 Once";
  const tokensOfProbe = new Set();
  for (const pre of Object.keys(published))
    test(`of ${pre} are those of its tokenizer.json`, async () => {
      const json = jsonOf(pre);
      const tokenizer = await ofKeys(byteKeys(json, pre));
      const expected = await createTokenizer({ tokenizer: json });
      for (const text of [probe, 'a<tool>b</s>', ...drawnTexts(2, 400)]) {
        const tokens = tokenizer.encode(text);
        assert.deepEqual(tokens, expected.encode(text), JSON.stringify(text));
        assert.equal(tokenizer.decode(tokens), expected.decode(tokens));
        const plain = pre === 'qwen2' ? text.normalize('NFC') : text;
        assert.equal(tokenizer.decode(tokens), plain.replace('</s>', ''));
      }
      const tokens = tokenizer.encode(probe).join(' ');
      assert.ok(!tokensOfProbe.has(tokens), 'each splits in its own way');
      tokensOfProbe.add(tokens);
    });

  test('have the names of Llama 3 and what it does where the file says nothing', async () => {
    const json = jsonOf('llama-bpe');
    const keys = byteKeys(json, 'llama3');
    delete keys['tokenizer.ggml.add_bos_token'];
    const llama3 = await ofKeys(keys);
    assert.deepEqual(llama3.encode('Once'), [0, json.model.vocab['Once']], 'a word as it is');
    keys['tokenizer.ggml.pre'] = 'gpt-2';
    assert.equal((await ofKeys(keys)).encode('Once').length, 4, 'no merge makes it');
    keys['tokenizer.ggml.add_eos_token'] = true;
    assert.deepEqual((await ofKeys(keys)).encode(''), [1]);
  });

  test('tokens that fill up the table are in no text', async () => {
    const json = jsonOf('gpt-2');
    const last = Object.keys(json.model.vocab).length + 10;
    json.model.vocab['a b'] = last;
    const tokenizer = await ofKeys(byteKeys(json, 'gpt-2'));
    assert.equal(tokenizer.vocabulary, last + 1);
    assert.equal(tokenizer.decode([tokenOf('a'), last - 1]), 'a');
    assert.ok(!tokenizer.encode(`[PAD${last - 1}]`).includes(last - 1));
  });

  test('end with all tokens that end an answer', async () => {
    const json = jsonOf('gpt-2');
    const ends = async (keys) => (await ofKeys(byteKeys(json, 'gpt-2', keys))).endTokens;
    assert.deepEqual(await ends({}), [1, 2], 'the end token, and <|end|>');
    const a = tokenOf('a');
    const more = { 'tokenizer.ggml.eot_token_id': a, 'tokenizer.ggml.eom_token_id': a + 1 };
    assert.deepEqual(await ends(more), [1, a, a + 1, 2]);
  });

  test('of a file as a Blob or in parts, and chats by its template', async () => {
    const chat =
      '{{ bos_token }}{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}the';
    const bytes = fileOf(
      byteKeys(jsonOf('gpt-2'), 'gpt-2', {
        'tokenizer.chat_template': `${chat}${'{# long #}'.repeat(9000)}`,
      }),
    );
    for (const tokenizer of [new Blob([bytes]), bytesSource('model.gguf', bytes)]) {
      const { encodeChat } = await createTokenizer({ tokenizer });
      const tokens = await encodeChat([{ role: 'user', content: 'a' }]);
      assert.deepEqual(tokens, [0, tokenOf('a'), 1, tokenOf('the')]);
    }
  });
});

describe('keys that are no tokenizer are refused by name', () => {
  const list = (type, values) =>
    typed(
      'list',
      values.map((value) => typed(type, value)),
    );
  const pieces = pieceKeys();
  const bytes = byteKeys(byteTokenizer(), 'gpt-2');
  const without = (keys, name) => {
    const { [`tokenizer.ggml.${name}`]: _, ...rest } = keys;
    return rest;
  };
  const changed = (keys, name, value) => ({ ...keys, [`tokenizer.ggml.${name}`]: value });
  const { scores, kinds: kindOf, texts } = storyPieces();
  const known = 'gpt-2, llama-bpe, llama3, llama-v3, qwen2, smollm';
  const beside = 'unless a tokenizer.json is beside the file';
  /** @type {Record<string, [object, string]>} */
  const cases = {
    'no tokenizer': [{}, `model must be 'llama' or 'gpt2', ${beside}, got undefined`],
    'another kind': [
      changed(pieces, 'model', 'bert'),
      `model must be 'llama' or 'gpt2', ${beside}, got "bert"`,
    ],
    'no tokens': [without(pieces, 'tokens'), 'tokens must be a list of texts, got undefined'],
    'tokens that are numbers': [
      changed(pieces, 'tokens', list('u32', [1, 2])),
      'tokens must be a list of texts, got an array',
    ],
    'an empty list': [
      changed(pieces, 'tokens', list('text', [])),
      'tokens must have at least one token, got 0',
    ],
    'a token twice': [
      changed(pieces, 'tokens', list('text', texts.with(400, texts[300]))),
      `tokens[400] must not be that of token 300, got ${JSON.stringify(texts[300])}`,
    ],
    'no scores': [
      without(pieces, 'scores'),
      'scores must be a list with a number for each token, got undefined',
    ],
    'scores of another length': [
      changed(pieces, 'scores', list('f32', scores.slice(1))),
      'scores must have a number for each of 512 tokens, got 511',
    ],
    'a score that is NaN': [
      changed(pieces, 'scores', list('f32', scores.with(7, NaN))),
      'scores[7] must be finite, got NaN',
    ],
    'no kinds': [
      without(pieces, 'token_type'),
      'token_type must be a list with a number for each token, got undefined',
    ],
    'a kind that is none': [
      changed(pieces, 'token_type', list('i32', kindOf.with(5, 9))),
      'token_type[5] must be a whole number from 1 to 6, got 9',
    ],
    'a byte that is none': [
      changed(pieces, 'tokens', list('text', texts.with(10, '<0xZZ>'))),
      'tokens[10] must be the text of a byte, such as <0x0A>, got "<0xZZ>"',
    ],
    'a token beyond the list': [
      changed(pieces, 'bos_token_id', 512),
      'bos_token_id must be below 512, the tokens, got 512',
    ],
    'a flag that is a number': [
      changed(pieces, 'add_bos_token', 1),
      'add_bos_token must be true or false, got 1',
    ],
    'texts that are changed first': [
      changed(pieces, 'remove_extra_whitespaces', true),
      'remove_extra_whitespaces must be false or absent: texts are read as they are, got true',
    ],
    'a way to split words that is not known': [
      changed(bytes, 'pre', 'deepseek-llm'),
      `pre must be one of ${known}, ${beside}, got "deepseek-llm"`,
    ],
    'no way to split words': [
      without(bytes, 'pre'),
      `pre must be one of ${known}, ${beside}, got undefined`,
    ],
    'no merges': [without(bytes, 'merges'), 'merges must be a list of texts, got undefined'],
    'a merge of an unknown token': [
      changed(bytes, 'merges', list('text', ['t h', 'th q q'])),
      'merges[1] must be two tokens with a space between them, and together a token, got "th q q"',
    ],
    'a merge to an unknown token': [
      changed(bytes, 'merges', list('text', ['q q'])),
      'merges[0] must be two tokens with a space between them, and together a token, got "q q"',
    ],
    'a merge without a space': [
      changed(bytes, 'merges', list('text', ['th'])),
      'merges[0] must be two tokens with a space between them, and together a token, got "th"',
    ],
    'no token to begin with': [
      without(bytes, 'bos_token_id'),
      'bos_token_id must be a token: add_bos_token is true, got undefined',
    ],
    'a space before texts of byte pairs': [
      changed(bytes, 'add_space_prefix', true),
      'add_space_prefix must be false or absent, got true',
    ],
  };
  for (const [name, [keys, message]] of Object.entries(cases))
    test(name, async () => {
      const error = await createTokenizer({
        tokenizer: bytesSource('model.gguf', fileOf(keys)),
      }).catch((thrown) => thrown);
      assert.ok(error instanceof TypeError || error instanceof RangeError, String(error));
      assert.equal(error.message, `model.gguf: tokenizer.ggml.${message}`);
    });

  test('a template that is no text', async () => {
    const keys = { ...pieces, 'tokenizer.chat_template': 5 };
    await assert.rejects(ofKeys(keys), {
      message: 'tokenizer: tokenizer.chat_template must be text, got 5',
    });
  });
  test('a token that is not UTF-8', async () => {
    const file = fileOf(pieces);
    const at = Buffer.from(file).indexOf(texts[500]);
    file[at] = 0xff;
    await assert.rejects(createTokenizer({ tokenizer: file }), {
      message: /^tokenizer: key "tokenizer\.ggml\.tokens"\[500\] must be text in UTF-8, got other/,
    });
  });
  test('a file cut off anywhere', async () => {
    const { 'tokenizer.ggml.tokens': _, ...rest } = pieces;
    const some = fileOf({ ...rest, 'tokenizer.ggml.tokens': list('text', texts.slice(0, 40)) });
    for (let length = 24; length < some.length; length += 7)
      await assert.rejects(
        createTokenizer({ tokenizer: bytesSource('model.gguf', some.subarray(0, length)) }),
        (error) => error instanceof RangeError && /^model\.gguf/.test(error.message),
        `${length}`,
      );
  });
});

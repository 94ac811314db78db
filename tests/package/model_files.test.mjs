/** Model files: headers of any size, damaged files, and verdicts on conversions. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { test } from 'node:test';
import { gguf } from '@huggingface/gguf';
import { ggufCase, ggufFaults } from '../dumps/gguf_cases.mjs';
import { f32, ggufBytes, typed } from '../dumps/gguf_writer.mjs';
import { isSwept } from '../support/sweep.mjs';
import { place, run } from './command.mjs';
import { createRopewalk, inside } from './installed.mjs';

const rw = await createRopewalk();
const { diagnoseModelFile } = await inside('entries/diagnose');
const { blobSource, handleSource } = await inside('entries/files');
const { readGgufHeader, readGgufRows } = await inside('formats/gguf');

const source = (bytes, name = 'model.gguf') => blobSource(new Blob([bytes]), name);

const llama = {
  model_type: 'llama',
  hidden_size: 256,
  num_attention_heads: 2,
  num_hidden_layers: 2,
  max_position_embeddings: 131072,
  rope_theta: 500000,
};
const keysOfLlama = {
  'general.architecture': 'llama',
  'llama.block_count': 2,
  'llama.context_length': 131072,
  'llama.embedding_length': 256,
  'llama.attention.head_count': 2,
  'llama.rope.dimension_count': 128,
  'llama.rope.freq_base': 500000,
};

/** As the reader of Hugging Face writes keys and tensors. */
async function others(bytes, name) {
  writeFileSync(place(name), bytes);
  const { metadata, tensorInfos } = await gguf(place(name), { allowLocalFile: true });
  return { metadata, tensorInfos };
}

test('a header says what the reader of Hugging Face says', async () => {
  const keys = {
    ...keysOfLlama,
    'a.u8': typed('u8', 200),
    'a.i8': typed('i8', -3),
    'a.u16': typed('u16', 60000),
    'a.i16': typed('i16', -300),
    'a.i32': typed('i32', -70000),
    'a.u64': typed('u64', 2n ** 40n),
    'a.i64': typed('i64', -(2n ** 40n)),
    'a.f64': typed('f64', 0.1),
    'a.true': true,
    'a.text': 'é 位置',
    'a.list': [1, 2, 3],
    'a.lists': [[1, 2], [3]],
  };
  const tensors = {
    'rope_freqs.weight': { shape: [64], type: 'F32', bytes: f32(new Array(64).fill(1)) },
    'blk.0.attn_q.weight': { shape: [256, 2], type: 'F16', bytes: Buffer.alloc(1024) },
    'blk.0.ffn.weight': { shape: [256, 2], type: 'Q4_K', bytes: Buffer.alloc(288) },
  };
  for (const version of [2, 3]) {
    const bytes = ggufBytes(keys, tensors, { version });
    const { metadata, tensorInfos } = await others(bytes, `like_${version}.gguf`);
    const file = await readGgufHeader(source(bytes));
    assert.equal(file.version, metadata.version);
    for (const [key, value] of file.keys) assert.deepEqual(value, plainOf(metadata[key]), key);
    assert.deepEqual(
      [...file.tensors].map(([name, { shape }]) => [name, shape]),
      tensorInfos.map(({ name, shape }) => [name, shape.map(Number)]),
    );
    const first = file.tensors.get('rope_freqs.weight');
    assert.equal((await readGgufRows(file, 'rope_freqs.weight', first, 0, 1))[63], 1);
  }
});

/** Hugging Face's reader has every 64-bit number as a bigint. */
const plainOf = (value) =>
  typeof value === 'bigint' ? Number(value) : Array.isArray(value) ? value.map(plainOf) : value;

test('files of the other byte order are read', async () => {
  const bytes = ggufBytes(keysOfLlama, {}, { little: false });
  const { keys, littleEndian } = await readGgufHeader(source(bytes));
  assert.deepEqual([littleEndian, keys.get('llama.rope.freq_base')], [false, 500000]);
});

test('rows of halves, bfloats and blocks of eight bits are read', async () => {
  const values = Float32Array.from({ length: 64 }, (_, i) => (i % 32) - 15);
  const half = Buffer.from(Uint16Array.of(0x3800).buffer);
  const q8 = [0, 1].map((row) =>
    Buffer.concat([half, Buffer.from(Int8Array.from(values.subarray(32 * row, 32 * row + 32)))]),
  );
  const bfloats = Uint16Array.from(new Uint32Array(values.buffer), (bits) => bits >>> 16);
  const tensors = {
    a: { shape: [32, 2], type: 'Q8_0', bytes: Buffer.concat(q8) },
    b: { shape: [32, 2], type: 'BF16', bytes: Buffer.from(bfloats.buffer) },
  };
  const file = await readGgufHeader(source(ggufBytes(keysOfLlama, tensors)));
  const row = (name) => readGgufRows(file, name, file.tensors.get(name), 1, 1);
  assert.deepEqual(
    await row('a'),
    values.subarray(32).map((x) => x / 2),
  );
  assert.deepEqual(await row('b'), values.slice(32));
});

test('a file cut off anywhere is refused by name', async () => {
  const bytes = ggufBytes(
    { ...keysOfLlama, 'tokenizer.ggml.tokens': ['a', 'bc'] },
    {
      'rope_freqs.weight': { shape: [64], type: 'F32', bytes: f32(new Array(64).fill(1)) },
    },
  );
  for (let length = 0; length < bytes.length; ++length) {
    await assert.rejects(
      readGgufHeader(source(bytes.subarray(0, length))),
      (error) => error instanceof RangeError && /^model\.gguf/.test(error.message),
      `${length}`,
    );
  }
});

test('counts and lengths beyond the file are refused with their value', async () => {
  const bytes = ggufBytes({ 'general.architecture': 'llama' });
  const changed = (at, value) => {
    const copy = Buffer.from(bytes);
    copy.writeBigUInt64LE(value, at);
    return readGgufHeader(source(copy));
  };
  const most = 2n ** 63n;
  await assert.rejects(changed(8, most), {
    message: `model.gguf: the number of tensors must be at most 3, got ${most}`,
  });
  await assert.rejects(changed(16, most), {
    message: /the number of keys must be at most \d, got/,
  });
  await assert.rejects(changed(24, most), {
    message: /the length of the name of key 0 must be at most \d+, got 9223372036854775808/,
  });
  const list = ggufBytes({ a: [1, 2], 'general.architecture': 'llama' });
  list.writeBigUInt64LE(2n ** 40n, list.indexOf('a') + 9);
  await assert.rejects(readGgufHeader(source(list)), {
    message: /the number of values of key "a" must be at most \d+, got 1099511627776/,
  });
  await assert.rejects(readGgufHeader(source(Buffer.from('PK'.padEnd(64)))), {
    message: `model.gguf must begin with 'GGUF', got "PK  "`,
  });
  const twice = ggufBytes([
    ['a', 1],
    ['a', 2],
  ]);
  await assert.rejects(readGgufHeader(source(twice)), { message: /key "a" must be there once/ });
  const old = ggufBytes(keysOfLlama, {}, { version: 1 });
  await assert.rejects(readGgufHeader(source(old)), {
    message: 'model.gguf: the version must be 2 or 3, got 1',
  });
  const strange = ggufBytes({ ...keysOfLlama, 'llama.rope.freq_base': typed('f32', NaN) });
  await assert.rejects(diagnoseModelFile(rw, { files: [source(strange)], config: llama }), {
    message: /model\.gguf: llama\.rope\.freq_base must be a number from 0\.001 to .*, got NaN/,
  });
});

test('a GGUF of 6 GB with 250,000 tokens is judged with less than 64 MB read', async () => {
  const tokens = Array.from({ length: 250_000 }, (_, i) => `token ${i}`);
  const keys = { ...keysOfLlama, 'tokenizer.ggml.tokens': tokens };
  keys['tokenizer.ggml.scores'] = typed('list', new Array(250_000).fill(typed('f32', 0)));
  const size = 6 * 2 ** 30;
  const tensors = { 'blk.0.ffn.weight': { shape: [2 ** 20, 1024], type: 'F32' } };
  const handle = await open(place('large.gguf'), 'w+');
  await handle.write(ggufBytes(keys, tensors));
  await handle.truncate(size);
  const large = handleSource('large.gguf', handle, size);
  const { verdict, faults, bytesRead } = await diagnoseModelFile(rw, {
    files: [large],
    config: { ...llama, rope_theta: 10000 },
  });
  await handle.close();
  assert.deepEqual([verdict, faults], ['faults', ['wrong_base']]);
  assert.ok(bytesRead < 2 ** 23, `${bytesRead} bytes`);
});

test('the command line judges a file, with its config beside it or given', async () => {
  mkdirSync(place('model'));
  writeFileSync(place('model/config.json'), JSON.stringify(llama));
  writeFileSync(place('model/model.gguf'), ggufBytes(keysOfLlama));
  for (const words of [
    'model',
    'model/model.gguf',
    'model/model.gguf --config model/config.json',
  ]) {
    const { status, stdout, stderr } = await run('diagnose', words);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /Nothing is wrong: the file rotates as the config says/);
  }
  const wrong = ggufBytes({ ...keysOfLlama, 'llama.rope.freq_base': 10000 });
  writeFileSync(place('model/model.gguf'), wrong);
  const { status, stdout } = await run('diagnose model --json');
  const { verdict, faults, corrections } = JSON.parse(stdout);
  assert.deepEqual([status, verdict, faults], [1, 'faults', ['wrong_base']]);
  assert.deepEqual(corrections, [
    { text: 'llama.rope.freq_base = 500000', flags: '--rope-freq-base 500000' },
  ]);
});

const [faulty, correct] = isSwept ? [300, 200] : [60, 40];
test(`${faulty} drawn conversions with a fault have their verdict, and ${correct} correct ones no alarm`, async () => {
  const wrong = [];
  let count = 0;
  const judge = async (seed, which) => {
    const drawn = ggufCase(seed, which);
    if (!drawn) return;
    ++count;
    const { config, bytes, arch } = drawn;
    const verdict = await diagnoseModelFile(rw, { files: [source(bytes)], config });
    const said = verdict.faults.join() || verdict.verdict;
    if (said !== which) wrong.push(`${seed} ${arch}: ${which}, got ${said}`);
    const named = verdict.hypotheses.map((each) => JSON.stringify([each.faults, each.parameters]));
    assert.equal(new Set(named).size, named.length, `${seed} ${arch}: ${named}`);
  };
  for (let seed = 1; seed <= correct; ++seed) await judge(seed, 'correct');
  const all = correct + faulty;
  for (let seed = 1; count < all; ++seed)
    for (const which of ggufFaults) if (count < all) await judge(seed, which);
  assert.deepEqual(wrong, []);
});

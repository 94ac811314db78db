/** How the weights of models are kept in memory, and how much that is. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contents, expected, ggufFile, storiesFile as file } from '../models/llama2c_file.mjs';
import { hubFiles } from './stories_folder.mjs';
import { createModel, estimateModel } from './installed.mjs';

const { tokens } = expected;
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A file of which only the header can be read. */
function headerOnly(shapes) {
  let end = 0;
  const entries = Object.entries(shapes).map(([name, shape]) => {
    const begin = end;
    end += 2 * shape.reduce((product, extent) => product * extent, 1);
    return [name, { dtype: 'F16', shape, data_offsets: [begin, end] }];
  });
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const head = new Uint8Array(8 + text.length);
  new DataView(head.buffer).setBigUint64(0, BigInt(text.length), true);
  head.set(text, 8);
  return {
    name: 'model.safetensors',
    size: head.length + end,
    async read(start, length) {
      assert.ok(start + length <= head.length, 'a weight is read');
      return head.slice(start, start + length);
    },
  };
}

/** The embedding in blocks of 32 whole numbers, each after its factor. */
function q8Embedding() {
  const { data } = contents().tensors['model.embed_tokens.weight'];
  const bytes = new Uint8Array((data.length / 32) * 34);
  for (let block = 0; block < data.length / 32; block++) {
    const values = data.subarray(32 * block, 32 * (block + 1));
    // A power of two, which float16 has exactly.
    const exponent = Math.ceil(Math.log2(Math.max(...values.map(Math.abs)) / 127));
    new DataView(bytes.buffer).setUint16(34 * block, (exponent + 15) << 10, true);
    values.forEach((value, i) => (bytes[34 * block + 2 + i] = Math.round(value / 2 ** exponent)));
  }
  return bytes;
}

describe('weights are kept as they are stored, or as `precision` says', () => {
  /** @param {string} format of the matrices; other tensors stay floats */
  const stored = (format) =>
    hubFiles((_, tensors) => {
      for (const tensor of Object.values(tensors))
        if (tensor.shape.length > 1) tensor.format = format;
    });
  const lossOf = async (files, options) => {
    const one = await createModel(files);
    const result = mean(one.loss(tokens.slice(0, 300), options));
    one.dispose();
    return result;
  };
  for (const format of ['f16', 'bf16'])
    test(`${format} is exact`, async () => {
      const files = stored(format);
      const exact = await lossOf({ ...files, precision: 'float32' });
      for (const chunk of [1, 256]) {
        const got = await lossOf({ ...files, precision: 'stored' }, { chunk });
        assert.ok(Math.abs(got - exact) < 1e-5, `${got}, not ${exact}`);
      }
    });
  test('int8 changes the loss by less than 0.02', async () => {
    const exact = await lossOf(hubFiles());
    for (const files of [hubFiles(), stored('f16')])
      for (const chunk of [1, 256]) {
        const got = await lossOf({ ...files, precision: 'int8' }, { chunk });
        assert.ok(Math.abs(got - exact) < 0.02, `${got}, not ${exact}`);
      }
  });
  test('training needs float32', async () => {
    const half = await createModel(stored('f16'));
    assert.throws(() => half.trainer(), /precision must be float32 for a backward pass/);
    half.dispose();
    const whole = await createModel({ ...stored('f16'), precision: 'float32' });
    whole.trainer().dispose();
    whole.dispose();
  });
  test('an estimate says what they take, from the headers alone', async () => {
    const files = stored('f16');
    const read = [];
    const sources = files.weights.map((bytes) => ({
      name: 'model.safetensors',
      size: bytes.length,
      async read(start, length) {
        read.push(length);
        return bytes.slice(start, start + length);
      },
    }));
    const half = await estimateModel({ ...files, weights: sources });
    assert.ok(read.length <= 4 && Math.max(...read) < 10_000, `${read}`);
    const { family, parameters, contextLength, bytesPerToken, weightBytes, peakBytes } = half;
    assert.deepEqual(
      { family, parameters, contextLength, bytesPerToken },
      { family: 'llama', parameters: 260_032, contextLength: 512, bytesPerToken: 5 * 2 * 4 * 32 },
    );
    assert.ok(weightBytes > 2 * parameters && weightBytes < 2.2 * parameters, `${weightBytes}`);
    assert.ok(peakBytes > weightBytes);
    const whole = await estimateModel({ ...files, precision: 'float32' });
    assert.equal(whole.weightBytes, 4 * parameters);
    const bytes = await estimateModel({ ...files, precision: 'int8' });
    assert.ok(bytes.weightBytes < 1.3 * parameters, `${bytes.weightBytes}`);
    assert.equal((await estimateModel({ weights: file })).weightBytes, 4 * parameters);
  });
  test('what memory cannot hold is refused before a weight is read', async () => {
    const header = { 'model.embed_tokens.weight': [2 ** 20, 2048], 'model.norm.weight': [2048] };
    const weights = headerOnly(header);
    const config = {
      model_type: 'llama',
      hidden_size: 2048,
      intermediate_size: 2048,
      num_hidden_layers: 1,
      num_attention_heads: 16,
      vocab_size: 2 ** 20,
      tie_word_embeddings: true,
    };
    const { weightBytes } = await estimateModel({ config, weights });
    assert.ok(weightBytes > 2 ** 32);
    await assert.rejects(
      createModel({ config, weights }),
      /the weights of the model would take \d+ bytes; it must take fewer than 2147483648/,
    );
  });
  test('a .gguf file may have Q8_0, which becomes float16 in memory', async () => {
    const ofBlocks = {
      'token_embd.weight': { shape: [64, 512], type: 'Q8_0', bytes: q8Embedding() },
    };
    const weights = ggufFile({}, ofBlocks);
    const some = tokens.slice(0, 60);
    const whole = await createModel({ weights: file });
    const [exact, half] = await Promise.all(
      ['float32', 'stored'].map((precision) => createModel({ weights, precision })),
    );
    const expected = exact.logits(some);
    half
      .logits(some)
      .data.forEach((logit, i) => assert.ok(Math.abs(logit - expected.data[i]) < 0.02));
    assert.ok(Math.abs(mean(exact.loss(some)) - mean(whole.loss(some))) < 0.02);
    whole.dispose();
    exact.dispose();
    half.dispose();
  });
  test('files are read into one buffer, and bytes of the caller stay', async () => {
    const { config, weights } = hubFiles();
    const exact = await lossOf({ config, weights });
    const sizes = weights.map(({ length }) => length);
    const { arrayBuffer } = Blob.prototype;
    let largest = 0;
    Blob.prototype.arrayBuffer = function () {
      largest = Math.max(largest, this.size);
      return arrayBuffer.call(this);
    };
    try {
      const [first, second] = weights.map((bytes) => new Blob([bytes]));
      for (const files of [
        [first, second],
        [first, weights[1]],
        [weights[0], second],
      ])
        assert.equal(await lossOf({ config, weights: files }), exact);
    } finally {
      Blob.prototype.arrayBuffer = arrayBuffer;
    }
    assert.ok(largest < 10_000, `${largest} bytes were read into a buffer of their own`);
    assert.deepEqual(
      weights.map(({ length }) => length),
      sizes,
    );
  });
  test('where an engine fills no memory of ours, files are read as they come', async () => {
    const { config, weights } = hubFiles();
    const exact = await lossOf({ config, weights });
    const { stream } = Blob.prototype;
    Blob.prototype.stream = function () {
      throw new TypeError('no byte stream');
    };
    try {
      const blobs = weights.map((bytes) => new Blob([bytes]));
      assert.equal(await lossOf({ config, weights: blobs }), exact);
    } finally {
      Blob.prototype.stream = stream;
    }
  });
});

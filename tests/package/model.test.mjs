/** Models that somebody trained: a Llama of llama2.c, read as it is and as a Hugging Face folder. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { f32 } from '../dumps/gguf_writer.mjs';
import {
  beside,
  copies,
  recordedFile,
  recordedOf,
  shippedFile,
  shippedWeights,
} from '../models/ship.mjs';
import {
  bytesOf,
  contents,
  expected,
  ggufFile,
  storiesFile as file,
} from '../models/llama2c_file.mjs';
import { hubFiles } from './stories_folder.mjs';
import {
  createModel,
  createModels,
  createRopewalk,
  diagnose,
  installed,
  readLlama2cTokenizer,
  simds,
} from './installed.mjs';

const { writeSafetensors } = await import(pathToFileURL(join(installed, 'entries/files.js')).href);
const stories = join(import.meta.dirname, '..', 'models', 'stories260k');
const { tokens, edges, modes } = expected;
const tokenizer = readLlama2cTokenizer(bytesOf('tok512.bin'));
const rw = await createRopewalk();

/** Nats, with float32 weights. */
const tolerance = 2e-4;
const width = 64;
const context = 512;

const rope = (options) => ({ frequencies: rw.rotaryFrequencies({ dim: 8, ...options }) });
const scaled = (type, options) =>
  rope({ scaling: { type, factor: 4, originalLength: context, ...options } });
const byTurns = { betaFast: 32, betaSlow: 1, ramp: 'published' };
const logN = (place) => Math.max(1, Math.log(place + 1) / Math.log(context));

/** The changed positions of expected.json by its names. */
const positions = {
  direct: {},
  none: { frequencies: 'none' },
  half_split: { layout: 'half-split' },
  inverted: {
    frequencies: {
      inverseFrequencies: rope().frequencies.inverseFrequencies.map((frequency) => -frequency),
    },
  },
  pi_4: rope({ scaling: { type: 'linear', factor: 4 } }),
  ntk_4: rope({ scaling: { type: 'ntk', factor: 4 } }),
  ntk_by_parts_1_32: scaled('ntk-by-parts', byTurns),
  yarn_4_1_32: scaled('yarn', byTurns),
  llama3_4_1_4: scaled('llama3', { lowFreqFactor: 1, highFreqFactor: 4 }),
  window_512: { lookback: 511 },
  window_256: { lookback: 255 },
  rerope_256: { map: { type: 'rerope', window: 256 } },
  leaky_rerope_256_4: { map: { type: 'leaky-rerope', window: 256, factor: 4 } },
  shift_500: {},
  base_1e6: rope({ base: 1e6 }),
  log_n: { rowScale: logN },
  rerope_256_log_n: { map: { type: 'rerope', window: 256 }, rowScale: logN },
};

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

const loaded = Object.fromEntries(
  await Promise.all(
    simds.map(async (simd) => {
      const { createModel: create } = await createModels({ simd });
      return [simd, await create({ weights: file })];
    }),
  ),
);
const model = loaded[simds[0]];

async function written(prompt, options, from = model) {
  const result = [];
  for await (const token of from.generate(prompt, options)) result.push(token);
  return result;
}

const shippedOf = Object.fromEntries(
  await Promise.all(
    simds.map(async (simd) => {
      const { createModel: create } = await createModels({ simd });
      return [simd, await create({ weights: readFileSync(shippedFile) })];
    }),
  ),
);
const shipped = shippedOf[simds[0]];

describe('the losses of a text are those of another program, under every change of positions', () => {
  test('every mode is tried', () =>
    assert.deepEqual(Object.keys(positions).sort(), Object.keys(modes).sort()));
  for (const [what, from, bound] of [
    ...simds.map((simd) => [simd, loaded[simd], tolerance]),
    ...simds.map((simd) => [`the float16 weights of the page, ${simd}`, shippedOf[simd], 2e-3]),
  ])
    for (const [name, position] of Object.entries(positions))
      test(`${name}, ${what}`, () => {
        const shift = name === 'shift_500' && { positions: tokens.map((_, i) => i + 500) };
        const losses = from.loss(tokens, { position, ...shift });
        assert.equal(losses.length, tokens.length - 1);
        modes[name].forEach((expected, i) => {
          const got = mean(losses.subarray(edges[i], edges[i + 1]));
          assert.ok(Math.abs(got - expected) <= bound, `${i}: ${got}, not ${expected}`);
        });
      });
});

test('the page has the weights in float16, and what the model wrote with them', async () => {
  assert.deepEqual(new Uint8Array(readFileSync(shippedFile)), shippedWeights({ writeSafetensors }));
  const recorded = JSON.parse(readFileSync(recordedFile, 'utf8'));
  const now = await recordedOf(rw, shipped, tokenizer);
  assert.deepEqual(Object.keys(now), Object.keys(recorded));
  assert.deepEqual(now.tokens, tokens);
  for (const [got, before] of [
    [now, recorded],
    [now.broken, recorded.broken],
  ])
    for (const [beginning, { pieces }] of Object.entries(before.stories))
      assert.deepEqual(got.stories[beginning].pieces, pieces);
  const numbersIn = (value) =>
    JSON.stringify(value)
      .match(/-?\d+\.\d+/g)
      .map(Number);
  const [got, before] = [now, recorded].map(numbersIn);
  assert.equal(got.length, before.length);
  got.forEach((value, i) => assert.ok(Math.abs(value - before[i]) < 1e-3, `${value}`));
  for (const [name, from] of Object.entries(copies))
    assert.deepEqual(new Uint8Array(readFileSync(beside(name))), bytesOf(from));
});

test('a text read token by token has the logits of the text read at once', () => {
  const some = tokens.slice(0, 40);
  for (const position of [positions.direct, positions.rerope_256, { lookback: 7 }]) {
    const whole = model.logits(some, { position });
    assert.deepEqual(whole.shape, [40, 512]);
    const single = model.logits(some, { position, chunk: 1 });
    whole.data.forEach((logit, i) => assert.ok(Math.abs(logit - single.data[i]) < 1e-4));
  }
});

test('positions may differ by layer', () => {
  const none = Array.from({ length: 5 }, () => positions.none);
  const some = tokens.slice(0, 30);
  assert.deepEqual(model.loss(some, { position: none }), model.loss(some, { position: none[0] }));
  assert.notDeepEqual(model.loss(some), model.loss(some, { position: [{}, none[0], {}, {}, {}] }));
  assert.throws(() => model.loss(some, { position: [{}] }), /position must have 5 values.*got 1/);
});

test('other frequencies reach the layers that rotate, or all where none does', async () => {
  const some = tokens.slice(0, 30);
  const lossOf = async (flags, options) => {
    const changes = { model_type: 'smollm3', rope_theta: 10000, no_rope_layers: flags };
    const one = await createModel(hubFiles((config) => Object.assign(config, changes)));
    const loss = mean(one.loss(some, options));
    one.dispose();
    return loss;
  };
  const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-5, `${a}, not ${b}`);
  const all = mean(model.loss(some));
  near(await lossOf([1, 1, 1, 1, 1]), all);
  near(await lossOf([0, 0, 0, 0, 0]), mean(model.loss(some, { position: positions.none })));
  near(await lossOf([0, 0, 0, 0, 0], { position: rope() }), all);
  const mixed = [positions.none, rope(), {}, {}, {}];
  near(
    await lossOf([0, 1, 1, 1, 1], { position: rope() }),
    mean(model.loss(some, { position: mixed })),
  );
});

describe('a continuation', () => {
  test('is at temperature 0 the text of llama2.c', async () => {
    const text = tokenizer.decode(await written([1], { maxTokens: 256 }));
    assert.equal(`${text}\n`, readFileSync(join(stories, 'greedy.txt'), 'utf8'));
  });
  test('is the same for the same seed, and another for another', async () => {
    const options = { maxTokens: 40, temperature: 1, topP: 0.9, seed: 7 };
    const first = await written([1], options);
    assert.deepEqual(await written([1], options), first);
    assert.notDeepEqual(await written([1], { ...options, seed: 8 }), first);
    assert.deepEqual(
      await written([1], { ...options, topP: 1e-9 }),
      await written([1], { maxTokens: 40 }),
    );
  });
  test('is the same at other positions, where no scheme forbids them', async () => {
    const greedy = await written([1], { maxTokens: 60 });
    assert.deepEqual(await written([1], { maxTokens: 60, firstPosition: 500 }), greedy);
    const next = async (position) =>
      written([1, 403], { maxTokens: 1, firstPosition: 7, position: { ...position } });
    await assert.rejects(next(positions.rerope_256), /map must be left out/);
  });
  test('ends at a token of stop, after maxTokens, at the context, and on abort', async () => {
    const greedy = await written([1], { maxTokens: 20 });
    assert.deepEqual(await written([1], { maxTokens: 20, stop: [greedy[9]] }), [
      ...greedy.slice(0, greedy.indexOf(greedy[9])),
    ]);
    assert.equal((await written(tokens.slice(0, 509))).length, 3);
    assert.deepEqual(await written([1], { maxTokens: 0 }), []);
    const stopping = new AbortController();
    const running = model.generate([1], { signal: stopping.signal });
    assert.equal((await running.next()).value, greedy[0]);
    stopping.abort(new Error('enough'));
    await assert.rejects(running.next(), /enough/);
  });
  test('does not disturb another one, or a reading between its tokens', async () => {
    const greedy = await written([1], { maxTokens: 12 });
    const one = model.generate([1], { maxTokens: 12 });
    const other = model.generate([1], { maxTokens: 12, position: positions.none });
    const found = [];
    for (let i = 0; i < 12; i++) {
      found.push((await one.next()).value);
      await other.next();
      model.loss(tokens.slice(0, 20), { position: positions.half_split });
    }
    assert.deepEqual(found, greedy);
  });
});

test('a Hugging Face folder in shards has the logits of the same model of llama2.c', async () => {
  const shares = [];
  const { config, weights } = hubFiles();
  const hub = await createModel({
    config,
    weights: [new Blob([weights[0]]), weights[1]],
    onProgress: (share) => shares.push(share),
  });
  const some = tokens.slice(0, 60);
  const expected = (await createModel({ weights: new Blob([file]) })).logits(some);
  hub
    .logits(some)
    .data.forEach((logit, i) =>
      assert.ok(Math.abs(logit - expected.data[i]) < 2e-5, `${i}: ${logit}`),
    );
  assert.equal(shares.at(-1), 1);
  assert.equal(hub.contextLength, context);
  hub.dispose();
});

describe('a .gguf file', () => {
  test('has the logits of the same model of llama2.c', async () => {
    const gguf = await createModel({ weights: ggufFile() });
    const some = tokens.slice(0, 60);
    const expected = model.logits(some);
    gguf
      .logits(some)
      .data.forEach((logit, i) =>
        assert.ok(Math.abs(logit - expected.data[i]) < 2e-5, `${i}: ${logit}`),
      );
    gguf.dispose();
  });
  test('may scale its rotation by keys or by divisors', async () => {
    const scaling = { 'llama.rope.scaling.type': 'linear', 'llama.rope.scaling.factor': 4 };
    const divisors = { shape: [4], type: 'F32', bytes: f32([4, 4, 4, 4]) };
    const expected = mean(model.loss(tokens.slice(0, 60), { position: positions.pi_4 }));
    for (const weights of [ggufFile(scaling), ggufFile({}, { 'rope_freqs.weight': divisors })]) {
      const gguf = await createModel({ weights });
      assert.ok(Math.abs(mean(gguf.loss(tokens.slice(0, 60))) - expected) < 1e-5);
      gguf.dispose();
    }
  });
  for (const [keys, message] of [
    [{ 'general.architecture': 'mamba' }, /architecture must be one of llama, .*, got "mamba"/],
    [{ 'llama.expert_count': 8 }, /llama\.expert_count must be 0 or absent, got 8/],
    [{ 'llama.rope.scaling.type': 'longrope' }, /scaling\.type must be 'none', 'linear' or 'yarn'/],
  ])
    test(`is refused: ${Object.keys(keys)}`, () =>
      assert.rejects(createModel({ weights: ggufFile(keys) }), message));
});

test('parameters are those of the file', () => {
  const { E, 'blocks.4.Wk': keys } = model.parameters();
  const { tensors } = contents();
  assert.deepEqual(E, tensors['model.embed_tokens.weight']);
  assert.deepEqual(keys, tensors['model.layers.4.self_attn.k_proj.weight']);
});

test('attention weights are those of the whole text, and each row sums to 1', () => {
  const some = tokens.slice(0, 30);
  const { data, shape } = model.attentionWeights(some, 2);
  assert.deepEqual(shape, [8, 30, 30]);
  for (let row = 0; row < 8 * 30; row++) {
    const own = data.subarray(30 * row, 30 * (row + 1));
    assert.ok(Math.abs(own.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5);
    assert.ok(own.subarray((row % 30) + 1).every((weight) => weight === 0));
  }
  const inPieces = model.attentionWeights(some, 2, { chunk: 7 });
  data.forEach((weight, i) => assert.ok(Math.abs(weight - inPieces.data[i]) < 1e-5));
  const near = model.attentionWeights(some, 2, { position: { lookback: 0 } });
  assert.equal(near.data[31], 1);
  assert.throws(() => model.attentionWeights(some, 5), /layer must be below 5, got 5/);
});

test('a dump has queries and keys on both sides of the rotation, and diagnose reads it', async () => {
  const some = tokens.slice(0, 24);
  const dump = model.dump(some, { layers: [1] });
  const { data: q } = dump['model.layers.1.self_attn.q'];
  const { data: rotated, shape } = dump['model.layers.1.self_attn.q_rot'];
  assert.deepEqual(shape, [1, 8, 24, 8]);
  const { frequencies } = rope();
  const given = { data: q, shape: [8, 24, 8] };
  const expected = rw.rotate(given, frequencies, { layout: 'interleaved' });
  rotated.forEach((value, i) => assert.ok(Math.abs(value - expected.data[i]) < 1e-5));
  const config = { model_type: 'llama', hidden_size: 64, num_attention_heads: 8, rope_theta: 1e4 };
  // The configuration says halves, which only the model of Hugging Face has.
  const hub = await createModel(hubFiles());
  for (const [from, expectation] of [
    [model, 'faults'],
    [hub, 'correct'],
  ]) {
    const arrays = from.dump(some, { layers: [1] });
    assert.equal(diagnose(rw, { arrays, config }).verdict, expectation);
  }
  hub.dispose();
  const mapped = model.dump(some, { layers: [1], position: positions.rerope_256 });
  assert.ok(!('model.layers.1.self_attn.q_rot' in mapped));
});

test('a form without a gradient says so before training', async () => {
  const granite = (change) =>
    createModel(hubFiles((config) => Object.assign(config, { model_type: 'granite' }, change)));
  const plain = await granite({});
  plain.trainer().stepOn([tokens.slice(0, 65)], 0);
  plain.dispose();
  const scaled = await granite({ residual_multiplier: 0.5 });
  assert.throws(() => scaled.trainer(), /factors must be 1 for a backward pass/);
  scaled.dispose();
});

describe('files that do not fit are refused, and the next model loads', () => {
  const refused = (name, change, message) =>
    test(name, async () => {
      await assert.rejects(async () => createModel(hubFiles(change)), message);
      (await createModel({ weights: file })).dispose();
    });
  const query = 'model.layers.1.self_attn.q_proj.weight';
  refused(
    'a missing tensor',
    (_, tensors) => delete tensors[query],
    /weights: model\.layers\.1\.self_attn\.q_proj\.weight is missing/,
  );
  refused(
    'another shape',
    (_, tensors) => (tensors[query] = { data: new Float32Array(63 * width), shape: [63, width] }),
    /q_proj\.weight\.shape must fit blocks\.1\.Wq, 64 × 64, got \[63, 64\]/,
  );
  refused(
    'a weight that is NaN',
    (_, tensors) => (tensors[query].data[5] = NaN),
    /q_proj\.weight must be finite, got NaN/,
  );
  refused(
    'a family that is not known',
    (config) => (config.model_type = 'mamba'),
    /config\.model_type must be one of llama, .*, got "mamba"/,
  );
  refused(
    'an activation that is not known',
    (config) => (config.hidden_act = 'quick_gelu'),
    /config\.hidden_act must be one of silu, .*, got "quick_gelu"/,
  );
  refused(
    'a size that is not whole',
    (config) => (config.intermediate_size = 1.5),
    /config\.intermediate_size must be a whole number from 1 to 16777216, got 1\.5/,
  );
  refused(
    'heads that do not divide the width',
    (config) => (config.num_attention_heads = 7),
    /must be a multiple of|must have an even number/,
  );
  refused(
    'sizes beyond any memory',
    (config) => Object.assign(config, { vocab_size: 2 ** 24, hidden_size: 2 ** 20 }),
    /parameters: their number must be at most|not enough memory/,
  );
  test('a file of llama2.c that is cut off, or says other sizes', async () => {
    await assert.rejects(
      createModel({ weights: file.subarray(0, 1000) }),
      /weights must have 1056540 bytes for the sizes in its header, got 1000/,
    );
    await assert.rejects(createModel({ weights: file.subarray(0, 10) }), /at least 28 bytes/);
    const other = file.slice();
    new DataView(other.buffer).setInt32(0, -5, true);
    await assert.rejects(createModel({ weights: other }), /weights: width must be from 1/);
    await assert.rejects(createModel({ weights: 'model.bin' }), /weights must be a Uint8Array/);
    await assert.rejects(createModel({ weights: [] }), /weights must be at least one file/);
  });
});

test('wrong calls name the option', async () => {
  assert.throws(() => model.logits([3, 512]), /tokens\[1\] must be .* from 0 to 511, got 512/);
  assert.throws(() => model.loss([1, 2], { chunk: 0 }), /chunk must be/);
  assert.throws(() => model.loss([1, 2, 3], { positions: [1] }), /positions must have 2 values/);
  assert.throws(
    () => model.loss([1, 2], { position: { frequencies: rw.rotaryFrequencies({ dim: 16 }) } }),
    /frequencies must be at most 4, got 8/,
  );
  assert.throws(() => model.loss([1, 2], { position: { base: 3 } }), /base/);
  const endless = model.generate([1], { maxTokens: 2 ** 30 }).next();
  await assert.rejects(endless, /maxTokens would take .* bytes/);
  assert.equal(model.loss([]).length, 0);
  assert.equal(model.loss([1]).length, 0);
});

test('after dispose() calls throw, and memory is free for the next model', async () => {
  const { createModel: create } = await createModels();
  for (let i = 0; i < 20; i++) {
    const one = await create({ weights: file });
    one.loss(tokens.slice(0, 10));
    one.dispose();
    one.dispose();
    assert.throws(() => one.loss([1, 2]), /disposed/);
  }
});

describe('the tokenizer of llama2.c', () => {
  test('encodes as the program of its authors, and decodes what it encoded', () => {
    assert.deepEqual(tokenizer.encode('Once upon a time'), [1, 403, 407, 261, 378]);
    assert.deepEqual(tokenizer.encode('', { first: false }), []);
    for (const text of ['Lily’s 球 is\nred.  Two spaces', 'a', ' begins with a space', '\u{1F600}'])
      assert.equal(tokenizer.decode(tokenizer.encode(text)), text);
    assert.equal(tokenizer.vocabulary, 512);
  });
  test('refuses files that are none, and tokens that it does not have', () => {
    assert.throws(() => readLlama2cTokenizer(new Uint8Array(100)), /tokenizer/);
    assert.throws(() => readLlama2cTokenizer('tok512.bin'), TypeError);
    assert.throws(() => tokenizer.decode([512]), /tokens\[0\] must be .* from 0 to 511, got 512/);
    assert.throws(() => tokenizer.encode(5), /text must be a string, got 5/);
  });
});

/**
 * Configurations of released models, against what transformers' own code does with them: numbers of
 * `model_configs.json`, each with the file and line of transformers that computes them.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createRopewalk, layerPlanFromConfig, positionFromConfig } from './installed.mjs';

const rw = await createRopewalk();
const cases = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'model_configs.json'), 'utf8'),
);

/** transformers computes frequencies in single precision. */
const near = (got, expected, what) =>
  assert.ok(Math.abs(got - expected) <= 1e-6 * Math.abs(expected), `${what}: ${got}, ${expected}`);

function checkRotary(config, { kinds, direction, softmax_scale }) {
  for (const { layerType, first, middle, last, attentionFactor, ...expected } of kinds) {
    const { scheme } = positionFromConfig(rw, config, layerType ? { layerType } : {});
    const { frequencies, ...got } = scheme;
    const shown = { ...got, dim: frequencies.dim };
    for (const [name, value] of Object.entries(expected))
      assert.deepEqual(shown[name], value, name);
    const { inverseFrequencies } = frequencies;
    near(inverseFrequencies[0], first, 'the first frequency');
    near(inverseFrequencies[inverseFrequencies.length >> 1], middle, 'the middle frequency');
    near(inverseFrequencies.at(-1), last, 'the last frequency');
    near(frequencies.attentionFactor, attentionFactor, 'attentionFactor');
    if (softmax_scale) near(frequencies.softmaxScale, softmax_scale, 'softmaxScale');
    assert.equal(scheme.direction, direction);
  }
}

for (const { model, config, choices, expected, source } of cases)
  test(`${model} is read as ${source.split(' ')[0]} does`, () => {
    const { type, layers, kinds, ...others } = expected;
    if (model.includes('whisper')) {
      assert.throws(() => positionFromConfig(rw, config), /choices\.part must be 'encoder' or/);
      const encoder = positionFromConfig(rw, config, { part: 'encoder' }).scheme;
      assert.deepEqual([encoder.type, encoder.dim], ['sinusoidal', others.dim]);
      const decoder = positionFromConfig(rw, config, { part: 'decoder' }).scheme;
      assert.deepEqual([decoder.type, decoder.positions], ['learned', 448]);
      return;
    }
    const { scheme, account } = positionFromConfig(rw, config, choices);
    assert.equal(scheme.type, type);
    const unknown = account.assumed.filter(({ code }) => code === 'unknown-model');
    assert.deepEqual(unknown, []);
    if (kinds) checkRotary(config, expected);
    else
      for (const [name, value] of Object.entries(others)) assert.equal(scheme[name], value, name);
    if (!layers) return;
    const plan = layerPlanFromConfig(config).layers;
    const stated = layers.flatMap(([count, ...layer]) => Array(count).fill(layer));
    assert.deepEqual(
      plan.map(({ rotates, window, chunk }) => [rotates, window ?? chunk ?? 0]),
      stated,
    );
  });

test('a model without text is refused, and the error names its type', () => {
  for (const model_type of ['pixtral', 'vit', 'dinov3_vit', 'a_vision_of_my_own'])
    assert.throws(
      () => positionFromConfig(rw, { model_type, hidden_size: 64, rope_theta: 100 }),
      new RegExp(`config\\.model_type must be a model of text.*"${model_type}"`),
    );
});

test('a key that switches rotation off wins over those that describe it', () => {
  const rotary = { num_attention_heads: 4, hidden_size: 64, rope_theta: 1e4 };
  const off = [{ mla_use_nope: true }, { qk_rope_head_dim: 0 }, { use_rope: false }];
  for (const key of off)
    assert.equal(positionFromConfig(rw, { ...rotary, ...key }).scheme.type, 'none');
});

test('a text part that leaves out its widths has those of its model type', () => {
  const config = { model_type: 'gemma3', text_config: { model_type: 'gemma3_text' } };
  const { scheme, account } = positionFromConfig(rw, config, { layerType: 'full_attention' });
  assert.deepEqual([scheme.headDim, scheme.base], [256, 1e6]);
  const assumed = account.assumed.map(({ key, code }) => `${key} ${code}`);
  assert.ok(assumed.includes('config.text_config.head_dim model-default'), assumed.join());
});

test('Llama 4 Scout, whose two factors are equal, keeps a pair or divides its frequency', () => {
  const rope_scaling = {
    rope_type: 'llama3',
    factor: 16,
    low_freq_factor: 1,
    high_freq_factor: 1,
    original_max_position_embeddings: 8192,
  };
  const text_config = { model_type: 'llama4_text', rope_theta: 5e5, rope_scaling };
  const { scheme } = positionFromConfig(rw, { model_type: 'llama4', text_config });
  scheme.frequencies.inverseFrequencies.forEach((got, i) => {
    const trained = 5e5 ** (-i / 64);
    near(got, (2 * Math.PI) / trained > 8192 ? trained / 16 : trained, `pair ${i}`);
  });
});

test('attention negates the angles of nanochat', () => {
  const config = { num_attention_heads: 1, hidden_size: 4, rope_theta: 100 };
  const q = { data: Float32Array.from([1, 2, 3, 4, 2, -1, 1, 3]), shape: [1, 1, 2, 4] };
  const k = { data: Float32Array.from([2, 1, -1, 1, 1, 3, 2, -2]), shape: [1, 1, 2, 4] };
  // Rotating (x, y) by −φ is rotating (x, −y) by φ, and then negating y.
  const mirrored = ({ data, shape }) => ({
    data: data.map((value, i) => (i % 4 < 2 ? value : -value)),
    shape,
  });
  const weights = (model_type, queries, keys) =>
    rw.attention(queries, keys, k, { position: positionFromConfig(rw, { ...config, model_type }) });
  const expected = weights('llama', mirrored(q), mirrored(k)).output.data;
  const got = weights('nanochat', q, k).output.data;
  got.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-5));
  assert.notDeepEqual(got, weights('llama', q, k).output.data);
});

test('a model whose section about text is absent has the sizes that its class gives it', () => {
  const { scheme } = positionFromConfig(rw, { model_type: 'got_ocr2' });
  assert.deepEqual([scheme.headDim, scheme.base], [64, 1e6]);
  const text_config = { model_type: 'qwen2', hidden_size: 2048, num_attention_heads: 16 };
  const given = positionFromConfig(rw, { model_type: 'got_ocr2', text_config }).scheme;
  assert.deepEqual([given.headDim, given.base], [128, 10000]);
  assert.equal(layerPlanFromConfig({ model_type: 'colqwen2' }).layers.length, 80);
});

test('RoBERTa counts positions from the one after pad_token_id', () => {
  const table = (config) => positionFromConfig(rw, config).scheme;
  const lilt = { model_type: 'lilt', max_position_embeddings: 514 };
  assert.deepEqual([table(lilt).positions, table(lilt).offset], [513, 1]);
  const padded = table({ ...lilt, pad_token_id: 1 });
  assert.deepEqual([padded.positions, padded.offset], [512, 2]);
});

test('a DeepSeek without latent attention rotates as Llama does', () => {
  const config = {
    model_type: 'deepseek_v2',
    hidden_size: 1280,
    num_attention_heads: 10,
    qk_nope_head_dim: 0,
    qk_rope_head_dim: 0,
  };
  const { scheme } = positionFromConfig(rw, { ...config, use_mla: false });
  assert.deepEqual(
    [scheme.type, scheme.layout, scheme.headDim, scheme.part],
    ['rotary', 'half-split', 128, undefined],
  );
  assert.equal(positionFromConfig(rw, config).scheme.type, 'none');
});

test('Hy4 rotates the last 64 of 256 values, half-split', () => {
  const { scheme } = positionFromConfig(rw, { model_type: 'hy_v4' });
  const { layout, deinterleaves, headDim, dim, part } = scheme;
  assert.deepEqual(
    [layout, deinterleaves, headDim, dim, part],
    ['half-split', false, 256, 64, 'trailing'],
  );
});

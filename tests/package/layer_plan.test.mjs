/** `layerPlanFromConfig`: layers that differ, with the traps of their configuration classes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeNote, layerPlanFromConfig } from './installed.mjs';

const rotating = (config) => layerPlanFromConfig(config).layers.map(({ rotates }) => rotates);
const llama4 = { model_type: 'llama4_text', num_hidden_layers: 4 };
const smollm3 = { model_type: 'smollm3', num_hidden_layers: 4 };
const exaone4 = { model_type: 'exaone4', num_hidden_layers: 4, rope_theta: 1e6 };

test('no_rope_layers is 1 for a layer that rotates', () => {
  assert.deepEqual(rotating({ ...llama4, no_rope_layers: [0, 1, 1, 0] }), [
    false,
    true,
    true,
    false,
  ]);
});

test('an empty no_rope_layers is absent for Llama 4, and an error for SmolLM3', () => {
  assert.deepEqual(rotating({ ...llama4, no_rope_layers: [] }), [true, true, true, false]);
  assert.throws(
    () => rotating({ ...smollm3, no_rope_layers: [] }),
    /config\.no_rope_layers must have 4 entries, got 0/,
  );
});

test('Llama 4 chunks the layers that rotate, and SmolLM3 gives a window to those that do not', () => {
  const { layers } = layerPlanFromConfig({ ...llama4, attention_chunk_size: 64 });
  assert.deepEqual(
    layers.map(({ chunk }) => chunk),
    [64, 64, 64, undefined],
  );
  const sliding = { ...smollm3, use_sliding_window: true, sliding_window: 32 };
  assert.deepEqual(
    layerPlanFromConfig(sliding).layers.map(({ window }) => window),
    [undefined, undefined, undefined, 32],
  );
});

test('EXAONE 4 rotates every layer where windows are switched off, and reads "LLLG"', () => {
  assert.deepEqual(rotating({ ...exaone4, sliding_window: null }), [true, true, true, true]);
  const patterned = { ...exaone4, sliding_window: 16, sliding_window_pattern: 'LG' };
  assert.deepEqual(rotating(patterned), [true, false, true, false]);
  assert.throws(
    () => rotating({ ...patterned, sliding_window_pattern: 'GL' }),
    /sliding_window_pattern must be a number or L…LG, got "GL"/,
  );
});

test('Gemma 3 scales only its full layers, and reports what it assumed', () => {
  const { layers, account } = layerPlanFromConfig({
    model_type: 'gemma3',
    text_config: {
      model_type: 'gemma3_text',
      num_hidden_layers: 6,
      rope_scaling: { rope_type: 'linear', factor: 8 },
    },
  });
  const sliding = {
    kind: 'sliding_attention',
    rotates: true,
    base: 10000,
    isScaled: false,
    window: 4096,
  };
  assert.deepEqual(layers, [
    ...Array(5).fill(sliding),
    { kind: 'full_attention', rotates: true, base: 1e6, isScaled: true },
  ]);
  const assumed = account.assumed.map(({ key }) => key);
  assert.ok(assumed.includes('config.text_config.rope_local_base_freq'), assumed.join());
  for (const note of [...account.read, ...account.assumed])
    assert.ok(describeNote(note).length > 0);
});

test('proportional frequencies extend nothing, unless they have a factor', () => {
  const scaled = (more) =>
    layerPlanFromConfig({
      model_type: 'gemma4_text',
      num_hidden_layers: 6,
      ...more,
    }).layers.map(({ isScaled }) => isScaled);
  assert.deepEqual(scaled({}), new Array(6).fill(false));
  const full = {
    rope_type: 'proportional',
    rope_theta: 1e6,
    partial_rotary_factor: 0.25,
    factor: 8,
  };
  const sliding = { rope_type: 'default', rope_theta: 1e4 };
  const rope_parameters = { full_attention: full, sliding_attention: sliding };
  assert.deepEqual(scaled({ rope_parameters }), [false, false, false, false, false, true]);
});

test('errors name the key', () => {
  const refused = (config, text) => assert.throws(() => layerPlanFromConfig(config), text);
  refused({ model_type: 'of_my_own', rope_theta: 1e4 }, /config\.num_hidden_layers is missing/);
  refused(
    { model_type: 'cohere2', num_hidden_layers: 2, layer_types: ['full_attention'] },
    /config\.layer_types must be a list of 2 names, got a list of 1/,
  );
  refused(
    { model_type: 'cohere2', num_hidden_layers: 1, layer_types: [{}] },
    /config\.layer_types\[0\] must be a name, got an object/,
  );
});

test('Llama 4 has a temperature in the layers without positions, unless it is switched off', () => {
  const temperatures = (changes) =>
    layerPlanFromConfig({ ...llama4, ...changes }).layers.map(({ temperature }) => temperature);
  const usual = { scale: 0.1, floorLength: 8192 };
  assert.deepEqual(temperatures({}), [undefined, undefined, undefined, usual]);
  const own = { attn_temperature_tuning: 4, attn_scale: 0.2, floor_scale: 16 };
  assert.deepEqual(temperatures(own)[3], { scale: 0.2, floorLength: 16 });
  for (const attn_temperature_tuning of [false, 0])
    assert.equal(temperatures({ attn_temperature_tuning })[3], undefined);
  assert.throws(
    () => temperatures({ attn_temperature_tuning: 'on' }),
    /config\.attn_temperature_tuning must be true or false, got "on"/,
  );
});

test('layers that do not attend are named and do not rotate', () => {
  const { layers } = layerPlanFromConfig({
    model_type: 'qwen3_next',
    num_hidden_layers: 4,
    rope_theta: 1e7,
  });
  assert.deepEqual(
    layers.map(({ kind, rotates, base }) => [kind, rotates, base]),
    [...Array(3).fill(['linear_attention', false, undefined]), ['full_attention', true, 1e7]],
  );
});

test('a base of 0 marks a layer that does not rotate', () => {
  const config = { model_type: 'granite_swa', num_hidden_layers: 2, layer_rope_theta: [0, 5e5] };
  assert.deepEqual(
    layerPlanFromConfig(config).layers.map(({ rotates, base }) => [rotates, base]),
    [
      [false, undefined],
      [true, 5e5],
    ],
  );
});

test('Mistral has its window in every layer, and Qwen 2 from max_window_layers on', () => {
  const windows = (config) => layerPlanFromConfig(config).layers.map(({ window }) => window);
  assert.deepEqual(windows({ model_type: 'mistral', num_hidden_layers: 2 }), [4096, 4096]);
  const qwen2 = { model_type: 'qwen2', num_hidden_layers: 3, sliding_window: 64 };
  assert.deepEqual(windows(qwen2), [undefined, undefined, undefined]);
  const sliding = { ...qwen2, use_sliding_window: true, max_window_layers: 1 };
  assert.deepEqual(windows(sliding), [undefined, 64, 64]);
});

test('layers of a model type that is not known are read by their keys, and the account says so', () => {
  const config = { model_type: 'of_my_own', num_hidden_layers: 2, rope_theta: 10000 };
  const { layers, account } = layerPlanFromConfig(config);
  assert.deepEqual(
    layers.map(({ rotates }) => rotates),
    [true, true],
  );
  assert.ok(account.assumed.some(({ code }) => code === 'unknown-layers'));
});

const kindsOf = (config) => layerPlanFromConfig(config).layers.map(({ kind }) => kind);

test('Nemotron-H lists its layers by name or by letter, and the list says how many there are', () => {
  const model_type = 'nemotron_h';
  assert.deepEqual(kindsOf({ model_type, hybrid_override_pattern: 'M-E*' }), [
    'mamba',
    'mlp',
    'moe',
    'full_attention',
  ]);
  const layers_block_type = ['mamba', 'attention'];
  assert.deepEqual(kindsOf({ model_type, layers_block_type }), ['mamba', 'full_attention']);
});

test('Zamba 2 rotates only its hybrid layers, and only if told to', () => {
  const zamba2 = { model_type: 'zamba2', num_hidden_layers: 14 };
  const hybrid = (layer) => layer === 6 || layer === 12;
  const expected = Array.from({ length: 14 }, (_, layer) => hybrid(layer));
  assert.deepEqual(rotating({ ...zamba2, use_mem_rope: true }), expected);
  assert.ok(rotating(zamba2).every((rotates) => !rotates));
  const layers_block_type = ['m', 'g'];
  assert.deepEqual(kindsOf({ ...zamba2, num_hidden_layers: 2, layers_block_type }), [
    'mamba',
    'hybrid',
  ]);
});

test('a model without attention says what its layers are', () => {
  const kinds = { mamba: 'mamba', mamba2: 'mamba2', rwkv7: 'linear_attention' };
  for (const [model_type, kind] of Object.entries(kinds))
    assert.deepEqual(kindsOf({ model_type, num_hidden_layers: 2 }), [kind, kind]);
});

test('ZAYA has a base for each of its two kinds of hybrid layers', () => {
  const layer_types = ['hybrid', 'hybrid_sliding'];
  const zaya = { model_type: 'zaya', num_hidden_layers: 2, sliding_window: 8, layer_types };
  const seen = layerPlanFromConfig(zaya).layers.map(({ base, window }) => [base, window]);
  assert.deepEqual(seen, [
    [5e6, undefined],
    [1e4, 8],
  ]);
});

test('MiniMax M3 names its sparse layers in a section of their own', () => {
  const sparse_attention_config = { sparse_attention_freq: [0, 1] };
  const text_config = { model_type: 'minimax_m3_vl_text', num_hidden_layers: 2 };
  const config = { model_type: 'minimax_m3_vl', text_config };
  assert.deepEqual(
    kindsOf({ ...config, text_config: { ...text_config, sparse_attention_config } }),
    ['full_attention', 'minimax_m3_sparse'],
  );
  assert.deepEqual(kindsOf(config), ['full_attention', 'full_attention']);
});

test('Step 3.7 scales the kinds of layers that it lists, or the full ones', () => {
  const step = {
    model_type: 'step3p5',
    num_hidden_layers: 2,
    layer_types: ['full_attention', 'sliding_attention'],
    rope_scaling: { rope_type: 'linear', factor: 2 },
  };
  const scaled = (config) => layerPlanFromConfig(config).layers.map(({ isScaled }) => isScaled);
  assert.deepEqual(scaled({ ...step, yarn_only_types: ['full_attention'] }), [true, false]);
  assert.deepEqual(scaled(step), [true, false]);
});

test('OLMo Hybrid does not rotate where its base is null', () => {
  const olmo = { model_type: 'olmo_hybrid', num_hidden_layers: 4 };
  assert.deepEqual(rotating(olmo), [false, false, false, true]);
  const nulls = [{ rope_theta: null }, { rope_parameters: null }];
  for (const key of [...nulls, { rope_parameters: { rope_theta: null } }])
    assert.ok(rotating({ ...olmo, ...key }).every((rotates) => !rotates));
});

const full = 'full_attention';
const sliding = 'sliding_attention';

test('Command A+ rotates its dense layers, which come first and have a pattern of their own', () => {
  const config = { model_type: 'cohere2_moe', num_hidden_layers: 7, first_k_dense_replace: 2 };
  assert.deepEqual(kindsOf(config), [full, full, sliding, sliding, sliding, full, sliding]);
  const expected = [true, true, true, true, true, false, true];
  assert.deepEqual(rotating(config), expected);
  const { first_k_dense_replace: count, ...others } = config;
  const mlp_layer_types = expected.map((_, layer) => (layer < count ? 'dense' : 'sparse'));
  assert.deepEqual(
    rotating({ ...others, layer_types: kindsOf(config), mlp_layer_types }),
    expected,
  );
  const patterned = { ...config, prefix_dense_sliding_window_pattern: 2 };
  assert.deepEqual(kindsOf(patterned).slice(0, 2), [sliding, full]);
  assert.deepEqual(rotating(patterned), [true, false, true, true, true, false, true]);
});

test('Kimi Linear counts its full layers from 1, and is one in four without a list', () => {
  const linear = 'linear_attention';
  const config = { model_type: 'kimi_linear', num_hidden_layers: 5 };
  assert.deepEqual(kindsOf(config), [linear, linear, linear, full, linear]);
  const listed = { ...config, linear_attn_config: { full_attn_layers: [2, 5] } };
  assert.deepEqual(kindsOf(listed), [linear, full, linear, linear, full]);
  assert.deepEqual(rotating(listed), Array(5).fill(false));
  const text_config = { model_type: 'glm5_next_text', num_hidden_layers: 4 };
  const glm = { model_type: 'glm5_next', text_config };
  assert.deepEqual(kindsOf(glm), [linear, linear, linear, full]);
});

test('GPT-Neo alternates: every second layer has a window', () => {
  const windows = (config) => layerPlanFromConfig(config).layers.map(({ window }) => window);
  const config = { model_type: 'gpt_neo', num_layers: 3, num_hidden_layers: 3 };
  assert.deepEqual(windows(config), [undefined, 256, undefined]);
  const attention_layers = ['local', 'global', 'local'];
  assert.deepEqual(windows({ ...config, attention_layers }), [256, undefined, 256]);
  const types = (...attention_types) => windows({ ...config, attention_types });
  const groups = [
    [['global'], 2],
    [['local'], 1],
  ];
  assert.deepEqual(types(...groups), [undefined, undefined, 256]);
  assert.throws(() => types([['global'], 1e9]), /attention_types must be a list of 3 names/);
  assert.throws(() => types([[], 3]), /attention_types must be a list of 3 names/);
});

test('a class that has a window need not use it in any layer', () => {
  for (const model_type of ['laguna', 'dots1', 'cohere_compass_text'])
    for (const { kind, window } of layerPlanFromConfig({ model_type }).layers)
      assert.deepEqual([kind, window], [full, undefined], model_type);
  for (const { kind } of layerPlanFromConfig({ model_type: 'bamba' }).layers)
    assert.equal(kind, 'mamba');
});

test('a kind of layers that has null for rope settings does not rotate', () => {
  const config = {
    model_type: 'cohere_compass_text',
    num_hidden_layers: 2,
    layer_types: [sliding, full],
    rope_parameters: {
      rope_theta: 10000,
      rope_type: 'default',
      sliding_attention: { rope_theta: 50000, rope_type: 'default' },
      full_attention: null,
    },
  };
  const { layers } = layerPlanFromConfig(config);
  assert.deepEqual(
    layers.map(({ rotates, base }) => [rotates, base]),
    [
      [true, 50000],
      [false, undefined],
    ],
  );
});

test('LongCat counts layers of two attentions each', () => {
  const config = { model_type: 'longcat_flash', num_layers: 14 };
  assert.equal(layerPlanFromConfig(config).layers.length, 28);
  assert.equal(layerPlanFromConfig({ model_type: 'longcat_flash' }).layers.length, 56);
});

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
  const sliding = { rotates: true, base: 10000, isScaled: false, window: 4096 };
  assert.deepEqual(layers, [
    ...Array(5).fill(sliding),
    { rotates: true, base: 1e6, isScaled: true },
  ]);
  const assumed = account.assumed.map(({ key }) => key);
  assert.ok(assumed.includes('config.text_config.rope_local_base_freq'), assumed.join());
  for (const note of [...account.read, ...account.assumed])
    assert.ok(describeNote(note).length > 0);
});

test('errors name the key', () => {
  const refused = (config, text) => assert.throws(() => layerPlanFromConfig(config), text);
  refused(
    { model_type: 'llama', num_hidden_layers: 2 },
    /config\.model_type must be one of llama4_text/,
  );
  refused({ model_type: 'cohere2' }, /config\.num_hidden_layers is missing/);
  refused(
    { model_type: 'cohere2', num_hidden_layers: 2, layer_types: ['full_attention'] },
    /config\.layer_types must be a list of 2 names, got a list of 1/,
  );
  refused(
    { model_type: 'cohere2', num_hidden_layers: 1, layer_types: ['wide'] },
    /config\.layer_types\[0\] must be one of full_attention, .*, got "wide"/,
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

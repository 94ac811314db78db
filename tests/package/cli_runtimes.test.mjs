/** `npx ropewalk frequencies --as`: settings that make other programs rotate as a config says. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { scalingDrawer } from '../fuzz/js/combinations/drawers.mjs';
import { drawsOf } from '../fuzz/js/random.mjs';
import { place, printed, run } from './command.mjs';
import { createRopewalk, frequenciesFromConfig, inside, positionFromConfig } from './installed.mjs';

const [{ commands }, { blockKeys }, { scalingSchemas }, { runtimeSettings }] = await Promise.all(
  ['cli/commands', 'config/scaling', 'rotary/schemes', 'config/runtimes'].map(inside),
);

const rw = await createRopewalk();
const base = {
  model_type: 'llama',
  hidden_size: 256,
  num_attention_heads: 4,
  rope_theta: 10000,
  max_position_embeddings: 8192,
};
const yarn = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 2048 };
const longrope = {
  rope_type: 'longrope',
  short_factor: Array.from({ length: 32 }, (_, i) => 1 + i / 64),
  long_factor: Array.from({ length: 32 }, (_, i) => 1 + i),
  original_max_position_embeddings: 4096,
};
const llama3 = {
  rope_type: 'llama3',
  factor: 8,
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 1024,
};
/** Configs by name, as files. */
const configs = {
  plain: base,
  linear: { ...base, rope_scaling: { rope_type: 'linear', factor: 4 } },
  yarn: { ...base, rope_scaling: yarn },
  cooled: { ...base, rope_scaling: { ...yarn, attention_factor: 1.5, truncate: false } },
  deepseek: {
    ...base,
    model_type: 'deepseek_v3',
    qk_rope_head_dim: 64,
    rope_scaling: { ...yarn, type: 'yarn', factor: 40, mscale: 0.707, mscale_all_dim: 1 },
  },
  ministral: { ...base, rope_scaling: { ...yarn, mscale: 0.707, mscale_all_dim: 1 } },
  longrope: { ...base, rope_scaling: longrope },
  llama3: { ...base, rope_scaling: llama3 },
  dynamic: { ...base, rope_scaling: { rope_type: 'dynamic', factor: 2 } },
  alpha: { ...base, rope_scaling: { rope_type: 'dynamic', alpha: 50 } },
  ntk: { ...base, rope_scaling: { rope_type: 'ntk', factor: 4, mixed_b: 0.75 } },
  partial: { ...base, model_type: 'gpt_neox', rotary_pct: 0.25 },
  proportional: {
    ...base,
    rope_parameters: { rope_type: 'proportional', partial_rotary_factor: 0.25 },
  },
  interleaved: { ...base, model_type: 'cohere' },
  multimodal: { model_type: 'mistral3', text_config: { ...base, model_type: 'mistral' } },
  // A file of transformers 4; its class keeps these keys in text_config.
  flat: { ...base, model_type: 'qwen2_vl' },
  omni: {
    model_type: 'qwen2_5_omni',
    thinker_config: {
      model_type: 'qwen2_5_omni_thinker',
      text_config: { ...base, model_type: 'qwen2_5_omni_text' },
    },
  },
};
/** A config of each type that a rope block can have, and the options that it states. */
const drawn = Object.entries(blockKeys).map(([type, keys]) => {
  const draw = scalingDrawer({ [type]: scalingSchemas[type] }, 1);
  const lists = (_, value) => (value instanceof Float32Array ? Array.from(value) : value);
  const options = JSON.parse(JSON.stringify(draw(drawsOf(31, 0), { dim: 64 }), lists));
  const block = Object.entries(keys).map(([name, key]) => [key, options[name]]);
  const rope_type = type === 'none' ? 'default' : type;
  const config = { ...base, rope_scaling: { rope_type, ...Object.fromEntries(block) } };
  configs[`every key of ${type}`] = config;
  return { config, type, keys, options };
});
for (const [name, config] of Object.entries(configs))
  writeFileSync(place(`${name}.json`), JSON.stringify(config));

const runtimes = ['hf', 'vllm', 'llama.cpp', 'mlx', 'onnx'];
/** What the command finds, in this process: its facts as JSON has them, and its text. */
function outcomeOf(name, runtime, length) {
  const path = `${name}.json`;
  const { facts, text } = commands.frequencies.run({
    rw,
    operands: [path],
    given: { as: runtime, length },
    read: () => readFileSync(place(path)),
    progress: () => {},
  });
  return { facts: JSON.parse(JSON.stringify(facts)), text };
}
const as = (name, runtime, length) => outcomeOf(name, runtime, length).facts;
const frequenciesOf = (config, choices) => frequenciesFromConfig(rw, config, choices);
/** @param {any} config */
const typeOf = ({ rope_scaling, rope_parameters }) =>
  (rope_scaling ?? rope_parameters)?.rope_type ?? 'default';

test('every key of a rope block is read as the option that it states', () => {
  for (const { config, type, keys, options } of drawn) {
    const { scaling } = positionFromConfig(rw, config).scheme;
    assert.equal(scaling.type, type);
    for (const name of Object.keys(keys)) assert.deepEqual(scaling[name], options[name], name);
  }
});

test('--as hf: the config that it prints gives the same frequencies and factors', () => {
  for (const [name, config] of Object.entries(configs)) {
    const { settings } = as(name, 'hf');
    const { rope_theta, rope_scaling, rope_parameters, rotary_pct, ...rest } = /** @type {any} */ (
      config
    );
    for (const length of [undefined, 8192, 16384]) {
      const [given, printed] = [config, { ...rest, ...settings }].map((each) =>
        frequenciesOf(each, { length }),
      );
      // In place of a type that transformers does not have stands a base, or divisors.
      const hasType = settings.rope_parameters.rope_type === typeOf(config);
      const bound = hasType ? 0 : 1e-12;
      given.inverseFrequencies.forEach((value, pair) => {
        const difference = Math.abs(printed.inverseFrequencies[pair] - value);
        assert.ok(difference <= bound * value, `${name}, length ${length}, pair ${pair}`);
      });
      assert.deepEqual(
        [printed.attentionFactor, printed.softmaxScale],
        [given.attentionFactor, given.softmaxScale],
        name,
      );
    }
  }
});

test('a scaling without a rope_type stands in the settings by what it makes of each pair', () => {
  const scaling = { type: 'part-ntk', factor: 4, originalLength: 2048 };
  const frequencies = rw.rotaryFrequencies({ dim: 64, base: 10000, scaling });
  const scheme = { ...positionFromConfig(rw, base).scheme, scaling, frequencies };
  const settingsOf = (runtime) => runtimeSettings(rw, scheme, runtime);
  for (const runtime of ['hf', 'vllm']) {
    const { settings, cannot } = settingsOf(runtime);
    assert.equal(settings.rope_parameters.rope_type, 'longrope');
    const { inverseFrequencies } = frequenciesOf({ ...base, ...settings });
    frequencies.inverseFrequencies.forEach((value, pair) =>
      assert.ok(Math.abs(inverseFrequencies[pair] / value - 1) < 1e-12, `${runtime} ${pair}`),
    );
    assert.match(cannot.join('\n'), /no rope_type: here as longrope/);
  }
  const { lists, settings } = settingsOf('mlx');
  assert.equal(settings.rope_scaling, undefined);
  assert.equal(lists.freqs[31], 1 / frequencies.inverseFrequencies[31]);
  const { lists: tensors } = settingsOf('llama.cpp');
  assert.equal(tensors['rope_freqs.weight'].length, 32);
});

test('--as vllm: one flag with the JSON, in the keys that get_rope reads', () => {
  const block = (name) => {
    const { flags, settings } = as(name, 'vllm');
    assert.equal(flags[0], '--hf-overrides');
    assert.deepEqual(JSON.parse(flags[1]), settings);
    assert.deepEqual(flags.slice(2), ['--max-model-len', '8192']);
    return settings.rope_parameters;
  };
  assert.deepEqual(block('plain'), { rope_type: 'default', rope_theta: 10000 });
  const ramp = { beta_fast: 32, beta_slow: 1 };
  assert.deepEqual(block('yarn'), { ...yarn, ...ramp, rope_theta: 10000 });
  // YaRNScalingRotaryEmbedding: cos and sin are multiplied by (0.1 ln s + 1) · attn_factor.
  const { attn_factor: factor, ...cooled } = block('cooled');
  assert.deepEqual(cooled, { ...yarn, ...ramp, rope_theta: 10000, truncate: false });
  assert.ok(Math.abs(factor * (0.1 * Math.log(4) + 1) - 1.5) < 1e-12);
  assert.deepEqual(block('alpha'), { rope_type: 'dynamic', rope_theta: 10000, alpha: 50 });
  const ntk = { rope_type: 'ntk', rope_theta: 10000, factor: 4, mixed_b: 0.75 };
  assert.deepEqual(block('ntk'), ntk);
  const { short_mscale: short, long_mscale: long } = block('longrope');
  assert.equal(short, frequenciesOf(configs.longrope).attentionFactor);
  assert.equal(long, short);
  const dynamic = as('dynamic', 'vllm', 16384);
  assert.ok(dynamic.settings.rope_parameters.rope_theta > 10000);
  assert.ok(dynamic.cannot.some((line) => line.includes('the base at 16384 positions')));
});

// ModelConfig._apply_dict_overrides (vllm/config/model.py) goes into sections that the config has.
test('--as vllm: an override stands in the section that has the text model', () => {
  const paths = {
    plain: [],
    multimodal: ['text_config'],
    flat: ['text_config'],
    omni: ['thinker_config', 'text_config'],
  };
  for (const [name, path] of Object.entries(paths)) {
    const { flags, settings } = as(name, 'vllm');
    const inner = path.reduce((outer, key) => {
      assert.deepEqual(Object.keys(outer), [key], name);
      return outer[key];
    }, JSON.parse(flags[1]));
    assert.deepEqual(inner, settings, name);
    assert.ok(inner.rope_parameters, name);
  }
});

test('--as llama.cpp: its flags, or the tensor that no flag replaces', () => {
  const flags = (name) => as(name, 'llama.cpp').flags.join(' ');
  assert.equal(flags('plain'), '--rope-scaling none --rope-freq-base 10000');
  assert.equal(flags('linear'), '--rope-scaling linear --rope-scale 4 --rope-freq-base 10000');
  assert.equal(
    flags('yarn'),
    '--rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 2048 --yarn-beta-fast 32 --yarn-beta-slow 1 --rope-freq-base 10000',
  );
  const alpha = 10000 * 50 ** (64 / 62);
  const [, printedBase] = /^--rope-scaling none --rope-freq-base (\S+)$/.exec(flags('alpha'));
  assert.ok(Math.abs(Number(printedBase) / alpha - 1) < 1e-12);
  // ggml multiplies cos and sin by rope_attn_factor · (0.1 ln s + 1), and rounds the ramp.
  const { cannot } = as('cooled', 'llama.cpp');
  const [, factor] = /attn_factor=float:(\S+) /.exec(cannot.join('\n'));
  assert.ok(Math.abs(Number(factor) * (0.1 * Math.log(4) + 1) - 1.5) < 1e-12);
  assert.ok(cannot.some((line) => line.includes('truncate is true')));
  const { lists, flags: bare } = as('llama3', 'llama.cpp');
  assert.deepEqual(bare, ['--rope-freq-base', '10000']);
  frequenciesOf(configs.llama3).inverseFrequencies.forEach((value, pair) => {
    const used = 10000 ** (-pair / 32) / lists['rope_freqs.weight'][pair];
    assert.ok(Math.abs(used / value - 1) < 1e-12);
  });
  const partial = as('partial', 'llama.cpp').cannot.join('\n');
  assert.match(partial, /16 of 64 values rotate: ARCH\.rope\.dimension_count/);
  assert.match(as('interleaved', 'llama.cpp').cannot.join('\n'), /pairs are interleaved: .*NORM/);
  assert.match(as('longrope', 'llama.cpp').cannot.join('\n'), /rope_factors_long\.weight/);
});

test('--as mlx and onnx: their settings', async () => {
  assert.deepEqual(as('yarn', 'mlx').settings, {
    rope_theta: 10000,
    rope_traditional: false,
    rope_scaling: { ...yarn, beta_fast: 32, beta_slow: 1 },
  });
  assert.equal(as('cooled', 'mlx').settings.rope_scaling.attention_factor, 1.5);
  assert.match(as('cooled', 'mlx').cannot.join('\n'), /YarnRoPE rounds/);
  assert.match(as('longrope', 'mlx').cannot.join('\n'), /long_factor at every length/);
  const { lists } = as('ntk', 'mlx');
  assert.deepEqual(
    lists.freqs,
    Array.from(frequenciesOf(configs.ntk).inverseFrequencies, (value) => 1 / value),
  );
  assert.equal(as('interleaved', 'mlx').settings.rope_traditional, true);

  assert.deepEqual(as('partial', 'onnx').settings, { interleaved: 0, rotary_embedding_dim: 16 });
  assert.deepEqual(as('interleaved', 'onnx').settings, { interleaved: 1, rotary_embedding_dim: 0 });
  const { where } = as('yarn', 'onnx');
  const [, line] = /`ropewalk (.*)`/.exec(where);
  await printed(line);
  assert.ok(readFileSync(place('caches.npy')).length > 8192 * 32 * 2 * 8);
  assert.match(as('deepseek', 'onnx').cannot.join('\n'), /attribute scale of Attention/);
});

test('every runtime accepts every config, reports what it cannot express, and prints both', () => {
  for (const name of Object.keys(configs))
    for (const runtime of runtimes) {
      const { facts, text } = outcomeOf(name, runtime);
      const { as: echoed, cannot, where } = facts;
      assert.equal(echoed, runtime);
      assert.ok(where && cannot.every((line) => line.length > 10), `${name} as ${runtime}`);
      assert.ok(text.startsWith(`For ${where}:\n`));
      for (const line of cannot) assert.ok(text.includes(line));
      const { scheme } = positionFromConfig(rw, configs[name]);
      const { text: pasted, ...same } = runtimeSettings(rw, scheme, runtime, `${name}.json`);
      assert.deepEqual({ as: runtime, ...JSON.parse(JSON.stringify(same)) }, facts);
      assert.ok(text.includes(pasted.replaceAll('\n', '\n  ')), pasted);
    }
  const { scheme } = positionFromConfig(rw, base);
  assert.throws(() => runtimeSettings(rw, scheme, 'vlm'), /^RangeError: runtime .*'vllm'/);
  assert.throws(() => runtimeSettings(rw, { type: 'none' }, 'hf'), /^TypeError: scheme must be a/);
  const followed = runtimes.filter((each) => /length/.test(as('dynamic', each).cannot.join()));
  assert.deepEqual(followed, ['vllm', 'llama.cpp', 'mlx', 'onnx'], 'only transformers follows it');
});

test('it prints JSON in a pipe and sentences with --format text, and suggests the nearest name', async () => {
  const args = 'frequencies yarn.json --as vllm';
  const { facts, text } = outcomeOf('yarn', 'vllm');
  assert.deepEqual(JSON.parse(await printed(args)), facts);
  assert.equal(await printed(args, '--format text'), text);
  const { status, stderr } = await run('frequencies yarn.json --as llamacpp');
  assert.equal(status, 2);
  assert.match(stderr, /got llamacpp \(did you mean llama\.cpp\?\)\n$/);
});

test('--as vllm: a block for each kind of layers, where they rotate differently', async () => {
  const kinds = ['sliding_attention', 'full_attention'];
  const rope_scaling = { rope_type: 'linear', factor: 8 };
  const config = { ...base, model_type: 'gemma3_text', num_hidden_layers: 2, layer_types: kinds };
  Object.assign(config, { rope_local_base_freq: 5000, rope_scaling, head_dim: 64 });
  writeFileSync(place('kinds.json'), JSON.stringify({ ...config, sliding_window: 512 }));
  const words = 'frequencies kinds.json --as vllm';
  const { flags, settings } = JSON.parse(await printed(words));
  assert.deepEqual(settings.rope_parameters, {
    full_attention: { rope_type: 'linear', rope_theta: 10000, factor: 8 },
    sliding_attention: { rope_type: 'default', rope_theta: 5000 },
  });
  assert.deepEqual(JSON.parse(flags[1]), settings);
  assert.match(
    await printed(words, '--format text'),
    /"sliding_attention":\{"rope_type":"default"/,
  );
  const one = JSON.parse(await printed(words, '--layer-type sliding_attention'));
  assert.equal(one.settings.rope_parameters.rope_theta, 5000);
});

/**
 * Options of configurations that change what a model computes: values of the classes of
 * transformers where a file has no key, keys that a class does not read, and names of tensors.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { familyModel, filesOf, tokens, vocabulary } from './family_models.mjs';
import { createModel, createRopewalk } from './installed.mjs';

const rw = await createRopewalk();

async function logitsOf({ config, tensors }) {
  const model = await createModel(filesOf({ config, tensors }));
  const { data } = model.logits(tokens);
  model.dispose();
  return data;
}

/** The logits of a family with other keys; undefined removes one. */
function changed(family, keys, change = (_tensors) => undefined) {
  const { config, tensors } = familyModel(family);
  const all = Object.entries({ ...config, ...keys }).filter(([, value]) => value !== undefined);
  change(tensors);
  return { config: Object.fromEntries(all), tensors };
}
const withKeys = (...args) => logitsOf(changed(...args));

async function same(a, b) {
  assert.deepEqual(await a, await b);
}
async function differ(a, b) {
  const [one, other] = await Promise.all([a, b]);
  const largest = Math.max(...one.map((value, i) => Math.abs(value - other[i])));
  assert.ok(largest > 1e-6, `they differ by ${largest}`);
}

describe('a key that is absent has the value of its class', () => {
  const cases = [
    ['phi3', { rms_norm_eps: undefined }, { rms_norm_eps: 1e-5 }, { rms_norm_eps: 1e-2 }],
    ['olmo2', { rms_norm_eps: undefined }, { rms_norm_eps: 1e-5 }, { rms_norm_eps: 1e-2 }],
    ['gemma2', {}, { attn_logit_softcapping: 50 }, { attn_logit_softcapping: null }],
    ['gemma2', {}, { final_logit_softcapping: 30 }, { final_logit_softcapping: null }],
    ['gemma3_text', {}, { final_logit_softcapping: null }, { final_logit_softcapping: 30 }],
    [
      'gemma2',
      { hidden_activation: null },
      { hidden_activation: 'gelu_pytorch_tanh' },
      { hidden_activation: 'gelu' },
    ],
  ];
  for (const [family, absent, stated, other] of cases)
    test(`${family}: ${Object.keys(stated)}`, async () => {
      await same(withKeys(family, absent), withKeys(family, stated));
      await differ(withKeys(family, absent), withKeys(family, other));
    });

  test('Mistral has 8 heads of keys, of 16 heads; null is as many as heads', async () => {
    const keys = { num_attention_heads: 16, head_dim: 2 };
    const widened = (tensors) => {
      for (let layer = 0; layer < 3; layer++) {
        const at = (name) => `model.layers.${layer}.self_attn.${name}_proj.weight`;
        const { data } = tensors[at('q')];
        const twice = Float32Array.of(...data, ...data);
        tensors[at('q')] = { data: twice, shape: [32, 16] };
        tensors[at('o')] = { data: twice, shape: [16, 32] };
        for (const name of ['k', 'v']) tensors[at(name)] = { data, shape: [16, 16] };
      }
    };
    const heads = (count) => withKeys('mistral', { ...keys, num_key_value_heads: count }, widened);
    await same(heads(undefined), heads(8));
    await assert.rejects(heads(null), /must fit blocks\.0\.Wk, 32 × 16/);
  });
});

describe('keys that a class does not read change nothing', () => {
  const cases = [
    ['gemma2', { hidden_act: 'relu' }],
    ['gemma3_text', { hidden_act: 'relu' }],
    ['gemma3_text', { attn_logit_softcapping: 0.5 }],
    ['llama', { hidden_activation: 'relu' }],
    ['llama', { sliding_window: 3 }],
    ['granite', { sliding_window: 3, use_sliding_window: true }],
    ['olmo2', { layer_types: Array(3).fill('sliding_attention'), sliding_window: 3 }],
  ];
  for (const [family, keys] of cases)
    test(`${family}: ${Object.keys(keys)}`, () => same(withKeys(family, keys), withKeys(family)));

  const alternate = ['sliding_attention', 'full_attention', 'sliding_attention'];
  for (const family of ['mistral', 'phi3'])
    test(`${family}: kinds of layers, which all have the window`, async () => {
      const narrow = { sliding_window: 3 };
      await same(withKeys(family, { ...narrow, layer_types: alternate }), withKeys(family, narrow));
      await same(
        withKeys(family, { ...narrow, sliding_window_pattern: 2 }),
        withKeys(family, narrow),
      );
      await differ(withKeys(family, narrow), withKeys(family, { sliding_window: null }));
    });
  test('gemma2: sliding_window_pattern; every second layer is full', async () => {
    const narrow = { sliding_window: 3, layer_types: undefined };
    const plain = withKeys('gemma2', narrow);
    await same(plain, withKeys('gemma2', { ...narrow, sliding_window_pattern: 3 }));
    await same(plain, withKeys('gemma2', { sliding_window: 3, layer_types: alternate }));
  });

  test('mistral: use_sliding_window', async () => {
    const narrow = { sliding_window: 3 };
    const switched = withKeys('mistral', { ...narrow, use_sliding_window: false });
    await same(switched, withKeys('mistral', narrow));
    await differ(switched, withKeys('mistral', { sliding_window: null }));
  });
});

test('Phi-3 writes by its short factors up to its original length, then by the long ones', async () => {
  const rope_scaling = {
    type: 'longrope',
    short_factor: [1, 1.5],
    long_factor: [20, 50],
  };
  const keys = { rope_scaling, original_max_position_embeddings: 9, max_position_embeddings: 64 };
  const model = await createModel(filesOf(changed('phi3', keys)));
  const largest = (logits) => logits.indexOf(Math.max(...logits));
  for (const given of [tokens.slice(0, 5), [...tokens, ...tokens].slice(0, 12)]) {
    const expected = [...given];
    for (let i = 0; i < 12; i++)
      expected.push(largest(model.logits(expected).data.slice(-vocabulary)));
    const written = [...given];
    for await (const token of model.generate(given, { maxTokens: 12 })) written.push(token);
    assert.deepEqual(written, expected);
  }
  const drawn = async (seed) => {
    const written = [];
    const options = { maxTokens: 20, temperature: 2, seed };
    for await (const token of model.generate(tokens.slice(0, 5), options)) written.push(token);
    return written;
  };
  assert.deepEqual(await drawn(3), await drawn(3));
  assert.notDeepEqual(await drawn(3), await drawn(4));
  model.dispose();
});

describe('dynamic NTK', () => {
  const original = 9;
  const rope_scaling = { rope_type: 'dynamic', factor: 8 };
  const keys = { rope_scaling, max_position_embeddings: original, rope_theta: 100 };
  const largest = (logits) => logits.indexOf(Math.max(...logits));
  const short = tokens.slice(0, 5);
  const long = [...tokens, ...tokens].slice(0, 14);
  const count = 16;

  /** Greedy text by one reading of the whole text for each token. */
  function byLogits(model, given, options) {
    const text = [...given];
    while (text.length < given.length + count)
      text.push(largest(model.logits(text, options).data.slice(-vocabulary)));
    return text;
  }
  async function written(model, given, options) {
    const text = [...given];
    for await (const token of model.generate(given, { maxTokens: count, ...options }))
      text.push(token);
    return text;
  }
  const frequenciesFor = (length) => ({
    position: {
      frequencies: rw.rotaryFrequencies({
        dim: 4,
        base: 100,
        scaling: { type: 'dynamic-ntk', factor: 8, originalLength: original, length },
      }),
    },
  });

  test('each token is written as logits() reads the text before it', async () => {
    const model = await createModel(filesOf(changed('llama', keys)));
    for (const given of [short, long]) {
      const expected = byLogits(model, given, {});
      assert.deepEqual(await written(model, given), expected);
      // Neither the first nor the last frequencies write this text.
      for (const length of [given.length, given.length + count])
        assert.notDeepEqual(byLogits(model, given, frequenciesFor(length)), expected);
    }
    model.dispose();
  });

  test('in place of its positions, frequencies of one length are those of all tokens', async () => {
    const model = await createModel(filesOf(changed('llama', keys)));
    const fixed = frequenciesFor(30);
    assert.deepEqual(await written(model, long, fixed), byLogits(model, long, fixed));
    model.dispose();
  });

  test('draws do not repeat: each token has random numbers of its own', async () => {
    const { config, tensors } = changed('llama', keys);
    // All logits are 0: the tokens show the random numbers.
    tensors['model.norm.weight'].data.fill(0);
    const model = await createModel(filesOf({ config, tensors }));
    const drawn = (seed) => written(model, long, { temperature: 1, seed });
    const [first, again, next] = [await drawn(3), await drawn(3), await drawn(4)];
    assert.deepEqual(first, again);
    assert.ok(new Set(first.slice(long.length)).size > 6, `${first}`);
    assert.notDeepEqual(first.slice(long.length + 1), next.slice(long.length, -1));
    model.dispose();
  });
});

describe('SmolLM3', () => {
  test('reads as many of no_rope_layers as it has layers', async () => {
    const flags = (list) => withKeys('smollm3', { no_rope_layers: list });
    await same(flags([1, 0, 1, 0, 0]), flags([1, 0, 1]));
    await differ(flags([1, 0, 1]), flags([1, 1, 1]));
    await assert.rejects(flags([1, 0]), /config\.no_rope_layers must have 3 entries, got 2/);
  });
  test('has a window in layers that are listed as sliding, whatever use_sliding_window says', async () => {
    const layer_types = ['sliding_attention', 'full_attention', 'full_attention'];
    const listed = (switched) =>
      withKeys('smollm3', { layer_types, sliding_window: 3, use_sliding_window: switched });
    const plain = withKeys('smollm3', { layer_types: undefined, sliding_window: 3 });
    await same(listed(false), listed(true));
    await differ(listed(false), plain);
    await same(plain, withKeys('smollm3', { layer_types: undefined, sliding_window: null }));
  });
});

test('Gemma 3 whose layers are all of one kind has the base of this kind', async () => {
  const settings = (base) => ({ rope_type: 'default', rope_theta: base });
  const kinds = (full, sliding) => ({
    full_attention: settings(full),
    sliding_attention: settings(sliding),
  });
  const of = (kind, block) =>
    withKeys('gemma3_text', { layer_types: Array(3).fill(kind), rope_parameters: block });
  await same(of('sliding_attention', kinds(1e6, 500)), of('sliding_attention', kinds(7, 500)));
  await differ(of('sliding_attention', kinds(1e6, 500)), of('sliding_attention', kinds(1e6, 7)));
  await same(of('full_attention', kinds(500, 1e4)), of('full_attention', kinds(500, 7)));
  // Three layers are fewer than the six of a group: all slide.
  const older = { rope_theta: 1e6, rope_local_base_freq: 500 };
  await same(withKeys('gemma3_text', older), of('sliding_attention', kinds(1e6, 500)));
});

test('Cohere 2 without a window rotates no layer', async () => {
  const layer_types = Array(3).fill('sliding_attention');
  const base = (rope_theta) =>
    withKeys('cohere2', { layer_types, sliding_window: null, rope_theta });
  await same(base(500), base(10000));
});

test('an output of its own beside the matrices of GPT-2, which are the other way', async () => {
  for (const width of [vocabulary, 16]) {
    const tied = changed('gpt2', { vocab_size: width }, (tensors) => {
      const table = tensors['transformer.wte.weight'];
      table.data = table.data.slice(0, width * 16);
      table.shape = [width, 16];
    });
    const short = tokens.map((token) => token % width);
    const logits = async (model) => (await createModel(filesOf(model))).logits(short).data;
    const untied = structuredClone(tied);
    untied.config.tie_word_embeddings = false;
    untied.tensors['lm_head.weight'] = tied.tensors['transformer.wte.weight'];
    assert.deepEqual(await logits(untied), await logits(tied));
  }
});

test('BLOOM has the older n_embed before hidden_size', () =>
  same(withKeys('bloom', { hidden_size: 64, n_embed: 16 }), withKeys('bloom')));

describe('names of activations', () => {
  for (const [name, equal] of [
    ['gelu_python', 'gelu'],
    ['gelu_accurate', 'gelu_new'],
    ['gelu_python_tanh', 'gelu_fast'],
  ])
    test(name, () =>
      same(withKeys('llama', { hidden_act: name }), withKeys('llama', { hidden_act: equal })),
    );
});

describe('names of tensors with other words before them', () => {
  const renamed = (family, rename) => {
    const { config, tensors } = familyModel(family);
    const entries = Object.entries(tensors).map(([name, tensor]) => [rename(name), tensor]);
    return { config, tensors: Object.fromEntries(entries) };
  };
  for (const prefix of ['_orig_mod.', 'language_model.', 'model._orig_mod.'])
    test(prefix, () =>
      same(
        logitsOf(renamed('llama', (name) => name.replace(/^(model\.)?/, `${prefix}$1`))),
        withKeys('llama'),
      ),
    );
  test('model.language_model., beside the layers of another part', async () => {
    const own = renamed('llama', (name) => name.replace('model.', 'model.language_model.'));
    const other = familyModel('granite').tensors;
    for (const [name, tensor] of Object.entries(other))
      if (!name.includes('embed_tokens'))
        own.tensors[name.replace('model.', 'vision_tower.')] = tensor;
    await same(logitsOf(own), withKeys('llama'));
  });
  test('an output of its own', async () => {
    for (const [prefix, head] of [
      ['_orig_mod.model.', '_orig_mod.lm_head'],
      ['model.language_model.', 'lm_head'],
      ['language_model.', 'language_model.lm_head'],
    ]) {
      const own = renamed('llama', (name) => name.replace('model.', prefix));
      own.config.tie_word_embeddings = false;
      own.tensors[`${head}.weight`] = own.tensors[`${prefix}embed_tokens.weight`];
      await same(logitsOf(own), withKeys('llama'));
    }
  });
});

describe('what is not computed is refused by name', () => {
  /** @type {[string, Record<string, any>, RegExp][]} */
  const cases = [
    ['gemma3_text', { use_bidirectional_attention: true }, /use_bidirectional_attention must be/],
    ['llama', { is_causal: false }, /config\.is_causal must be true/],
    ['llama', { quantization_config: { quant_method: 'gptq' } }, /quantization_config must be abs/],
    [
      'llama',
      { hidden_act: 'quick_gelu' },
      /config\.hidden_act must be one of .* got "quick_gelu"/,
    ],
    ['mpt', { logit_scale: 'inv_sqrt_d_model' }, /config\.logit_scale must be absent/],
    ['mpt', { no_bias: false }, /config\.no_bias must be true/],
    ['mpt', { norm_type: 'rmsnorm' }, /config\.norm_type must be one of low_precision_layernorm/],
    ['mpt', { attn_config: { prefix_lm: true } }, /config\.attn_config\.prefix_lm must be false/],
  ];
  for (const [family, keys, message] of cases)
    test(`${family}: ${JSON.stringify(keys)}`, () =>
      assert.rejects(withKeys(family, keys), message));
});

// From Hugging Face configurations to schemes: the spellings of transformers 4 and 5, the account.
import assert from 'node:assert/strict';
import test from 'node:test';

import { describeNote, frequenciesFromConfig, positionFromConfig } from 'ropewalk/config';
import { createRopewalk } from 'ropewalk';

const rw = await createRopewalk();

/** @typedef {Extract<import('ropewalk/config').PositionScheme, { frequencies: object }>} RotaryScheme */

/** @typedef {{ type: string, factor?: number, originalLength?: number, form?: string, truncate?: boolean }} AnyScaling */

/**
 * The scheme, a rotary one in all tests but the last, and the account in one object.
 * @returns {Omit<RotaryScheme, 'scaling'> & { scaling: AnyScaling, account: import('ropewalk/config').ConfigAccount }}
 */
function schemeOf(config, choices) {
  const { scheme, account } = positionFromConfig(rw, config, choices);
  const { frequencies, ...rest } = /** @type {RotaryScheme} */ (scheme);
  return { ...rest, frequencies, account };
}

const llama = {
  model_type: 'llama',
  hidden_size: 4096,
  num_attention_heads: 32,
  max_position_embeddings: 131072,
};
const noted = (notes, key) => notes.find((note) => note.key === `config.${key}`);

const llama31 = {
  rope_type: 'llama3',
  factor: 8,
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 8192,
};

test('one model spelled in three ways gives the same frequencies', () => {
  const { rope_type, ...rest } = llama31;
  const spellings = [
    { ...llama, rope_theta: 5e5, rope_scaling: llama31 },
    { ...llama, rope_theta: 5e5, rope_scaling: { type: rope_type, ...rest } },
    { ...llama, rope_parameters: { rope_theta: 5e5, ...llama31 } },
  ];
  const expected = rw.rotaryFrequencies({
    dim: 128,
    base: 5e5,
    scaling: { type: 'llama3', factor: 8, originalLength: 8192 },
  });
  for (const config of spellings) {
    assert.deepEqual(schemeOf(config).frequencies.inverseFrequencies, expected.inverseFrequencies);
    assert.deepEqual(
      frequenciesFromConfig(rw, JSON.stringify(config)).inverseFrequencies,
      expected.inverseFrequencies,
    );
    assert.equal(schemeOf(config).layout, 'half-split');
  }
});

test('rope_parameters without a rope_type, or with default, do not extend the context', () => {
  for (const block of [{ rope_theta: 1e6 }, { rope_theta: 1e6, rope_type: 'default' }, {}]) {
    const { scaling, base, account } = schemeOf({ ...llama, rope_parameters: block });
    assert.deepEqual(scaling, { type: 'none' });
    assert.equal(base, block.rope_theta ?? 10000);
    if (!block.rope_type)
      assert.match(describeNote(noted(account.assumed, 'rope_parameters.rope_type')), /default/);
    if (!block.rope_theta) assert.equal(noted(account.assumed, 'rope_theta').value, 10000);
  }
  const idle = schemeOf({ ...llama, rope_scaling: { rope_type: 'default', factor: 4 } });
  assert.match(describeNote(noted(idle.account.contradicts, 'rope_scaling.factor')), /no effect/);
  assert.deepEqual(schemeOf({ ...llama, rope_scaling: null, rope_theta: 10000 }).scaling, {
    type: 'none',
  });
});

test('rope settings nested by the kind of layer', () => {
  const config = {
    model_type: 'gemma4_text',
    hidden_size: 2048,
    num_attention_heads: 8,
    head_dim: 256,
    global_head_dim: 512,
    rope_parameters: {
      sliding_attention: { rope_type: 'default', rope_theta: 1e4 },
      full_attention: { rope_type: 'proportional', rope_theta: 1e6, partial_rotary_factor: 0.25 },
    },
  };
  const full = schemeOf(config);
  assert.match(
    describeNote(noted(full.account.assumed, 'layer_types')),
    /sliding_attention, full_attention/,
  );
  assert.equal(full.headDim, 512);
  assert.equal(full.frequencies.inverseFrequencies.filter((frequency) => frequency > 0).length, 64);
  const sliding = schemeOf(config, { layerType: 'sliding_attention' });
  assert.equal(sliding.base, 1e4);
  assert.equal(sliding.headDim, 256);
  assert.throws(
    () => schemeOf(config, { layerType: 'chunked' }),
    /layerType must be one of sliding_attention, full_attention, got "chunked"/,
  );
});

test('a base stated twice: the block wins, and the other is reported', () => {
  const twice = { ...llama, rope_theta: 1e4, rope_parameters: { rope_theta: 5e5 } };
  const { base, account } = schemeOf(twice);
  assert.equal(base, 5e5);
  assert.equal(noted(account.contradicts, 'rope_theta').value, 1e4);
});

test('Gemma 3 keeps the base of its sliding layers apart', () => {
  const config = {
    text_config: {
      model_type: 'gemma3_text',
      hidden_size: 2560,
      num_attention_heads: 8,
      head_dim: 256,
      rope_theta: 1e6,
      rope_local_base_freq: 1e4,
      rope_scaling: { rope_type: 'linear', factor: 8 },
    },
  };
  assert.deepEqual(schemeOf(config).scaling, { type: 'linear', factor: 8 });
  const sliding = schemeOf(config, { layerType: 'sliding_attention' });
  assert.deepEqual([sliding.base, sliding.scaling.type], [1e4, 'none']);
  assert.ok(noted(sliding.account.read, 'text_config.rope_local_base_freq'));
});

test('YaRN: DeepSeek, gpt-oss, and a factor that the lengths contradict', () => {
  const deepseek = schemeOf({
    model_type: 'deepseek_v3',
    hidden_size: 7168,
    num_attention_heads: 128,
    qk_rope_head_dim: 64,
    qk_nope_head_dim: 128,
    rope_theta: 10000,
    max_position_embeddings: 163840,
    rope_interleave: true,
    rope_scaling: {
      type: 'yarn',
      factor: 40,
      original_max_position_embeddings: 4096,
      beta_fast: 32,
      beta_slow: 1,
      mscale: 1,
      mscale_all_dim: 1,
    },
  });
  assert.deepEqual(
    [deepseek.dim, deepseek.headDim, deepseek.layout, deepseek.deinterleaves],
    [64, 192, 'interleaved', true],
  );
  assert.equal(deepseek.frequencies.attentionFactor, 1);
  assert.ok(Math.abs(deepseek.frequencies.softmaxScale - 1.873854207) < 1e-9);
  assert.deepEqual(deepseek.account.contradicts, []);

  const ministral = {
    model_type: 'ministral3',
    hidden_size: 4096,
    num_attention_heads: 32,
    head_dim: 128,
    max_position_embeddings: 262144,
    rope_parameters: {
      rope_type: 'yarn',
      rope_theta: 1000000,
      factor: 16,
      original_max_position_embeddings: 16384,
      mscale: 1,
      mscale_all_dim: 1,
      llama_4_scaling_beta: 0.1,
    },
  };
  const { frequencies, temperature, account } = schemeOf(ministral);
  assert.deepEqual([frequencies.attentionFactor, frequencies.softmaxScale], [1, 1]);
  assert.deepEqual(temperature, { type: 'llama4', scale: 0.1, floorLength: 16384, offset: 0 });
  assert.ok(account.assumed.some(({ code }) => code === 'unscaled-softmax'));
  const latent = { ...ministral, model_type: 'mistral4', qk_rope_head_dim: 64 };
  assert.equal(schemeOf(latent).frequencies.softmaxScale, (0.1 * Math.log(16) + 1) ** 2);
  assert.ok(schemeOf(latent).account.contradicts.some(({ code }) => code === 'disputed-softmax'));

  const oss = schemeOf({
    model_type: 'gpt_oss',
    hidden_size: 2880,
    num_attention_heads: 64,
    head_dim: 64,
    rope_theta: 150000,
    max_position_embeddings: 131072,
    rope_scaling: {
      rope_type: 'yarn',
      factor: 32,
      original_max_position_embeddings: 4096,
      truncate: false,
    },
  });
  assert.equal(oss.scaling.truncate, false);
  const ramp = oss.frequencies.derivation.steps.find((step) => step.name === 'rampFrom');
  assert.ok(Math.abs(ramp.value - 8.0928) < 5e-5);

  const wrong = schemeOf({
    ...llama,
    rope_scaling: { rope_type: 'yarn', factor: 8, original_max_position_embeddings: 4096 },
  });
  assert.match(
    describeNote(noted(wrong.account.contradicts, 'max_position_embeddings')),
    /32 times, but factor says 8, and wins/,
  );
  const without = schemeOf({
    ...llama,
    rope_scaling: { rope_type: 'yarn', factor: null, original_max_position_embeddings: 4096 },
  });
  assert.equal(without.scaling.factor, 32);
  const nested = {
    full_attention: {
      rope_type: 'yarn',
      factor: 32,
      original_max_position_embeddings: 4096,
      truncate: false,
    },
  };
  assert.match(
    describeNote(
      noted(
        schemeOf({ ...llama, rope_parameters: nested }).account.contradicts,
        'rope_parameters.full_attention.truncate',
      ),
    ),
    /one level up/,
  );
});

test('LongRoPE: the training length is outside the block, the length selects the list', () => {
  const phi3 = {
    model_type: 'phi3',
    hidden_size: 3072,
    num_attention_heads: 32,
    max_position_embeddings: 131072,
    original_max_position_embeddings: 4096,
    rope_theta: 10000,
    rope_scaling: {
      type: 'su',
      short_factor: Array(48).fill(1.5),
      long_factor: Array(48).fill(30),
    },
  };
  const short = schemeOf(phi3),
    long = schemeOf(phi3, { length: 4097 });
  assert.equal(short.scaling.originalLength, 4096);
  assert.equal(short.frequencies.inverseFrequencies[0], 1 / 1.5);
  assert.equal(long.frequencies.inverseFrequencies[0], 1 / 30);
  assert.ok(Math.abs(short.frequencies.attentionFactor - 1.190238071) < 1e-9);
  const both = {
    ...phi3,
    rope_scaling: { ...phi3.rope_scaling, original_max_position_embeddings: 8192 },
  };
  assert.equal(schemeOf(both).scaling.originalLength, 4096);
  assert.match(
    describeNote(
      noted(schemeOf(both).account.contradicts, 'rope_scaling.original_max_position_embeddings'),
    ),
    /4096, and wins/,
  );
});

test('dynamic NTK, the alpha flavor, vLLM and Qwen', () => {
  const dynamic = {
    ...llama,
    max_position_embeddings: 2048,
    rope_scaling: { type: 'dynamic', factor: 2 },
  };
  assert.equal(schemeOf(dynamic).frequencies.derivation.base, 10000);
  assert.ok(
    Math.abs(schemeOf(dynamic, { length: 4096 }).frequencies.derivation.base - 30527.73675) < 1e-5,
  );
  const hunyuan = { ...llama, rope_scaling: { type: 'dynamic', alpha: 1000, factor: 1 } };
  assert.deepEqual(schemeOf(hunyuan).scaling, { type: 'ntk-alpha', alpha: 1000 });
  assert.equal(
    schemeOf({ ...llama, rope_scaling: { type: 'ntk', factor: 8 } }).scaling.form,
    'su-fixed',
  );
  const qwen = schemeOf(
    {
      model_type: 'qwen',
      hidden_size: 4096,
      num_attention_heads: 32,
      kv_channels: 128,
      rotary_pct: 1,
      rotary_emb_base: 10000,
      seq_length: 2048,
      use_dynamic_ntk: true,
      use_logn_attn: true,
    },
    { length: 4096 },
  );
  assert.equal(qwen.scaling.form, 'rounded');
  assert.deepEqual(qwen.temperature, { type: 'log-n', form: 'clipped', originalLength: 2048 });
});

test('partial heads, and pairs side by side', () => {
  const gptj = schemeOf({
    model_type: 'gptj',
    n_embd: 4096,
    n_head: 16,
    n_positions: 2048,
    rotary_dim: 64,
  });
  assert.deepEqual([gptj.layout, gptj.headDim, gptj.frequencies.dim], ['interleaved', 256, 64]);
  const neox = schemeOf({
    model_type: 'gpt_neox',
    hidden_size: 6144,
    num_attention_heads: 64,
    rotary_pct: 0.25,
    rotary_emb_base: 10000,
  });
  assert.deepEqual([neox.layout, neox.frequencies.dim], ['half-split', 24]);
  const phi = schemeOf({
    model_type: 'phi',
    hidden_size: 2560,
    num_attention_heads: 32,
    rope_theta: 10000,
  });
  assert.equal(noted(phi.account.assumed, 'partial_rotary_factor').value, 0.5);
  assert.equal(
    schemeOf({ model_type: 'cohere', hidden_size: 8192, num_attention_heads: 64 }).layout,
    'interleaved',
  );
});

test('M-RoPE sections, and layers without positions', () => {
  const vl = schemeOf({
    ...llama,
    model_type: 'qwen2_vl',
    rope_theta: 1e6,
    rope_scaling: { type: 'mrope', mrope_section: [16, 24, 24] },
  });
  assert.deepEqual(vl.sections, { pairs: [16, 24, 24], interleaved: false });
  const smol = schemeOf({
    ...llama,
    model_type: 'smollm3',
    rope_theta: 5e6,
    no_rope_layers: [1, 1, 1, 0],
  });
  assert.deepEqual(smol.withoutPosition, [3]);
});

test('schemes that do not rotate', () => {
  const is = (config, expected) => {
    const { account, frequencies, ...scheme } = schemeOf(config);
    assert.deepEqual(scheme, expected);
  };
  is(
    { model_type: 't5', num_heads: 8, relative_attention_num_buckets: 32 },
    { type: 't5', buckets: 32, maxDistance: 128, heads: 8, scale: 1 },
  );
  is({ model_type: 'bloom', n_head: 112 }, { type: 'alibi', heads: 112, maxBias: 8 });
  is(
    { model_type: 'mpt', n_heads: 32, attn_config: { alibi: true, alibi_bias_max: 8 } },
    { type: 'alibi', heads: 32, maxBias: 8 },
  );
  is(
    { model_type: 'falcon', alibi: true, num_attention_heads: 71 },
    { type: 'alibi', heads: 71, maxBias: 8, divisor: 8 },
  );
  for (const key of ['position_embedding', 'position_encoding', 'position_embedding_type'])
    for (const name of ['ALIBI', 'alibi', 'ALiBi'])
      is(
        { model_type: 'baichuan', hidden_size: 512, num_attention_heads: 8, [key]: name },
        { type: 'alibi', heads: 8, maxBias: 8 },
      );
  assert.equal(
    schemeOf({
      model_type: 'baichuan',
      hidden_size: 512,
      num_attention_heads: 8,
      position_embedding: 'ROPE',
    }).type,
    'rotary',
  );
  is(
    {
      model_type: 'gpt',
      hidden_size: 512,
      max_position_embeddings: 1024,
      position_encoding_type: 'learned_absolute',
    },
    { type: 'learned', positions: 1024, dim: 512, offset: 0 },
  );
  assert.throws(
    () => schemeOf({ model_type: 'llama', position_embedding: 'spiral' }),
    /^RangeError: config\.position_embedding must be one of .*alibi.*, got "spiral"$/,
  );
  is(
    {
      model_type: 'deberta-v2',
      relative_attention: true,
      max_relative_positions: -1,
      position_buckets: 256,
      max_position_embeddings: 512,
      pos_att_type: 'p2c|c2p',
      position_biased_input: false,
    },
    {
      type: 'deberta',
      span: 256,
      buckets: 256,
      maxDistance: 512,
      terms: ['c2p', 'p2c'],
      absolute: false,
    },
  );
  is(
    { model_type: 'bert', hidden_size: 768, max_position_embeddings: 512 },
    { type: 'learned', positions: 512, dim: 768, offset: 0 },
  );
  is(
    { model_type: 'roberta', hidden_size: 768, max_position_embeddings: 514 },
    { type: 'learned', positions: 512, dim: 768, offset: 2 },
  );
  is(
    { model_type: 'gpt2', n_embd: 768, n_positions: 1024 },
    { type: 'learned', positions: 1024, dim: 768, offset: 0 },
  );
  is(
    {
      model_type: 'bert',
      position_embedding_type: 'relative_key_query',
      max_position_embeddings: 512,
    },
    { type: 'relative-key-query', positions: 512 },
  );
  is(
    { model_type: 'marian', d_model: 512, max_position_embeddings: 512 },
    { type: 'sinusoidal', positions: 512, dim: 512, layout: 'half-split', spacing: 'dim/2' },
  );
  is({ model_type: 'mamba', hidden_size: 768 }, { type: 'none' });
  assert.throws(
    () => frequenciesFromConfig(rw, { model_type: 'bloom', n_head: 4 }),
    /must describe a rotary model, got scheme 'alibi'/,
  );
});

test('the heads of Zamba 2 are twice as wide as the model', () => {
  const zamba2 = { model_type: 'zamba2', hidden_size: 64, num_attention_heads: 4 };
  const rotated = { ...zamba2, use_mem_rope: true };
  assert.equal(schemeOf(zamba2).type, 'none');
  assert.equal(schemeOf(rotated).headDim, 32);
  assert.equal(schemeOf({ ...rotated, kv_channels: 16, attention_head_dim: 32 }).headDim, 32);
  assert.throws(
    () => schemeOf({ ...rotated, use_long_context: true }),
    /config\.use_long_context must be false/,
  );
});

test('settings by kind of layer may have a rope_type beside them', () => {
  const hybrid = { rope_type: 'default', rope_theta: 5e6, partial_rotary_factor: 0.5 };
  const rope_parameters = { rope_type: 'default', hybrid };
  const { base, rotaryFraction } = schemeOf({ model_type: 'zaya', rope_parameters });
  assert.deepEqual([base, rotaryFraction], [5e6, 0.5]);
});

test('a scheme without rotation of an unknown model type has a note', () => {
  const sizes = { num_attention_heads: 2, hidden_size: 8, max_position_embeddings: 4 };
  for (const key of [{ alibi: true }, { position_embedding_type: 'absolute' }]) {
    const { account } = schemeOf({ model_type: 'one_of_my_own', ...sizes, ...key });
    assert.ok(account.assumed.some(({ code }) => code === 'unknown-scheme'));
  }
});

test('a model may give its text part values of its own where the file leaves them out', () => {
  const text_config = { model_type: 'llama' };
  const voxtral = { model_type: 'voxtral', text_config };
  assert.deepEqual([schemeOf(voxtral).base, schemeOf(voxtral).headDim], [1e8, 128]);
  const stated = { ...text_config, rope_parameters: { rope_theta: 5e5, rope_type: 'default' } };
  assert.equal(schemeOf({ ...voxtral, text_config: stated }).base, 5e5);
  assert.equal(schemeOf({ ...text_config }).base, 1e4);
});

test('Qwen 4 rotates the part of its heads that the file states, or all, by three axes', () => {
  const { headDim, rotaryFraction, sections } = schemeOf({ model_type: 'qwen4_exp' });
  assert.deepEqual([headDim, rotaryFraction], [256, 1]);
  const text_config = { rope_parameters: { rope_theta: 1e7, partial_rotary_factor: 0.25 } };
  const quarter = schemeOf({ model_type: 'qwen4_exp', text_config });
  assert.equal(quarter.frequencies.dim, 64);
  assert.deepEqual(sections, { pairs: [11, 11, 10], interleaved: true });
});

test('encoder and decoder of LED have tables of their own length', () => {
  const config = { model_type: 'led', d_model: 768 };
  assert.throws(() => schemeOf(config), /choices\.part must be 'encoder' or.*max_encoder_position/);
  const encoder = positionFromConfig(rw, config, { part: 'encoder' }).scheme;
  const decoder = positionFromConfig(rw, config, { part: 'decoder' }).scheme;
  assert.ok(encoder.type === 'learned' && decoder.type === 'learned');
  assert.deepEqual([encoder.positions, decoder.positions], [16384, 1024]);
});

test('sections that are not as many pairs as rotate are reported, not answered', () => {
  const config = { model_type: 'glm4v_text', num_attention_heads: 32, hidden_size: 4096 };
  assert.deepEqual(schemeOf({ ...config, partial_rotary_factor: 0.5 }).sections.pairs, [8, 12, 12]);
  const { sections, account } = schemeOf(config);
  assert.equal(sections, undefined);
  const { code, values } = noted(account.contradicts, 'mrope_section');
  assert.deepEqual([code, values], ['section-sum', { sum: 32, rotated: 64 }]);
});

test("ERNIE's own files spread height and width over the same pairs as those of transformers", () => {
  const sizes = { hidden_size: 2560, num_attention_heads: 20 };
  const [theirs, converted] = ['ernie4_5_moe_vl', 'ernie4_5_vl_moe_text'].map((model_type) =>
    schemeOf({ model_type, ...sizes, rope_theta: 500000 }),
  );
  assert.equal(theirs.layout, 'interleaved');
  assert.deepEqual(theirs.sections, converted.sections);
});

test('Grok-2, whose file has the model type of GIT, is refused', () => {
  const git = { model_type: 'git', hidden_size: 8192, num_attention_heads: 64 };
  assert.equal(positionFromConfig(rw, git).scheme.type, 'learned');
  const grok = { ...git, rope_theta: 208533496, rope_type: 'original' };
  assert.throws(() => schemeOf(grok), /config\.model_type must not be that of GIT/);
});

test('models with code of their own rotate as their code does, without an assumption', () => {
  const sizes = { hidden_size: 4096, num_attention_heads: 32, num_layers: 2, rope_theta: 1e6 };
  for (const model_type of ['exaone', 'deepseek', 'arctic', 'bailing_moe', 'Dream', 'dots_ocr']) {
    const { layout, account } = schemeOf({ model_type, ...sizes });
    assert.equal(layout, 'half-split', model_type);
    assert.ok(!account.assumed.some(({ code }) => code.startsWith('unknown')), model_type);
  }
});

test('an unknown model type has a note, also where keys say the layout', () => {
  const sizes = { hidden_size: 4096, num_attention_heads: 32, rope_theta: 6e6 };
  const ling = { model_type: 'bailing_hybrid', ...sizes, qk_rope_head_dim: 64 };
  for (const key of [{ rope_interleave: true }, { use_mla: false }, {}]) {
    const codes = schemeOf({ ...ling, ...key }).account.assumed.map(({ code }) => code);
    assert.ok(codes.some((code) => code.startsWith('unknown')));
  }
});

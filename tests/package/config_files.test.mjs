// Files that are not a config.json of transformers, and keys that models with code of their own have.
import assert from 'node:assert/strict';
import test from 'node:test';
import { describeNote, layerPlanFromConfig, positionFromConfig } from 'ropewalk/config';
import { createRopewalk } from 'ropewalk';

const rw = await createRopewalk();

const sizes = { hidden_size: 4096, num_attention_heads: 32, num_hidden_layers: 2 };

/** @returns {import('ropewalk/config').PositionScheme & { type: 'rotary' }} */
const rotaryOf = (config) => /** @type {any} */ (positionFromConfig(rw, config).scheme);
const refuses = (config, message) => {
  assert.throws(() => positionFromConfig(rw, config), message);
  assert.throws(() => layerPlanFromConfig(config), message);
};

const params = { dim: 4096, n_layers: 2, n_heads: 32, norm_eps: 1e-5 };

test("Meta's params.json has interleaved pairs, and a switch for the extension of Llama 3.1", () => {
  const { scheme, account } = positionFromConfig(rw, params);
  assert.equal(scheme.type === 'rotary' && scheme.layout, 'interleaved');
  assert.deepEqual([rotaryOf(params).headDim, rotaryOf(params).base], [128, 10000]);
  const notes = account.assumed.map((note) => describeNote(note));
  assert.ok(notes.some((note) => note.startsWith('the params.json of Meta or Mistral')));
  const scaled = { ...params, rope_theta: 5e5, use_scaled_rope: true };
  assert.deepEqual(rotaryOf(scaled).scaling, {
    type: 'llama3',
    factor: 8,
    originalLength: 8192,
    lowFreqFactor: 1,
    highFreqFactor: 4,
  });
  const factors = [scaled, { ...scaled, rope_scaling_factor: 16 }].map((config) => {
    const { assumed } = positionFromConfig(rw, config).account;
    return [rotaryOf(config).scaling['factor'], assumed.some(({ code }) => code === 'meta-factor')];
  });
  assert.deepEqual(factors, [
    [8, true],
    [16, false],
  ]);
  const { layers } = layerPlanFromConfig(scaled);
  assert.deepEqual(
    layers.map(({ base, isScaled }) => [base, isScaled]),
    [
      [5e5, true],
      [5e5, true],
    ],
  );
});

test('the name of such a file is no model type', () => {
  const { account } = positionFromConfig(rw, {
    model_type: 'params.json',
    ...sizes,
    rope_theta: 1e4,
  });
  assert.ok(account.assumed.some(({ code }) => code === 'unknown-model'));
});

test("Mistral's params.json may have a width of heads and a window", () => {
  const mistral = { ...params, dim: 5120, head_dim: 128, sliding_window: 4096 };
  assert.deepEqual([rotaryOf(mistral).headDim, rotaryOf(mistral).layout], [128, 'interleaved']);
  assert.equal(layerPlanFromConfig(mistral).layers[1].window, 4096);
});

test("Ministral 8B's params.json lists the windows of a group of layers", () => {
  const ministral = { ...params, n_layers: 8, _sliding_window: [null, 32768, 32768, 32768] };
  const group = [0, 32768, 32768, 32768];
  const windows = layerPlanFromConfig(ministral).layers.map(({ window }) => window ?? 0);
  assert.deepEqual(windows, [...group, ...group]);
  assert.equal(rotaryOf(ministral).layout, 'interleaved');
  for (const _sliding_window of [[null, 4, 8, 4], [null, 4, 4], [null, null], 'all'])
    refuses(
      { ...ministral, _sliding_window },
      /config\._sliding_window must be a window, or a list/,
    );
});

test('a params.json with positions that are not described here is refused', () => {
  refuses({ ...params, nope_layer_interval: 4 }, /config\.nope_layer_interval must be null in a/);
  refuses({ ...params, yarn: { factor: 16 } }, /config\.yarn must be null in a params\.json/);
});

test('an adapter is refused with the name of its base model', () => {
  const adapter = { peft_type: 'LORA', base_model_name_or_path: 'me/base', r: 8 };
  refuses(adapter, /config\.peft_type must be absent: an adapter .* base model, "me\/base"/);
});

test('a model of diffusers is refused, also where it has a base', () => {
  const picture = { _class_name: 'Transformer3DModel', attention_head_dim: 128, rope_theta: 256 };
  refuses({ ...picture, num_layers: 2 }, /config\._class_name must be absent: models of diffusers/);
});

test('the first GLM, whose positions count blocks, is refused', () => {
  const glm = { model_type: 'glm', ...sizes, block_position_encoding: true };
  refuses(glm, /config\.block_position_encoding must be absent/);
});

test('an extension without a block is refused where the model type is not known', () => {
  refuses(
    { ...sizes, model_type: 'a', rope_theta: 1e4, rope_type: 'ntk' },
    /config\.rope_type must/,
  );
  const plain = { ...sizes, model_type: 'a', rope_theta: 1e4, rope_type: 'default' };
  assert.equal(rotaryOf(plain).scaling.type, 'none');
});

test('InternLM 7B has its base and its extension under "rotary"', () => {
  const model = { model_type: 'internlm', max_position_embeddings: 2048, ...sizes };
  const dynamic = rotaryOf({ ...model, rotary: { base: 20000, type: 'dynamic' } });
  assert.deepEqual([dynamic.base, dynamic.scaling.type], [20000, 'dynamic-ntk']);
  const origin = { ...model, rotary: { base: 20000, type: 'origin' } };
  assert.deepEqual(rotaryOf(origin).scaling, { type: 'none' });
  assert.equal(layerPlanFromConfig(origin).layers[0].isScaled, false);
});

test('DBRX has its base among the settings of its attention', () => {
  const dbrx = { model_type: 'dbrx', d_model: 6144, n_heads: 48, attn_config: { rope_theta: 5e5 } };
  assert.equal(rotaryOf(dbrx).base, 5e5);
});

test('a base wins over "absolute" where the model type is not known', () => {
  const config = {
    ...sizes,
    model_type: 'a',
    rope_theta: 1e6,
    position_embedding_type: 'absolute',
  };
  const { scheme, account } = positionFromConfig(rw, config);
  assert.equal(scheme.type, 'rotary');
  assert.deepEqual(
    account.contradicts.map(({ key, code }) => [key, code]),
    [['config.position_embedding_type', 'other-wins']],
  );
});

test('a layer that was thinned out does not rotate', () => {
  const blocks = [{ n_heads_in_group: 8 }, { no_op: true }, { replace_with_linear: true }];
  const thinned = {
    ...sizes,
    model_type: 'nemotron-nas',
    num_hidden_layers: 3,
    block_configs: blocks.map((attention) => ({ attention })),
  };
  const { layers } = layerPlanFromConfig(thinned);
  assert.deepEqual(
    layers.map(({ rotates }) => rotates),
    [true, false, false],
  );
});

test('BERT with a first size of its biases has ALiBi', () => {
  const mosaic = { model_type: 'bert', position_embedding_type: 'absolute', ...sizes };
  const { scheme } = positionFromConfig(rw, { ...mosaic, alibi_starting_size: 512 });
  assert.deepEqual(scheme, { type: 'alibi', heads: 32, maxBias: 8 });
});

test('models with code of their own are known where no key says their scheme', () => {
  const typeOf = (config) => positionFromConfig(rw, config).scheme.type;
  assert.equal(typeOf({ ...sizes, model_type: 'rwkv6' }), 'none');
  assert.equal(typeOf({ model_type: 'gpt_refact', n_head: 32 }), 'alibi');
  assert.equal(typeOf({ ...sizes, model_type: 'phi4flash', rope_theta: 1e4 }), 'none');
  assert.equal(rotaryOf({ model_type: 'neobert' }).layout, 'interleaved');
  const olmo = { model_type: 'hf_olmo', d_model: 4096, n_heads: 32, alibi: false, rope: true };
  assert.equal(rotaryOf(olmo).layout, 'half-split');
  assert.equal(typeOf({ ...olmo, model_type: 'a' }), 'rotary');
  const phi = { ...sizes, model_type: 'a', rope_embedding_base: 1e6 };
  assert.equal(rotaryOf(phi).base, 1e6);
});

test('StripedHyena attends in some layers, and Evo may interpolate, which is refused', () => {
  const hyena = { model_type: 'stripedhyena', ...sizes, rotary_emb_base: 5e5 };
  const { layers } = layerPlanFromConfig({ ...hyena, attn_layer_idxs: [1] });
  assert.deepEqual(
    layers.map(({ rotates }) => rotates),
    [false, true],
  );
  const evo = { ...hyena, rotary_emb_scaling_factor: 16 };
  assert.throws(() => rotaryOf(evo), /config\.rotary_emb_scaling_factor must be null/);
});

test('TrOCR has a sinusoid where its table is not learned', () => {
  const trocr = { model_type: 'trocr', use_learned_position_embeddings: false };
  const { scheme } = positionFromConfig(rw, trocr);
  assert.ok(scheme.type === 'sinusoidal');
  assert.deepEqual([scheme.layout, scheme.spacing], ['half-split', 'dim/2-1']);
});

const llama = { model_type: 'llama', ...sizes, rope_theta: 1e4, max_position_embeddings: 8192 };
const doubtsOf = ({ account }) => account.contradicts.map(({ key, code }) => `${key} ${code}`);

test('a key about rotation that nothing reads is in the account', () => {
  const typed = { ...llama, rope_scalling: { type: 'linear', factor: 4 }, rope_interleaved: true };
  assert.deepEqual(doubtsOf(positionFromConfig(rw, typed)), [
    'config.rope_scalling unread',
    'config.rope_interleaved unread',
  ]);
  const quiet = { ...llama, rope_interleaved: false, rope_scaling: null, rope_position_scale: 1 };
  assert.deepEqual(doubtsOf(positionFromConfig(rw, quiet)), []);
});

test('an extension that brings the reach nearer, or begins beyond it, is in the account', () => {
  const linear = { ...llama, rope_scaling: { type: 'linear', factor: 0.5 } };
  assert.deepEqual(doubtsOf(positionFromConfig(rw, linear)), [
    'config.rope_scaling.factor below-one',
  ]);
  const rope_scaling = {
    rope_type: 'llama3',
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 16384,
  };
  assert.deepEqual(doubtsOf(positionFromConfig(rw, { ...llama, rope_scaling })), [
    'config.rope_scaling.original_max_position_embeddings beyond-longest',
  ]);
});

test('a kind of layer that is not known is in the account', () => {
  const layer_types = ['full_attention', 'slidding_attention'];
  assert.deepEqual(doubtsOf(layerPlanFromConfig({ ...llama, model_type: 'qwen3', layer_types })), [
    'config.layer_types unknown-kind',
  ]);
});

test('values that the model type has are not said to be without effect', () => {
  assert.deepEqual(doubtsOf(positionFromConfig(rw, { model_type: 'apertus' })), []);
  const yarn = { rope_type: 'yarn', factor: 16, original_max_position_embeddings: 16384 };
  const rope_parameters = { ...yarn, rope_theta: 1e6, llama_4_scaling_beta: 0.1 };
  assert.deepEqual(
    doubtsOf(positionFromConfig(rw, { model_type: 'ministral3', rope_parameters })),
    [],
  );
});

test('only the classes that read rope_interleave have its order', () => {
  const interleaved = { ...llama, rope_interleave: true };
  assert.equal(rotaryOf(interleaved).layout, 'half-split');
  assert.equal(rotaryOf({ ...interleaved, model_type: 'deepseek_v3' }).layout, 'interleaved');
});

test('LongRoPE has a temperature for each list, and both are read', () => {
  const list = Array(64).fill(1);
  const mscales = { short_mscale: 1.1, long_mscale: 1.2 };
  const lists = { type: 'longrope', short_factor: list, long_factor: list, factor: 4 };
  const phi = { ...llama, original_max_position_embeddings: 2048, model_type: 'phimoe' };
  const config = { ...phi, rope_scaling: { ...lists, ...mscales } };
  assert.deepEqual(doubtsOf(positionFromConfig(rw, config)), []);
  const at = (length) => /** @type {any} */ (positionFromConfig(rw, config, { length }).scheme);
  const factors = [2048, 4096].map((length) => at(length).frequencies.attentionFactor);
  assert.deepEqual(factors, [1.1, 1.2]);
});

test('MiMo V2 lists its sliding layers, and keys of unknown models about layers are doubted', () => {
  const mimo = { ...sizes, hybrid_layer_pattern: [0, 1], sliding_window: 128, swa_rope_theta: 1e4 };
  const known = layerPlanFromConfig({ ...mimo, model_type: 'mimo_v2', rope_theta: 1e7 });
  assert.deepEqual(
    known.layers.map(({ base, window }) => [base, window]),
    [
      [1e7, undefined],
      [1e4, 128],
    ],
  );
  const unknown = { ...mimo, model_type: 'a', rope_theta: 1e7, first_k_dense_replace: 1 };
  assert.deepEqual(doubtsOf(layerPlanFromConfig(unknown)), [
    'config.hybrid_layer_pattern unread-layers',
  ]);
});

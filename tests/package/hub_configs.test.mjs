// Configurations as model hubs have them: keys of models with code of their own, and lists with
// more entries than the model has layers.
import assert from 'node:assert/strict';
import test from 'node:test';
import { describeNote, layerPlanFromConfig, positionFromConfig } from 'ropewalk/config';
import { createRopewalk } from 'ropewalk';

const rw = await createRopewalk();

/** @returns {import('ropewalk/config').PositionScheme & { type: 'rotary' }} */
const rotaryOf = (config, choices) =>
  /** @type {any} */ (positionFromConfig(rw, config, choices).scheme);
const layersOf = (config) => layerPlanFromConfig(config).layers;
const kindsOf = (config) => layersOf(config).map(({ kind }) => kind);

test('ChatGLM-6B, which has positions in two dimensions, is refused', () => {
  const glm = { model_type: 'chatglm', hidden_size: 4096, num_attention_heads: 32, num_layers: 2 };
  assert.equal(rotaryOf(glm).layout, 'interleaved');
  const planar = { ...glm, position_encoding_2d: true };
  assert.throws(() => rotaryOf(planar), /config\.position_encoding_2d must be false: ChatGLM-6B/);
  assert.throws(() => layersOf(planar), /config\.position_encoding_2d must be false/);
});

test('MPT that rotates is refused', () => {
  const mpt = { model_type: 'mpt', n_layers: 1, attn_config: { rope: true, alibi: false } };
  assert.throws(() => rotaryOf(mpt), /config\.attn_config\.rope must be false/);
  assert.throws(() => layersOf(mpt), /config\.attn_config\.rope must be false/);
});

test('the layers of Baichuan 13B do not rotate, and those of 7B do', () => {
  const baichuan = { model_type: 'baichuan', num_attention_heads: 40, num_hidden_layers: 1 };
  assert.equal(layersOf({ ...baichuan, hidden_size: 5120 })[0].rotates, false);
  assert.equal(layersOf({ ...baichuan, hidden_size: 4096 })[0].rotates, true);
});

test('a plan is refused where the scheme of the model is not known', () => {
  const telechat = { model_type: 'telechat', hidden_size: 4096, n_head: 32, n_layer: 30 };
  assert.throws(
    () => layersOf(telechat),
    /names no position scheme: config\.model_type "telechat"/,
  );
  assert.throws(() => layersOf({ model_type: 'pixtral', num_hidden_layers: 1 }), /must be a model/);
});

test('Step 3.5 lists its drafting layers after the others', () => {
  const step = {
    model_type: 'step3p5',
    num_hidden_layers: 2,
    num_nextn_predict_layers: 1,
    sliding_window: 512,
    layer_types: ['full_attention', 'sliding_attention', 'full_attention'],
    rope_theta: [5e6, 1e4, 7e6],
    partial_rotary_factors: [0.5, 1, 0.25],
  };
  assert.deepEqual(
    layersOf(step).map(({ base, window }) => [base, window]),
    [
      [5e6, undefined],
      [1e4, 512],
    ],
  );
  const full = rotaryOf(step, { layerType: 'full_attention' });
  assert.deepEqual([full.base, full.rotaryFraction], [5e6, 0.5]);
});

test('MiniMax M3 takes the keys of its text part, whatever model type the part names', () => {
  const text_config = { model_type: 'minimax_m2', num_hidden_layers: 1 };
  const { headDim, dim, maxLength } = rotaryOf({ model_type: 'minimax_m3_vl', text_config });
  assert.deepEqual([headDim, dim, maxLength], [128, 64, 524288]);
});

test('a text part of a type that is not known is an assumption', () => {
  const { account } = positionFromConfig(rw, {
    model_type: 'mistral3',
    text_config: { model_type: 'mistral9' },
  });
  const note = account.assumed.find(({ code }) => code === 'part-type');
  assert.deepEqual([note?.key, note?.value], ['config.text_config.model_type', 'mistral']);
  assert.match(describeNote(/** @type {any} */ (note)), /^not "mistral9": /);
});

test('an unknown model type is an assumption also where the file states the layout', () => {
  const config = { model_type: 'a', qk_rope_head_dim: 64, rope_interleave: true, rope_theta: 1e4 };
  const { assumed } = positionFromConfig(rw, config).account;
  assert.ok(assumed.some(({ code }) => code === 'unknown-scheme'));
});

test('a share that the file states wins over the width of the model type', () => {
  const rope_parameters = { rope_theta: 5e6, partial_rotary_factor: 0.25 };
  const scheme = rotaryOf({ model_type: 'minimax_m3_vl_text', rope_parameters });
  assert.equal(scheme.frequencies.dim, 32);
});

test('MiniMax-Text-01 has a flag for each layer, 1 for those with attention', () => {
  const minimax = {
    model_type: 'minimax_text_01',
    num_hidden_layers: 3,
    rope_theta: 1e7,
    attn_type_list: [0, 0, 1],
  };
  const linear = 'linear_attention';
  assert.deepEqual(kindsOf(minimax), [linear, linear, 'full_attention']);
});

test('a window of null leaves linear attention where it is', () => {
  const config = { model_type: 'qwen3_next', num_hidden_layers: 4, sliding_window: null };
  const linear = 'linear_attention';
  assert.deepEqual(kindsOf(config), [linear, linear, linear, 'full_attention']);
});

test('Jamba attends in one layer of each group, the others are Mamba', () => {
  const attending = (config) => kindsOf(config).flatMap((kind, i) => (kind === 'mamba' ? [] : [i]));
  const jamba = { model_type: 'jamba', num_hidden_layers: 16 };
  assert.deepEqual(attending(jamba), [4, 12]);
  assert.deepEqual(attending({ ...jamba, attn_layer_offset: 0 }), [0, 8]);
  assert.ok(layersOf(jamba).every(({ rotates }) => !rotates));
});

test('Hymba has the base of dynamic NTK at its longest length', () => {
  const hymba = {
    model_type: 'hymba',
    hidden_size: 1600,
    num_attention_heads: 25,
    num_hidden_layers: 4,
    rope_type: 'ntk',
    orig_max_position_embeddings: 2048,
    max_position_embeddings: 8192,
    sliding_window: 1024,
    global_attn_idx: [0, 3],
  };
  const base = 10000 * 7 ** (64 / 62);
  for (const length of [100, 9000]) {
    const { inverseFrequencies } = rotaryOf(hymba, { length }).frequencies;
    assert.ok(Math.abs(inverseFrequencies[1] * base ** (2 / 64) - 1) < 1e-12);
  }
  const windows = layersOf(hymba).map(({ window, isScaled }) => isScaled && window);
  assert.deepEqual(windows, [undefined, 1024, 1024, undefined]);
  const plain = rotaryOf({ ...hymba, rope_type: 'default', orig_max_position_embeddings: null });
  assert.equal(plain.scaling.type, 'none');
});

test('ProGen rotates interleaved pairs, as GPT-J does', () => {
  const progen = { model_type: 'progen', n_embd: 1536, n_head: 16, n_layer: 27, rotary_dim: 48 };
  const { layout, frequencies } = rotaryOf(progen);
  assert.deepEqual([layout, frequencies.dim], ['interleaved', 48]);
});

test('a plan of an unknown model type names the lists that say how layers differ', () => {
  const sizes = { hidden_size: 256, num_attention_heads: 2, num_hidden_layers: 2, rope_theta: 1e4 };
  const layouts = { rope_layout: [0, 1], sliding_window_layout: [0, 1], sliding_window_size: 8 };
  const { account } = layerPlanFromConfig({ model_type: 'smallthinker', ...sizes, ...layouts });
  const unread = account.contradicts.filter(({ code }) => code === 'unread-layers');
  assert.deepEqual(
    unread.map(({ key }) => key),
    ['config.rope_layout', 'config.sliding_window_layout'],
  );
});

test('dual chunk attention, which vLLM reads for Qwen2.5-1M, is noted', () => {
  const dual_chunk_attention_config = { chunk_size: 262144, local_size: 8192 };
  const { account } = positionFromConfig(rw, { model_type: 'qwen2', dual_chunk_attention_config });
  const [note] = account.contradicts;
  assert.deepEqual([note?.key, note?.code], ['config.dual_chunk_attention_config', 'unread']);
});

test("Zamba's kv_channels is half the width of a head", () => {
  const zamba = { model_type: 'zamba2', use_mem_rope: true, kv_channels: 80 };
  assert.equal(rotaryOf(zamba).headDim, 160);
});

test('Falcon and StableLM are known by the names of their first releases', () => {
  const falcon = { model_type: 'RefinedWebModel', hidden_size: 4544, n_head: 71, n_layer: 32 };
  assert.equal(rotaryOf({ ...falcon, alibi: false }).headDim, 64);
  const stable = { model_type: 'stablelm_epoch', hidden_size: 2560, num_attention_heads: 32 };
  assert.equal(rotaryOf({ ...stable, rope_pct: 0.5 }).frequencies.dim, 40);
});

test('the base has other names in Phi-3-small and OpenELM', () => {
  const phi = {
    model_type: 'phi3small',
    hidden_size: 4096,
    num_attention_heads: 32,
    rope_embedding_base: 1e6,
    rope_scaling: { type: 'linear', factor: 2 },
  };
  assert.equal(rotaryOf(phi).base, 1e6);
  assert.equal(
    rotaryOf({ model_type: 'openelm', head_dim: 64, rope_freq_constant: 2e4 }).base,
    2e4,
  );
});

test('ModernBERT rotates, although its files say "absolute"', () => {
  const config = { model_type: 'modernbert', position_embedding_type: 'absolute' };
  const { scheme, account } = positionFromConfig(rw, config);
  assert.equal(scheme.type, 'rotary');
  assert.equal(account.contradicts[0].key, 'config.position_embedding_type');
  assert.equal(layersOf(config)[1].base, 10000);
  const bert = positionFromConfig(rw, { ...config, model_type: 'bert' });
  assert.equal(bert.scheme.type, 'learned');
});

test('a text part two sections deep needs no model type', () => {
  const text_config = { num_attention_heads: 32, hidden_size: 4096 };
  const omni = { model_type: 'qwen3_omni_moe', thinker_config: { text_config } };
  assert.deepEqual(rotaryOf(omni).sections, { pairs: [24, 20, 20], interleaved: true });
  const colpali = { model_type: 'colpali', vlm_config: { text_config: {} } };
  assert.equal(rotaryOf(colpali).headDim, 256);
  const retriever = { model_type: 'colmodernvbert', vlm_config: { text_config: {} } };
  assert.equal(rotaryOf(retriever).base, 160000);
});

test("Phi-3's lists are LongRoPE, also where the file calls them YaRN", () => {
  const long_factor = Array.from({ length: 48 }, () => 2);
  const rope_scaling = { type: 'yarn', short_factor: long_factor, long_factor };
  assert.equal(rotaryOf({ model_type: 'phi3', rope_scaling }).scaling.type, 'longrope');
});

test('Nomic BERT may interleave, and its own extension is refused', () => {
  const nomic = { model_type: 'nomic_bert', n_embd: 768, n_head: 12, rotary_emb_base: 1000 };
  const plain = { ...nomic, rotary_emb_interleaved: false, rotary_scaling_factor: null };
  assert.equal(rotaryOf(plain).layout, 'half-split');
  assert.equal(rotaryOf({ ...nomic, rotary_emb_interleaved: true }).layout, 'interleaved');
  const extended = { ...nomic, rotary_scaling_factor: 2 };
  assert.throws(() => rotaryOf(extended), /config\.rotary_scaling_factor must be null/);
});

test('SEW-D adds no positions at its input', () => {
  const { scheme } = positionFromConfig(rw, { model_type: 'sew-d' });
  assert.equal(scheme.type === 'deberta' && scheme.absolute, false);
  assert.equal(scheme.type === 'deberta' && scheme.span, 256);
});

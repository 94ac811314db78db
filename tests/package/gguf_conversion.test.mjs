/** Models of .gguf files as people have them: what llama.cpp's converter writes of a folder. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { f32 } from '../dumps/gguf_writer.mjs';
import { ggufOf, splitNames } from '../models/gguf_conversion.mjs';
import { pieceKeys } from '../models/gguf_tokenizers.mjs';
import { ggufFile } from '../models/llama2c_file.mjs';
import { place, printed, run } from './command.mjs';
import {
  createModel,
  createTokenizer,
  estimateModel,
  inside,
  readModelFolder,
} from './installed.mjs';

const { writeSafetensors } = await inside('entries/files');

const [width, hidden, layers, heads, keyHeads] = [64, 96, 3, 4, 2];
const vocabulary = 40;
const tokens = Array.from({ length: 24 }, (_, i) => (7 * i * i + 3) % vocabulary);

/** Numbers between -1 and 1 from a seed. */
function drawer(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const gemmaNorms = ['pre_feedforward_layernorm', 'post_feedforward_layernorm'];
/** A head is wider than width / heads. */
const gemmaSizes = { head_dim: 32, query_pre_attn_scalar: 32, sliding_window: 5 };

/**
 * What each family has besides Llama's tensors and keys.
 * @type {Record<string, { norms?: string[], hasHeadNorms?: true, hasBiases?: true, config?: object }>}
 */
const families = {
  llama: {},
  mistral: {},
  qwen2: { hasBiases: true },
  qwen3: { hasHeadNorms: true, config: { head_dim: 24 } },
  gemma2: {
    norms: gemmaNorms,
    config: { ...gemmaSizes, attn_logit_softcapping: 2, final_logit_softcapping: 3 },
  },
  gemma3_text: {
    norms: gemmaNorms,
    hasHeadNorms: true,
    config: { ...gemmaSizes, rope_theta: 1e6 },
  },
};

/** A folder with random weights. */
function folderOf(family, config = {}) {
  const draw = drawer(5);
  const { norms = [], hasHeadNorms, hasBiases, config: own = {} } = families[family];
  /** @type {Record<string, any>} */
  const all = {
    model_type: family,
    hidden_size: width,
    intermediate_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: keyHeads,
    vocab_size: vocabulary,
    max_position_embeddings: 256,
    rms_norm_eps: 1e-5,
    tie_word_embeddings: true,
    ...own,
    ...config,
  };
  const tensors = {};
  const add = (name, shape) => {
    const count = shape.reduce((product, extent) => product * extent, 1);
    const isList = shape.length === 1;
    const data = Float32Array.from({ length: count }, () => draw() / (isList ? 2 : 4));
    tensors[name] = { data, shape };
  };
  add('model.embed_tokens.weight', [all.vocab_size, width]);
  const { head_dim: headWidth = width / heads, num_key_value_heads: groups = keyHeads } = all;
  const [wide, keyWidth] = [heads * headWidth, groups * headWidth];
  for (let layer = 0; layer < all.num_hidden_layers; layer++) {
    const matrices = {
      'self_attn.q_proj': [wide, width],
      'self_attn.k_proj': [keyWidth, width],
      'self_attn.v_proj': [keyWidth, width],
      'self_attn.o_proj': [width, wide],
      'mlp.gate_proj': [hidden, width],
      'mlp.up_proj': [hidden, width],
      'mlp.down_proj': [width, hidden],
    };
    const at = (name) => `model.layers.${layer}.${name}`;
    for (const [name, shape] of Object.entries(matrices)) add(at(`${name}.weight`), shape);
    for (const name of ['input_layernorm', 'post_attention_layernorm', ...norms])
      add(at(`${name}.weight`), [width]);
    for (const name of hasHeadNorms ? ['q_norm', 'k_norm'] : [])
      add(at(`self_attn.${name}.weight`), [headWidth]);
    for (const name of hasBiases ? ['q', 'k', 'v'] : [])
      add(at(`self_attn.${name}_proj.bias`), [name === 'q' ? wide : keyWidth]);
  }
  add('model.norm.weight', [width]);
  if (!all.tie_word_embeddings) add('lm_head.weight', [all.vocab_size, width]);
  return { config: all, tensors };
}

async function logitsOf(files, options) {
  const model = await createModel(files);
  const { data } = model.logits(tokens, options);
  model.dispose();
  return data;
}
const ofFolder = ({ config, tensors }) => logitsOf({ config, weights: writeSafetensors(tensors) });
const largestDifference = (a, b) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));

/** Sums in another order, as pairs of channels lie in another order. */
const bound = 2e-5;

/** Whether files have the logits of their folder, with the weights as stored in these. */
async function fits(folder, options) {
  const { files, hub } = ggufOf(folder, options);
  const wanted = await ofFolder({ config: folder.config, tensors: hub });
  const got = await logitsOf({ weights: files, precision: 'float32' });
  const difference = largestDifference(got, wanted);
  assert.ok(difference < bound, `${difference}`);
  return wanted;
}

describe('logits are those of the folder', () => {
  for (const family of Object.keys(families))
    for (const type of /** @type {const} */ (['F32', 'F16', 'BF16', 'Q8_0']))
      test(`${family}, ${type}`, async () => {
        const folder = folderOf(family);
        const wanted = await fits(folder, { type });
        const { files } = ggufOf(folder, { type });
        const stored = largestDifference(await logitsOf({ weights: files }), wanted);
        const largest = Math.max(...wanted.map(Math.abs));
        assert.ok(stored < (type === 'Q8_0' ? 2e-3 * largest : bound), `${stored} of ${largest}`);
      });

  const yarn = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 64 };
  const llama3 = {
    rope_type: 'llama3',
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 64,
  };
  const linear = { rope_type: 'linear', factor: 4 };
  const plain = Array(layers).fill('full_attention');
  /** @type {[string, string, Record<string, unknown>, object?][]} */
  const cases = [
    ['llama', 'an output of its own', { tie_word_embeddings: false }],
    ['qwen3', 'an output of its own', { tie_word_embeddings: false }],
    ['llama', 'a width of heads of its own', { head_dim: 32 }],
    ['llama', 'another base', { rope_theta: 500_000 }],
    ['llama', 'rope_freqs.weight', { rope_theta: 10_000, rope_scaling: llama3 }],
    ['llama', 'linear scaling', { rope_scaling: linear }],
    ['qwen2', 'YaRN', { rope_scaling: yarn }],
    ['qwen3', 'YaRN', { rope_scaling: yarn }],
    ['gemma2', 'a base of its own', { rope_theta: 20_000 }],
    ['gemma3_text', 'scaled full layers', { rope_scaling: linear, num_hidden_layers: 7 }],
    ['gemma3_text', 'a cap of the logits', { final_logit_softcapping: 1 }],
    ['gemma3_text', 'no window', { sliding_window: undefined, layer_types: plain }],
    ['llama', 'tensors at bounds of 64 bytes', {}, { alignment: 64 }],
    ['llama', 'tensors at bounds of 8 bytes', {}, { alignment: 8, type: 'BF16' }],
  ];
  for (const [family, name, config, options] of cases)
    test(`${family}: ${name}`, async () => {
      const wanted = await fits(folderOf(family, config), options);
      if (Object.keys(config).length > 0)
        assert.ok(largestDifference(wanted, await ofFolder(folderOf(family))) > 1e-3);
    });

  test('without keys that llama.cpp has values for', async () => {
    const groups = { 'qwen2.attention.head_count_kv': undefined };
    await fits(folderOf('qwen2', { num_key_value_heads: heads }), { keys: groups });
    await fits(folderOf('llama', { head_dim: 16 }), {
      keys: { 'llama.attention.key_length': undefined, 'llama.attention.value_length': undefined },
    });
    const base = { 'gemma3.rope.freq_base': undefined };
    const { files } = ggufOf(folderOf('gemma3_text'), { keys: base });
    const { files: stated } = ggufOf(folderOf('gemma3_text', { rope_theta: 10_000 }));
    assert.deepEqual(await logitsOf({ weights: files }), await logitsOf({ weights: stated }));
  });

  test('the largest models of Gemma are known by their layers', async () => {
    for (const [family, count] of /** @type {const} */ ([
      ['gemma2', 46],
      ['gemma3_text', 62],
    ])) {
      const scale = { query_pre_attn_scalar: width / heads };
      await fits(folderOf(family, { num_hidden_layers: count, ...scale }));
    }
  });
});

describe('a model that was split', () => {
  const folder = folderOf('qwen3');
  const whole = ggufOf(folder).files;

  test('is read from its files in any order, the first of which may have no tensors', async () => {
    const wanted = await logitsOf({ weights: whole });
    for (const options of [{ splits: 3 }, { splits: 4, isFirstEmpty: true }]) {
      const { files } = ggufOf(folder, options);
      for (const weights of [files, files.toReversed()])
        assert.deepEqual(await logitsOf({ weights }), wanted);
    }
    const { parameters } = await estimateModel({ weights: ggufOf(folder, { splits: 3 }).files });
    assert.equal(parameters, (await estimateModel({ weights: whole })).parameters);
  });

  const { files } = ggufOf(folder, { splits: 3 });
  const other = ggufOf(folder, { splits: 2 }).files;
  /** @type {[string, Uint8Array[], RegExp][]} */
  const refused = [
    [
      'one of its files',
      [files[1]],
      /weights must be all 3 files that the model was split into, got 1; the file 1 of 3 is missing/,
    ],
    ['two of them', files.slice(0, 2), /got 2; the file 3 of 3 is missing/],
    [
      'the same file twice',
      [files[0], files[1], files[1]],
      /weights\[2\]: split\.no must not be that of weights\[1\], got 1/,
    ],
    [
      'a file of another model',
      [files[0], other[1], files[2]],
      /weights\[1\]: split\.count must be 3, as in the first file, got 2/,
    ],
    [
      'a file with the tensors of another',
      [files[0], files[1], ggufOf(folder, { splits: 3, isFirstEmpty: true }).files[2]],
      /weights: .* must be in one file only|split\.tensors\.count must be/,
    ],
    ['two models', [whole[0], whole[0]], /split\.no must not be that of/],
  ];
  for (const [name, weights, message] of refused)
    test(`${name} are refused by name`, () => assert.rejects(createModel({ weights }), message));

  /** Stories that were split, with their tokenizer, as the files of a folder. */
  const stories = () => {
    const llama = folderOf('llama', { vocab_size: 512 });
    const names = splitNames('stories-Q8_0', 3);
    const split = ggufOf(llama, { splits: 3, keys: pieceKeys(), type: 'Q8_0' });
    return Object.fromEntries(split.files.map((bytes, i) => [names[i], bytes]));
  };

  test('is found in a folder with its tokenizer, beside a part for pictures', async () => {
    const named = stories();
    const read = await readModelFolder({ ...named, 'mmproj-stories.gguf': new Uint8Array(9) });
    assert.equal(/** @type {any[]} */ (read.model.weights).length, 3);
    const tokenizer = await createTokenizer(read.tokenizer);
    assert.equal(tokenizer.decode(tokenizer.encode('Lily')), 'Lily');
    const { 'stories-Q8_0-00002-of-00003.gguf': _, ...rest } = named;
    await assert.rejects(readModelFolder(rest), {
      message:
        'stories-Q8_0-00002-of-00003.gguf is missing; stories-Q8_0-00001-of-00003.gguf is one of 3 files',
    });
    await assert.rejects(
      readModelFolder({ ...named, 'b-00001-of-00002.gguf': new Uint8Array(9) }),
      /files must have one file of weights, got b-00001-of-00002\.gguf, stories-/,
    );
  });

  test('the command line finds the others beside one of its files', async () => {
    mkdirSync(place('split'));
    for (const [name, bytes] of Object.entries(stories()))
      writeFileSync(place(`split/${name}`), bytes);
    writeFileSync(place('split/stories-Q4_K_M.gguf'), 'of another kind');
    const args = '--prompt Lily --max-tokens 5';
    const first = await printed('generate split/stories-Q8_0-00001-of-00003.gguf', args);
    const second = await printed('generate split/stories-Q8_0-00002-of-00003.gguf', args);
    assert.equal(first, second);
    assert.ok(first.length > 1);
  });
});

describe('is refused before a weight is read', () => {
  const blocks = { shape: [256, 64], type: 'Q4_K', bytes: Buffer.alloc(64 * 144) };
  const quantized = (keys) => ggufFile(keys, { 'blk.0.attn_q.weight': blocks });
  const listed = 'must be F32, F16, BF16 or Q8_0';
  const instead = 'take the model as F16, BF16 or Q8_0, which convert_hf_to_gguf.py writes';

  test('another quantization, by its name, with what can be done', async () => {
    for (const [keys, got] of /** @type {const} */ ([
      [{ 'general.file_type': 15 }, 'Q4_K, of a Q4_K_M file'],
      [{}, 'Q4_K'],
      [{ 'general.file_type': 2 }, 'Q4_K, of a Q4_0 file'],
      [{ 'general.file_type': 999 }, 'Q4_K'],
    ]))
      await assert.rejects(estimateModel({ weights: quantized(keys) }), {
        name: 'RangeError',
        message: `weights: tensor "blk.0.attn_q.weight" ${listed}, got ${got}; ${instead}`,
      });
    const unknown = ggufFile({}, { 'output.weight': { shape: [64, 512], type: 99 } });
    await assert.rejects(
      estimateModel({ weights: unknown }),
      new RegExp(`tensor "output\\.weight" ${listed}, got 99; take`),
    );
    mkdirSync(place('quantized'));
    const named = quantized({ ...pieceKeys(), 'general.file_type': 15 });
    writeFileSync(place('quantized/m-Q4_K_M.gguf'), named);
    const { status, stderr } = await run('generate quantized --prompt a');
    assert.equal(status, 1);
    assert.match(stderr, /m-Q4_K_M\.gguf: tensor .* got Q4_K, of a Q4_K_M file; take the model as/);
  });

  const tensor = { shape: [64], type: 'F32', bytes: f32(Array(64).fill(1)) };
  const names = [
    'blk.0.attn_qkv.weight',
    'blk.0.attn_q_norm.weight',
    'blk.0.attn_norm.bias',
    'blk.0.ffn_gate_inp.weight',
    'blk.0.attn_sinks.weight',
    'blk.5.attn_norm.weight',
    'output_norm.bias',
    'output.bias',
    'rope_factors_long.weight',
  ];
  for (const name of names)
    test(`a tensor that nothing reads: ${name}`, () =>
      assert.rejects(estimateModel({ weights: ggufFile({}, { [name]: tensor }) }), {
        message: `weights: tensor "${name}" must be absent: it is not read`,
      }));
  test('divisors of frequencies that llama.cpp does not read', () =>
    assert.rejects(
      estimateModel({
        weights: ggufOf(folderOf('qwen2'), { more: { 'rope_freqs.weight': tensor } }).files,
      }),
      /tensor "rope_freqs\.weight" must be absent/,
    ));

  /** @type {[string, object, RegExp][]} */
  const keys = [
    ['llama', { 'llama.attention.value_length': 8 }, /value_length must be 16 or absent, got 8/],
    ['llama', { 'llama.attention.sliding_window_pattern': 6 }, /_pattern must be absent, got 6/],
    ['gemma3_text', { 'gemma3.attention.sliding_window_pattern': 2 }, /must be 6 or absent/],
    ['llama', { 'llama.nextn_predict_layers': 1 }, /nextn_predict_layers must be 0 or absent/],
    ['llama', { 'llama.rope.scaling.type': 'longrope' }, /must be 'none', 'linear' or 'yarn'/],
    ['llama', { 'general.architecture': 'gemma' }, /must be one of llama, .*gemma3, got "gemma"/],
    [
      'llama',
      { 'llama.attention.head_count': [4, 4, 2] },
      /attention\.head_count must be a whole number/,
    ],
    [
      'gemma3_text',
      { 'gemma3.block_count': 2 ** 31 },
      /gemma3\.block_count must be a whole number from 1 to 4096/,
    ],
  ];
  for (const [family, given, message] of keys)
    test(`${Object.keys(given)}`, () =>
      assert.rejects(
        estimateModel({ weights: ggufOf(folderOf(family), { keys: given }).files }),
        message,
      ));
});

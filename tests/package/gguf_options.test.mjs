/** Keys and tensors of .gguf files that change what a model computes, as llama.cpp reads them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { f32 } from '../dumps/gguf_writer.mjs';
import { contents, expected, ggufFile } from '../models/llama2c_file.mjs';
import { hubFiles } from './stories_folder.mjs';
import { createModel, createRopewalk } from './installed.mjs';

const rw = await createRopewalk();
const tokens = expected.tokens.slice(0, 60);
const { sizes } = contents();

async function logitsOf(files, options) {
  const model = await createModel(files);
  const { data } = model.logits(tokens, options);
  model.dispose();
  return data;
}
const ofGguf = (keys, tensors) => logitsOf({ weights: ggufFile(keys, tensors) });

function near(got, wanted) {
  got.forEach((logit, i) => assert.ok(Math.abs(logit - wanted[i]) < 5e-5, `${i}: ${logit}`));
}
const largestDifference = (a, b) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));

describe('the scaling of rotations', () => {
  const yarn = {
    type: 'yarn',
    factor: 4,
    originalLength: sizes.context,
    betaFast: 16,
    betaSlow: 2,
  };
  const scaled = (scaling) => ({ frequencies: rw.rotaryFrequencies({ dim: 8, scaling }) });
  const linear = scaled({ type: 'linear', factor: 4 });
  const plain = scaled({ type: 'none' });
  const [type, factor] = ['llama.rope.scaling.type', 'llama.rope.scaling.factor'];
  const yarnKeys = {
    [type]: 'yarn',
    [factor]: 4,
    'llama.rope.scaling.yarn_beta_fast': 16,
    'llama.rope.scaling.yarn_beta_slow': 2,
  };
  const cases = {
    'is linear where no type is given': [{ [factor]: 4 }, linear],
    'may be of the older key': [{ 'llama.rope.scale_linear': 4 }, linear],
    'is none where its type is none': [{ [type]: 'none', [factor]: 4 }, plain],
    'is none where its factor is 0': [{ [type]: 'linear', [factor]: 0 }, plain],
    'has a factor on cos and sin': [
      { 'llama.rope.scaling.attn_factor': 2 },
      { frequencies: { ...plain.frequencies, attentionFactor: 2 } },
    ],
    'of YaRN has its own ends of the ramp': [yarnKeys, scaled(yarn)],
    'of YaRN has a further factor on cos and sin': [
      { ...yarnKeys, 'llama.rope.scaling.attn_factor': 0.5 },
      scaled({ ...yarn, attentionFactor: 0.5 * (1 + 0.1 * Math.log(4)) }),
    ],
  };
  for (const [name, [keys, position]] of Object.entries(cases))
    test(name, async () =>
      near(await ofGguf(keys), await logitsOf({ weights: ggufFile() }, { position })),
    );
});

test('biases are there where the file has them, each by itself', async () => {
  const list = (count, seed) =>
    Float32Array.from({ length: count }, (_, i) => Math.sin(seed + i) / 2);
  const { dim, hidden, heads, keyHeads, layers } = sizes;
  const keyWidth = (dim / heads) * keyHeads;
  // By names of llama.cpp and of Hugging Face, with how many values; those of one layer only.
  const biases = [
    ['attn_v', 'self_attn.v_proj', list(keyWidth, 1)],
    ['attn_output', 'self_attn.o_proj', list(dim, 2)],
    ['ffn_up', 'mlp.up_proj', list(hidden, 3)],
    ['ffn_down', 'mlp.down_proj', list(dim, 4)],
  ];
  for (const chosen of [biases, biases.slice(0, 1), biases.slice(1, 2), biases.slice(2)]) {
    const tensors = chosen.map(([name, , values]) => [
      `blk.1.${name}.bias`,
      { shape: [values.length], type: 'F32', bytes: f32(values) },
    ]);
    const hub = hubFiles((config, all) => {
      Object.assign(config, { attention_bias: true, mlp_bias: true });
      for (const name of Object.keys(all)) {
        if (!/_proj\.weight$/.test(name)) continue;
        const own = chosen.find(([, given]) => name.endsWith(`.1.${given}.weight`))?.[2];
        const rows = all[name].shape[0];
        const data = own ?? new Float32Array(rows);
        all[name.replace('weight', 'bias')] = { data, shape: [rows] };
      }
    });
    const got = await ofGguf({}, Object.fromEntries(tensors));
    near(got, await logitsOf(hub));
    assert.ok(largestDifference(got, await ofGguf()) > 1e-3);
  }
  assert.equal(layers, 5);
});

describe('is refused by name', () => {
  const cases = [
    [{ 'llama.attention.causal': false }, /llama\.attention\.causal must be true or absent/],
    [{ 'llama.attention.scale': 0.5 }, /llama\.attention\.scale must be 0 or absent, got 0\.5/],
    [{ 'llama.logit_scale': 0.5 }, /llama\.logit_scale must be 1 or absent/],
    [{ 'llama.rope.scaling.factor': 'x' }, /llama\.rope\.scaling\.factor must be a number/],
    [{ 'llama.rope.scaling.yarn_ext_factor': 0.5 }, /yarn_ext_factor must be 1 or absent/],
  ];
  for (const [keys, message] of cases)
    test(`${Object.keys(keys)}`, () => assert.rejects(ofGguf(keys), message));

  test('a factor on the values of a tensor', () =>
    assert.rejects(
      ofGguf({}, { 'blk.0.attn_q.scale': { shape: [1], type: 'F32', bytes: f32([2]) } }),
      /tensor "blk\.0\.attn_q\.scale" must be absent/,
    ));

  test('no epsilon', () => {
    const key = 'llama.attention.layer_norm_rms_epsilon';
    const bytes = Buffer.from(ggufFile());
    const at = bytes.indexOf(key);
    bytes.write('x', at + key.length - 1);
    return assert.rejects(
      logitsOf({ weights: new Uint8Array(bytes) }),
      /llama\.attention\.layer_norm_rms_epsilon is missing/,
    );
  });
});

/** The decoder of the guide is a Llama: its logits are those of the same model in NumPy. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { snippetsOf } from '../support/guides.mjs';
import { draws } from './inputs.mjs';
import { project } from './installed.mjs';

const python = process.env.ROPEWALK_PYTHON ?? 'python3';

const [{ code, file }] = snippetsOf('decoder');
const script = join(project, `${process.pid}_${file}`);
writeFileSync(script, code);
const { createDecoder } = await import(pathToFileURL(script).href);

const config = {
  hidden_size: 32,
  intermediate_size: 48,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  rms_norm_eps: 1e-5,
  rope_theta: 10000,
};
const vocabulary = 19;
const tokens = Array.from(draws(24, 9), (value) => Math.floor((value + 2) * 4.7));

const { hidden_size: width, intermediate_size: hidden } = config;
const half = (width * config.num_key_value_heads) / config.num_attention_heads;
const shapes = {
  'model.embed_tokens': [vocabulary, width],
  'model.norm': [width],
  lm_head: [vocabulary, width],
};
for (let layer = 0; layer < config.num_hidden_layers; layer++)
  for (const [name, shape] of Object.entries({
    input_layernorm: [width],
    post_attention_layernorm: [width],
    'self_attn.q_proj': [width, width],
    'self_attn.k_proj': [half, width],
    'self_attn.v_proj': [half, width],
    'self_attn.o_proj': [width, width],
    'mlp.gate_proj': [hidden, width],
    'mlp.up_proj': [hidden, width],
    'mlp.down_proj': [width, hidden],
  }))
    shapes[`model.layers.${layer}.${name}`] = shape;
const weights = Object.fromEntries(
  Object.entries(shapes).map(([name, shape], seed) => {
    const data = draws(
      shape.reduce((a, b) => a * b, 1),
      seed + 1,
    ).map((value) => value / 6 + Number(shape.length === 1));
    return [`${name}.weight`, { data, shape }];
  }),
);

const yarn = { factor: 4, originalLength: 8 };
const rope = { type: 'rope', layout: 'half-split' };
const variants = [
  { title: 'rotary', inNumPy: { rotates: true }, options: {} },
  {
    title: 'YaRN',
    inNumPy: { rotates: true, yarn },
    options: { position: { ...rope, scaling: { type: 'yarn', ...yarn } } },
  },
  { title: 'ALiBi', inNumPy: { alibi: true }, options: { position: 'alibi' } },
  {
    title: 'a window',
    inNumPy: { rotates: true, window: 5 },
    options: { window: { size: 5 } },
  },
  {
    title: 'a cache in 8 bits',
    inNumPy: { rotates: true },
    options: { dtype: 'int8' },
    tolerance: 0.06,
  },
];

const given = JSON.stringify({
  config,
  tokens,
  weights: Object.fromEntries(
    Object.entries(weights).map(([name, { data, shape }]) => [name, { data: [...data], shape }]),
  ),
  variants: variants.map(({ inNumPy }) => inNumPy),
});
const run = spawnSync(python, [join(import.meta.dirname, 'numpy', 'decoder.py')], {
  input: given,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
assert.equal(run.status, 0, `${run.stderr}${run.error ?? ''}`);
const expected = JSON.parse(run.stdout);

test('the guide has one instance, and at most 50 lines', () => {
  assert.equal(code.match(/createRopewalk\(/g).length, 1);
  assert.ok(code.trim().split('\n').length <= 50);
});

variants.forEach(({ title, options, tolerance = 2e-5 }, i) => {
  test(`${title}: a prompt at once and token by token are NumPy's logits`, () => {
    const check = (logits, first) =>
      logits.data.forEach((value, at) => {
        const wanted = expected[i][first * vocabulary + at];
        assert.ok(Math.abs(value - wanted) < tolerance, `${first}, ${at}: ${value} for ${wanted}`);
      });
    const forward = createDecoder(config, weights, options);
    check(forward(tokens.slice(0, 10)), 0);
    tokens.slice(10).forEach((token, at) => check(forward([token]), 10 + at));
    check(createDecoder(config, weights, options)(tokens), 0);
  });
});

// Dumps of correct programs, whose model types attend both ways, or scale scores in their own way.
import assert from 'node:assert/strict';
import test from 'node:test';
import { positionFromConfig } from 'ropewalk/config';
import { diagnose } from 'ropewalk/diagnose';
import { createRopewalk } from 'ropewalk';

const rw = await createRopewalk();
const [heads, rows, dim] = [2, 5, 8];
const sizes = { head_dim: dim, hidden_size: heads * dim, num_attention_heads: heads };

const tensor = (data, ...shape) => ({ data, shape: [1, heads, ...shape], format: 'f32' });
const noise = (step) =>
  tensor(
    Float32Array.from({ length: heads * rows * dim }, (_, i) => Math.sin(step * (i + 1))),
    ...[rows, dim],
  );
const [q, k] = [noise(1.7), noise(2.3)];

/** q · k of all rows, with −∞ where `sees` is false. */
function scoresOf(left, right, scale, sees) {
  const scores = new Float32Array(heads * rows * rows);
  for (let i = 0; i < scores.length; ++i) {
    const [query, key] = [Math.floor(i / rows), i % rows];
    const from = (query - (query % rows) + key) * dim;
    const own = left.data.subarray(query * dim, (query + 1) * dim);
    const product = own.reduce((sum, value, at) => sum + value * right.data[from + at], 0);
    scores[i] = sees(query % rows, key) ? scale * product : -Infinity;
  }
  return tensor(scores, rows, rows);
}

function weightsOf({ data, shape }) {
  const weights = data.map(Math.exp);
  for (let row = 0; row < weights.length; row += rows) {
    const own = weights.subarray(row, row + rows);
    const sum = own.reduce((a, b) => a + b);
    own.forEach((weight, key) => (own[key] = weight / sum));
  }
  return { data: weights, shape, format: 'f32' };
}

const frequencies = rw.rotaryFrequencies({ dim, base: 10000 });
const [turnedQ, turnedK] = [q, k].map((x) => ({ ...rw.rotate(x, frequencies), format: 'f32' }));
const everywhere = () => true;
const causal = (query, key) => key <= query;

const verdictOf = (arrays, config) => {
  const { verdict, faults } = diagnose(rw, { arrays, config: { ...sizes, ...config } });
  return [verdict, ...faults].join(' ');
};

test('models that see both ways are not taken for causal ones', () => {
  const weights = (sees) => weightsOf(scoresOf(turnedQ, turnedK, 1 / Math.sqrt(dim), sees));
  const both = [
    { model_type: 'eurobert', rope_theta: 10000 },
    { model_type: 'Dream', rope_theta: 10000 },
    { model_type: 'qwen3', rope_theta: 10000, is_causal: false },
    { model_type: 'gemma', use_bidirectional_attention: true },
  ];
  for (const config of both)
    assert.equal(verdictOf({ q, k, weights: weights(everywhere) }, config), 'correct');
  const decoder = { model_type: 'modernbert-decoder', global_rope_theta: 10000 };
  const all = { ...decoder, layer_types: ['full_attention'], num_hidden_layers: 1 };
  assert.equal(verdictOf({ q, k, weights: weights(causal) }, all), 'correct');
});

test('scores of Gemma are accepted divided or not, and the diagnosis says which they are', () => {
  const full = { rope_type: 'default', rope_theta: 10000 };
  for (const model_type of ['gemma3n_text', 'gemma4_text']) {
    const config = { ...sizes, model_type, layer_types: ['full_attention'], num_hidden_layers: 1 };
    const rope_parameters = { full_attention: full, sliding_attention: full };
    const own = { ...config, rope_parameters, global_head_dim: dim };
    /** @param {Record<string, any>} arrays */
    const judge = (arrays) => diagnose(rw, { arrays, config: own });
    const diagnosed = (scale) => {
      const scores = scoresOf(turnedQ, turnedK, scale, causal);
      const { verdict, expected } = judge({ q, k, scores });
      return `${verdict}: ${expected.at(-1)}`;
    };
    const both = 'both readings are accepted)';
    assert.equal(diagnosed(1), `correct: scores not divided by √d (as the data are; ${both}`);
    assert.equal(
      diagnosed(1 / Math.sqrt(dim)),
      `correct: scores divided by √d (as the data are; the code of the model does not divide them: ${both}`,
    );
    if (model_type === 'gemma4_text')
      assert.equal(diagnosed(3), `unknown: scores divided by √d or not (${both}`);
    const { expected } = judge({ q, q_rot: turnedQ });
    assert.doesNotMatch(expected.join(), /divided/);
  }
});

test('the width of a head follows from the heads of the part that a dump is of', () => {
  const bart = { model_type: 'bart', d_model: heads * dim, decoder_attention_heads: heads };
  const config = { ...bart, encoder_attention_heads: 1 };
  const scores = scoresOf(q, k, 1 / Math.sqrt(dim), causal);
  const at = 'model.decoder.layers.0.self_attn';
  /** @type {Record<string, any>} */
  const arrays = { [`${at}.q`]: q, [`${at}.k`]: k, [`${at}.scores`]: scores };
  assert.deepEqual(diagnose(rw, { arrays, config }).verdict, 'correct');
});

test('a dump without a layer is tried as every kind of layer, however they are counted', () => {
  const neo = { model_type: 'gpt_neo', num_layers: 2, num_heads: heads, window_size: 2 };
  const near = (query, key) => causal(query, key) && query - key < 2;
  const weights = weightsOf(scoresOf(q, k, 1, near));
  assert.equal(verdictOf({ q, k, weights }, neo), 'correct');
});

/** Of BLOOM's slopes for two heads, added to each row. */
function biased({ data, shape, format }, divisor) {
  const slopes = rw.alibiSlopes({ heads }).map((slope) => slope / divisor);
  const plus = data.map((score, i) => {
    const [query, key] = [Math.floor(i / rows) % rows, i % rows];
    return score - slopes[Math.floor(i / rows / rows)] * (query - key);
  });
  return { data: plus, shape, format };
}

test('Falcon divides its biases, too, and BLOOM does not', () => {
  const scores = scoresOf(q, k, 1 / Math.sqrt(dim), causal);
  const [falcon, bloom] = [{ model_type: 'falcon', alibi: true }, { model_type: 'bloom' }];
  const divided = biased(scores, Math.sqrt(dim));
  assert.equal(verdictOf({ q, k, scores: divided }, falcon), 'correct');
  assert.equal(verdictOf({ q, k, scores: biased(scores, 1) }, bloom), 'correct');
  assert.notEqual(verdictOf({ q, k, scores: divided }, bloom), 'correct');
  const value = { data: new Float32Array(heads * rows), shape: [1, heads, rows, 1] };
  const position = positionFromConfig(rw, { ...sizes, ...falcon });
  const { weights } = rw.attention(q, k, value, {
    position,
    causal: 'bottom-right',
    intermediates: ['weights'],
  });
  assert.equal(verdictOf({ q, k, weights: { ...weights, format: 'f32' } }, falcon), 'correct');
});

test('scores that are divided by the width of a head are not missing its root', () => {
  const jais = { model_type: 'jais', position_embedding_type: 'alibi', scale_qk_dot_by_d: true };
  const scores = biased(scoresOf(q, k, 1 / dim, causal), 1);
  assert.equal(verdictOf({ q, k, scores }, jais), 'correct');
  const phi = { model_type: 'phi3small', mup_use_scaling: true, mup_attn_multiplier: 2 };
  const turned = scoresOf(turnedQ, turnedK, 2 / dim, causal);
  assert.equal(verdictOf({ q, k, scores: turned }, phi), 'correct');
});

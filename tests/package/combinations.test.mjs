/** What parameters demand of each other, and what a configuration says twice. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { tensor } from './inputs.mjs';
import { createRopewalk, describeNote, positionFromConfig } from './installed.mjs';
import { calls } from './probes.mjs';

const rw = await createRopewalk();
const refuses = (call, constructor, message) => assert.throws(call, { constructor, message });
const frequencies = () => ({
  inverseFrequencies: Float64Array.of(1, 0.1),
  attentionFactor: 1,
  dim: 4,
});

test('attention: lengths, windows and masks that contradict each other or the operands', () => {
  const attention = (settings) => () =>
    rw.attention(tensor([2, 4], 1), tensor([3, 4], 2), tensor([3, 4], 3), settings);
  refuses(
    attention({ keyLengths: [4] }),
    RangeError,
    'keyLengths[0] must be at most the number of keys, 3, got 4',
  );
  refuses(
    attention({ causal: 'top-left', window: { size: 2, align: 'bottom-right' } }),
    RangeError,
    "window.align must agree with causal, got 'bottom-right' and 'top-left'",
  );
  refuses(
    attention({ window: { size: 2, lookback: 1 } }),
    TypeError,
    'window must have either size or lookback and lookahead, got both',
  );
  refuses(
    attention({ mask: { data: 'yes', shape: [3], whenTrue: 'attend' } }),
    TypeError,
    'mask.data must be a Uint8Array or an array of booleans, got "yes"',
  );
});

test('attention: the scheme of a configuration with values of other kinds', () => {
  const config = { model_type: 'falcon', alibi: true, num_attention_heads: 2, hidden_size: 8 };
  const { scheme, account } = positionFromConfig(rw, config);
  const [q, k, v] = calls.attention();
  const attend = (own) => () =>
    rw.attention(q, k, v, { position: { scheme: own && { ...scheme, ...own }, account } });
  attend({})();
  const at = 'position.scheme';
  refuses(attend({ divisor: 0 }), RangeError, `${at}.divisor must be greater than 0, got 0`);
  refuses(attend({ maxBias: '8' }), TypeError, /^position\.scheme\.maxBias must be/);
  refuses(
    attend({ type: 'rotary' }),
    TypeError,
    /^position\.scheme\.frequencies\.inverseFrequencies must be/,
  );
  refuses(attend(null), TypeError, `${at} must be what positionFromConfig returns, got null`);
});

test('rotation: widths, axes and tables that do not fit', () => {
  const settings = { layout: 'half-split' };
  refuses(
    () => rw.rotate(tensor([2, 6], 1), frequencies(), { ...settings, heads: 4 }),
    RangeError,
    /x\.shape must be \[batch, length, heads · dim\] .* with 4 heads, got \[2, 6\]/,
  );
  refuses(
    () =>
      rw.rotate(
        tensor([2, 4], 1),
        { cos: new Float64Array(4), sin: new Float64Array(4), shape: 2 },
        settings,
      ),
    TypeError,
    'table.shape must be an array of whole numbers, got 2',
  );
  refuses(
    () =>
      rw.convertRotaryLayout(tensor([2, 6], 1), {
        from: 'interleaved',
        to: 'half-split',
        axis: 1,
        heads: 4,
      }),
    RangeError,
    'axis must name an axis of 4 equal heads in [2, 6], got 1',
  );
  refuses(
    () => rw.rotaryAngles({ ...frequencies(), axes: 2, axisOfPair: [0] }, { positions: [0, 1] }),
    RangeError,
    'frequencies.axisOfPair must have one axis per pair, 2, got 1',
  );
  refuses(
    () =>
      rw.rotaryScoreBound([1, 2], [1, 2, 3, 4], frequencies(), {
        offsets: 3,
        layout: 'half-split',
      }),
    RangeError,
    'q must have 4 values, got 2',
  );
  const [rounded] = calls.roundedRotaryScores();
  refuses(
    () => rw.roundedRotaryScores({ ...rounded, query: [1, 2] }),
    RangeError,
    'query must have two values per frequency, 4, got 2',
  );
});

test('longer contexts: lists and lengths that one choice needs', () => {
  const used = { inverseFrequencies: Float64Array.of(1), attentionFactor: 1, dim: 2 };
  refuses(
    () => rw.angleCoverage({ trained: frequencies(), used, originalLength: 8, length: 9 }),
    RangeError,
    'used must have as many pairs as trained, 2, got 1',
  );
  const scaling = {
    type: 'longrope',
    shortFactor: [1, 1],
    longFactor: [2, 2],
    originalLength: 64,
    factor: 2,
    decideBy: 'max-length',
  };
  refuses(
    () => rw.rotaryFrequencies({ dim: 4, scaling }),
    TypeError,
    "scaling.maxLength must be given when scaling.decideBy is 'max-length'",
  );
});

const llama = {
  model_type: 'llama',
  hidden_size: 64,
  num_attention_heads: 4,
  rope_theta: 1e4,
  max_position_embeddings: 64,
};
const contradicts = (config, key, text) => {
  const { account } = positionFromConfig(rw, config);
  const note = account.contradicts.find((one) => one.key === `config.${key}`);
  assert.match(note ? describeNote(note) : 'no note', text);
};

test('configurations with two values for one option: one is used, and the account names it', () => {
  const linear = { rope_type: 'linear', factor: 2 };
  contradicts(
    { ...llama, rope_scaling: linear, rope_parameters: linear },
    'rope_parameters.rope_type',
    /rope_scaling is there too, and wins/,
  );
  contradicts(
    { ...llama, rope_scaling: { ...linear, type: 'yarn' } },
    'rope_scaling.type',
    /rope_type says "linear", and wins/,
  );
  const yarn = {
    rope_type: 'yarn',
    factor: 4,
    attention_factor: 1.5,
    mscale: 1,
    mscale_all_dim: 1,
  };
  contradicts(
    { ...llama, rope_scaling: yarn },
    'rope_scaling.mscale',
    /attention_factor 1\.5 wins/,
  );
});

test("configurations of single models: Baichuan's two sizes, Transformer-XL, Llama 4's temperature", () => {
  const baichuan = positionFromConfig(rw, {
    model_type: 'baichuan',
    hidden_size: 5120,
    num_attention_heads: 40,
  });
  assert.equal(baichuan.scheme.type, 'alibi');
  assert.match(describeNote(baichuan.account.assumed[0]), /13B/);
  assert.deepEqual(
    positionFromConfig(rw, { model_type: 'transfo-xl', d_model: 32, n_head: 4 }).scheme,
    { type: 'transformer-xl', dim: 32 },
  );
  const tuned = { ...llama, attn_temperature_tuning: true, attn_scale: 0.2, floor_scale: 16 };
  const { scheme, account } = positionFromConfig(rw, tuned);
  assert.equal(scheme.temperature, undefined);
  assert.deepEqual(scheme.unrotatedTemperature, { type: 'llama4', scale: 0.2, floorLength: 16 });
  assert.ok(account.read.some(({ key }) => key === 'config.attn_temperature_tuning'));
});

test('impossible configurations are rejected with key, rule and value', () => {
  const read = (config) => () => positionFromConfig(rw, config);
  refuses(
    read({ ...llama, rope_scaling: { rope_type: 'yarn', factor: 4, beta_fast: 1, beta_slow: 2 } }),
    RangeError,
    'config.rope_scaling.beta_fast must be at least beta_slow, 2, got 1',
  );
  refuses(
    read({ model_type: 'roberta', hidden_size: 64, max_position_embeddings: 2 }),
    RangeError,
    'config.max_position_embeddings must exceed the 2 rows before position 0, got 2',
  );
  const long = {
    rope_type: 'longrope',
    short_factor: Array(2 ** 16 + 1).fill(1),
    long_factor: [1],
    original_max_position_embeddings: 32,
  };
  refuses(
    read({ ...llama, rope_scaling: long }),
    RangeError,
    'config.rope_scaling.short_factor must have at most 65536 entries, got 65537',
  );
  const narrow = { ...llama, hidden_size: 8, rope_scaling: { rope_type: 'dynamic', factor: 2 } };
  refuses(read(narrow), RangeError, /^config gives no valid frequencies: ntk: bloc97's exponent/);
});

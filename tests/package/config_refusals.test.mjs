// Configurations are untrusted text: precise refusals, nothing polluted, only finite numbers.
import assert from 'node:assert/strict';
import test from 'node:test';

import { positionFromConfig } from 'ropewalk/config';
import { createRopewalk } from 'ropewalk';

const rw = await createRopewalk();

const llama = { model_type: 'llama', hidden_size: 4096, num_attention_heads: 32 };
const llama31 = {
  rope_type: 'llama3',
  factor: 8,
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 8192,
};

test('a contradictory configuration is rejected with key, rule and value', () => {
  const refuses = (config, kind, text) =>
    assert.throws(
      () => positionFromConfig(rw, config),
      (/** @type {Error} */ error) => {
        assert.equal(error.name, kind);
        assert.match(error.message, text);
        return true;
      },
    );
  const scaled = (block) => ({ ...llama, rope_theta: 1e4, rope_scaling: block });
  refuses(undefined, 'TypeError', /config must be a JSON object or its text, got undefined/);
  refuses('[1]', 'TypeError', /config must be a JSON object or its text, got a list of 1/);
  refuses('{"rope_theta": NaN}', 'RangeError', /^config must be JSON: /);
  refuses(
    { rope_theta: '10000' },
    'TypeError',
    /^config\.rope_theta must be a number greater than 1 .*, got "10000"$/,
  );
  refuses({ ...llama, rope_theta: 1 }, 'RangeError', /greater than 1 .*, got 1$/);
  refuses({ ...llama, rope_theta: NaN }, 'RangeError', /^config\.rope_theta must be .*, got NaN$/);
  refuses(
    { ...llama, rope_theta: 1e4, head_dim: 1e9 },
    'RangeError',
    /^config\.head_dim must be a whole number .*, got 1000000000$/,
  );
  refuses(
    { ...llama, rope_theta: 1e4, head_dim: -128 },
    'RangeError',
    /^config\.head_dim must be .*, got -128$/,
  );
  refuses(
    { ...llama, rope_theta: 1e4, head_dim: 127 },
    'RangeError',
    /^config: the rotated part of a head must have an even number of values, got 127$/,
  );
  refuses(scaled([4]), 'TypeError', /^config\.rope_scaling must be an object, got a list of 1$/);
  refuses(scaled({ type: 'linear' }), 'RangeError', /^config\.rope_scaling\.factor is missing/);
  refuses(
    scaled({ type: 'linear', factor: 1e300 }),
    'RangeError',
    /^config\.rope_scaling\.factor must be .* at most 1000000, got 1e\+300$/,
  );
  refuses(
    scaled({ type: 'spiral', factor: 2 }),
    'RangeError',
    /^config\.rope_scaling\.rope_type must be one of default, .*, got "spiral"$/,
  );
  refuses(
    scaled({
      type: 'longrope',
      short_factor: [1, 'x'],
      long_factor: [],
      factor: 4,
      original_max_position_embeddings: 9,
    }),
    'TypeError',
    /^config\.rope_scaling\.short_factor\[1\] must be .*, got "x"$/,
  );
  const phi = {
    type: 'longrope',
    short_factor: [1],
    long_factor: [1],
    factor: 4,
    original_max_position_embeddings: 9,
  };
  refuses(
    scaled(phi),
    'RangeError',
    /^config\.rope_scaling\.short_factor must have one divisor per pair, 64; got 1$/,
  );
  const reversed = { ...llama31, high_freq_factor: 0.5 };
  refuses(
    scaled(reversed),
    'RangeError',
    /^config\.rope_scaling\.high_freq_factor must be at least low_freq_factor, 1, got 0\.5$/,
  );
  refuses({ model_type: 'x'.repeat(1e5) }, 'RangeError', /model_type "x{40}…" is not known/);
  refuses('{"a":'.repeat(1e5), 'RangeError', /^config must be JSON/);
  refuses(
    ' '.repeat(2 ** 23 + 1),
    'RangeError',
    /^config must have at most 8388608 characters, got 8388609$/,
  );
});

test('nothing of a configuration reaches a prototype, and inherited keys do not count', () => {
  const poisoned = JSON.parse(
    '{"__proto__": {"rope_theta": 3}, "constructor": {"prototype": {"rope_theta": 3}}}',
  );
  assert.throws(() => positionFromConfig(rw, poisoned), /names no position scheme/);
  assert.throws(
    () => positionFromConfig(rw, Object.create({ rope_theta: 1e4 })),
    /names no position scheme/,
  );
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    assert.throws(() => positionFromConfig(rw, { model_type: name }), /is not known/);
    assert.throws(
      () => positionFromConfig(rw, { ...llama, rope_scaling: { type: name } }),
      /must be one of/,
    );
  }
  assert.equal({}.rope_theta, undefined);
});

test('any configuration gives finite frequencies or a typed error', () => {
  let state = 12345;
  const random = (below) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % below;
  const values = [
    undefined,
    null,
    0,
    -1,
    1,
    2,
    3,
    64,
    128,
    0.25,
    1e4,
    1e308,
    NaN,
    Infinity,
    '',
    'yarn',
    'llama',
    true,
    [],
    [1, 2],
    {},
  ];
  const pick = (list) => list[random(list.length)];
  const types = [
    'default',
    'linear',
    'dynamic',
    'yarn',
    'longrope',
    'llama3',
    'proportional',
    'ntk',
    'mrope',
    'su',
    'x',
  ];
  const blockKeys = [
    'factor',
    'alpha',
    'original_max_position_embeddings',
    'beta_fast',
    'beta_slow',
    'mscale',
    'mscale_all_dim',
    'attention_factor',
    'truncate',
    'short_factor',
    'long_factor',
    'low_freq_factor',
    'high_freq_factor',
    'rope_theta',
    'partial_rotary_factor',
  ];
  const keys = [
    'head_dim',
    'hidden_size',
    'num_attention_heads',
    'rope_theta',
    'max_position_embeddings',
    'rotary_dim',
    'rotary_pct',
    'partial_rotary_factor',
    'model_type',
    'alibi',
    'position_embedding_type',
    'relative_attention_num_buckets',
    'no_rope_layers',
  ];
  const filled = (names, chance) =>
    Object.fromEntries(names.filter(() => random(10) < chance).map((name) => [name, pick(values)]));
  let answered = 0;
  for (let i = 0; i < 4000; i++) {
    const sane = random(2)
      ? {
          factor: 4,
          original_max_position_embeddings: 2048,
          low_freq_factor: 1,
          high_freq_factor: 4,
        }
      : {};
    const block = { ...sane, rope_type: pick(types), ...filled(blockKeys, 1) };
    const config = {
      ...llama,
      ...filled(keys, 1),
      [pick(['rope_scaling', 'rope_parameters'])]: block,
    };
    try {
      const { scheme } = positionFromConfig(
        rw,
        config,
        random(2) ? { length: 1 + random(9000) } : {},
      );
      if (scheme.type !== 'rotary') continue;
      answered += 1;
      assert.ok(
        scheme.frequencies.inverseFrequencies.every(Number.isFinite),
        JSON.stringify(config),
      );
      assert.ok(
        Number.isFinite(scheme.frequencies.attentionFactor * scheme.frequencies.softmaxScale),
      );
    } catch (error) {
      if (!['TypeError', 'RangeError'].includes(error.name)) throw error;
      assert.match(error.message, /^config/, JSON.stringify(config));
    }
  }
  assert.ok(answered > 400, `only ${answered} were configurations of rotary models`);
});

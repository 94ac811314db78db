// Rotary frequencies for longer contexts, as the package gives them: numbers, derivation, errors.
import assert from 'node:assert/strict';
import test from 'node:test';

import { createRopewalk } from 'ropewalk';

const rw = await createRopewalk();
const frequencies = (scaling, options = {}) =>
  rw.rotaryFrequencies({ dim: 128, ...options, scaling });
const near = (got, expected, relative) =>
  assert.ok(Math.abs(got - expected) <= relative * Math.abs(expected), `${got} is not ${expected}`);
const stepOf = (made, name) => made.derivation.steps.find((step) => step.name === name)?.value;

test('without a scaling the frequencies are those of training', () => {
  const made = rw.rotaryFrequencies({ dim: 8 });
  assert.ok(made.inverseFrequencies instanceof Float64Array);
  assert.deepEqual([...made.inverseFrequencies], [...made.derivation.trained]);
  assert.deepEqual(made.derivation.steps, []);
  assert.deepEqual(made.derivation.pairs, ['kept', 'kept', 'kept', 'kept']);
  assert.deepEqual(made.derivation.logits, { rotated: 1, others: 1 });
  assert.deepEqual(
    [...made.inverseFrequencies],
    [...rw.rotaryFrequencies({ dim: 8, scaling: { type: 'none' } }).inverseFrequencies],
  );
  near(made.inverseFrequencies[1], 0.1, 1e-15);
});

test('C28 linear interpolates every pair', () => {
  const made = frequencies({ type: 'linear', factor: 8 });
  near(100 * made.inverseFrequencies[0], 12.5, 0);
  assert.ok(made.derivation.pairs.every((fate) => fate === 'interpolated'));
});

test('C29 the forms of NTK, the alpha flavor, and what became of the pairs', () => {
  const made = frequencies({ type: 'ntk', factor: 8 });
  near(made.derivation.base, 82684.62264, 1e-10);
  assert.equal(made.derivation.pairs[0], 'kept');
  assert.equal(made.derivation.pairs[63], 'interpolated');
  assert.ok(made.derivation.pairs.slice(1, 63).every((fate) => fate === 'blended'));
  assert.deepEqual(
    frequencies({ type: 'ntk-alpha', alpha: 8 }).inverseFrequencies,
    made.inverseFrequencies,
  );
  assert.equal(frequencies({ type: 'ntk', factor: 8, form: 'su-old' }).derivation.base, 80000);
  near(
    frequencies({ type: 'ntk', factor: 8, form: 'su-fixed' }).inverseFrequencies[0],
    0.968030897,
    1e-9,
  );
  near(
    frequencies({ type: 'ntk', factor: 8, form: 'su-mixed' }).inverseFrequencies[0],
    0.85679601,
    1e-9,
  );
  near(
    frequencies({ type: 'ntk', factor: 8, form: 'su-mixed', exponent: 0.75 }).inverseFrequencies[0],
    0.912197094,
    1e-9,
  );
});

test('dynamic NTK at, below and above the training length, and by its other names', () => {
  const baseAt = (length, form) =>
    frequencies({ type: 'dynamic-ntk', factor: 2, originalLength: 2048, length, form }).derivation
      .base;
  for (const length of [undefined, 1, 2047, 2048]) assert.equal(baseAt(length), 10000);
  assert.ok(baseAt(2049) > 10000);
  near(baseAt(3000), 19499.27764, 1e-10);
  near(baseAt(4096), 30527.73675, 1e-10);
  near(baseAt(17, 'vllm-constant'), 30527.73675, 1e-10);
  assert.equal(baseAt(2048, 'rounded'), 10000);
  near(baseAt(2049, 'rounded'), 30527.73675, 1e-10); // by the factor 3, as up to 4096
  near(baseAt(4096, 'rounded'), 30527.73675, 1e-10);
});

test('C32 YaRN returns its ramp, its temperature and the class of each pair', () => {
  const made = frequencies({ type: 'yarn', factor: 16, originalLength: 2048 });
  const { kept, pairs, logits } = made.derivation;
  assert.equal(stepOf(made, 'rampFrom'), 16);
  assert.equal(stepOf(made, 'rampTo'), 41);
  near(made.attentionFactor, 1.277258872, 1e-9);
  near(logits.rotated, 1.631390227, 1e-9);
  assert.equal(logits.others, 1);
  near(made.inverseFrequencies[21], 0.0395661114, 1e-8);
  near(kept[21], 0.8, 1e-12);
  pairs.forEach((fate, i) =>
    assert.equal(fate, i <= 16 ? 'kept' : i < 41 ? 'blended' : 'interpolated'),
  );
});

test('C32 YaRN as published: the ramp over full turns, the temperature on every logit', () => {
  const made = frequencies({
    type: 'yarn',
    factor: 16,
    originalLength: 2048,
    ramp: 'published',
    temperature: 'logits',
  });
  near(made.inverseFrequencies[21], 0.0249462961, 1e-8);
  assert.equal(made.attentionFactor, 1);
  near(made.softmaxScale, 1.631390227, 1e-9);
  assert.equal(made.derivation.logits.others, made.derivation.logits.rotated);
  const parts = frequencies({
    type: 'ntk-by-parts',
    factor: 16,
    originalLength: 2048,
    ramp: 'published',
  });
  assert.deepEqual(parts.inverseFrequencies, made.inverseFrequencies);
  assert.equal(parts.attentionFactor, 1);
});

test('C32 the temperature resolver: DeepSeek, one mscale alone, an explicit factor, none', () => {
  const yarn = (extra) =>
    frequencies({ type: 'yarn', factor: 40, originalLength: 4096, ...extra }, { dim: 64 });
  const v3 = yarn({ mscale: 1, mscaleAllDim: 1 });
  assert.equal(v3.attentionFactor, 1);
  near(v3.softmaxScale, 1.873854207, 1e-9);
  near(yarn({ mscale: 0.707, mscaleAllDim: 0.707 }).softmaxScale, 1.589626165, 1e-9);
  near(yarn({ mscale: 0.5 }).attentionFactor, 1.368887945, 1e-9);
  assert.equal(yarn({ attentionFactor: 0.75, mscale: 1 }).attentionFactor, 0.75);
  assert.match(yarn({ attentionFactor: 0.75 }).derivation.steps.at(-1).rule, /wins/);
  assert.equal(yarn({ temperature: 'none' }).derivation.logits.rotated, 1);
});

test('C32 dynamic YaRN recomputes its factor from the length', () => {
  const at = (length) => frequencies({ type: 'dynamic-yarn', length, originalLength: 2048 });
  assert.equal(stepOf(at(1000), 'factor'), 1);
  assert.equal(stepOf(at(4096), 'factor'), 2);
  assert.deepEqual(at(2048).inverseFrequencies, frequencies({ type: 'none' }).inverseFrequencies);
  assert.deepEqual(
    at(4096).inverseFrequencies,
    frequencies({ type: 'yarn', factor: 2, originalLength: 2048 }).inverseFrequencies,
  );
});

test('LongRoPE: which length decides, strictly beyond the trained one', () => {
  const shortFactor = Array(64).fill(2),
    longFactor = Array(64).fill(8);
  const first = (extra) =>
    frequencies({ type: 'longrope', shortFactor, longFactor, originalLength: 4096, ...extra })
      .inverseFrequencies[0];
  assert.equal(first({}), 1 / 2);
  assert.equal(first({ length: 4096 }), 1 / 2);
  assert.equal(first({ length: 4097 }), 1 / 8);
  assert.equal(first({ length: 10, maxLength: 131072, decideBy: 'max-length' }), 1 / 8);
  const made = frequencies({
    type: 'longrope',
    shortFactor,
    longFactor,
    originalLength: 4096,
    maxLength: 131072,
  });
  near(made.attentionFactor, 1.190238071, 1e-9);
});

test('Llama 3 keeps up to pair 28 and interpolates from 35', () => {
  const made = frequencies({ type: 'llama3', factor: 8, originalLength: 8192 }, { base: 5e5 });
  made.derivation.pairs.forEach((fate, i) =>
    assert.equal(fate, i <= 28 ? 'kept' : i < 35 ? 'blended' : 'interpolated'),
  );
  near(made.inverseFrequencies[31] / made.derivation.trained[31], 0.493507, 1e-6);
});

test('partial rotates a fraction of the head, proportional a fraction of its pairs', () => {
  const partial = rw.rotaryFrequencies({ dim: 512, base: 1e6, rotaryFraction: 0.25 });
  assert.equal(partial.dim, 128);
  near(partial.inverseFrequencies[1], 0.805842188, 1e-9);
  const whole = rw.rotaryFrequencies({
    dim: 512,
    base: 1e6,
    rotaryFraction: 0.25,
    scaling: { type: 'proportional' },
  });
  assert.equal(whole.dim, 512);
  near(whole.inverseFrequencies[1], 0.947463526, 1e-9);
  assert.equal(whole.derivation.pairs.filter((fate) => fate === 'unrotated').length, 192);
});

test('what rotaryFrequencies gives is what rotate and attention take', () => {
  const made = rw.rotaryFrequencies({
    dim: 4,
    scaling: { type: 'yarn', factor: 4, originalLength: 2048 },
  });
  const x = { data: Float32Array.of(1, 2, 3, 4), shape: [1, 4] };
  const turned = rw.rotate(x, made, { layout: 'half-split', positions: [0] });
  turned.data.forEach((value, i) => near(value, (i + 1) * made.attentionFactor, 1e-6));
  const q = { data: new Float32Array(8).fill(1), shape: [2, 4] };
  const options = /** @type {const} */ ({
    position: { type: 'rope', frequencies: made, layout: 'half-split' },
  });
  assert.equal(rw.attention(q, q, q, options).output.shape.length, 2);
});

test('errors name the parameter, the rule and the value', () => {
  const refuses = (scaling, kind, text, options) => {
    assert.throws(
      () => frequencies(scaling, options),
      (/** @type {Error} */ error) => {
        assert.equal(error.name, kind);
        assert.match(error.message, text);
        return true;
      },
    );
  };
  refuses({ type: 'yarn' }, 'TypeError', /^scaling\.factor must be a number, got undefined$/);
  refuses(
    { type: 'linear', factor: -1 },
    'RangeError',
    /^scaling\.factor must be greater than 0, got -1$/,
  );
  refuses(
    { type: 'part-ntk', factor: 4, originalLength: 64, beta0: 1.5, beta1: 7 },
    'RangeError',
    /\bbeta0 to beta1 must run from more turns to fewer, both positive, got 1\.5 and 7$/,
  );
  refuses(
    { type: 'rope' },
    'RangeError',
    /^scaling\.type must be one of 'none', 'linear', .*, got "rope"$/,
  );
  refuses(null, 'TypeError', /scaling must not be null/);
  refuses(
    { type: 'linear', factor: 2, length: 3 },
    'TypeError',
    /scaling \(type 'linear'\) has no "length"/,
  );
  refuses(
    { type: 'ntk', factor: 2, form: 'su-fixed', exponent: 1 },
    'TypeError',
    /belongs to the form 'su-mixed'/,
  );
  refuses({ type: 'ntk', factor: 2 }, 'RangeError', /needs a dim of at least 4, got 2/, { dim: 2 });
  refuses(
    { type: 'longrope', shortFactor: [1], longFactor: [1], originalLength: 9 },
    'RangeError',
    /one divisor per pair, 64, got 1/,
  );
  refuses(
    { type: 'none' },
    'RangeError',
    /^rotaryFraction must be greater than 0 and at most 1, got 2$/,
    {
      rotaryFraction: 2,
    },
  );
  refuses({ type: 'none' }, 'RangeError', /even number of rotated values, got 0\.3 · 10 = 3$/, {
    dim: 10,
    rotaryFraction: 0.3,
  });
  assert.equal(frequencies({ type: 'none' }).inverseFrequencies[0], 1);
});

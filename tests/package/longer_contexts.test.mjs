// Logit factors, relative-position maps, angle coverage, digits and number formats.
import assert from 'node:assert/strict';
import test from 'node:test';

import { createRopewalk } from 'ropewalk';

const rw = await createRopewalk();
const near = (got, expected, tolerance) =>
  assert.ok(Math.abs(got - expected) <= tolerance, `${got} is not ${expected}`);

/** Returns a seeded generator of numbers in [−1, 1), the same on every machine. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** Rows with random directions and norm √dim, as in Su's experiment. */
function onSphere(rows, dim, next) {
  const data = new Float32Array(rows * dim);
  for (let r = 0; r < rows; r++) {
    const row = Array.from({ length: dim }, () => next() + next() + next() + next());
    const norm = Math.hypot(...row);
    row.forEach((value, d) => (data[r * dim + d] = (value / norm) * Math.sqrt(dim)));
  }
  return { data, shape: [rows, dim] };
}

test('C27 log-n keeps the entropy of attention flatter as the length grows, not constant', () => {
  const dim = 64,
    queries = 16;
  const entropyAt = (length, factor) => {
    const next = seeded(7);
    const q = onSphere(queries, dim, next),
      k = onSphere(length, dim, next);
    const scale = factor / Math.sqrt(dim);
    const { entropy } = rw.attention(q, k, k, { scale, intermediates: ['entropy'] });
    return entropy.data.reduce((sum, value) => sum + value, 0) / queries;
  };
  const factorAt = (length) =>
    rw.logitFactors(1, { type: 'log-n', form: 'length', originalLength: 512, length })[0];
  const plain = entropyAt(4096, 1) - entropyAt(64, 1);
  const scaled = entropyAt(4096, factorAt(4096)) - entropyAt(64, factorAt(64));
  assert.ok(scaled < 0.95 * plain, `${scaled} against ${plain}`);
  assert.ok(scaled > 1, 'flatter is not constant');
});

test('C27 the three forms of log-n disagree', () => {
  const factors = (form, positions, originalLength, length) =>
    rw.logitFactors(positions, { type: 'log-n', form, originalLength, length });
  near(factors('length', 3, 512, 256)[2], 0.888889, 5e-7);
  assert.deepEqual([...factors('length', 3, 512, 512)], [1, 1, 1]);
  assert.equal(factors('length', 512, 512)[0], 1);
  assert.equal(factors('position', 4, 512)[0], 0);
  near(factors('clipped', [4095, 8191, 16383], 4096)[1], 1.083333, 5e-7);
  near(factors('clipped', [4095, 8191, 16383], 4096)[2], 1.166667, 5e-7);
  assert.throws(() => factors('clipped', [-1], 512), /positions must be at least 0/);
  assert.throws(() => factors('other', 1, 512), /^RangeError: form must be one of/);
});

test('C26 in direct extrapolation, the pairs without a full turn reach new angles', () => {
  const trained = rw.rotaryFrequencies({ dim: 128 });
  const { unseenPairs, firstUnseen } = rw.angleCoverage({
    trained,
    originalLength: 2048,
    length: 4096,
  });
  assert.deepEqual(
    unseenPairs,
    Array.from({ length: 23 }, (_, i) => 41 + i),
  );
  assert.equal(firstUnseen[63], 2048);
  assert.equal(firstUnseen[0], -1);
  const used = rw.rotaryFrequencies({ dim: 128, scaling: { type: 'linear', factor: 2 } });
  assert.deepEqual(
    rw.angleCoverage({ trained, used, originalLength: 2048, length: 4096 }).unseenPairs,
    [],
  );
});

test('C30 a position in base beta beside its angles', () => {
  const { beta, digits, angles } = rw.positionDigits({ position: 7204, dim: 8 });
  near(beta, 10, 1e-14);
  [4, 0, 2, 7].forEach((digit, i) => near(digits[i], digit, 1e-9));
  const digitsOf = (position, base, dim) =>
    [...rw.positionDigits({ position, base, dim }).digits].reverse();
  assert.deepEqual(digitsOf(4, 2 ** 5, 10), [0, 0, 1, 0, 0]);
  assert.deepEqual(digitsOf(1000, 2 ** 10, 20), [1, 1, 1, 1, 1, 0, 1, 0, 0, 0]);
  assert.deepEqual(digitsOf(49, 49 ** 2, 4), [1, 0]);
  assert.deepEqual(digitsOf(15, 4 ** 3, 6), [0, 3, 3]);
  assert.deepEqual(digitsOf(5, 2.5 ** 2, 4), [2, 0], 'a multiple of a fractional base');
  const { inverseFrequencies } = rw.rotaryFrequencies({ dim: 8 });
  inverseFrequencies.forEach((frequency, i) =>
    near(Math.sin(angles[i]), Math.sin(7204 * frequency), 1e-11),
  );
});

test('C31 ReRoPE clamps, Leaky ReRoPE counts slower, both are RoPE within the window', () => {
  const row = (options) =>
    [...rw.relativePositions({ queries: [8], keys: 9, ...options }).data].reverse();
  assert.deepEqual(
    row({ type: 'leaky-rerope', window: 4, factor: 2 }),
    [0, 1, 2, 3, 4, 4.5, 5, 5.5, 6],
  );
  assert.deepEqual(row({ type: 'rerope', window: 4 }), [0, 1, 2, 3, 4, 4, 4, 4, 4]);
  assert.deepEqual(row({ type: 'rerope', window: 100 }), row({ type: 'rope' }));
  assert.deepEqual(
    row({ type: 'self-extend', neighborWindow: 4, groupSize: 2 }),
    [0, 1, 2, 3, 4, 5, 5, 6, 6],
  );
  assert.throws(
    () => row({ type: 'dual-chunk', chunkSize: 4, localWindow: 4 }),
    /smaller than chunkSize, 4, got 4/,
  );
  assert.throws(() => row({ type: 'rerope', window: 4, factor: 2 }), /has no "factor"/);
});

test('number formats: rounding, distinct positions, tables and scores', () => {
  assert.deepEqual(
    [...rw.roundTo([1e-8, 65519, 65520, 257, -0.1], 'f16')],
    [0, 65504, Infinity, 257, -0.0999755859375],
  );
  assert.equal(rw.distinctPositions(512, 'bf16'), 385);
  assert.equal(rw.distinctPositions(4096, 'bf16'), 769);
  assert.equal(rw.distinctPositions(4096, 'f16'), 3073);
  assert.equal(rw.distinctPositions([2, 0, 1, -0, 2], 'f64'), 3);
  assert.equal(rw.distinctPositions(2 ** 24 + 2, 'f32'), 2 ** 24 + 1);
  const frequencies = rw.rotaryFrequencies({ dim: 64 });
  const positions = [1000, 1001, 1002, 1003];
  const table = rw.roundedRotaryTable({ positions, frequencies, formats: { position: 'bf16' } });
  assert.deepEqual(table.shape, [4, 32]);
  assert.deepEqual(
    positions.map((_, r) => table.angles[r * 32]),
    [1000, 1000, 1000, 1004],
  );
  const far = {
    positions: [65519, 65520],
    frequencies: { inverseFrequencies: Float64Array.of(1, 0.5), attentionFactor: 1, dim: 4 },
  };
  for (const formats of /** @type {const} */ ([{ position: 'f16' }, { angle: 'f16' }])) {
    const { angles, cos, sin } = rw.roundedRotaryTable({ ...far, formats });
    const beyond = 'position' in formats ? [false, false, true, true] : [false, false, true, false];
    assert.deepEqual(
      [...angles].map((angle) => angle === Infinity),
      beyond,
    );
    for (const part of [cos, sin]) assert.deepEqual([...part].map(Number.isNaN), beyond);
  }
  const query = new Float64Array(64).fill(1);
  const spread = (formats) => {
    const scores = rw.roundedRotaryScores({
      query,
      key: query,
      positions,
      distance: 3,
      frequencies,
      layout: 'half-split',
      formats,
    });
    return Math.max(...scores) - Math.min(...scores);
  };
  assert.ok(spread() < 1e-10);
  assert.ok(spread({ position: 'bf16' }) > 1);
  assert.throws(
    () => spread({ position: 'f8' }),
    /^RangeError: formats\.position must be one of 'f64'/,
  );
});

test('a recurrence takes one pass over positions in any order', () => {
  const frequencies = rw.rotaryFrequencies({ dim: 4 });
  const errorsAt = (positions) =>
    rw.rotaryAngleErrors({ positions, frequencies, method: 'recurrence' }).errors;
  // Restarting from 0 for each position would take 10^11 steps.
  const down = Array.from({ length: 50_000 }, (_, i) => 2 ** 20 - i);
  const falling = errorsAt(down),
    rising = errorsAt(down.toReversed());
  for (let i = 0; i < down.length; i++) {
    assert.deepEqual(
      falling.subarray(2 * i, 2 * i + 2),
      rising.subarray(rising.length - 2 * i - 2, rising.length - 2 * i),
    );
  }
  assert.deepEqual(
    errorsAt([7, 3, 7, 0]),
    Float64Array.of(...errorsAt([7]), ...errorsAt([3]), ...errorsAt([7]), ...errorsAt([0])),
  );
});

test('at position 1e5 float angles are off by 5e-3, double angles by less than 1e-11', () => {
  const frequencies = rw.rotaryFrequencies({ dim: 128 });
  const worst = (method) => {
    const { errors } = rw.rotaryAngleErrors({ positions: [1e5], frequencies, method });
    return Math.max(...errors.map(Math.abs));
  };
  near(
    Math.abs(
      rw.rotaryAngleErrors({ positions: [1e5], frequencies, method: 'float-product' }).errors[1],
    ),
    5e-3,
    1e-3,
  );
  assert.ok(worst('double-product') < 1e-11);
  assert.ok(worst('running-product') > 1.5 * worst('float-product'));
  assert.throws(
    () => rw.rotaryAngleErrors({ positions: [0.5], frequencies, method: 'recurrence' }),
    /whole positions/,
  );
});

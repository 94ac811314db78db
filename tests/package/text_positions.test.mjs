/** Attention whose positions come from the text, beside what it is where a scheme does nothing. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRopewalk, simds } from './installed.mjs';
import { tensor } from './inputs.mjs';

const worst = (a, b) => a.data.reduce((most, x, i) => Math.max(most, Math.abs(x - b.data[i])), 0);
const zeros = (...shape) => ({
  data: new Float32Array(shape.reduce((a, b) => a * b, 1)),
  shape,
});

for (const simd of simds) {
  const rw = await createRopewalk({ simd });
  const [q, k, v] = [1, 2, 3].map((seed) => tensor([2, 3, 40, 8], seed));
  const causal = 'top-left';
  const attended = (position, more = {}) =>
    rw.attention(q, k, v, { causal, position, ...more }).output;

  describe(simd, () => {
    test('schemes that leave everything as it is give plain attention', () => {
      const plain = rw.attention(q, k, v, { causal }).output;
      const path = { type: 'path', w: k, beta: zeros(2, 3, 40) };
      assert.ok(worst(attended(path), plain) < 1e-6);
      const wall = { type: 'wall', gates: zeros(2, 3, 40, 8), term: 'number' };
      assert.ok(worst(attended(wall), plain) < 1e-6);
    });

    test('a scalar gate of Wall is the prefix sum of FoX', () => {
      const gates = tensor([2, 3, 40], 4);
      const fox = rw.attention(q, k, v, { causal, position: { type: 'fox', gates } }).output;
      // Logits of 40: every channel stays open.
      const open = { ...q, data: q.data.map(() => 40) };
      const wall = { type: 'wall', gates: open, scalarGates: gates };
      assert.ok(worst(attended(wall), fox) < 2e-6);
    });

    test('GRAPE-A without content is ALiBi', () => {
      const alibi = rw.attention(q, k, v, {
        causal,
        position: { type: 'alibi', slopes: rw.alibiSlopes({ heads: 3 }).map((s) => s * 0.5) },
      }).output;
      // softplus(0) = ln 2 twice: the raw slope makes the product a half.
      const raw = Math.log(Math.expm1(0.5 / Math.log(2)));
      const position = {
        type: 'grape-a',
        rawSlopes: [raw, raw, raw],
        keyDirection: zeros(3, 8),
        normalize: false,
      };
      assert.ok(worst(attended(position), alibi) < 2e-6);
    });

    test('stick-breaking leaves a remainder that is added to the own value', () => {
      const type = 'stick-breaking';
      const { output, remainder, logSumExp } = rw.attention(q, k, v, {
        causal,
        position: { type },
        intermediates: ['weights'],
      });
      assert.equal(logSumExp, undefined);
      assert.deepEqual(remainder.shape, [2, 3, 40]);
      const added = attended({ type, addRemainder: true });
      const expected = {
        data: output.data.map((x, i) => x + remainder.data[Math.floor(i / 8)] * v.data[i]),
      };
      assert.ok(worst(added, expected) < 1e-6);
    });

    test('PaTH decodes with a rewritten cache', () => {
      const [w, beta] = [
        tensor([1, 6, 4], 5),
        { data: tensor([1, 6], 6).data.map(Math.abs), shape: [1, 6] },
      ];
      const [q1, k1, v1] = [7, 8, 9].map((seed) => tensor([1, 6, 4], seed));
      const whole = rw.attention(q1, k1, v1, { causal, position: { type: 'path', w, beta } });
      let cache = zeros(1, 0, 4);
      for (let t = 0; t < 6; t++) {
        const row = ({ data }) => data.slice(4 * t, 4 * t + 4);
        if (t > 0)
          cache = rw.updatePathKeys(cache, { data: row(w), shape: [1, 4] }, [beta.data[t]]);
        const keys = Float32Array.of(...cache.data, ...row(k1));
        cache = { data: keys, shape: [1, t + 1, 4] };
        const values = { data: v1.data.slice(0, 4 * t + 4), shape: [1, t + 1, 4] };
        const { output } = rw.attention({ data: row(q1), shape: [1, 1, 4] }, cache, values);
        assert.ok(worst(output, { data: row(whole.output) }) < 1e-5, `token ${t}`);
      }
    });

    test('wrong arguments are named', () => {
      const refused = (position, Kind, text, more = {}) =>
        assert.throws(
          () => rw.attention(q, k, v, { causal, position, ...more }),
          (/** @type {Error} */ error) => error.constructor === Kind && text.test(error.message),
        );
      refused(null, TypeError, /^attention options: position must not be null; leave it out/);
      const type = 'path';
      refused(
        { type, w: q, beta: zeros(1) },
        RangeError,
        /position\.beta\.shape must be \[2, 3, 40\]/,
      );
      refused(
        { type, w: q, beta: zeros(2, 3, 40), gate: 'scaled' },
        TypeError,
        /position\.logGates and position\.gate must be given together/,
      );
      refused(
        { type: 'wall', gates: zeros(4) },
        RangeError,
        /position\.gates\.shape must be \[2, 3, 40, 8\]/,
      );
      refused(
        { type: 'wall', gates: { ...q, data: q.data.map(() => 1) }, term: 'number' },
        RangeError,
        /logarithms of gates must be finite and at most 0, got 1/,
      );
      refused(
        { type: 'grape-a', rawSlopes: [1, 1, 1] },
        TypeError,
        /keyDirection, queryDirection or both/,
      );
      refused({ type: 'stick-breaking', strict: true }, TypeError, /has no "strict"/);
      refused({ type: 'stick-breaking' }, TypeError, /causal must be given/, { causal: false });
      refused(
        { type: 'stick-breaking' },
        TypeError,
        /^sinks must be left out with the position 'stick-breaking'$/,
        {
          sinks: [0, 0, 0],
        },
      );
      refused({ type: 'stick-breaking' }, TypeError, /without 'logSumExp'/, {
        intermediates: ['logSumExp'],
      });
      refused({ type: 'grape' }, RangeError, /position\.type must be one of/);
      assert.throws(() => rw.polar(q, { width: 9 }), /width must be at most 8, got 9/);
      assert.throws(
        () => rw.polar(q, { layout: 'concatenated' }),
        /layout must be one of .*, got "concatenated"$/,
      );
      assert.throws(() => rw.selectiveScores(q, { gateHead: 3 }), /gateHead must be less than 3/);
    });
  });
}

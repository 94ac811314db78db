/** Attention at the ends of what floats hold, and at lengths that only linear time can do. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, tensor } from './inputs.mjs';
import { createRopewalk, simds } from './installed.mjs';

const filled = (shape, value) => ({
  data: new Float32Array(shape.reduce((a, b) => a * b)).fill(value),
  shape,
});

for (const simd of simds) {
  const rw = await createRopewalk({ simd });

  describe(simd, () => {
    for (const [kind, bad] of Object.entries({
      NaN: NaN,
      infinity: Infinity,
      'a large number': 3e38,
    })) {
      for (const queries of [1, 8]) {
        test(`${kind} in a value reaches no query that gives it a weight of zero: ${queries} queries`, () => {
          const [q, k, v] = [filled([queries, 4], 1), filled([300, 4], 0), filled([300, 4], 1)];
          k.data.fill(200, 4 * 260, 4 * 261); // takes all the weight, one block after the first
          v.data[0] = bad;
          const ones = filled([queries, 4], 1);
          assert.deepEqual(rw.attention(q, k, v).output, ones);
          assert.deepEqual(rw.attention(q, k, v, { intermediates: ['weights'] }).output, ones);
          const sunk = rw.attention(q, filled([300, 4], 0), v, { sinks: [1e6] });
          assert.deepEqual(sunk.output, filled([queries, 4], 0));
        });
      }
    }

    test('a window over eight million tokens ends: its time grows with the length, not its square', () => {
      const tokens = 2 ** 23;
      const [q, k] = [filled([tokens, 1], 1), filled([tokens, 1], 1)];
      const v = {
        data: Float32Array.from({ length: tokens }, (_, i) => i % 5),
        shape: [tokens, 1],
      };
      const { output } = rw.attention(q, k, v, { window: { lookback: 1, lookahead: 1 } });
      const mean = (i) => (((i + 4) % 5) + (i % 5) + ((i + 1) % 5)) / 3;
      for (const i of [1, 255, 256, tokens / 2, tokens - 2])
        assertClose([output.data[i]], [mean(i)], 1e-6);
      rw.release();
    });

    const [q, k, v] = [tensor([2, 3], 1), tensor([4, 3], 2), tensor([4, 3], 3)];

    test('numbers that are 0 or infinite in 32 bits are rejected', () => {
      const refused = {
        softcap: [1e39, 1e-50, 1e-40],
        scale: [1e39, -1e39],
        rowScale: [[1, 1e39]],
        sinks: [[-1e39]],
      };
      for (const [name, values] of Object.entries(refused)) {
        for (const value of values) {
          assert.throws(
            () => rw.attention(q, k, v, { [name]: value }),
            (/** @type {Error} */ error) => {
              assert.equal(error.constructor, RangeError);
              assert.match(error.message, new RegExp(`^${name}(\\[\\d\\])? must be .*, got -?1e`));
              return true;
            },
          );
        }
      }
    });

    test('the largest and smallest softcap, scale and sink give finite results', () => {
      for (const settings of [
        { softcap: 2 ** -126 },
        { softcap: 3e38 },
        { sinks: [3e38] },
        { sinks: [-3e38] },
        { scale: 1e-38 },
      ]) {
        const { output } = rw.attention(q, k, v, settings);
        assert.ok(output.data.every(Number.isFinite), JSON.stringify(settings));
      }
      assertClose(
        rw.attention(q, k, v, { softcap: 3e38 }).output.data,
        rw.attention(q, k, v).output.data,
        1e-6,
      );
    });
  });
}

/**
 * Batches of different lengths: known weights, and positions given per batch. That a padded call is,
 * for each batch, the call without its padding is a law of tests/fuzz/js/laws/padding.mjs.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, tensor } from './inputs.mjs';
import { createPool, createRopewalk, simds } from './installed.mjs';

const [heads, keys, dim] = [4, 9, 8];
const lengths = [9, 6, 1, 4];
const batch = lengths.length;

/** One batch of a tensor, and its first rows only. */
function cut({ data, shape: [, many, rows, cols] }, b, length) {
  const kept = Array.from({ length: many }, (_, h) => {
    const at = (b * many + h) * rows * cols;
    return data.slice(at, at + length * cols);
  });
  const all = new Float32Array(many * length * cols);
  kept.forEach((rows, h) => all.set(rows, h * length * cols));
  return { data: all, shape: [1, many, length, cols] };
}

for (const simd of simds) {
  const rw = await createRopewalk({ simd });

  describe(simd, () => {
    test('ALiBi without alignment counts from the first key, padded or not', () => {
      const zeros = (length) => ({ data: new Float32Array(2 * length), shape: [1, 1, length, 2] });
      const position = { type: 'alibi', slopes: [1], direction: 'symmetric' };
      const { weights } = rw.attention(zeros(2), zeros(4), zeros(4), {
        position,
        keyLengths: [2],
        intermediates: ['weights'],
      });
      assertClose(weights.data, [0.731059, 0.268941, 0, 0, 0.268941, 0.731059, 0, 0], 1e-6);
    });

    test('positions per batch are those of the batches one by one', () => {
      const queries = 3;
      const [q, k, v] = [queries, keys, keys].map((rows, i) =>
        tensor([batch, heads, rows, dim], i + 1),
      );
      const rope = {
        type: 'rope',
        frequencies: rw.rotaryFrequencies({ dim }),
        layout: 'interleaved',
      };
      const at = (start, length) =>
        lengths.flatMap((own) => Array.from({ length }, (_, i) => start(own) + 2 * i));
      const own = {
        positions: at((length) => 5 * length, queries),
        keyPositions: at((length) => length, keys),
      };
      const common = {
        positions: [4, 7, 9],
        keyPositions: Array.from({ length: keys }, (_, i) => i),
      };
      for (const given of [
        own,
        { ...own, positions: common.positions },
        { ...own, keyPositions: common.keyPositions },
      ]) {
        const { output } = rw.attention(q, k, v, { position: { ...rope, ...given } });
        for (let b = 0; b < batch; b++) {
          const part = (name, length) =>
            given[name].length === length
              ? given[name]
              : given[name].slice(b * length, (b + 1) * length);
          const position = {
            ...rope,
            positions: part('positions', queries),
            keyPositions: part('keyPositions', keys),
          };
          const alone = rw.attention(cut(q, b, queries), cut(k, b, keys), cut(v, b, keys), {
            position,
          });
          assertClose(cut(output, b, queries).data, alone.output.data, 1e-6, `batch ${b}`);
        }
      }
      const short = { ...rope, positions: [1, 2] };
      assert.throws(
        () => rw.attention(q, k, v, { position: { ...short, keyPositions: common.keyPositions } }),
        {
          constructor: RangeError,
          message:
            'position.positions must have one value per row, 3 or, per batch, 12 or, per head, 48, got 2',
        },
      );
      assert.throws(() => rw.attention(q, k, v, { position: { ...rope, positions: [1, 2, 3] } }), {
        constructor: RangeError,
        message:
          'position.positions stand for the keys as well, of which there are 9 for 3 queries: give position.keyPositions, too',
      });
    });
  });
}

test('a pool gives batches their own positions, to the bit', async () => {
  const rw = await createRopewalk();
  const [queries, keys, dim] = [64, 300, 64];
  const [q, k, v] = [queries, keys, keys].map((rows, i) => tensor([3, 2, rows, dim], i + 1));
  const position = {
    type: 'rerope',
    frequencies: rw.rotaryFrequencies({ dim }),
    layout: 'half-split',
    window: 20,
  };
  const settings = { position, causal: 'bottom-right', keyLengths: [300, 123, 200] };
  const pool = await createPool({ size: 2 });
  assert.deepEqual(await pool.attention(q, k, v, settings), rw.attention(q, k, v, settings));
  await pool.close();
});

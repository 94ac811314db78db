/**
 * Batches of different lengths: with keyLengths a batch gives what a call without its padding gives,
 * wherever position acts and however queries are aligned. And positions given per batch.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, tensor } from './inputs.mjs';
import { createPool, createRopewalk, simds } from './installed.mjs';

const [heads, keyHeads, keys, dim] = [4, 2, 9, 8];
const lengths = [9, 6, 1, 4];
const batch = lengths.length;

const t5Table = tensor([8, heads], 5);
const list = (seed) => tensor([heads], seed).data.map((x) => Math.abs(x) + 0.1);

const positions = (rw) => {
  const frequencies = rw.rotaryFrequencies({ dim });
  const rotary = { frequencies, layout: 'half-split' };
  return {
    none: undefined,
    rope: { type: 'rope', ...rotary },
    rerope: { type: 'rerope', ...rotary, window: 3 },
    'leaky-rerope': { type: 'leaky-rerope', ...rotary, window: 2, factor: 2 },
    'self-extend': { type: 'self-extend', ...rotary, groupSize: 2, neighborWindow: 3 },
    'dual-chunk': { type: 'dual-chunk', ...rotary, chunkSize: 4, localWindow: 1 },
    'alibi, causal': { type: 'alibi' },
    'alibi, symmetric': { type: 'alibi', direction: 'symmetric' },
    't5, bidirectional': { type: 't5', table: t5Table, direction: 'bidirectional', maxDistance: 6 },
    't5, causal': { type: 't5', table: t5Table, direction: 'causal', maxDistance: 6 },
    kerple: { type: 'kerple', kind: 'log', r1: list(6), r2: list(7), direction: 'symmetric' },
    sandwich: { type: 'sandwich', dim: 16 },
  };
};

const alignments = {
  'no alignment': {},
  'causal top-left': { causal: 'top-left' },
  'causal bottom-right': { causal: 'bottom-right' },
  'a window': { window: { lookback: 2, lookahead: 1 } },
  'a window top-left': { window: { size: 3, align: 'top-left' } },
  'a causal window': { causal: 'bottom-right', window: { size: 3 } },
};

const wanted = ['weights', 'logSumExp'];

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
    for (const queries of [keys, 1, 3]) {
      const q = tensor([batch, heads, queries, dim], 1);
      const [k, v] = [2, 3].map((seed) => tensor([batch, keyHeads, keys, dim], seed));
      for (const [scheme, position] of Object.entries(positions(rw))) {
        for (const [alignment, aligned] of Object.entries(alignments)) {
          if (scheme === 'dual-chunk' && !('causal' in aligned)) continue; // it needs causal
          test(`padding changes nothing: ${queries} queries, ${scheme}, ${alignment}`, () => {
            const settings = { position, ...aligned, intermediates: wanted };
            const padded = rw.attention(q, k, v, { ...settings, keyLengths: lengths });
            lengths.forEach((length, b) => {
              const [ownK, ownV] = [k, v].map((x) => cut(x, b, length));
              const alone = rw.attention(cut(q, b, queries), ownK, ownV, settings);
              assertClose(
                cut(padded.output, b, queries).data,
                alone.output.data,
                1e-5,
                `output, batch ${b}`,
              );
              const rows = heads * queries;
              for (let row = 0; row < rows; row++) {
                const at = (b * rows + row) * keys;
                const own = alone.weights.data.subarray(row * length, (row + 1) * length);
                assertClose(
                  padded.weights.data.subarray(at, at + length),
                  own,
                  1e-5,
                  `weights, batch ${b}`,
                );
                assert.ok(
                  padded.weights.data.subarray(at + length, at + keys).every((w) => w === 0),
                );
              }
            });
          });
        }
      }
    }

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

/**
 * Attention of the installed package. That it is its formula under every scheme and option, with shared key
 * heads, a past, padding and NaN, is drawn by tests/fuzz/js: combinations against a reference, and laws.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as reference from '../support/reference.mjs';
import { assertClose, draws, rows, tensor } from './inputs.mjs';
import { createRopewalk, simds } from './installed.mjs';

const [batches, heads, keyHeads, queries, keys, dim, valueDim] = [2, 6, 3, 7, 11, 10, 5];

for (const simd of simds) {
  const rw = await createRopewalk({ simd });
  const q = tensor([batches, heads, queries, dim], 1);
  const k = tensor([batches, keyHeads, keys, dim], 2);
  const v = tensor([batches, keyHeads, keys, valueDim], 3);

  describe(simd, () => {
    test('one query, three keys, width 4: the published numbers', () => {
      const at = (shape, ...data) => ({ data: Float32Array.from(data), shape });
      const { output, weights, scores, entropy } = rw.attention(
        at([1, 4], 1, 0, 1, 0),
        at([3, 4], 1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1),
        at([3, 2], 1, 2, 3, 4, 5, 6),
        { intermediates: ['weights', 'scores', 'entropy'] },
      );
      assertClose(scores.data, [0.5, 0.5, 1], 0);
      const p = [0.274068619, 0.274068619, 0.451862762];
      assertClose(weights.data, p, 2e-7);
      assertClose(output.data, [3.355588286, 4.355588286], 2e-6);
      assertClose(entropy.data, [-p.reduce((sum, w) => sum + w * Math.log(w), 0)], 1e-6);
      assert.deepEqual(
        [output.shape, weights.shape, scores.shape, entropy.shape],
        [[1, 2], [1, 3], [1, 3], [1]],
      );
    });

    test('a long call, which is made in parts, has the very numbers of its heads one by one', () => {
      const [batch, heads, keyHeads, queries, keys, dim] = [2, 4, 2, 300, 700, 64];
      const q = tensor([batch, heads, queries, dim], 11);
      const [k, v] = [12, 13].map((seed) => tensor([batch, keyHeads, keys, dim], seed));
      const bias = tensor([1, heads, queries, keys], 14);
      const given = {
        causal: 'bottom-right',
        keyLengths: [keys, 651],
        sinks: [0.5, -1, 2, 0],
        bias,
        intermediates: ['weights', 'logSumExp'],
      };
      const part = (x, at) => {
        const size = x.shape[2] * x.shape[3];
        return {
          data: x.data.slice(at * size, (at + 1) * size),
          shape: [1, 1, x.shape[2], x.shape[3]],
        };
      };
      const parts = rw.attention(q, k, v, given);
      for (let head = 0; head < batch * heads; head++) {
        const [b, h] = [Math.floor(head / heads), head % heads];
        const shared = b * keyHeads + Math.floor((h * keyHeads) / heads);
        const alone = rw.attention(part(q, head), part(k, shared), part(v, shared), {
          ...given,
          keyLengths: [given.keyLengths[b]],
          sinks: [given.sinks[h]],
          bias: part(bias, h),
        });
        for (const [name, { data }] of Object.entries(alone)) {
          const own = parts[name].data.subarray(head * data.length, (head + 1) * data.length);
          assert.deepEqual(own, data, `${name} of head ${head}`);
        }
      }
    });

    test('a long call with angles or positions of each head has the numbers of its heads alone', () => {
      const [batch, heads, length, dim] = [2, 2, 600, 64];
      const [q, k, v] = [15, 16, 17].map((seed) => tensor([batch, heads, length, dim], seed));
      const angles = Float64Array.from(tensor([batch, heads, length, dim / 2], 18).data);
      const keyAngles = angles.map((angle) => 2 * angle);
      const positions = angles.slice(0, batch * heads * length).map((x) => 1000 * x);
      const part = ({ data }, at) => ({
        data: data.slice((at * data.length) / 4, ((at + 1) * data.length) / 4),
        shape: [length, data.length / 4 / length],
      });
      const given = (name, numbers, at) => {
        const data = at === undefined ? numbers : part({ data: numbers }, at).data;
        const leading = at === undefined ? [batch, heads] : [];
        return { [name]: { data, shape: [...leading, length, dim / 2] } };
      };
      const rope = rw.rotaryFrequencies({ dim });
      const ways = {
        'angles of both': (at) => ({ type: 'angles', ...given('angles', angles, at) }),
        'angles of each': (at) => ({
          type: 'angles',
          ...given('angles', angles, at),
          ...given('keyAngles', keyAngles, at),
        }),
        positions: (at) => ({
          type: 'rope',
          frequencies: rope,
          positions: at === undefined ? positions : part({ data: positions }, at).data,
        }),
      };
      for (const [name, way] of Object.entries(ways)) {
        const attend = (x, y, z, at) =>
          rw.attention(x, y, z, {
            causal: 'top-left',
            position: { ...way(at), layout: 'half-split' },
          }).output.data;
        const whole = attend(q, k, v);
        for (let head = 0; head < batch * heads; head++) {
          const alone = attend(part(q, head), part(k, head), part(v, head), head);
          assert.deepEqual(
            whole.subarray(head * alone.length, (head + 1) * alone.length),
            alone,
            `${name}, head ${head}`,
          );
        }
      }
    });

    test('every rank of operands: the leading axes of the result are those of q', () => {
      for (const leading of [[], [1], [2, 3], [3]]) {
        const [a, b, c] = [4, 5, 6].map((seed, i) =>
          tensor([...leading, i ? keys : queries, i === 2 ? valueDim : dim], seed),
        );
        const result = rw.attention(a, b, c, { intermediates: ['weights', 'entropy'] });
        assert.deepEqual(result.output.shape, [...leading, queries, valueDim]);
        assert.deepEqual(result.weights.shape, [...leading, queries, keys]);
        assert.deepEqual(result.entropy.shape, [...leading, queries]);
        const blocks = leading.reduce((x, y) => x * y, 1);
        for (let block = 0; block < blocks; block++) {
          const exact = reference.attention(rows(a, block), rows(b, block), rows(c, block));
          assertClose(rows(result.output, block), exact.output);
        }
      }
    });

    test('C20 position rope equals queries and keys rotated before', () => {
      const frequencies = rw.rotaryFrequencies({ dim: 8 });
      for (const layout of ['interleaved', 'half-split']) {
        for (const [positions, keyPositions] of [
          [undefined, undefined],
          [draws(queries, 8), draws(keys, 9)],
        ]) {
          const rotated = [
            rw.rotate(q, frequencies, { layout, positions }),
            rw.rotate(k, frequencies, { layout, positions: keyPositions }),
          ];
          const { output, scores } = rw.attention(q, k, v, {
            position: { type: 'rope', frequencies, layout, positions, keyPositions },
            intermediates: ['scores'],
          });
          const before = rw.attention(...rotated, v, { intermediates: ['scores'] });
          assert.deepEqual([output, scores], [before.output, before.scores]);
        }
        const positions = draws(keys, 8);
        const x = tensor([keys, dim], 5);
        const rotate = (list) =>
          reference
            .rotate(
              list.map((row) => row.slice(0, 8)),
              positions,
              layout,
            )
            .map((row, r) => [...row, ...list[r].slice(8)]);
        const exact = reference.attention(rotate(rows(x)), rotate(rows(x)), rows(x));
        const position = { type: 'rope', frequencies, layout, positions };
        assertClose(rw.attention(x, x, x, { position }).output.data, exact.output.flat());
      }
    });

    test('a masked key may hold any value, and whenTrue defines the mask', () => {
      const spoilt = [k, v].map(({ data, shape }) => ({
        data: data.map((x, i) => (i % (keys * shape.at(-1)) < shape.at(-1) ? NaN : x)),
        shape,
      }));
      const attends = [...Array(keys).keys()].map((n) => n > 0);
      const bias = {
        data: Float32Array.from(attends, (sees) => (sees ? 0 : -Infinity)),
        shape: [1, keys],
      };
      const clean = rw.attention(q, k, v, { bias }).output;
      for (const mask of [
        { data: attends, shape: [1, keys], whenTrue: 'attend' },
        {
          data: Uint8Array.from(attends, (sees) => (sees ? 0 : 7)),
          shape: [1, keys],
          whenTrue: 'ignore',
        },
      ]) {
        assert.deepEqual(rw.attention(q, ...spoilt, { mask }).output, clean);
        const both = {
          mask,
          bias: { data: Float32Array.from(attends, (sees) => (sees ? 0 : NaN)), shape: [1, keys] },
        };
        assert.deepEqual(rw.attention(q, ...spoilt, both).output, clean);
      }
    });

    test('windows by either convention, however wide', () => {
      const seen = (window) =>
        rows(
          rw.attention(q, k, v, { window, causal: 'bottom-right', intermediates: ['weights'] })
            .weights,
        ).map((row) => row.filter((weight) => weight > 0).length);
      assert.deepEqual(seen({ size: 3 }), Array(queries).fill(3));
      assert.deepEqual(seen({ lookback: 3 }), Array(queries).fill(4));
      const whole = rw.attention(q, k, v).output;
      for (const width of [keys, 2 ** 31 - 1, 2 ** 31]) {
        assert.deepEqual(
          rw.attention(q, k, v, { window: { lookback: width, lookahead: width } }).output,
          whole,
        );
      }
    });

    test('a call that does not fit into memory is rejected before anything is copied', () => {
      const large = { data: new Float32Array(2 ** 28), shape: [2 ** 22, 64] };
      assert.throws(() => rw.attention(large, large, large), {
        name: 'RangeError',
        message:
          'q, k, v and the results would take 4294967296 bytes; all of memory has 4294967296',
      });
      assert.ok(rw.attention(q, k, v).output.data.every(Number.isFinite), 'and the module goes on');
    });

    test('fullyMasked does not change which results are returned', () => {
      const nothing = { fullyMasked: 'nan', keyLengths: [0, 0] };
      const { output, ...others } = rw.attention(q, k, v, nothing);
      assert.ok(output.data.every(Number.isNaN));
      assert.deepEqual(others, {});
      const { logSumExp } = rw.attention(q, k, v, { ...nothing, intermediates: ['logSumExp'] });
      assert.ok(logSumExp.data.every((value) => value === -Infinity));
    });
  });
}

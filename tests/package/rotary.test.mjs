/**
 * Everything that rotates: tables, layouts, axes, xPos and decay, through the installed package.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, draws, tensor } from './inputs.mjs';
import { createRopewalk, simds } from './installed.mjs';

const row = (...values) => ({ data: Float32Array.from(values), shape: [1, values.length] });
const layouts = ['interleaved', 'half-split'];

/** One head of rows, each turned by its angles: the formula in double. */
function turned(x, dim, angles, layout) {
  const pairs = angles[0].length;
  const out = Float64Array.from(x);
  angles.forEach((ofRow, r) => {
    ofRow.forEach((angle, i) => {
      const a = r * dim + (layout === 'interleaved' ? 2 * i : i),
        b = layout === 'interleaved' ? a + 1 : a + pairs;
      out[a] = x[a] * Math.cos(angle) - x[b] * Math.sin(angle);
      out[b] = x[a] * Math.sin(angle) + x[b] * Math.cos(angle);
    });
  });
  return out;
}

for (const simd of simds) {
  const rw = await createRopewalk({ simd });
  const four = rw.rotaryFrequencies({ dim: 4 });

  describe(simd, () => {
    test('C22 the published numbers in both layouts, and one reordering joins them', () => {
      const at2 = (x, layout) => rw.rotate(x, four, { positions: [2], layout }).data;
      assertClose(
        at2(row(1, 2, 3, 4), 'interleaved'),
        [-2.23474169, 0.077003754, 2.919405353, 4.059196027],
        1e-6,
      );
      assertClose(
        at2(row(1, 2, 3, 4), 'half-split'),
        [-3.144039117, 1.919605347, -0.339143083, 4.03919736],
        1e-6,
      );
      assertClose(
        at2(row(1, 3, 2, 4), 'half-split'),
        [-2.23474169, 2.919405353, 0.077003754, 4.059196027],
        1e-6,
      );
      const x = tensor([3, 5, 8], 1),
        toHalf = { from: 'interleaved', to: 'half-split' };
      const frequencies = rw.rotaryFrequencies({ dim: 6 });
      const before = rw.rotate(
        rw.convertRotaryLayout(x, { ...toHalf, rotaryDim: 6 }),
        frequencies,
        { layout: 'half-split' },
      );
      const after = rw.convertRotaryLayout(rw.rotate(x, frequencies, { layout: 'interleaved' }), {
        ...toHalf,
        rotaryDim: 6,
      });
      assertClose(before.data, after.data, 1e-6);
      assert.deepEqual(
        rw.convertRotaryLayout(after, { from: 'half-split', to: 'interleaved', rotaryDim: 6 })
          .shape,
        [3, 5, 8],
      );
    });

    test('C22 weights reordered by rows give the scores that they gave', () => {
      const heads = 2,
        dim = 4,
        inputs = 3;
      const [tokens, wq, wk] = [
        tensor([5, inputs], 1),
        tensor([heads * dim, inputs], 2),
        tensor([heads * dim, inputs], 3),
      ];
      const projected = ({ data }) => ({
        data: Float32Array.from({ length: heads * 5 * dim }, (_, at) => {
          const output = Math.floor(at / (5 * dim)) * dim + (at % dim),
            t = Math.floor(at / dim) % 5;
          let sum = 0;
          for (let i = 0; i < inputs; i++)
            sum += data[output * inputs + i] * tokens.data[t * inputs + i];
          return sum;
        }),
        shape: [heads, 5, dim],
      });
      const scores = (q, k, layout) =>
        rw.attention(projected(q), projected(k), projected(k), {
          position: { type: 'rope', frequencies: four, layout },
          intermediates: ['scores'],
        }).scores.data;
      const converted = (w) =>
        rw.convertRotaryLayout(w, { from: 'interleaved', to: 'half-split', axis: 0, heads });
      assertClose(
        scores(converted(wq), converted(wk), 'half-split'),
        scores(wq, wk, 'interleaved'),
        1e-5,
      );
    });

    test('C20 C21 C23 scores depend on the distance alone, lengths stay, and position 0 rotates nothing', () => {
      const [q, k] = [tensor([1, 64], 1), tensor([1, 64], 2)],
        frequencies = rw.rotaryFrequencies({ dim: 64 });
      for (const layout of layouts) {
        const at = (x, position) =>
          rw.rotate(x, frequencies, { positions: [position], layout }).data;
        const score = (m, n) => at(q, m).reduce((sum, value, d) => sum + value * at(k, n)[d], 0);
        for (const n of [1, 1000, 131072]) assertClose([score(n + 7, n)], [score(7, 0)], 1e-4);
        assertClose([Math.hypot(...at(q, 12345))], [Math.hypot(...q.data)], 1e-5);
        assert.deepEqual(at(q, 0), q.data);
      }
    });

    test('one list of positions serves all batches, or each batch has its own', () => {
      const x = tensor([2, 3, 4, 6], 1),
        frequencies = rw.rotaryFrequencies({ dim: 4, base: 10 });
      const shared = [3, 1, 0.5, 9],
        own = [...shared, 0, 1, 2, 3];
      for (const layout of layouts) {
        for (const positions of [shared, own, BigInt64Array.of(3n, 1n, 0n, 9n), undefined, 4]) {
          const list =
            positions === undefined || typeof positions === 'number'
              ? [0, 1, 2, 3]
              : Array.from(positions, Number);
          const { data, shape } = rw.rotate(x, frequencies, { positions, layout });
          assert.deepEqual(shape, x.shape);
          for (let head = 0; head < 6; head++) {
            const batch = Math.floor(head / 3),
              from = list.length === 8 ? 4 * batch : 0;
            const angles = list
              .slice(from, from + 4)
              .map((p) => Array.from(frequencies.inverseFrequencies, (f) => p * f));
            const part = x.data.slice(head * 24, (head + 1) * 24);
            assertClose(
              data.slice(head * 24, (head + 1) * 24),
              turned(part, 6, angles, layout),
              1e-6,
            );
          }
        }
      }
    });

    test('heads inside a row are rotated as heads on an axis of their own', () => {
      const x = tensor([2, 5, 12], 1),
        frequencies = rw.rotaryFrequencies({ dim: 4 });
      for (const layout of layouts) {
        const { data, shape } = rw.rotate(x, frequencies, { layout, heads: 3 });
        assert.deepEqual(shape, [2, 5, 12]);
        const angles = [0, 1, 2, 3, 4].map((p) =>
          Array.from(frequencies.inverseFrequencies, (f) => p * f),
        );
        for (let batch = 0; batch < 2; batch++) {
          for (let head = 0; head < 3; head++) {
            const pick = (all) =>
              Array.from(
                { length: 20 },
                (_, at) => all[batch * 60 + Math.floor(at / 4) * 12 + head * 4 + (at % 4)],
              );
            assertClose(pick(data), turned(pick(x.data), 4, angles, layout), 1e-6);
          }
        }
      }
    });

    test('the result may have the other layout, as in DeepSeek-V3', () => {
      const x = tensor([7, 10], 1),
        frequencies = rw.rotaryFrequencies({ dim: 8 });
      for (const [layout, outputLayout] of [layouts, [...layouts].reverse()]) {
        const kept = rw.rotate(x, frequencies, { layout });
        const expected = rw.convertRotaryLayout(kept, {
          from: layout,
          to: outputLayout,
          rotaryDim: 8,
        });
        assert.deepEqual(rw.rotate(x, frequencies, { layout, outputLayout }), expected);
      }
    });

    test('pairs of frequency 0 and values past the pairs stay to the bit', () => {
      const x = tensor([3, 8], 1);
      const still = { inverseFrequencies: [1, 0.5, 0, 0], attentionFactor: 1, dim: 8 };
      const { data } = rw.rotate(x, still, { layout: 'half-split' });
      for (const d of [2, 3, 6, 7]) assert.equal(data[16 + d], x.data[16 + d]);
      assert.notEqual(data[16], x.data[16]);
      const partial = rw.rotate(x, four, { layout: 'interleaved' }).data;
      for (const d of [4, 5, 6, 7]) assert.equal(partial[16 + d], x.data[16 + d]);
    });

    test('into takes the result, and may be the input', () => {
      const x = tensor([2, 3, 4], 1),
        into = new Float32Array(24);
      const expected = rw.rotate(x, four, { layout: 'half-split' });
      assert.equal(rw.rotate(x, four, { layout: 'half-split', into }).data, into);
      assert.deepEqual(into, expected.data);
      const own = x.data.slice();
      rw.rotate({ data: own, shape: x.shape }, rw.rotaryTable(four, { positions: 3 }), {
        layout: 'half-split',
        into: own,
      });
      assert.deepEqual(own, expected.data);
      const refused = (wrong, error) =>
        assert.throws(() => rw.rotate(x, four, { layout: 'half-split', into: wrong }), error);
      refused(new Float32Array(23), {
        name: 'RangeError',
        message: 'into must have 24 values, got 23',
      });
      refused([1], { name: 'TypeError', message: 'into must be a Float32Array, got an array' });
    });

    test('a table rotates like its frequencies, by its own rows or by given ones', () => {
      const x = tensor([2, 2, 5, 8], 1),
        frequencies = { ...rw.rotaryFrequencies({ dim: 6 }), attentionFactor: 1.5 };
      const table = rw.rotaryTable(frequencies, { positions: 100 });
      assert.ok(table.cos instanceof Float64Array);
      assert.deepEqual(table.shape, [100, 3]);
      for (const layout of layouts) {
        for (const positions of [
          [7, 99, 0, 3, 3],
          [1, 2, 3, 4, 5, 9, 8, 7, 6, 5],
        ]) {
          const expected = rw.rotate(x, frequencies, { layout, positions });
          assert.deepEqual(rw.rotate(x, table, { layout, positions }), expected);
          assert.deepEqual(
            rw.rotate(x, rw.rotaryTable(frequencies, { positions }), { layout }),
            expected,
          );
        }
      }
      const floats = {
        cos: Float32Array.from(table.cos),
        sin: Float32Array.from(table.sin),
        shape: [100, 3],
      };
      const layout = 'half-split',
        positions = [5, 4, 3, 2, 1];
      assert.deepEqual(
        rw.rotate(x, floats, { layout, positions }),
        rw.rotate(x, table, { layout, positions }),
      );
      const refused = (by, options, error) =>
        assert.throws(() => rw.rotate(x, by, { layout, ...options }), error);
      refused(
        table,
        {},
        { name: 'RangeError', message: 'rotate: positions must number 5 or 10, got 100' },
      );
      refused(
        table,
        { positions: [0, 1, 2, 3, 100] },
        {
          name: 'RangeError',
          message: 'rotate: a position must be a row of the table, below 100, got 100',
        },
      );
      refused(
        table,
        { positions: [0, 1, 2, 3, 0.5] },
        /^RangeError: positions\[4\] must be a whole number.* got 0.5$/,
      );
      refused(
        { ...floats, cos: [1] },
        {},
        {
          name: 'TypeError',
          message: 'table.cos must be a Float64Array or a Float32Array, got an array',
        },
      );
      refused(
        { ...floats, shape: [99, 3] },
        {},
        /^RangeError: table\.shape must be \[\.\.\., pairs\] of the 300 values of cos and the 300 of sin, got \[99, 3\]$/,
      );
      refused(
        rw.rotaryTable(rw.rotaryFrequencies({ dim: 10 }), { positions: 5 }),
        {},
        { name: 'RangeError', message: 'table must rotate at most the 8 values of a row, got 10' },
      );
    });

    test('a resident table rotates like the one it keeps, from any row on', () => {
      const frequencies = rw.rotaryFrequencies({ dim: 6 });
      const table = rw.rotaryTable(frequencies, { positions: 3100 });
      const kept = rw.resident(table);
      assert.deepEqual([kept.shape, kept.byteLength], [[2, 3100, 3], 8 * 3 * 3100]);
      for (const { shape, heads } of [
        { shape: [2, 2, 5, 8] },
        { shape: [2, 5, 16], heads: 2 },
        { shape: [2, 20, 100, 24] },
        { shape: [3, 3000, 24] },
        { shape: [1, 3000, 64], heads: 8 },
      ]) {
        const x = tensor(shape, 1);
        const length = shape.at(-2);
        for (const layout of layouts) {
          for (const start of [0, 7, 3100 - length]) {
            const positions = Float64Array.from({ length }, (_, i) => start + i);
            const expected = rw.rotate(x, table, { positions, layout, heads });
            for (const by of [kept, table])
              assert.deepEqual(rw.rotate(x, by, { start, layout, heads }), expected);
            assert.deepEqual(rw.rotate(x, kept, { positions, layout, heads }), expected);
            assert.deepEqual(
              rw.rotate(x, frequencies, { start, layout, heads }),
              rw.rotate(x, frequencies, { positions, layout, heads }),
            );
            const into = new Float32Array(x.data.length);
            assert.equal(rw.rotate(x, kept, { start, layout, heads, into }).data, into);
            assert.deepEqual(into, expected.data);
          }
        }
      }
      // Into the values of x, one row on.
      const memory = new Float32Array(64 * 3001);
      const x = { data: memory.subarray(0, 64 * 3000), shape: [3000, 64] };
      x.data.set(tensor([3000, 64], 2).data);
      const expected = rw.rotate(x, kept, { start: 1 });
      const into = memory.subarray(64);
      assert.deepEqual(rw.rotate(x, kept, { start: 1, into }).data, expected.data);
      kept.dispose();
    });

    test('a resident tensor is rotated in place, and attention reads it', () => {
      const [q, k] = [tensor([2, 5, 8], 1), tensor([2, 9, 8], 2)];
      const frequencies = { ...rw.rotaryFrequencies({ dim: 6 }), attentionFactor: 1.5 };
      const table = rw.resident(rw.rotaryTable(frequencies, { positions: 20 }));
      const [layout, outputLayout] = layouts;
      for (const by of [frequencies, table]) {
        const [keptQ, keptK] = [rw.resident(q), rw.resident(k)];
        const settings = { start: 3, layout, outputLayout };
        assert.equal(rw.rotate(keptQ, by, { ...settings, into: keptQ }), keptQ);
        rw.rotate(keptK, by, { ...settings, into: keptK });
        assert.deepEqual(
          rw.attention(keptQ, keptK, k),
          rw.attention(rw.rotate(q, by, settings), rw.rotate(k, by, settings), k),
        );
        for (const each of [keptQ, keptK]) each.dispose();
      }
      table.dispose();
    });

    test('wrong uses of a resident table, a resident tensor and a start are named', async () => {
      const x = tensor([3, 8], 1);
      const kept = rw.resident(x);
      const table = rw.resident(rw.rotaryTable(four, { positions: 10 }));
      const other = await createRopewalk({ simd });
      const refused = (call, constructor, message) => assert.throws(call, { constructor, message });
      refused(
        () => rw.rotate(x, table, { start: 8 }),
        RangeError,
        'start must leave 3 of 10 rows, got 8',
      );
      refused(
        () => rw.rotate(x, table, { start: 0.5 }),
        RangeError,
        'start must be a whole number from 0 to 2^31, got 0.5',
      );
      refused(
        () => rw.rotate(x, table),
        RangeError,
        'rotate: positions must number 3 or 3, got 10',
      );
      for (const by of [four, table])
        refused(
          () => rw.rotate(x, by, { start: 1, positions: [0, 1, 2] }),
          TypeError,
          'start must be left out with positions, got 1',
        );
      refused(
        () => rw.rotate(x, kept, { start: 0 }),
        RangeError,
        'table.shape must be [2, rows, pairs], cos and then sin, got [3, 8]',
      );
      refused(
        () => other.rotate(x, table, { start: 0 }),
        TypeError,
        'table must be resident in the instance that is called',
      );
      refused(
        () => rw.rotate(x, rw.resident(rw.rotaryTable(four, { positions: 3 }), { dtype: 'int8' })),
        TypeError,
        "table must be resident with dtype 'float32', got 'int8'",
      );
      for (const into of [undefined, new Float32Array(24), table])
        refused(
          () => rw.rotate(kept, four, { into }),
          TypeError,
          /^into must be x, a resident tensor/,
        );
      refused(
        () => rw.rotate(x, four, { into: kept }),
        TypeError,
        'into must be a Float32Array, got a ResidentTensor',
      );
      refused(
        () => rw.rotate(kept, four, { into: kept, position_ids: [0] }),
        TypeError,
        /^rotate options has no "position_ids"/,
      );
      refused(
        () => rw.resident({ cos: [1], sin: [0], shape: [1, 1] }),
        TypeError,
        'table.cos must be a Float64Array or a Float32Array, got an array',
      );
      for (const each of [kept, table]) each.dispose();
      refused(() => rw.rotate(x, table, { start: 0 }), Error, 'table was disposed');
      refused(() => rw.rotate(kept, four, { into: kept }), Error, 'x was disposed');
    });

    test('tables are exact far out, of the frequencies as doubles or of the real numbers behind them', () => {
      // 1099511627779 times the double nearest 0.1, and times 10^-1: mpmath 1.3.0.
      const far = 1099511627779;
      const given = rw.rotaryTable(
        { inverseFrequencies: [0.1], attentionFactor: 1, dim: 2 },
        { positions: [far] },
      );
      assertClose([given.cos[0], given.sin[0]], [0.3351657099567955, -0.9421591940161478], 1e-15);
      const exact = rw.rotaryTable({ dim: 4, base: 100 }, { positions: [far] });
      assertClose([exact.cos[1], exact.sin[1]], [0.3351599594671907, -0.9421612396877463], 1e-15);
      assertClose(
        [...rw.rotaryTable({ dim: 2, base: 9 }, { positions: [15962, 131071, 1e6] }).cos],
        [-0.908015901, -0.817983499, 0.936752128],
        1e-9,
      );
    });

    test('M-RoPE rotates each pair by the axis of its section, and keeps the derivation', () => {
      const plain = rw.rotaryFrequencies({ dim: 16, scaling: { type: 'linear', factor: 4 } });
      const positions = [...[0, 1, 2], ...[0, 5, 6], ...[0, 7, 9]];
      for (const [order, axes] of /** @type {const} */ ([
        ['consecutive', [0, 0, 1, 1, 1, 2, 2, 2]],
        ['interleaved', [0, 1, 2, 0, 1, 2, 0, 1]],
      ])) {
        const sectioned = rw.sectionedFrequencies(plain, { sections: [2, 3, 3], order });
        assert.deepEqual([...sectioned.axisOfPair], axes);
        assert.deepEqual(sectioned.derivation, plain.derivation);
        const { data, shape } = rw.rotaryAngles(sectioned, { positions });
        assert.deepEqual(shape, [3, 8]);
        axes.forEach((axis, i) =>
          assert.equal(data[16 + i], positions[3 * axis + 2] * plain.inverseFrequencies[i]),
        );
      }
      const sectioned = rw.sectionedFrequencies(plain, {
        sections: [2, 3, 3],
        order: 'consecutive',
      });
      const x = tensor([3, 16], 1),
        layout = 'half-split';
      assert.throws(
        () => rw.rotate(x, sectioned, { layout }),
        /^TypeError: positions must be a list for frequencies of 3 axes, got undefined$/,
      );
      assert.throws(
        () => rw.rotate(x, sectioned, { layout, positions: [1, 2] }),
        /^RangeError: positions must have one value per row, 3, for each of 3 axes, got 2$/,
      );
      assert.throws(
        () => rw.rotaryDecay(sectioned, { offsets: 3 }),
        /^RangeError: frequencies must have one axis here, got 3$/,
      );
      const position = { type: 'rope', frequencies: sectioned, layout };
      assert.throws(
        () => rw.attention(x, x, x, { position }),
        /^RangeError: position\.frequencies must have one axis here, got 3$/,
      );
    });

    test('vision encoders rotate patches by row and column, and other tokens not at all', () => {
      const size = { dim: 8, height: 2, width: 3 };
      const models = {
        'qwen2-vl': { mergeSize: 1 },
        pixtral: {},
        llama4: {},
        dinov3: { prefixTokens: 2 },
      };
      for (const [model, more] of Object.entries(models)) {
        const { frequencies, positions, layout } = rw.visionRotary({ model, ...size, ...more });
        const tokens = positions.length / 2,
          x = tensor([1, tokens, 8], 1);
        const { data } = rw.rotate(x, frequencies, { positions, layout });
        const outside = { llama4: [6], dinov3: [0, 1] }[model] ?? [];
        assert.equal(tokens, 6 + outside.length);
        for (const t of outside)
          assert.deepEqual(data.slice(8 * t, 8 * t + 8), x.data.slice(8 * t, 8 * t + 8));
      }
      assert.throws(
        () => rw.visionRotary({ model: 'pixtral', ...size, mergeSize: 2 }),
        /^TypeError: visionRotary has no mergeSize for 'pixtral'$/,
      );
      assert.throws(
        () => rw.visionRotary({ model: 'qwen2-vl', ...size }),
        /^RangeError: gridPositions: height and width must be multiples of the block, 2, got 2 x 3$/,
      );
    });

    test('pixel coordinates from -1 to 1 are rotated by half turns', () => {
      const { inverseFrequencies } = rw.pixelFrequencies({ dim: 16, maxFrequency: 10 });
      assertClose(inverseFrequencies.slice(0, 3), [3.14159, 4.93679, 6.73198], 1e-5);
      assertClose(
        rw.gridPositions({ height: 1, width: 3, coordinate: 'edge' }).slice(3),
        [-1, 0, 1],
        0,
      );
    });

    test('xPos decoded one by one against a cache is xPos of the whole, for any one center', () => {
      const length = 12,
        [q, k] = [tensor([length, 8], 1), tensor([length, 8], 2)];
      const frequencies = rw.rotaryFrequencies({ dim: 8 }),
        layout = 'interleaved';
      const placed = (x, role, positions, center) =>
        rw.rotate(x, rw.xposTable(frequencies, { positions, role, scaleBase: 16, center }), {
          layout,
        });
      const scores = (a, b) =>
        rw.attention(a, b, b, { scale: 1, intermediates: ['scores'] }).scores.data;
      const whole = scores(placed(q, 'query', length, 0), placed(k, 'key', length, 0));
      for (const center of [0, 6, 100]) {
        const cached = placed(k, 'key', length, center);
        for (let m = 0; m < length; m++) {
          const one = { data: q.data.slice(8 * m, 8 * m + 8), shape: [1, 8] };
          assertClose(
            scores(placed(one, 'query', [m], center), cached),
            whole.slice(m * length, (m + 1) * length),
            1e-4,
          );
        }
      }
      const zeta = rw.xposTable(rw.rotaryFrequencies({ dim: 64 }), {
        positions: [64],
        role: 'query',
      });
      assertClose([Math.hypot(zeta.cos[0], zeta.sin[0])], [0.855049967], 1e-9);
    });

    test('C24 C25 decay, bound, wavelengths and turns', () => {
      const frequencies = rw.rotaryFrequencies({ dim: 128 });
      const { meanPartialSum, meanCosine } = rw.rotaryDecay(frequencies, { offsets: [0, 1, 256] });
      assertClose(meanPartialSum, [32.5, 31.538166, 6.543097], 1e-6);
      assertClose(meanCosine, [1, 0.970214, 0.320701], 1e-6);
      const [q, k] = [draws(128, 1), draws(128, 2)];
      const { score, magnitude, bound } = rw.rotaryScoreBound(
        q,
        k,
        { ...frequencies, attentionFactor: 1.5 },
        { offsets: 500, layout: 'half-split' },
      );
      for (let o = 0; o < 500; o++)
        assert.ok(Math.abs(score[o]) <= magnitude[o] + 1e-9 && magnitude[o] <= bound[o] + 1e-9);
      const at = (x, positions) =>
        rw.rotate(
          { data: x, shape: [1, 128] },
          { ...frequencies, attentionFactor: 1.5 },
          { positions, layout: 'half-split' },
        ).data;
      assertClose(
        [at(q, [9]).reduce((sum, value, d) => sum + value * at(k, [2])[d], 0)],
        [score[7]],
        1e-3,
      );
      assertClose([rw.rotaryWavelengths(frequencies)[63]], [54410.143], 1e-3);
      assert.equal(
        rw.rotaryWavelengths({ inverseFrequencies: [0], attentionFactor: 1, dim: 2 })[0],
        Infinity,
      );
      assert.equal(
        rw.rotaryTurns(frequencies, { length: 2048 }).findIndex((turns) => turns < 1),
        41,
      );
    });
  });
}

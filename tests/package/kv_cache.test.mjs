/** KV caches: what decoding with one gives is the attention of the whole sequence. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { draws, tensor } from './inputs.mjs';
import { createRopewalk, positionFromConfig, simds } from './installed.mjs';

const [heads, keyHeads, length, dim, valueDim] = [4, 2, 23, 8, 6];

/** The tokens first … last − 1 of [..., heads, tokens, width], of one batch. */
const tokens = ({ data, shape }, first, last) => {
  const [count, all, width] = shape;
  const parts = Array.from({ length: count }, (_, h) =>
    Array.from(data.subarray((h * all + first) * width, (h * all + last) * width)),
  );
  return { data: Float32Array.from(parts.flat()), shape: [count, last - first, width] };
};

/** The same with heads side by side, as a linear layer gives them. */
const sideBySide = ({ data, shape }) => {
  const [count, all, width] = shape;
  const place = (t, h, c) => (h * all + t) * width + c;
  return {
    data: Float32Array.from({ length: data.length }, (_, i) => {
      const [t, rest] = [Math.floor(i / (count * width)), i % (count * width)];
      return data[place(t, Math.floor(rest / width), rest % width)];
    }),
    shape: [all, count * width],
  };
};

const worst = (a, b) =>
  a.data.reduce((most, value, i) => Math.max(most, Math.abs(value - b.data[i])), 0);

/** Values of rows in fewer bits are off by at most this share of the largest one, about 2. */
const tolerances = { float32: 3e-6, float16: 5e-3, int8: 6e-2 };

for (const simd of simds) {
  const rw = await createRopewalk({ simd });
  const q = tensor([heads, length, dim], 1);
  const k = tensor([keyHeads, length, dim], 2);
  const v = tensor([keyHeads, length, valueDim], 3);
  const sizes = { keyHeads, dim, valueDim, capacity: 32 };

  const yarn = { type: 'yarn', factor: 4, originalLength: 16 };
  const positions = {
    none: undefined,
    rope: { type: 'rope', layout: 'half-split' },
    'interleaved rope, scaled': { type: 'rope', layout: 'interleaved', scaling: yarn },
    'part of a head': { type: 'rope', layout: 'half-split', rotaryFraction: 0.5 },
    alibi: 'alibi',
    sandwich: { type: 'sandwich', direction: 'causal' },
    'the rotation of a configuration': positionFromConfig(rw, {
      model_type: 'llama',
      hidden_size: heads * dim,
      num_attention_heads: heads,
      rope_theta: 10000,
    }),
    'ALiBi of a configuration': positionFromConfig(rw, {
      model_type: 'mpt',
      d_model: heads * dim,
      n_heads: heads,
      attn_config: { alibi: true },
    }),
  };

  describe(simd, () => {
    for (const [title, position] of Object.entries(positions))
      for (const dtype of /** @type {const} */ (['float32', 'float16', 'int8']))
        test(`${title}, ${dtype}: a prompt and then token by token are the whole sequence`, () => {
          const whole = rw.attention(q, k, v, { causal: true, position });
          const cache = rw.createCache({ ...sizes, dtype, position });
          assert.equal(cache.append(tokens(k, 0, 9), tokens(v, 0, 9)), 9);
          const prompt = rw.attention(tokens(q, 0, 9), cache, { causal: true });
          assert.ok(worst(prompt.output, tokens(whole.output, 0, 9)) < tolerances[dtype]);
          for (let t = 9; t < length; t++) {
            const [newK, newV] = [k, v].map((x) => sideBySide(tokens(x, t, t + 1)));
            assert.equal(cache.append(newK, newV), t + 1);
            const { output } = rw.attention(sideBySide(tokens(q, t, t + 1)), cache);
            assert.deepEqual(output.shape, [1, heads * valueDim]);
            const error = worst(output, sideBySide(tokens(whole.output, t, t + 1)));
            assert.ok(error < tolerances[dtype], `token ${t}: ${error}`);
          }
          assert.equal(cache.length, length);
          cache.dispose();
        });

    test('only rows that were appended take part, whatever the capacity', () => {
      const cache = rw.createCache(sizes);
      const { output } =
        (cache.append(tokens(k, 0, 3), tokens(v, 0, 3)), rw.attention(tokens(q, 2, 3), cache));
      assert.deepEqual(
        output,
        rw.attention(tokens(q, 2, 3), tokens(k, 0, 3), tokens(v, 0, 3)).output,
      );
      cache.dispose();
    });

    test('batches, tokens first and heads first', () => {
      const [batch, count] = [3, 5];
      const [q2, k2, v2] = [heads, keyHeads, keyHeads].map((h, i) =>
        tensor([batch, h, count, i === 2 ? valueDim : dim], 10 + i),
      );
      const byToken = (x) => {
        const [, h, n, width] = x.shape;
        const one = h * n * width;
        const parts = Array.from({ length: batch }, (_, b) => [
          ...sideBySide({ data: x.data.slice(b * one, (b + 1) * one), shape: [h, n, width] }).data,
        ]);
        return { data: Float32Array.from(parts.flat()), shape: [batch, n, h * width] };
      };
      const expected = rw.attention(q2, k2, v2, { causal: true, position: positions.rope });
      const make = () => rw.createCache({ ...sizes, batch, position: positions.rope });
      const [first, second] = [make(), make()];
      first.append(k2, v2);
      second.append(byToken(k2), byToken(v2));
      const attended = rw.attention(q2, first, { causal: true });
      assert.ok(worst(attended.output, expected.output) < 3e-6);
      const packed = rw.attention(byToken(q2), second, { causal: true }).output;
      assert.deepEqual(packed, byToken(attended.output));
      first.dispose();
      second.dispose();
    });

    test('truncate forgets what was drafted', () => {
      const cache = rw.createCache({ ...sizes, position: positions.rope });
      cache.append(tokens(k, 0, 10), tokens(v, 0, 10));
      const expected = rw.attention(tokens(q, 9, 10), cache);
      cache.append(tokens(k, 12, 16), tokens(v, 12, 16));
      cache.truncate(10);
      assert.deepEqual([cache.length, cache.positions.at(-1)], [10, 9]);
      assert.deepEqual(rw.attention(tokens(q, 9, 10), cache), expected);
      cache.dispose();
    });

    test('evicted tokens leave a gap in the positions, or are renumbered', () => {
      for (const position of /** @type {const} */ ([positions.rope, 'alibi']))
        for (const renumber of [false, true]) {
          const cache = rw.createCache({ ...sizes, position });
          cache.append(tokens(k, 0, 12), tokens(v, 0, 12));
          cache.evict(2, 7, { renumber });
          cache.append(tokens(k, 12, 13), tokens(v, 12, 13));
          const kept = [0, 1, 7, 8, 9, 10, 11, 12];
          const places = kept.map((place) => (renumber && place > 1 ? place - 5 : place));
          assert.deepEqual([...cache.positions], places);
          const pick = (x) => {
            const rows = kept.map((at) => tokens(x, at, at + 1));
            const width = x.shape[2];
            const data = Array.from({ length: x.shape[0] }, (_, h) =>
              rows.map((row) => [...row.data.subarray(h * width, (h + 1) * width)]),
            );
            return { data: Float32Array.from(data.flat(2)), shape: [x.shape[0], 8, width] };
          };
          const own = places.at(-1);
          const scheme =
            position === 'alibi'
              ? {
                  bias: {
                    data: Float32Array.from(rw.alibiSlopes({ heads }), (slope) => slope).reduce(
                      (all, slope, h) => {
                        places.forEach((place, i) => (all[h * 8 + i] = -slope * (own - place)));
                        return all;
                      },
                      new Float32Array(heads * 8),
                    ),
                    shape: [heads, 1, 8],
                  },
                }
              : { position: { ...positions.rope, positions: [own], keyPositions: places } };
          const expected = rw.attention(tokens(q, 12, 13), pick(k), pick(v), scheme);
          const { output } = rw.attention(tokens(q, 12, 13), cache);
          assert.ok(
            worst(output, expected.output) < 3e-6,
            `${JSON.stringify(position)} ${renumber}`,
          );
          cache.dispose();
        }
    });

    test('with keyLengths, a batch gives what a cache without its padding gives', () => {
      const [batch, count] = [3, 12];
      const all = [heads, keyHeads, keyHeads].map((h, i) =>
        tensor([batch, h, count, i === 2 ? valueDim : dim], 20 + i),
      );
      const ofBatch = ({ data, shape }, b) => {
        const one = data.length / batch;
        return { data: data.slice(b * one, (b + 1) * one), shape: shape.slice(1) };
      };
      const alone = all.map((x) => Array.from({ length: batch }, (_, b) => ofBatch(x, b)));
      const queries = 3;
      const last = alone[0].map((x) => tokens(x, count - queries, count));
      const q3 = {
        data: Float32Array.from(last.flatMap(({ data }) => [...data])),
        shape: [batch, ...last[0].shape],
      };
      // The last has fewer tokens than there are queries.
      const keyLengths = [9, 5, 2];
      for (const position of [positions.rope, positions.alibi, positions.sandwich])
        for (const causal of [true, false]) {
          const fill = (k, v, batch) => {
            const cache = rw.createCache({ ...sizes, batch, position });
            cache.append(k, v);
            cache.evict(1, 4);
            return cache;
          };
          const whole = fill(all[1], all[2], batch);
          const { output } = rw.attention(q3, whole, { keyLengths, causal });
          keyLengths.forEach((length, b) => {
            const own = fill(alone[1][b], alone[2][b], 1);
            own.truncate(length);
            const rows = Math.min(queries, length);
            const cut = (x) => tokens(x, queries - rows, queries);
            const expected = rw.attention(cut(last[b]), own, { causal });
            const error = worst(cut(ofBatch(output, b)), expected.output);
            assert.ok(error < 3e-6, `${JSON.stringify(position)}, batch ${b}: ${error}`);
            own.dispose();
          });
          whole.dispose();
        }
    });

    test("a configuration's scheme, with its temperature", () => {
      const config = {
        model_type: 'qwen',
        hidden_size: heads * dim,
        num_attention_heads: heads,
        kv_channels: dim,
        seq_length: 4,
        use_logn_attn: true,
        rotary_emb_base: 10000,
        max_position_embeddings: 64,
      };
      const position = positionFromConfig(rw, config);
      const all = tensor([heads, length, dim], 5);
      const whole = rw.attention(q, all, all, { causal: true, position });
      const cache = rw.createCache({ keyHeads: heads, dim, capacity: length, position });
      cache.append(all, all);
      const { output } = rw.attention(tokens(q, length - 1, length), cache);
      assert.ok(worst(output, tokens(whole.output, length - 1, length)) < 3e-6);
      cache.dispose();
    });

    test('errors name the argument, and append nothing', () => {
      const cache = rw.createCache({ ...sizes, dtype: 'int8', position: undefined });
      const refused = (call, kind, message) => assert.throws(call, { constructor: kind, message });
      refused(
        () => rw.createCache({ ...sizes, capacity: 0 }),
        RangeError,
        'capacity must be a whole number from 1 to 2^31, got 0',
      );
      const noNumber = /** @type {any} */ (Object.create(null));
      refused(
        () => rw.attention({ data: new Float32Array(2 * dim), shape: [2, 1, noNumber] }, cache),
        TypeError,
        'q.shape[2] must be a number, got an object',
      );
      refused(
        () => rw.createCache({ keyHeads, dim }),
        TypeError,
        'capacity must be a number, got undefined',
      );
      refused(
        () => rw.createCache({ ...sizes, position: { type: 'path' } }),
        TypeError,
        /^position of a cache must be 'rope', a bias by distance or none, got 'path'/,
      );
      refused(
        () => rw.createCache({ ...sizes, position: { type: Symbol('s') } }),
        TypeError,
        /^position of a cache must be 'rope', a bias by distance or none, got a symbol/,
      );
      for (const name of ['positions', 'keyPositions'])
        refused(
          () => rw.createCache({ ...sizes, position: { type: 'rope', [name]: [0] } }),
          TypeError,
          `${name} must be left out with a cache`,
        );
      refused(
        () => rw.attention(q, cache),
        RangeError,
        'cache must have at least one token, got 0',
      );
      cache.append(tokens(k, 0, 4), tokens(v, 0, 4));
      refused(
        () => rw.attention(/** @type {any} */ (null), cache),
        TypeError,
        'q must be a tensor { data: Float32Array, shape: number[] }, got null',
      );
      refused(
        () => cache.append(q, v),
        RangeError,
        'k.shape must be [tokens, 16] or [2, tokens, 8], got [4, 23, 8]',
      );
      refused(
        () => cache.append(tokens(k, 0, 2), tokens(v, 0, 3)),
        RangeError,
        'v must have the tokens of k in their order, 2, got 3',
      );
      const many = { data: new Float32Array(29 * 16), shape: [29, 16] };
      refused(
        () => cache.append(many, { data: new Float32Array(29 * 12), shape: [29, 12] }),
        RangeError,
        'k must have at most 28 tokens, what the capacity of 32 leaves, got 29',
      );
      const invalid = { data: draws(16, 1).fill(NaN, 8), shape: [1, 16] };
      refused(
        () => cache.append(invalid, { data: draws(12, 2), shape: [1, 12] }),
        RangeError,
        /values must be finite and at most 268435456 in magnitude unless dtype is 'float32', got nan$/,
      );
      assert.equal(cache.length, 4);
      refused(
        () => rw.attention(q, cache),
        RangeError,
        'q must have at most as many queries as the cache has tokens, 4, got 23',
      );
      const one = tokens(q, 0, 1);
      refused(
        () => rw.attention(one, cache, { past: { k, v } }),
        TypeError,
        'past must be left out with a cache',
      );
      refused(
        () => rw.attention(one, cache, { position: { type: 'rope', layout: 'half-split' } }),
        TypeError,
        /^position must not rotate k of dtype 'int8': give it to createCache/,
      );
      refused(() => cache.truncate(5), RangeError, 'length must be at most 4, got 5');
      refused(() => cache.evict(2, 5), RangeError, 'pastEnd must be at most the length, 4, got 5');
      refused(() => cache.evict(3, 2), RangeError, 'first must be at most 2, got 3');
      const rotated = rw.createCache({ ...sizes, position: positions.rope });
      rotated.append(tokens(k, 0, 4), tokens(v, 0, 4));
      refused(
        () => rw.attention(one, rotated, { position: 'alibi' }),
        TypeError,
        'position must be left out with a cache that has one',
      );
      cache.dispose();
      cache.dispose();
      refused(() => rw.attention(one, cache), Error, 'cache was disposed');
      refused(() => cache.append(one, one), Error, 'the cache was disposed');
      rotated.dispose();
    });

    test('disposed memory can be used again', () => {
      for (let i = 0; i < 300; i++)
        rw.createCache({ keyHeads: 8, dim: 128, capacity: 4096 }).dispose(); // 10 GB, were they kept
    });
  });
}

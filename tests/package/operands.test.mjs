/**
 * What may stand for a tensor of attention: heads side by side, views, 16-bit floats; an array for
 * the output; progress; and what a model's config says, as it is.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, tensor } from './inputs.mjs';
import { createPool, createRopewalk, positionFromConfig, simds } from './installed.mjs';

const [batch, heads, keyHeads, queries, keys, dim, valueDim] = [2, 4, 2, 5, 7, 6, 3];

/** [batch, heads, length, dim] as [batch, length, heads · dim]. */
function sideBySide({ data, shape: [batch, heads, length, dim] }) {
  const result = new Float32Array(data.length);
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let i = 0; i < length; i++)
        for (let j = 0; j < dim; j++)
          result[((b * length + i) * heads + h) * dim + j] =
            data[((b * heads + h) * length + i) * dim + j];
  return { data: result, shape: [batch, length, heads * dim] };
}

for (const simd of simds) {
  const rw = await createRopewalk({ simd });
  const any = /** @type {any} */ (rw);
  const q = tensor([batch, heads, queries, dim], 1);
  const k = tensor([batch, keyHeads, keys, dim], 2);
  const v = tensor([batch, keyHeads, keys, valueDim], 3);
  const refuses = (call, name, message) => assert.throws(call, { name, message });

  describe(simd, () => {
    test('heads side by side give the same numbers, side by side', () => {
      const packed = [q, k, v].map(sideBySide);
      for (const settings of [
        {},
        { causal: 'bottom-right', position: { type: 'rope', layout: 'half-split' } },
        { intermediates: ['weights', 'entropy'] },
      ]) {
        const { output, ...others } = any.attention(q, k, v, settings);
        const wide = any.attention(...packed, { ...settings, heads, keyHeads });
        assert.deepEqual(wide, { output: sideBySide(output), ...others });
      }
    });

    test('heads side by side: without a batch, one token, one head, with past and present', () => {
      const [a, b, c] = [4, 5, 6].map((seed) => tensor([1, heads, queries, dim], seed));
      const flat = (/** @type {any} */ x) => {
        const { data, shape } = sideBySide(x);
        return { data, shape: shape.slice(1) };
      };
      const whole = rw.attention(a, b, c, { causal: true });
      const { output } = rw.attention(flat(a), flat(b), flat(c), { causal: true, heads });
      assert.deepEqual(output, flat(whole.output));

      const rowOf = (/** @type {any} */ { data, shape: [, width] }, at) => ({
        data: data.slice(at * width, (at + 1) * width),
        shape: [1, width],
      });
      // A row of heads side by side is one of each head.
      const first = (x) => ({ data: rowOf(flat(x), 0).data, shape: [heads, 1, dim] });
      let past = { k: first(b), v: first(c) };
      for (let at = 1; at < queries; at++) {
        const operands = [a, b, c].map((x) => rowOf(flat(x), at));
        const step = any.attention(...operands, { causal: 'after-past', heads, past });
        assertClose(step.output.data, rowOf(output, at).data, 2e-6);
        past = step.present;
        assert.deepEqual(past.k.shape, [heads, at + 1, dim]);
      }
      const one = tensor([queries, dim], 7);
      assert.deepEqual(
        rw.attention(one, one, one, { heads: 1 }).output,
        rw.attention(one, one, one).output,
      );
    });

    test('heads side by side: what does not fit is named', () => {
      const [wide, wideKeys, wideValues] = [q, k, v].map(sideBySide);
      refuses(
        () => rw.attention(q, k, v, { heads }),
        'RangeError',
        /^q\.shape must be \[batch, length, heads · dim\] .* got \[2, 4, 5, 6\]; leave heads out/,
      );
      refuses(
        () => rw.attention(wide, wideKeys, wideValues, { keyHeads }),
        'TypeError',
        'keyHeads must come with heads, got it alone',
      );
      const kept = rw.resident(wide);
      refuses(
        () => rw.attention(kept, wideKeys, wideValues, { heads, keyHeads }),
        'TypeError',
        'q must be no resident tensor where heads is given',
      );
      kept.dispose();
    });

    test('a view is read by its strides: transposed, sliced, repeated', () => {
      const expected = rw.attention(q, k, v);
      const { data } = sideBySide(q);
      const [rowStep, headStep] = [heads * dim, dim];
      const view = { data, shape: q.shape, strides: [queries * rowStep, headStep, rowStep, 1] };
      assert.deepEqual(rw.attention(view, k, v), expected);

      const every = new Float32Array(2 * q.data.length).map((_, i) =>
        i % 2 ? NaN : q.data[i / 2],
      );
      const strides = [2 * heads * queries * dim, 2 * queries * dim, 2 * dim, 2];
      assert.deepEqual(rw.attention({ data: every, shape: q.shape, strides }, k, v), expected);

      const row = q.data.slice(0, dim);
      const repeated = { data: row, shape: [queries, dim], strides: [0, 1] };
      const copies = Float32Array.from({ length: queries * dim }, (_, i) => row[i % dim]);
      const frequencies = rw.rotaryFrequencies({ dim });
      assert.deepEqual(
        rw.rotate(repeated, frequencies, { layout: 'half-split' }),
        rw.rotate({ data: copies, shape: [queries, dim] }, frequencies, { layout: 'half-split' }),
      );
    });

    test('strides that do not fit are named', () => {
      const data = new Float32Array(12);
      const view = (strides, shape = [3, 4]) => rw.resident({ data, shape, strides });
      for (const [strides, name, message] of /** @type {const} */ ([
        [[4], 'RangeError', 'tensor.strides must have one value per axis of [3, 4], got 1'],
        [
          [5, 1],
          'RangeError',
          /tensor\.strides must stay within the 12 values of data, got .* 14$/,
        ],
        [[4, -1], 'RangeError', /^tensor\.strides\[1\] must be a whole number from 0/],
        [[4, 0.5], 'RangeError', /^tensor\.strides\[1\] must be a whole number from 0/],
        ['41', 'TypeError', /^tensor\.strides must be an array of numbers/],
      ]))
        refuses(() => view(/** @type {any} */ (strides)), name, message);
      refuses(
        () => view([0, 0], [2 ** 20, 2 ** 20]),
        'RangeError',
        /tensor\.data would take \d+ bytes/,
      );
      view([4, 1]).dispose();
    });

    test('16-bit floats: bits of either format, and a Float16Array where there is one', (t) => {
      const one = { data: Float32Array.of(1), shape: [1, 1] };
      const read = (data, format) => {
        const value = any.attention(one, one, { data, shape: [1, data.length], format });
        return Array.from(value.output.data);
      };
      const f16 = Uint16Array.of(0x3c00, 0xbe00, 0x0001, 0x7bff);
      assert.deepEqual(read(f16, 'f16'), [1, -1.5, 2 ** -24, 65504]);
      assert.deepEqual(read(Uint16Array.of(0x3f80, 0xc2f7), 'bf16'), [1, -123.5]);
      refuses(
        () => read(f16),
        'TypeError',
        /^v\.format must be one of 'f16', 'bf16', got undefined/,
      );
      refuses(() => read(new Float64Array(2)), 'TypeError', /^v\.data must be a Float32Array/);
      const Halves = /** @type {any} */ (globalThis).Float16Array;
      if (!Halves) t.diagnostic('this engine has no Float16Array');
      else assert.deepEqual(read(Halves.of(1, -1.5, 2 ** -24, 65504)), [1, -1.5, 2 ** -24, 65504]);
    });

    test('into takes the output, whole or made in parts, even if it is an operand', () => {
      const large = tensor([8, 400, 64], 1);
      const expected = rw.attention(large, large, large, { causal: true }).output;
      const into = new Float32Array(expected.data.length);
      const { output } = rw.attention(large, large, large, { causal: true, into });
      assert.equal(output.data, into);
      assert.deepEqual(output, expected);
      // The output of one head lies where q has the next one.
      const head = 400 * 64;
      const shared = new Float32Array(9 * head);
      shared.set(large.data);
      const own = { data: shared.subarray(0, 8 * head), shape: large.shape };
      rw.attention(own, large, large, { causal: true, into: shared.subarray(head) });
      assert.deepEqual(shared.slice(head), expected.data);

      for (const intermediates of [[], ['weights']]) {
        const result = any.attention(q, k, v, { intermediates });
        const place = new Float32Array(result.output.data.length);
        const given = any.attention(q, k, v, { intermediates, into: place });
        assert.deepEqual(given, result);
        assert.equal(given.output.data, place);
        const packed = any.attention(...[q, k, v].map(sideBySide), {
          intermediates,
          heads,
          keyHeads,
          into: place,
        });
        assert.equal(packed.output.data, place);
        assert.deepEqual(packed.output, sideBySide(result.output));
      }
      refuses(
        () => rw.attention(q, k, v, { into: new Float32Array(3) }),
        'RangeError',
        `into must have ${batch * heads * queries * valueDim} values, got 3`,
      );
      refuses(
        () => any.attention(q, k, v, { into: [] }),
        'TypeError',
        'into must be a Float32Array, got an array',
      );
    });

    test('progress counts the parts of a call up to all of them', async () => {
      const pool = await createPool({ simd, size: 2 });
      for (const of of [rw, pool]) {
        const reports = [];
        const onProgress = (...counts) => reports.push(counts);
        const result = await of.attention(q, k, v, { onProgress });
        assert.deepEqual(result, rw.attention(q, k, v));
        const count = reports.length;
        assert.ok(count >= 1);
        assert.deepEqual(
          reports,
          Array.from({ length: count }, (_, i) => [i + 1, count]),
        );
      }
      const stop = () => {
        throw new Error('enough');
      };
      assert.throws(() => rw.attention(q, k, v, { onProgress: stop }), { message: 'enough' });
      await assert.rejects(pool.attention(q, k, v, { onProgress: stop }), { message: 'enough' });
      await assert.rejects(
        /** @type {any} */ (pool).attention(q, k, v, { into: new Float32Array(3) }),
        { name: 'TypeError', message: 'into must be left out: what a pool returns is always new' },
      );
      await pool.close();
      refuses(
        () => any.attention(q, k, v, { onProgress: 3 }),
        'TypeError',
        'onProgress must be a function, got 3',
      );
    });

    test('using gives a resident tensor back, where the engine has it', (t) => {
      if (typeof Symbol.dispose !== 'symbol') {
        t.diagnostic('this engine has no Symbol.dispose');
        return;
      }
      const kept = rw.resident(k);
      kept[Symbol.dispose]();
      refuses(() => rw.attention(q, kept, v), 'Error', 'k was disposed');
    });

    test('the temperature of the softmax acts on the scores, and rowScale multiplies them, too', async () => {
      const pool = await createPool({ size: 1, simd });
      const yarn = { type: 'yarn', factor: 20, originalLength: 8 };
      const maps = [
        { type: 'rope' },
        { type: 'rerope', window: 2 },
        { type: 'leaky-rerope', window: 2, factor: 2 },
        { type: 'self-extend', groupSize: 2, neighborWindow: 2 },
        { type: 'dual-chunk', chunkSize: 4, localWindow: 2 },
      ];
      for (const map of maps)
        for (const temperature of [{ temperature: 'logits' }, { mscale: 0.7, mscaleAllDim: 0.9 }]) {
          const layout = 'half-split';
          const scaling = { ...yarn, ...temperature };
          const frequencies = any.rotaryFrequencies({ dim, scaling });
          const { softmaxScale, ...without } = frequencies;
          assert.ok(softmaxScale > 1.2, `${softmaxScale}`);
          const shared = { causal: 'bottom-right', intermediates: ['scores'] };
          const scores = (position, settings = {}) =>
            any.attention(q, k, v, { ...shared, ...settings, position }).scores;
          const plain = scores({ ...map, layout, frequencies: without });
          const times = (factor) => plain.data.map((score) => score * factor);
          for (const source of [{ scaling }, { frequencies }]) {
            const position = { ...map, layout, ...source };
            assertClose(scores(position).data, times(softmaxScale));
            const rowScale = Array(queries).fill(1.5);
            assertClose(scores(position, { rowScale }).data, times(1.5 * softmaxScale));
            const scale = 3 / Math.sqrt(dim);
            assertClose(scores(position, { scale }).data, times(3 * softmaxScale), 3e-5);
            const { scores: ofPool } = await pool.attention(q, k, v, { ...shared, position });
            assert.deepEqual(ofPool, scores(position));
          }
        }
      refuses(
        () => {
          const frequencies = { ...any.rotaryFrequencies({ dim }), softmaxScale: 'x' };
          any.attention(q, k, v, { position: { type: 'rope', layout: 'half-split', frequencies } });
        },
        'TypeError',
        'position.frequencies.softmaxScale must be a number, got "x"',
      );
      await pool.close();
    });

    test("a config's factors on the scores act, and rowScale replaces them", () => {
      const config = {
        model_type: 'deepseek_v3',
        hidden_size: 4 * dim,
        num_attention_heads: 4,
        qk_rope_head_dim: dim,
        qk_nope_head_dim: 0,
        max_position_embeddings: 256,
        rope_scaling: {
          rope_type: 'yarn',
          factor: 4,
          original_max_position_embeddings: 64,
          mscale: 0.7,
          mscale_all_dim: 0.9,
        },
      };
      const position = positionFromConfig(rw, config);
      const scheme = /** @type {any} */ (position.scheme);
      const { layout } = scheme;
      const { softmaxScale, ...frequencies } = scheme.frequencies;
      assert.ok(softmaxScale > 1.1);
      const rope = { type: 'rope', frequencies, layout };
      const rowScale = Array(queries).fill(softmaxScale);
      const expected = any.attention(q, k, v, { position: rope, rowScale });
      assert.deepEqual(rw.attention(q, k, v, { position }), expected);
      const ones = Array(queries).fill(1);
      assert.deepEqual(
        rw.attention(q, k, v, { position, rowScale: ones }),
        any.attention(q, k, v, { position: rope }),
      );
    });

    test("a config's factor per position uses the positions of the queries", () => {
      const config = {
        model_type: 'qwen',
        hidden_size: 4 * dim,
        num_attention_heads: 4,
        seq_length: 3,
        use_logn_attn: true,
        rotary_emb_base: 10000,
      };
      const position = positionFromConfig(rw, config);
      const { frequencies, layout, temperature } = /** @type {any} */ (position.scheme);
      const positions = Array.from({ length: queries }, (_, i) => keys - queries + i);
      assert.deepEqual(
        rw.attention(q, k, v, { position, causal: 'bottom-right' }),
        rw.attention(q, k, v, {
          position: { type: 'rope', frequencies, layout },
          causal: 'bottom-right',
          rowScale: rw.logitFactors(positions, temperature),
        }),
      );
      refuses(
        () => rw.attention(q, k, v, { position, causal: 'bottom-right', keyLengths: [7, 6] }),
        'TypeError',
        'rowScale must be given with keyLengths: the config has one per position',
      );
    });

    test('the temperature of layers without rotation does not act on layers that rotate', () => {
      const llama4 = {
        model_type: 'llama4_text',
        hidden_size: 4 * dim,
        num_attention_heads: 4,
        head_dim: dim,
        attn_temperature_tuning: true,
        floor_scale: 2,
        attn_scale: 0.5,
        rope_theta: 10000,
      };
      const position = positionFromConfig(rw, llama4);
      const causal = 'bottom-right';
      assert.deepEqual(
        rw.attention(q, k, v, { position, causal }),
        rw.attention(q, k, v, { position: { type: 'rope', layout: 'interleaved' }, causal }),
      );
    });

    test('other schemes of a config work, or give an error that says where they act', () => {
      const of = (config) => rw.attention(q, k, v, { position: positionFromConfig(rw, config) });
      const bloom = { model_type: 'bloom', hidden_size: 4 * dim };
      assert.deepEqual(
        of({ ...bloom, n_head: heads }),
        rw.attention(q, k, v, { position: { type: 'alibi' } }),
      );
      refuses(
        () => of({ ...bloom, n_head: 16 }),
        'RangeError',
        "position: q must have the config's heads, 16, got 4",
      );
      assert.deepEqual(of({ model_type: 'mamba' }), rw.attention(q, k, v));
      const llama = { model_type: 'llama', head_dim: 64 };
      refuses(
        () => of(llama),
        'RangeError',
        "position: q must have the config's width of a head, 64, got 6",
      );
      for (const [config, message] of /** @type {const} */ ([
        [{ model_type: 't5', relative_attention_num_buckets: 32, num_heads: 4 }, /'t5', table/],
        [
          { model_type: 'bert', max_position_embeddings: 8, hidden_size: 8 },
          /'learned' acts at the input: add learnedRows/,
        ],
        [{ model_type: 'transfo-xl', d_model: 8 }, /give its scores as bias/],
        [
          { model_type: 'deepseek_v3', qk_rope_head_dim: 2, qk_nope_head_dim: 4 },
          /rotates the last 2 values of a head/,
        ],
        ...[{ model_type: 'deepseek_v3', rope_interleave: false }, { model_type: 'minicpm3' }].map(
          (model) =>
            /** @type {const} */ ([
              { ...model, qk_rope_head_dim: 2, qk_nope_head_dim: 4 },
              /rotates the last 2 values of a head: rotate them by themselves, and leave/,
            ]),
        ),
      ]))
        refuses(() => of(config), 'TypeError', message);
    });
  });
}

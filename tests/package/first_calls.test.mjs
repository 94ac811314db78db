/**
 * The first twelve calls that a user of PyTorch or transformers.js types. Each works, or its error
 * contains what to write, and that works.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, tensor } from './inputs.mjs';
import { createRopewalk, positionFromConfig, simds } from './installed.mjs';

const [heads, length, dim] = [2, 5, 8];
const llama = {
  model_type: 'llama',
  hidden_size: 16,
  num_attention_heads: 2,
  rope_theta: 500000,
  max_position_embeddings: 64,
};

/** The error of a call must say each of these. */
const says = (call, ...parts) =>
  assert.throws(call, (/** @type {Error} */ error) => {
    for (const part of parts)
      assert.ok(error.message.includes(part), `"${error.message}" says "${part}"`);
    return [TypeError, RangeError].includes(/** @type {any} */ (error.constructor));
  });

for (const simd of simds) {
  const rw = /** @type {any} */ (await createRopewalk({ simd }));
  const [q, k, v] = [1, 2, 3].map((seed) => tensor([heads, length, dim], seed));
  const causal = rw.attention(q, k, v, { causal: 'top-left' });
  const sees = Array.from(
    { length: length ** 2 },
    (_, at) => at % length <= Math.floor(at / length),
  );

  describe(simd, () => {
    test('1: attention(q, k, v, { causal: true })', () => {
      assert.deepEqual(rw.attention(q, k, v, { causal: true }), causal);
    });

    test('2: attention(q, k, v, { is_causal: true })', () => {
      says(() => rw.attention(q, k, v, { is_causal: true }), 'did you mean causal: true?');
      says(() => rw.attention(q, k, v, { isCausal: true }), 'did you mean causal: true?');
    });

    test('3: attention(last query, k, v, { causal: true }) while decoding', () => {
      const last = tensor([heads, 1, dim], 4);
      says(
        () => rw.attention(last, k, v, { causal: true }),
        "'top-left' (query i sees keys 0 … i, as is_causal of PyTorch)",
        "'bottom-right' (the last query sees the last key, as in decoding with a cache)",
        'got true with 1 queries and 5 keys',
      );
      // As many queries as keys, but not the same ones.
      const [past, next] = [2, 3].map((rows) => ({
        k: tensor([heads, rows, dim], 5),
        v: tensor([heads, rows, dim], 6),
      }));
      says(
        () => rw.attention(q, next.k, next.v, { causal: true, past }),
        'got true with past, 5 queries and 5 keys',
      );
      says(
        () => rw.attention(q, k, v, { causal: true, keyLengths: [3] }),
        'got true with keyLengths',
      );
      rw.attention(last, k, v, { causal: 'bottom-right' });
    });

    test('4: scaled_dot_product_attention(q, k, v)', () => {
      for (const name of ['scaled_dot_product_attention', 'scaledDotProductAttention'])
        says(() => rw[name](q, k, v), `${name} is called attention(q, k, v,`);
      assert.ok(!Object.keys(rw).includes('scaledDotProductAttention'));
    });

    test('5: attention(q, k, v, { attn_mask }), and the mask as a bare Uint8Array', () => {
      const mask = Uint8Array.from(sees, Number);
      says(() => rw.attention(q, k, v, { attn_mask: mask }), 'did you mean mask, or bias');
      assert.deepEqual(rw.attention(q, k, v, { mask }), causal);
      assert.deepEqual(rw.attention(q, k, v, { mask: sees }), causal);
      says(
        () => rw.attention(q, k, v, { mask: mask.subarray(1) }),
        'mask must have queries × keys values, 5 × 5, got 24',
        '{ data, shape }',
      );
      const ids = BigInt64Array.of(1n, 1n, 1n, 1n, 0n);
      says(
        () => rw.attention(q, k, v, { attention_mask: ids }),
        'did you mean keyLengths, or mask:',
      );
      says(() => rw.attention(q, k, v, { mask: ids }), 'a Uint8Array of booleans', 'BigInt64Array');
    });

    test('6: the mask as a bare Float32Array of 0 and −Infinity', () => {
      const mask = Float32Array.from(sees, (isSeen) => (isSeen ? 0 : -Infinity));
      assert.deepEqual(rw.attention(q, k, v, { mask }), causal);
      assert.deepEqual(rw.attention(q, k, v, { bias: mask }), causal);
      says(
        () => rw.attention(q, k, v, { mask: Float32Array.from(sees, Number) }),
        '0 attends, −Infinity hides',
        'give a Uint8Array of them',
      );
      says(() => rw.attention(q, k, v, { mask, bias: mask }), 'without bias');
      assert.ok(rw.attention(q, k, v, { mask: new Float32Array(length ** 2) }).output);
    });

    test("7: attention(q, k, v, { position: 'rope' })", () => {
      const attended = (position) => rw.attention(q, k, v, { position });
      for (const layout of ['half-split', 'interleaved']) {
        for (const options of [{}, { base: 500 }, { scaling: { type: 'linear', factor: 4 } }]) {
          const frequencies = rw.rotaryFrequencies({ dim, ...options });
          assert.deepEqual(
            attended({ type: 'rope', layout, ...options }),
            attended({ type: 'rope', layout, frequencies }),
          );
        }
      }
      const halves = attended({ type: 'rope', layout: 'half-split', base: 10000 });
      assert.deepEqual(attended('rope'), halves);
      assert.deepEqual(attended({ type: 'rope' }), halves);
      const angles = rw.rotaryAngles(rw.rotaryFrequencies({ dim }), { positions: length });
      assertClose(attended({ type: 'angles', angles }).output.data, halves.output.data);
      const frequencies = rw.rotaryFrequencies({ dim });
      says(
        () => attended({ type: 'rope', layout: 'half-split', frequencies, base: 500 }),
        'position.base must come without frequencies',
      );
      says(() => attended({ type: 'rotary', layout: 'half-split' }), 'did you mean rope?');
      says(() => attended({ type: 'rope', layout: 'neox' }), 'did you mean half-split?');
      assert.deepEqual(attended('alibi'), attended({ type: 'alibi' }));
      assert.deepEqual(attended('none'), rw.attention(q, k, v));
    });

    test('8: attention(q, k, v, { position: positionFromConfig(rw, config) })', () => {
      const position = positionFromConfig(rw, llama);
      assert.deepEqual(
        rw.attention(q, k, v, { position }),
        rw.attention(q, k, v, { position: { type: 'rope', layout: 'half-split', base: 500000 } }),
      );
    });

    test('9: rotaryFrequencies({ head_dim, rope_theta, rope_scaling })', () => {
      says(() => rw.rotaryFrequencies({ head_dim: dim }), 'did you mean dim?');
      says(() => rw.rotaryFrequencies({ dim, rope_theta: 5e5 }), 'did you mean base?');
      says(() => rw.rotaryFrequencies({ dim, theta: 5e5 }), 'did you mean base?');
      says(() => rw.rotaryFrequencies({ dim, rope_scaling: {} }), 'did you mean scaling?');
      const scaled = (scaling) => () => rw.rotaryFrequencies({ dim, scaling });
      says(scaled({ type: 'dynamic', factor: 2 }), 'did you mean dynamic-ntk?');
      says(scaled({ type: 'linear', scale_factor: 2 }), 'did you mean factor?');
      says(scaled({ type: 'yarn', beta_fast: 32 }), 'did you mean betaFast?');
      says(
        scaled({ type: 'yarn', original_max_position_embeddings: 32 }),
        'did you mean originalLength?',
      );
    });

    test('10: tensors of transformers.js and ONNX Runtime, float16 too', () => {
      const foreign = ({ data, shape }) => ({
        dims: shape,
        type: 'float32',
        data,
        size: data.length,
      });
      assert.deepEqual(
        rw.attention(foreign(q), foreign(k), foreign(v), { causal: true }).output,
        causal.output,
      );
      const halves = { dims: [1, 2], type: 'float16', data: Uint16Array.of(0x3c00, 0xc100) };
      const one = { data: Float32Array.of(1), shape: [1, 1] };
      const values = rw.attention(one, one, halves).output;
      assert.deepEqual(values, { data: Float32Array.of(1, -2.5), shape: [1, 2] });
      says(
        () => rw.attention(q.data, k, v),
        'got undefined; give { data: q, shape: [length, dim] }',
      );
      says(() => rw.attention([[1, 2]], k, v), 'q.data must be a Float32Array');
    });

    test('11: attention(q, k, v, { num_heads }) of [batch, length, heads · dim]', () => {
      const [wide, keys, values] = [
        tensor([3, length, 4 * dim], 1),
        tensor([3, 7, 2 * dim], 2),
        tensor([3, 7, 2 * 6], 3),
      ];
      says(() => rw.attention(wide, keys, values, { num_heads: 4 }), 'did you mean heads?');
      says(
        () => rw.attention(wide, keys, values, { heads: 4, num_key_value_heads: 2 }),
        'did you mean keyHeads?',
      );
      const { output } = rw.attention(wide, keys, values, { heads: 4, keyHeads: 2 });
      assert.deepEqual(output.shape, [3, length, 4 * 6]);
      assert.ok(output.data.some((value) => value !== 0));
      says(
        () => rw.attention(wide, keys, values, { heads: 3 }),
        'q.shape must be [batch, length, heads · dim]',
      );
    });

    test('12: apply_rotary_pos_emb(q, …) and rotate(q, frequencies, { position_ids })', () => {
      for (const name of ['apply_rotary_pos_emb', 'applyRotaryPosEmb'])
        says(() => rw[name](q, k), `${name} is called rotate(q, rotaryFrequencies({ dim }), {`);
      const frequencies = rw.rotaryFrequencies({ dim });
      says(
        () => rw.rotate(q, frequencies, { layout: 'half-split', position_ids: [0] }),
        'did you mean positions?',
      );
      says(
        () => rw.rotate(q, frequencies, { interleaved: true }),
        "did you mean layout: 'interleaved'?",
      );
      assert.deepEqual(
        rw.rotate(q, frequencies),
        rw.rotate(q, frequencies, { layout: 'half-split' }),
      );
      for (const name of ['rope', 'rotary', 'applyRotary', 'apply_rotary'])
        says(() => rw[name](q), `${name} is called rotate(`, 'did you mean rotate?');
    });

    test('names without an option here give a reason, and typing errors give the nearest name', () => {
      const refused = (name, text) => says(() => rw.attention(q, k, v, { [name]: 1 }), text);
      refused('dropout_p', 'leave it out: nothing is dropped');
      refused('enable_gqa', 'leave it out: fewer key heads are shared');
      refused('head_dim', 'leave it out: the last axis');
      refused('scale_factor', 'did you mean scale?');
      refused('rope_theta', "did you mean position: { type: 'rope', layout: 'half-split', base }?");
      refused('kv_num_heads', 'did you mean keyHeads?');
      refused('casual', 'did you mean causal?');
      refused('softCap', 'did you mean softcap?');
      refused('zzz', 'has no "zzz"; known names: scale');
      says(() => rw.sinusoidal(50, 128), 'must be an object, got 50; known names: positions, dim');
      says(() => rw.t5Bias({ num_buckets: 32 }), 'num_buckets');
    });
  });
}

test('a rope named by its default frequencies equals queries and keys rotated before', async () => {
  const rw = await createRopewalk();
  const [q, k, v] = [1, 2, 3].map((seed) => tensor([heads, length, dim], seed));
  const rotated = [q, k].map((x) =>
    rw.rotate(x, rw.rotaryFrequencies({ dim }), { layout: 'half-split' }),
  );
  assertClose(
    rw.attention(q, k, v, { position: { type: 'rope', layout: 'half-split' } }).output.data,
    rw.attention(rotated[0], rotated[1], v).output.data,
    0,
  );
});

/** What crosses between C++ and JavaScript, below the face that checks arguments first. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { binary, installed, simds } from './installed.mjs';

const { load } = await import(pathToFileURL(join(installed, 'load.js')));

for (const simd of simds) {
  const { raw } = await load({ simd }, async () => binary(simd));

  describe(simd, () => {
    test('the core returns its errors as RangeErrors with its own text', () => {
      const refused = (result, text) => {
        assert.equal(result.constructor, RangeError);
        assert.equal(result.message, text);
      };
      refused(raw.rotaryFrequencies(7, 1e4), 'rotary_frequencies: dim must be even and positive, got 7');
      refused(raw.rotaryFrequencies(8, -1), 'rotary_frequencies: base must be positive and finite, got -1');
      refused(raw.alibiSlopes(0, 'published'), 'alibi_slopes: heads must be positive, got 0');
      refused(raw.sinusoidalShift(3, 1, 1e4), 'sinusoidal_shift: the map must be square with an even dim, got 3 x 3');
      refused(raw.floatsInbox(2 ** 30), 'there is not enough memory for a buffer of 4294967296 bytes');
      refused(raw.rotaryFrequencies(2 ** 31, 1e4), 'there is not enough memory for this call');
    });

    test('a call never takes numbers that an earlier call left behind', () => {
      raw.doublesInbox(100).fill(1);
      raw.doublesInbox(2).fill(2);
      const result = raw.sinusoidal(3, 4, 1e4, 'interleaved', 'dim/2', 'sin-first');
      assert.equal(result.constructor, Error);
      assert.equal(result.message, 'the inbox holds fewer numbers than taken');
      raw.floatsInbox(2 ** 30); // fails
      const one = { batches: 1, heads: 1, length: 1, dim: 2, isHeadMajor: true, from: 'interleaved', to: 'interleaved' };
      assert.equal(raw.rotate({ ...one, rows: 1, pairs: 1 }, 1, 1).constructor, Error);
    });

    test('twenty thousand errors cost nothing and leave the instance right', () => {
      const before = raw.rotaryFrequencies(8, 1e4).slice();
      const memory = raw.floatsInbox(1).buffer.byteLength;
      for (let i = 0; i < 20000; i++) assert.ok(raw.rotaryFrequencies(7, 1e4) instanceof RangeError);
      assert.deepEqual(raw.rotaryFrequencies(8, 1e4).slice(), before);
      assert.equal(raw.floatsInbox(1).buffer.byteLength, memory);
    });
  });
}

/** What crosses between C++ and JavaScript, below the face that checks arguments first. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { binary, installed, simds } from './installed.mjs';

const [{ compiled }, { started }] = await Promise.all(
  ['load', 'main_module'].map(
    (file) => import(pathToFileURL(join(installed, `runtime/${file}.js`)).href),
  ),
);

for (const simd of simds) {
  const { module } = await compiled({ simd }, async () => binary(simd));
  const raw = await started(module);

  describe(simd, () => {
    const floatsAt = (address) => {
      assert.ok(address > 2, raw.errorMessage());
      return raw.HEAPF32.slice(address / 4, address / 4 + raw.resultCount());
    };
    const put = (numbers) => raw.HEAPF64.set(numbers, raw.reserveDoubles(numbers.length) / 8);

    test('errors of the core keep their text', () => {
      const rejected = (result, text) => {
        assert.equal(result, 0);
        assert.equal(raw.errorMessage(), text);
      };
      rejected(
        raw.rotaryFrequencies(7, 1e4),
        'rotary_frequencies: dim must be even and positive, got 7',
      );
      rejected(
        raw.rotaryFrequencies(8, -1),
        'rotary_frequencies: base must be positive and finite, got -1',
      );
      rejected(raw.alibiSlopes(0, 'published'), 'alibi_slopes: heads must be positive, got 0');
      rejected(
        raw.sinusoidalShift(3, 1, 1e4),
        'sinusoidal_shift: the map must be square with an even dim, got 3 x 3',
      );
      rejected(
        raw.reserveFloats(2 ** 30),
        'there is not enough memory for a buffer of 4294967296 bytes',
      );
      assert.equal(
        raw.rotaryFrequencies(2 ** 31, 1e4),
        1,
        'memory ended, of which the caller tells more',
      );
    });

    test('a call never takes numbers that an earlier call left behind', () => {
      const sinusoidal = (rows) =>
        raw.sinusoidal(rows, 4, 1e4, 'interleaved', 'dim/2', 'sin-first', 0);
      put(new Float64Array(100).fill(1));
      put([2, 2]);
      assert.equal(sinusoidal(3), 0);
      assert.equal(raw.errorMessage(), 'the transfer buffer holds 2 numbers, the call takes 3');
      raw.reserveDoubles(2 ** 30); // fails, and holds nothing after that
      assert.equal(sinusoidal(1), 0);
      put([2]);
      assert.deepEqual(floatsAt(sinusoidal(1)).slice(0, 1), Float32Array.of(Math.sin(2)));
    });

    test('a block that would end beyond 4 GiB is rejected, and one further down is found', async () => {
      const rw = await started(module);
      const GiB = 2 ** 28; // floats; what nobody writes takes no memory of the machine
      const low = rw.resident(1.5 * GiB);
      rw.resident(1.25 * GiB);
      const high = rw.resident(0.25 * GiB);
      rw.resident(1);
      rw.releaseResident(high);
      assert.equal(rw.resident(1.5 * GiB), 1);
      assert.equal(rw.reserveFloats(1.5 * GiB), 0);
      assert.equal(
        rw.errorMessage(),
        `there is not enough memory for a buffer of ${6 * GiB} bytes`,
      );
      rw.releaseResident(low);
      assert.equal(rw.resident(1.4 * GiB), low);
      const again = rw.resident(0.2 * GiB);
      assert.ok(again >= high && again < high + GiB, 'what was passed over is free again');
    });

    test('arrays of 2 GiB or more are rejected, since the byte count of a vector is signed', () => {
      const before = (put([5]), floatsAt(raw.binary(1, 8, 'lowest-first')));
      assert.equal(raw.pixelFrequencies(2 ** 29, 10), 1);
      assert.equal(raw.resident(2 ** 29), 1);
      assert.equal(raw.reserveFloats(2 ** 29), 0);
      assert.deepEqual((put([5]), floatsAt(raw.binary(1, 8, 'lowest-first'))), before);
    });

    test('an empty transfer buffer is not a failure', () => {
      assert.ok(raw.reserveFloats(0) > 1);
      assert.ok(raw.reserveDoubles(0) > 1);
    });

    test('twenty thousand errors leak no memory and leave the instance usable', () => {
      const table = () => floatsAt(raw.binary(1, 8, 'lowest-first'));
      const before = (put([5]), table());
      const memory = raw.HEAPF32.buffer.byteLength;
      for (let i = 0; i < 20000; i++) assert.equal(raw.rotaryFrequencies(7, 1e4), 0);
      assert.deepEqual((put([5]), table()), before);
      assert.equal(raw.HEAPF32.buffer.byteLength, memory);
    });
  });
}

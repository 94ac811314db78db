/** Memory that ends: the same binary with a lower limit, so that every place runs out of it in turn. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { tensor } from './inputs.mjs';
import { binary, createRopewalk, installed, simds } from './installed.mjs';
import { callAll, watch } from './probes.mjs';

const { Core } = await import(pathToFileURL(join(installed, 'runtime/core.js')).href);

const page = 65536;

/** Where the binary says how many pages memory has at first, and at most. */
function memoryLimits(bytes) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const [section, length] = [bytes[at++], number()];
    if (section !== 5) {
      at += length;
      continue;
    }
    assert.deepEqual([number(), bytes[at++]], [1, 1], 'one memory, with a maximum');
    const least = number();
    return { least, place: at, length: (number(), at) };
  }
  throw new Error('the binary has no memory');
}

/** The binary with another maximum, in as many bytes as it took before. */
function limited(bytes, pages) {
  const { place, length } = memoryLimits(bytes);
  const copy = Uint8Array.from(bytes);
  for (let at = place, rest = pages; at < length; at++, rest >>>= 7) {
    copy[at] = (rest & 127) | (at + 1 < length ? 128 : 0);
  }
  return copy;
}

for (const simd of simds) {
  const bytes = binary(simd);
  const { least } = memoryLimits(bytes);
  const small = (more) => createRopewalk({ simd, wasm: limited(bytes, least + more) });

  describe(simd, () => {
    test('what memory cannot hold is a RangeError that names bytes, and the module goes on', async () => {
      const rw = await small(64);
      const assertUnchanged = watch(rw);
      const x = tensor([100_000, 64], 1);
      const refused = (call, message) => {
        assert.throws(call, { constructor: RangeError, message });
        assertUnchanged('a call without memory');
      };
      const buffer = (count, size) =>
        `there is not enough memory for a buffer of ${count * size} bytes`;
      refused(() => rw.attention(x, x, x), buffer(3 * x.data.length, 4));
      refused(
        () => rw.rotate(x, rw.rotaryFrequencies({ dim: 64 }), { layout: 'half-split' }),
        buffer(x.data.length, 4),
      );
      refused(() => rw.sinusoidal({ positions: 100_000, dim: 64 }), buffer(x.data.length, 4));
      refused(
        () => rw.sinusoidal({ positions: new Float64Array(2 ** 22), dim: 1 }),
        buffer(2 ** 22, 8),
      );
      refused(
        () => rw.resident(x),
        /^there is not enough memory for a tensor of 25600000 bytes: it has \d+ bytes and cannot grow as needed$/,
      );
    });

    test('a call that runs out of memory at any place fails with an error, and the next one is right', async () => {
      // Operands, the steps, packed keys and values, blocks of scores: about 20, 8, 20 and 4 megabytes.
      const [q, keys] = [tensor([16, 64], 2), tensor([40_000, 64], 3)];
      const whole = await createRopewalk({ simd });
      const after = callAll(whole);
      const position = {
        type: 'rope',
        frequencies: whole.rotaryFrequencies({ dim: 64 }),
        layout: 'half-split',
      };
      const settings = { position, intermediates: ['scores', 'biased', 'weights'] };
      const expected = whole.attention(q, keys, keys, settings);
      const ends = { refused: 0, answered: 0 };
      const texts = new Set();
      for (let more = 1; more < 960; more += 30) {
        const rw = await small(more);
        try {
          assert.deepEqual(rw.attention(q, keys, keys, settings), expected);
          ends.answered++;
        } catch (error) {
          assert.equal(error.constructor, RangeError, error.stack);
          assert.match(
            error.message,
            /^there is not enough memory for (a buffer of \d+ bytes|this call: it has \d+ bytes and cannot grow as needed)$/,
          );
          const held = Number(/it has (\d+)/.exec(error.message)?.[1] ?? 0);
          assert.ok(held <= (least + more) * page, error.message);
          ends.refused++;
          texts.add(error.message);
        }
        rw.release();
        assert.deepEqual(callAll(rw), after, `with ${more * page} bytes more`);
      }
      assert.ok(ends.refused > 5 && ends.answered > 2, JSON.stringify(ends));
      assert.ok(texts.size > 2, `it ran out in several places: ${[...texts].join('; ')}`);
    });

    test('heads that memory could not hold together are computed one after another', async () => {
      const heads = tensor([96, 512, 64], 5); // q, k, v and the output: 48 MiB, more than this memory may have
      const { output } = (await small(64)).attention(heads, heads, heads);
      assert.deepEqual(
        output,
        (await createRopewalk({ simd })).attention(heads, heads, heads).output,
      );
    });

    test('whatever the core gives an address of starts at a multiple of 64 bytes', async (t) => {
      const rw = await createRopewalk({ simd });
      const { address } = Core.prototype;
      t.after(() => (Core.prototype.address = address));
      const seen = new Set();
      Core.prototype.address = function (...args) {
        const at = address.apply(this, args);
        assert.equal(at % 64, 0, `address ${at}`);
        seen.add(at);
        return at;
      };
      for (let size = 1; size < 300; size += 7) {
        const x = tensor([1 + (size % 3), size, 1 + (size % 13)], size);
        const kept = rw.resident(x, { dtype: ['float32', 'float16', 'int8'][size % 3] });
        rw.attention(x, x, x, { intermediates: ['weights'] });
        rw.sinusoidal({ positions: Float64Array.of(0.5, size), dim: size });
        callAll(rw);
        if (size % 2) kept.dispose(); // holes of many sizes
      }
      assert.ok(seen.size > 20, `${seen.size} addresses`);
    });

    test('operands that memory holds once more or not: a thousand times over the edge', async () => {
      const rw = await small(48);
      const assertUnchanged = watch(rw);
      const [fits, tooLarge] = [tensor([400, 64], 3), tensor([60_000, 64], 4)];
      const expected = rw.attention(fits, fits, fits);
      for (let i = 0; i < 1000; i++)
        assert.throws(() => rw.attention(tooLarge, tooLarge, tooLarge), RangeError);
      assert.deepEqual(rw.attention(fits, fits, fits), expected);
      assertUnchanged('a thousand calls without memory');
    });
  });
}

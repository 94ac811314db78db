/** Who owns what: inputs stay the caller's, results are the caller's, and nothing piles up inside. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { highWater, memoryIn, withExports } from './heap.mjs';
import { callAll, calls } from './probes.mjs';
import { tensor } from './inputs.mjs';
import { createRopewalk, simds } from './installed.mjs';

async function withMemory(simd) {
  const { started, exported } = await withExports(() => createRopewalk({ simd }));
  return { rw: started, memory: memoryIn(exported) };
}

/** Every typed array within a result. */
function arraysOf(value) {
  if (ArrayBuffer.isView(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(arraysOf) : [];
}

for (const simd of simds) {
  describe(simd, () => {
    test('no call changes what it was given', async () => {
      const rw = await createRopewalk({ simd });
      for (const name of Object.keys(calls)) {
        const [args, same] = [calls[name](), calls[name]()];
        rw[name](...args);
        assert.deepEqual(args, same, name);
      }
    });

    test('results are copies: later calls, growth and release leave them as they are', async () => {
      const { rw, memory } = await withMemory(simd);
      const results = callAll(rw);
      const kept = structuredClone(results);
      const buffers = arraysOf(results).map(({ buffer }) => buffer);
      assert.ok(buffers.length >= 11 && buffers.every((buffer) => buffer !== memory.buffer));
      assert.equal(new Set(buffers).size, buffers.length, 'no two results share a buffer');
      for (const array of arraysOf(callAll(rw))) array.fill(7);
      const before = memory.buffer.byteLength;
      const large = tensor([4096, 512], 3);
      rw.attention(large, tensor([1, 512], 1), tensor([1, 512], 2));
      assert.ok(memory.buffer.byteLength > before, 'memory grew');
      rw.release();
      assert.deepEqual(results, kept);
      assert.deepEqual(callAll(rw), kept, 'the instance works after release');
    });

    test('ten thousand mixed calls leave the heap where it was', async () => {
      const { rw, memory } = await withMemory(simd);
      const round = () => {
        callAll(rw);
        for (const size of [1, 7, 64, 200]) {
          const x = tensor([2, size, 8], size);
          rw.attention(x, x, x, {
            causal: 'top-left',
            intermediates: size < 64 ? ['weights'] : [],
          });
        }
        assert.throws(() => rw.sinusoidal({ positions: 3, dim: 0 }), RangeError);
      };
      for (let i = 0; i < 20; i++) round();
      const before = highWater(memory);
      const rounds = Math.ceil(10_000 / (Object.keys(calls).length + 5));
      for (let i = 0; i < rounds; i++) round();
      assert.deepEqual(highWater(memory), before);
    });

    test('release gives the large buffers back for other uses', async () => {
      const { rw, memory } = await withMemory(simd);
      const x = tensor([3000, 64], 1);
      const use = () => {
        rw.attention(x, x, x, { causal: 'top-left' });
        rw.release();
        rw.sinusoidal({ positions: 3000, dim: 256 });
        rw.release();
      };
      use();
      const before = highWater(memory);
      for (let i = 0; i < 5; i++) use();
      assert.deepEqual(highWater(memory), before);
    });

    test('instances share nothing', async () => {
      const [a, b] = await Promise.all([createRopewalk({ simd }), createRopewalk({ simd })]);
      const expected = callAll(a);
      b.attention(tensor([100, 32], 1), tensor([100, 32], 2), tensor([100, 32], 3));
      b.release();
      assert.deepEqual(callAll(a), expected);
      assert.deepEqual(callAll(b), expected);
    });
  });
}

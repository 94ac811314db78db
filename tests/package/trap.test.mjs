/** A trap ends one instance: others go on, and a pool puts a new worker in its place. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { breakTables, withExports } from './heap.mjs';
import { tensor } from './inputs.mjs';
import { createPool, createRopewalk, simds, workerUrl } from './installed.mjs';
import { callAll, calls } from './probes.mjs';

/** A pool whose workers number 0 … traps − 1 trap at their work number `fatal`. */
async function trappingPool(options, traps, fatal = 0) {
  let made = 0;
  const worker = () => {
    const doomed = made++ < traps;
    const script = doomed ? new URL('./trapping_worker.mjs', import.meta.url) : workerUrl;
    return new Worker(script, { workerData: { fatal, worker: workerUrl.href } });
  };
  return { pool: await createPool({ ...options, worker }), hired: () => made };
}

const large = () => [1, 2, 3].map((seed) => tensor([4, 300, 32], seed));

for (const simd of simds) {
  const rw = await createRopewalk({ simd });

  describe(simd, () => {
    test('an instance that trapped throws the message of the engine, and another one is not affected', async () => {
      const { started: dying, exported } = await withExports(() => createRopewalk({ simd }));
      const other = await createRopewalk({ simd });
      const expected = callAll(other);
      breakTables(exported);
      assert.throws(() => callAll(dying), WebAssembly.RuntimeError);
      assert.deepEqual(callAll(other), expected);
      assert.deepEqual(callAll(await createRopewalk({ simd })), expected);
    });

    test('a pool replaces the worker that trapped and does its work once more', async () => {
      const { pool, hired } = await trappingPool({ simd, size: 2 }, 1);
      const expected = rw.attention(...large());
      assert.deepEqual(await pool.attention(...large()), expected);
      assert.equal(hired(), 3);
      assert.deepEqual(await pool.attention(...large()), expected);
      for (const [name, args] of Object.entries(calls))
        assert.deepEqual(await pool[name](...args()), rw[name](...args()), name);
      assert.equal(hired(), 3, 'and the new one stays');
      await pool.close();
    });

    test('work that traps twice fails with an error that describes the trap, and the pool goes on', async () => {
      const { pool, hired } = await trappingPool({ simd, size: 1 }, 2);
      await assert.rejects(pool.attention(...large()), (/** @type {Error} */ error) => {
        assert.equal(error.constructor, Error);
        assert.match(error.message, /^Two workers of the pool died of this work: unreachable$/);
        return true;
      });
      assert.deepEqual(await pool.attention(...large()), rw.attention(...large()));
      assert.equal(hired(), 3);
      await pool.close();
    });

    test('calls that wait behind one that traps are answered, in order', async () => {
      const { pool } = await trappingPool({ simd, size: 1 }, 1, 2);
      const order = [];
      const asked = [2, 3, 4, 5, 6].map(async (heads) => {
        assert.deepEqual(await pool.alibiSlopes({ heads }), rw.alibiSlopes({ heads }));
        order.push(heads);
      });
      await Promise.all(asked);
      assert.deepEqual(order, [2, 3, 4, 5, 6]);
      await pool.close();
    });
  });
}

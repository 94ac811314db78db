/** `createCachePool` of `ropewalk/cache`: a cache's results to the bit, over workers that hold it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { tensor } from './inputs.mjs';
import { createCache, createCachePool, installed, simds } from './installed.mjs';

const script = pathToFileURL(join(installed, 'entries/node_cache_worker.js'));

/** A pool, its workers, and the names of what is posted to each. */
async function watchedPool(options) {
  const workers = [];
  const posted = [];
  const worker = () => {
    const made = new Worker(script);
    const names = [];
    const post = made.postMessage.bind(made);
    made.postMessage = (message, transfer) => {
      if (message.name) names.push(message.name);
      post(message, transfer);
    };
    workers.push(made);
    posted.push(names);
    return made;
  };
  return { pool: await createCachePool({ ...options, worker }), workers, posted };
}

const dtypes = /** @type {const} */ (['float32', 'float16', 'int8']);

for (const simd of simds) {
  describe(simd, async () => {
    const cache = await createCache({ simd });
    const { pool, posted } = await watchedPool({ simd, size: 3 });
    after(() => pool.close());

    /**
     * Leading axes of q and of k, and in how many parts a call is made.
     * @type {[number[], number[], number][]}
     */
    const shapes = [
      [[], [], 1],
      [[4], [1], 1],
      [[6], [2], 2],
      [[10], [5], 3],
      [[2, 8], [2, 4], 4],
      [[5, 2], [5, 1], 3],
    ];
    for (const [leading, keyLeading, parts] of shapes) {
      test(`heads [${leading}] over [${keyLeading}]: the bits of a cache, in ${parts} parts`, async () => {
        const q = tensor([...leading, 1, 24], 1);
        const k = tensor([...keyLeading, 70, 24], 2);
        const v = tensor([...keyLeading, 70, 20], 3);
        for (const dtype of dtypes) {
          const own = [k, v].map((x) => cache.resident(x, { dtype }));
          const held = await Promise.all([k, v].map((x) => pool.resident(x, { dtype })));
          assert.deepEqual(
            held.map(({ shape, dtype, byteLength }) => ({ shape, dtype, byteLength })),
            own.map(({ shape, dtype, byteLength }) => ({ shape, dtype, byteLength })),
          );
          for (const settings of [
            undefined,
            { causal: 'bottom-right', position: { type: 'alibi' }, intermediates: ['weights'] },
            { keyLengths: Array(leading.length === 2 ? leading[0] : 1).fill(41), softcap: 3 },
          ]) {
            for (const names of posted) names.length = 0;
            assert.deepEqual(
              await pool.attention(q, ...held, settings),
              cache.attention(q, ...own, settings),
            );
            assert.equal(posted.flat().length, parts);
          }
          // One operand may be the caller's.
          assert.deepEqual(await pool.attention(q, k, held[1]), cache.attention(q, k, own[1]));
          for (const each of [...own, ...held]) each.dispose();
        }
      });
    }

    test('rows that are written later are read by the next call, which need not wait', async () => {
      const [length, dim] = [40, 16];
      const whole = tensor([4, length, dim], 5);
      const q = tensor([8, 1, dim], 6);
      for (const dtype of dtypes) {
        const own = cache.resident(whole, { dtype });
        const held = await pool.resident(
          { data: new Float32Array(whole.data.length), shape: whole.shape },
          { dtype },
        );
        // Over the heads' edges, and in the middle.
        const [a, b] = [11 * dim, 90 * dim];
        const rows = whole.data.slice(a, b);
        const written = [
          held.set(whole.data.subarray(0, a)),
          held.set(rows, a),
          held.set(whole.data.subarray(b), b),
        ];
        rows.fill(NaN); // what is written was copied already
        assert.deepEqual(await pool.attention(q, held, held), cache.attention(q, own, own));
        await Promise.all(written);
        own.dispose();
        held.dispose();
      }
    });

    test('progress counts parts, and a signal ends a call but no worker', async () => {
      const [q, k] = [tensor([6, 1, 16], 1), tensor([3, 50, 16], 2)];
      const held = await pool.resident(k);
      const steps = [];
      const expected = cache.attention(q, k, k);
      const onProgress = (done, of) => steps.push([done, of]);
      assert.deepEqual(await pool.attention(q, held, held, { onProgress }), expected);
      assert.deepEqual(steps, [
        [1, 3],
        [2, 3],
        [3, 3],
      ]);
      const controller = new AbortController();
      const running = pool.attention(q, held, held, { signal: controller.signal });
      controller.abort(new Error('enough'));
      await assert.rejects(running, { message: 'enough' });
      const { signal } = controller;
      await assert.rejects(pool.attention(q, held, held, { signal }), { message: 'enough' });
      assert.deepEqual(await pool.attention(q, held, held), expected);
      held.dispose();
    });

    test('errors are those of a cache', async () => {
      const [q, k, v] = [tensor([2, 3, 8], 1), tensor([2, 9, 8], 2), tensor([2, 9, 6], 3)];
      const own = cache.resident(k, { dtype: 'int8' });
      const held = await pool.resident(k, { dtype: 'int8' });
      const rope = { position: { type: 'rope', layout: 'half-split' } };
      const invalid = { data: Float32Array.of(1, NaN), shape: [1, 1, 2] };
      for (const [call, same] of [
        [() => pool.attention(q, held, v, rope), () => cache.attention(q, own, v, rope)],
        [() => pool.attention(q, held, k.data), () => cache.attention(q, own, k.data)],
        [
          () => pool.attention(q, held, v, { typo: 1 }),
          () => cache.attention(q, own, v, { typo: 1 }),
        ],
        [() => pool.attention(q, held, q), () => cache.attention(q, own, q)],
        [() => pool.resident(k, { dtype: 'int4' }), () => cache.resident(k, { dtype: 'int4' })],
        [() => pool.resident(5), () => cache.resident(5)],
        [
          () => pool.resident(invalid, { dtype: 'int8' }),
          () => cache.resident(invalid, { dtype: 'int8' }),
        ],
        [() => held.set([1]), () => own.set([1])],
        [() => held.set(new Float32Array(8), 4), () => own.set(new Float32Array(8), 4)],
        [
          () => held.set(new Float32Array(8), 2 * 9 * 8),
          () => own.set(new Float32Array(8), 2 * 9 * 8),
        ],
        [
          () => held.set(new Float32Array(8).fill(NaN)),
          () => own.set(new Float32Array(8).fill(NaN)),
        ],
      ]) {
        let expected;
        assert.throws(same, (error) => ((expected = error), true));
        await assert.rejects(call, { name: expected.name, message: expected.message });
      }
      await assert.rejects(pool.attention(held, held, v), {
        name: 'TypeError',
        message: 'q must not be resident: a pool sends it to its workers',
      });
      await assert.rejects(pool.attention(q, own, v), {
        message: 'k must be resident in the instance that is called',
      });
      await assert.rejects(pool.attention(q, k, v, { into: new Float32Array(36) }), {
        message: 'into must be left out: what a pool returns is always new',
      });
      held.dispose();
      held.dispose();
      await assert.rejects(pool.attention(q, held, v), { message: 'k was disposed' });
      await assert.rejects(held.set(new Float32Array(8)), { message: 'the tensor was disposed' });
    });
  });
}

test('what a worker held is lost with it; the others and later tensors go on', async () => {
  const { pool, workers } = await watchedPool({ size: 2 });
  const [q, k] = [tensor([4, 1, 16], 1), tensor([2, 50, 16], 2)];
  const expected = (await createCache()).attention(q, k, k);
  const one = await pool.resident(tensor([50, 16], 3)); // one head: of the first worker
  const held = await pool.resident(k);
  const ended = once(workers[1], 'exit');
  await workers[1].terminate();
  await ended;
  const lost = { message: 'k was lost with a worker that ended: make it resident again' };
  await assert.rejects(pool.attention(q, held, held), lost);
  await assert.rejects(held.set(new Float32Array(16), 50 * 16), {
    message: 'the tensor was lost with a worker that ended: make it resident again',
  });
  held.dispose();
  await pool.attention(tensor([1, 16], 4), one, one);
  const again = await pool.resident(k);
  assert.deepEqual(await pool.attention(q, again, again), expected);
  await pool.close();
  await assert.rejects(pool.attention(q, again, again), { message: 'The pool is closed' });
});

test('a tensor that a worker rejects takes no memory in the others', async () => {
  const { pool, posted } = await watchedPool({ size: 2 });
  const invalid = { data: Float32Array.of(1, 2, 3, Infinity), shape: [2, 1, 2] };
  await assert.rejects(pool.resident(invalid, { dtype: 'float16' }), RangeError);
  assert.deepEqual(posted, [['resident', 'dispose'], ['resident']]);
  await pool.close();
});

test('a pool of more workers than it may have, or of none, is an error that says so', async () => {
  await assert.rejects(createCachePool({ size: 0 }), { name: 'RangeError', message: /^size must/ });
  await assert.rejects(createCachePool({ size: 1025 }), {
    message: 'size must be at most 1024, got 1025',
  });
  await assert.rejects(createCachePool({ threads: 2 }), {
    name: 'TypeError',
    message: /^createCachePool options has no "threads"/,
  });
});

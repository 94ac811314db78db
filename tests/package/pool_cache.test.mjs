/** `createCache` of `ropewalk/pool`: an instance's results to the bit, over workers that hold it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { tensor } from './inputs.mjs';
import { createRopewalk, positionFromConfig, simds } from './installed.mjs';
import { watchedPool } from './watched_pool.mjs';

/** What a message is about: a function, or a method of a cache. */
const nameOf = ({ name, args }) => (name === 'cache' ? args[1] : name);
const dtypes = /** @type {const} */ (['float32', 'float16', 'int8']);
const rope = /** @type {const} */ ({ type: 'rope', layout: 'half-split' });

/** Tokens as linear layers give them, with the heads side by side. */
function sideBySide({ data, shape }) {
  const [dim, tokens, heads, batch = 1] = shape.toReversed();
  const moved = new Float32Array(data.length);
  for (let at = 0; at < data.length; at++) {
    const [b, h, t, c] = [
      Math.floor(at / (dim * tokens * heads)),
      Math.floor(at / (dim * tokens)) % heads,
      Math.floor(at / dim) % tokens,
      at % dim,
    ];
    moved[((b * tokens + t) * heads + h) * dim + c] = data[at];
  }
  return { data: moved, shape: [...(shape.length === 4 ? [batch] : []), tokens, heads * dim] };
}

for (const simd of simds) {
  describe(simd, async () => {
    const rw = await createRopewalk({ simd });
    const { pool, posted } = await watchedPool({ simd, size: 3 });
    after(() => pool.close());
    const both = async (options) =>
      /** @type {const} */ ([rw.createCache(options), await pool.createCache(options)]);
    const stateOf = ({ batch, keyHeads, dim, valueDim, capacity, dtype, ...of }) => ({
      ...{ batch, keyHeads, dim, valueDim, capacity, dtype, ...of },
    });
    const assertSame = (held, own) => {
      assert.deepEqual(stateOf(held), stateOf(own));
      assert.equal(held.length, own.length);
      assert.equal(held.hasPosition, own.hasPosition);
      assert.deepEqual(held.positions, own.positions);
    };

    /**
     * Batch, heads, key heads, and in how many parts a call is made.
     * @type {[number, number, number, number][]}
     */
    const shapes = [
      [1, 1, 1, 1],
      [1, 4, 1, 1],
      [1, 6, 2, 2],
      [1, 10, 5, 3],
      [2, 8, 4, 4],
      [5, 2, 1, 3],
    ];
    for (const [batch, heads, keyHeads, parts] of shapes) {
      test(`batch ${batch}, ${heads} heads over ${keyHeads}: the bits of an instance, in ${parts} parts`, async () => {
        const axes = (...rest) => [...(batch > 1 ? [batch] : []), ...rest];
        const q = tensor(axes(heads, 2, 24), 1);
        const k = tensor(axes(keyHeads, 70, 24), 2);
        const v = tensor(axes(keyHeads, 70, 20), 3);
        const sizes = { batch, keyHeads, dim: 24, valueDim: 20, capacity: 80 };
        const causal = true;
        for (const dtype of dtypes) {
          for (const [position, settings] of [
            [undefined, undefined],
            [undefined, { causal, position: { type: 'alibi' }, intermediates: ['weights'] }],
            [rope, { keyLengths: Array(batch).fill(41), softcap: 3 }],
            [{ type: 'alibi' }, { causal, window: { size: 9 }, sinks: Array(heads).fill(0.5) }],
            [positionFromConfig(rw, { model_type: 'llama', head_dim: 24, rope_theta: 500 }), {}],
          ]) {
            const [own, held] = await both({ ...sizes, dtype, position });
            own.append(k, v);
            for (const messages of posted) messages.length = 0;
            assert.equal(await held.append(k, v), 70);
            assertSame(held, own);
            const result = await pool.attention(q, held, settings);
            assert.deepEqual(result, rw.attention(q, own, settings));
            assert.deepEqual(
              posted.flat().map(nameOf).sort(),
              [...Array(parts).fill('append'), ...Array(parts).fill('attention')].sort(),
            );
            for (const each of [own, held]) each.dispose();
          }
        }
      });
    }

    test('a call sees every earlier one, none of which was awaited', async () => {
      const sizes = { batch: 2, keyHeads: 2, dim: 16, capacity: 48 };
      const q = sideBySide(tensor([2, 6, 3, 16], 1));
      const tokens = (count, seed) => [0, 1].map((i) => tensor([2, 2, count, 16], seed + i));
      for (const dtype of dtypes) {
        for (const position of [undefined, rope, 'alibi']) {
          const [own, held] = await both({ ...sizes, dtype, position });
          const steps = [
            (cache) => cache.append(...tokens(30, 10).map(sideBySide)),
            (cache) => cache.append(...tokens(9, 20)),
            (cache) => cache.evict(4, 11),
            (cache) => cache.append(...tokens(5, 30)),
            (cache) => cache.evict(2, 8, { renumber: true }),
            (cache) => cache.truncate(27),
            (cache) => cache.append(...tokens(2, 40).map(sideBySide)),
          ];
          const running = [];
          for (const step of steps) {
            step(own);
            running.push(step(held));
            assertSame(held, own);
            running.push(
              pool
                .attention(q, held, { causal: true })
                .then((result) => [result, rw.attention(q, own, { causal: true })]),
            );
            const [, [result, expected]] = await Promise.all(running.splice(0));
            assert.deepEqual(result, expected);
          }
          const all = await pool.createCache({ ...sizes, dtype, position });
          const settled = steps.map((step) => step(all));
          assertSame(all, own);
          const given = { ...q, data: q.data.slice() };
          const late = pool.attention(given, all);
          given.data.fill(NaN); // what is sent was copied already
          assert.deepEqual(await late, rw.attention(q, own));
          assert.deepEqual(await Promise.all(settled), [
            30,
            39,
            undefined,
            37,
            undefined,
            undefined,
            29,
          ]);
          for (const each of [own, held, all]) each.dispose();
        }
      }
    });

    test('tokens are copied before append returns', async () => {
      const [own, held] = await both({ keyHeads: 3, dim: 8, capacity: 4 });
      const [q, k] = [tensor([3, 1, 8], 1), tensor([3, 4, 8], 2)];
      own.append(k, k);
      const shared = new Float32Array(new SharedArrayBuffer(4 * k.data.length));
      shared.set(k.data);
      const appended = held.append({ data: shared, shape: k.shape }, k);
      shared.fill(NaN);
      await appended;
      assert.deepEqual(await pool.attention(q, held), rw.attention(q, own));
      for (const each of [own, held]) each.dispose();
    });

    test('progress counts parts, and a signal ends a call but no worker that holds a cache', async () => {
      const [q, k] = [tensor([6, 1, 16], 1), tensor([3, 50, 16], 2)];
      const [own, held] = await both({ keyHeads: 3, dim: 16, capacity: 50 });
      own.append(k, k);
      held.append(k, k);
      const steps = [];
      const expected = rw.attention(q, own);
      const onProgress = (done, of) => steps.push([done, of]);
      assert.deepEqual(await pool.attention(q, held, { onProgress }), expected);
      assert.deepEqual(steps, [
        [1, 3],
        [2, 3],
        [3, 3],
      ]);
      const controller = new AbortController();
      const { signal } = controller;
      const plain = tensor([6, 600, 16], 3);
      const running = [
        pool.attention(plain, plain, plain, { signal }),
        pool.attention(q, held, { signal }),
      ];
      controller.abort(new Error('enough'));
      for (const each of running) await assert.rejects(each, { message: 'enough' });
      await assert.rejects(pool.attention(q, held, { signal }), { message: 'enough' });
      assert.deepEqual(await pool.attention(q, held), expected);
      assert.equal(posted.length, 3);
      for (const each of [own, held]) each.dispose();
    });

    test('errors are those of an instance, before anything is sent', async () => {
      const [q, k, v] = [tensor([2, 3, 8], 1), tensor([2, 9, 8], 2), tensor([2, 9, 6], 3)];
      const sizes = { keyHeads: 2, dim: 8, valueDim: 6, capacity: 12 };
      const [own, held] = await both({ ...sizes, dtype: 'int8' });
      const [ownEmpty, empty] = await both({ ...sizes, position: 'alibi' });
      own.append(k, v);
      await held.append(k, v);
      const filled = (value) => ({ data: new Float32Array(2 * 8).fill(value), shape: [2, 1, 8] });
      for (const messages of posted) messages.length = 0;
      for (const call of [
        (on) => on.attention(q, on.cache, { position: rope }),
        (on) => on.attention(q, on.cache, { typo: 1 }),
        (on) => on.attention(q, on.cache, { past: { k, v } }),
        (on) => on.attention(k, on.cache, { heads: 3 }),
        (on) => on.attention(q, on.empty),
        (on) => on.attention(tensor([2, 10, 8], 4), on.cache),
        (on) => on.attention(tensor([3, 1, 8], 4), on.cache),
        (on) => on.attention(q.data, on.cache),
        (on) => on.createCache({ ...sizes, dtype: 'int4' }),
        (on) => on.createCache({ ...sizes, position: { type: 'path' } }),
        (on) => on.createCache({ ...sizes, capacity: 2 ** 30 }),
        (on) => on.createCache(),
        (on) => on.cache.append(k, v),
        (on) => on.cache.append(q, v),
        (on) => on.cache.append(5, v),
        (on) => on.cache.append(filled(Infinity), tensor([2, 1, 6], 1)),
        (on) => on.cache.append(filled(3e8), tensor([2, 1, 6], 1)),
        (on) =>
          on.cache.append(filled(1), { data: new Float32Array(12).fill(NaN), shape: [2, 1, 6] }),
        (on) => on.cache.truncate(10),
        (on) => on.cache.truncate(-1),
        (on) => on.cache.evict(1, 10),
        (on) => on.cache.evict(5, 4),
        (on) => on.cache.evict(1, 2, { renumbers: true }),
        (on) => on.empty.evict(0, 1),
      ]) {
        let expected;
        const instance = { attention: rw.attention, createCache: rw.createCache };
        assert.throws(
          () => call({ ...instance, cache: own, empty: ownEmpty }),
          (error) => ((expected = error), true),
        );
        const { name, message } = expected;
        await assert.rejects(call({ ...pool, cache: held, empty }), { name, message }, message);
      }
      assert.deepEqual(posted.flat(), []);
      assertSame(held, own);
      const ofInstance = { message: 'cache must be one of the instance that is called' };
      await assert.rejects(pool.attention(q, own), ofInstance);
      assert.throws(() => rw.attention(q, held), ofInstance);
      await assert.rejects(pool.attention(q, held, { into: new Float32Array(36) }), {
        message: 'into must be left out: what a pool returns is always new',
      });
      held.dispose();
      held.dispose();
      await assert.rejects(pool.attention(q, held), { message: 'cache was disposed' });
      for (const call of [() => held.append(k, v), () => held.truncate(0), () => held.evict(0, 0)])
        await assert.rejects(call, { message: 'the cache was disposed' });
      for (const each of [own, ownEmpty, empty]) each.dispose();
    });

    test('a cache in fewer bits takes no key that a rotation could bring above what it stores', () => {
      const cache = rw.createCache({
        keyHeads: 1,
        dim: 2,
        capacity: 9,
        dtype: 'int8',
        position: rope,
      });
      const rows = (value, count) => ({
        data: new Float32Array(2 * count).fill(value),
        shape: [count, 2],
      });
      assert.throws(() => cache.append(rows(2 ** 28.1, 9), rows(1, 9)), {
        name: 'RangeError',
        message: /^cache: values must be finite and at most .* unless dtype is 'float32', got /,
      });
      assert.equal(cache.length, 0);
      cache.append(rows(2 ** 28, 9), rows(-(2 ** 28), 9));
      for (let length = 8; length > 0; length--) cache.evict(0, 1, { renumber: true });
      assert.equal(cache.length, 1);
      cache.dispose();
    });
  });
}

const lost = { message: 'cache was lost with a worker that ended: make it again' };

test('what a worker held is lost with it; the others and later caches go on', async () => {
  let ending;
  const { pool, workers } = await watchedPool({ size: 2 }, ({ name }, worker) => {
    if (name === 'attention' && worker === ending) void worker.terminate();
  });
  const rw = await createRopewalk();
  const [q, k] = [tensor([4, 1, 16], 1), tensor([2, 50, 16], 2)];
  const sizes = { dim: 16, capacity: 60 };
  const own = rw.createCache({ keyHeads: 2, ...sizes });
  own.append(k, k);
  const one = await pool.createCache({ keyHeads: 1, ...sizes }); // of the first worker
  await one.append(tensor([50, 16], 3), tensor([50, 16], 3));
  const held = await pool.createCache({ keyHeads: 2, ...sizes });
  await held.append(k, k);
  ending = workers[1];
  const ended = once(ending, 'exit');
  const calls = [pool.attention(q, held), pool.attention(q, held), held.truncate(40)];
  await Promise.all(calls.map((call) => assert.rejects(call, lost)));
  await ended;
  await assert.rejects(pool.attention(q, held), lost);
  await assert.rejects(held.append(tensor([1, 32], 1), tensor([1, 32], 1)), lost);
  held.dispose();
  assert.equal(workers.length, 2, 'a lost cache starts no worker');
  await pool.attention(tensor([1, 16], 4), one);
  const again = await pool.createCache({ keyHeads: 2, ...sizes });
  again.append(k, k);
  assert.deepEqual(await pool.attention(q, again), rw.attention(q, own));
  await pool.close();
  await assert.rejects(pool.attention(q, again), { message: 'The pool is closed' });
  again.dispose();
});

test('a cache that a worker cannot make takes no memory in the others', async () => {
  const { pool, posted } = await watchedPool({ size: 2 }, ({ name, args }) => {
    // Keys and values of 2 GiB each, in the worker of two heads.
    if (name === 'createCache' && args[0].keyHeads === 2) args[0].capacity = 2 ** 24 - 1;
  });
  const sizes = { keyHeads: 3, dim: 16, capacity: 60 };
  await assert.rejects(pool.createCache(sizes), {
    name: 'RangeError',
    message: /^there is not enough memory for a cache of 33554430 keys and values/,
  });
  assert.deepEqual(
    posted.map((messages) => messages.map(nameOf)),
    [['createCache', 'dispose'], ['createCache']],
  );
  await pool.close();
});

test('a cache that lacks what a worker failed to append is lost, and nothing else', async () => {
  let isSpoiled = false;
  const { pool, workers } = await watchedPool({ size: 2 }, ({ args }) => {
    if (isSpoiled && args?.[1] === 'append') args[2].data[0] = NaN;
  });
  const [q, k] = [tensor([2, 1, 8], 1), tensor([2, 5, 8], 2)];
  const sizes = { keyHeads: 2, dim: 8, capacity: 20 };
  const floats = await pool.createCache(sizes);
  const cache = await pool.createCache({ ...sizes, dtype: 'int8' });
  await Promise.all([floats.append(k, k), cache.append(k, k)]);
  isSpoiled = true;
  const failed = cache.append(k, k);
  const failure = { message: 'cache was lost with a call that failed: make it again' };
  const later = pool.attention(q, cache);
  await Promise.all([
    assert.rejects(failed, { message: /^cache: values must be finite/ }),
    assert.rejects(later, failure),
  ]);
  isSpoiled = false;
  await assert.rejects(cache.append(k, k), failure);
  cache.dispose();
  await pool.attention(q, floats);
  assert.equal(workers.length, 2);
  await pool.close();
});

test('an abort ends a worker again once it holds no cache', async () => {
  const { pool, workers } = await watchedPool({ size: 1 });
  const plain = tensor([1, 2000, 64], 1);
  const aborted = async () => {
    const controller = new AbortController();
    const running = pool.attention(plain, plain, plain, { signal: controller.signal });
    controller.abort();
    await assert.rejects(running, { name: 'AbortError' });
    await pool.attention(plain, plain, plain);
  };
  const cache = await pool.createCache({ keyHeads: 1, dim: 8, capacity: 4 });
  await aborted();
  assert.equal(workers.length, 1);
  cache.dispose();
  await aborted();
  await aborted();
  assert.ok(workers.length > 1, `${workers.length} workers`);
  await pool.close();
});

test('a cache that nobody holds any more releases the memory of its workers', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const { pool, posted } = await watchedPool({ size: 2 });
  const k = tensor([2, 5, 8], 1);
  const forget = async () => {
    const cache = await pool.createCache({ keyHeads: 2, dim: 8, capacity: 20 });
    await cache.append(k, k);
    await pool.attention(k, cache);
  };
  await forget();
  const names = () => posted.map((messages) => messages.map(nameOf));
  for (let turn = 0; turn < 1000 && !names().flat().includes('dispose'); turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const expected = ['createCache', 'append', 'attention', 'dispose'];
  assert.deepEqual(names(), [expected, expected]);
  await pool.close();
});

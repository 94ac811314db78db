/**
 * The pool: an instance's results to the bit, its errors, and workers that are aborted, die or end.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { after, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Draws } from '../fuzz/js/random.mjs';
import { few } from '../support/sweep.mjs';
import { distanceTypes, drawnBias } from './distance_biases.mjs';
import { draws, tensor } from './inputs.mjs';
import { createPool, createRopewalk, project, simds, workerUrl } from './installed.mjs';
import { calls } from './probes.mjs';
import { watchedPool } from './watched_pool.mjs';

const parts = (messages) => messages.filter(({ name }) => name === 'attention');
const qkv = (leading, keyLeading, queries, keys, dim, valueDim) => [
  tensor([...leading, queries, dim], 1),
  tensor([...keyLeading, keys, dim], 2),
  tensor([...keyLeading, keys, valueDim], 3),
];
const [queries, keys] = [200, 220];
const large = (heads = 2) => qkv([heads], [heads], 700, 700, 32, 32);

for (const simd of simds) {
  const rw = await createRopewalk({ simd });

  describe(simd, async () => {
    const { pool, messages } = await watchedPool({ simd, size: 3 });
    after(() => pool.close());

    test('every function answers as an instance does', async () => {
      for (const [name, args] of Object.entries(calls)) {
        assert.deepEqual(await pool[name](...args()), rw[name](...args()), name);
      }
      const functions = (of) => Object.keys(of).filter((name) => typeof of[name] === 'function');
      // What is resident is so in one instance.
      assert.deepEqual(
        functions(pool).filter((name) => name !== 'close'),
        functions(rw).filter((name) => name !== 'resident'),
      );
    });

    /**
     * Batch, heads, key heads, and in how many parts at least: runs of batches, of groups, within a
     * group.
     */
    for (const [batch, heads, keyHeads, least] of few(
      [
        [2, 6, 3, 4],
        [1, 12, 4, 4],
        [1, 12, 1, 4],
        [1, 10, 5, 3],
        [7, 2, 2, 5],
        [12, 1, 1, 4],
      ],
      2,
    )) {
      const [q, k, v] = qkv([batch, heads], [batch, keyHeads], queries, keys, 16, 20);
      const frequencies = rw.rotaryFrequencies({ dim: 16 });
      const rotary = { frequencies, layout: 'half-split' };
      const list = (count, seed) => draws(count, seed).map(Math.abs);
      const doubles = (shape, seed) => ({
        data: Float64Array.from(tensor(shape, seed).data),
        shape,
      });
      const bias = (...shape) => ({ bias: tensor(shape, 9) });
      const mask = (...shape) => ({
        mask: {
          data: tensor(shape, 8).data.reduce((bits, x, i) => ((bits[i] = x > 0), bits), []),
          shape,
          whenTrue: 'attend',
        },
      });
      const position = (type, rest) => ({ position: { type, ...rest }, causal: 'bottom-right' });
      const past = {
        k: tensor([batch, keyHeads, 30, 16], 4),
        v: tensor([batch, keyHeads, 30, 20], 5),
      };
      const options = {
        none: undefined,
        scales: { scale: 0.3, softcap: 4, rowScale: list(queries, 6) },
        causal: { causal: 'top-left', window: { size: 50 } },
        'key lengths': {
          causal: 'bottom-right',
          keyLengths: list(batch, 7).map((x) => 200 + Math.floor(10 * x)),
          ...position('alibi'),
        },
        'bias of keys': bias(1, keys),
        'bias of queries and keys': bias(queries, keys),
        'bias of heads': bias(heads, 1, keys),
        'bias of heads, queries and keys': bias(heads, queries, keys),
        'bias of batches': bias(batch, 1, 1, keys),
        'bias of batches, queries and keys': bias(batch, 1, queries, keys),
        'bias of everything': bias(batch, heads, queries, keys),
        'bias that repeats its keys': bias(batch, heads, queries, 1),
        'mask of batches': mask(batch, 1, 1, keys),
        'mask of heads with a bias of batches': {
          ...mask(heads, queries, keys),
          ...bias(batch, 1, 1, keys),
        },
        past: { past, causal: 'after-past' },
        'sinks and steps': {
          sinks: list(heads, 10),
          intermediates: ['scores', 'weights', 'entropy', 'logSumExp'],
        },
        'rows that see nothing': {
          fullyMasked: 'nan',
          causal: 'bottom-right',
          keyLengths: Array(batch).fill(3),
        },
        ...Object.fromEntries(
          distanceTypes.map((type) => [
            type,
            { position: drawnBias(new Draws(11), type, heads), causal: 'bottom-right' },
          ]),
        ),
        rope: position('rope', rotary),
        'positions of each batch': position('rope', {
          ...rotary,
          positions: list(batch * queries, 12),
          keyPositions: list(batch * keys, 13),
        }),
        'positions of each head': position('rope', {
          ...rotary,
          positions: list(batch * heads * queries, 14),
          keyPositions: list(batch * keyHeads * keys, 15),
        }),
        'angles of each head': position('angles', {
          layout: 'interleaved',
          angles: doubles([batch, heads, queries, 8], 16),
          keyAngles: doubles([batch, keyHeads, keys, 8], 17),
        }),
        fox: position('fox', { gates: tensor([batch, heads, keys], 18) }),
        rerope: position('rerope', { ...rotary, window: 40 }),
      };

      test(`batch ${batch}, heads ${heads} on ${keyHeads}: every option gives an instance's bits`, async () => {
        for (const [name, given] of Object.entries(options)) {
          messages.length = 0;
          assert.deepEqual(
            await pool.attention(q, k, v, given),
            rw.attention(q, k, v, given),
            name,
          );
          assert.ok(
            parts(messages).length >= least,
            `${name}: only ${parts(messages).length} parts`,
          );
        }
      });
    }

    test('ranks below four, and sizes that are not worth more than one part', async () => {
      for (const leading of [[], [1], [4]]) {
        const call = qkv(leading, leading, 300, 300, 32, 32);
        assert.deepEqual(await pool.attention(...call), rw.attention(...call));
      }
      messages.length = 0;
      await pool.attention(...qkv([8], [8], 16, 16, 16, 16));
      assert.equal(parts(messages).length, 1);
    });

    test('each key head crosses once per part, the rest once; nothing of the caller is detached', async () => {
      const call = qkv([2, 6], [2, 3], queries, keys, 16, 20);
      const same = structuredClone(call);
      const sent = [];
      const counting = await watchedPool({ simd, size: 2 });
      after(() => counting.pool.close());
      const all = counting.pool.attention(...call);
      for (const array of call.map(({ data }) => data)) array.fill(NaN); // what is sent was copied already
      const { output } = await all;
      assert.deepEqual(output, rw.attention(...same).output);
      for (const {
        args: [{ floats }],
      } of parts(counting.messages))
        sent.push(...floats);
      assert.ok(
        sent.every((array) => array.buffer.byteLength === 0),
        'transferred',
      );
      assert.ok(
        call.every(({ data }) => data.buffer.byteLength > 0),
        'kept',
      );
    });

    test('errors are those of an instance, and attention sends nothing before them', async () => {
      const [q, k, v] = qkv([2], [2], 3, 4, 4, 4);
      const gone = q.data.slice();
      structuredClone(gone, { transfer: [gone.buffer] });
      const wrong = {
        attention: [
          [q, k],
          [5, k, v],
          [q, tensor([3, 4, 4], 1), v],
          [q, k, v, 5],
          [q, k, v, null],
          [q, k, v, { causal: true }],
          [q, k, v, { sinks: [1] }],
          [q, k, v, { typo: 1 }],
          [q, k, v, { position: { type: 'alibi', slopes: [1, NaN] } }],
          [{ data: gone, shape: q.shape }, k, v],
        ],
        sinusoidal: [
          [],
          [{ positions: 2, dim: 0 }],
          [{ positions: 2, dim: 'x' }],
          [{ positions: () => 1, dim: 2 }],
          [{ positions: 2, dim: 3, layout: Symbol('x') }],
        ],
        rotate: [
          [q],
          [
            q,
            { inverseFrequencies: new Float64Array(9), attentionFactor: 1, dim: 18 },
            { layout: 'half-split' },
          ],
        ],
      };
      messages.length = 0;
      for (const [name, lists] of Object.entries(wrong)) {
        for (const args of lists) {
          let own;
          assert.throws(
            () => rw[name](...args),
            (error) => ((own = error), true),
          );
          await assert.rejects(
            pool[name](...args),
            { name: own.name, message: own.message },
            own.message,
          );
        }
      }
      assert.equal(parts(messages).length, 0);
      await assert.rejects(pool.attention(q, k, v, { signal: 'now' }), {
        name: 'TypeError',
        message: 'signal must be an AbortSignal, got "now"',
      });
    });
  });
}

describe('workers', () => {
  let rw;
  const expected = async (call) => (rw ??= await createRopewalk()).attention(...call);
  const own = (options, posted) => watchedPool({ size: 1, ...options }, posted);

  test('an aborted signal stops what waits and what runs, with its reason, and nothing else', async () => {
    const { pool, workers, messages } = await own();
    const [call, controller] = [large(1), new AbortController()];
    const running = pool.attention(...call, { signal: controller.signal });
    const waiting = pool.attention(...call, { signal: controller.signal });
    const other = pool.attention(...call);
    const ended = once(workers[0], 'exit');
    controller.abort(new Error('enough'));
    await assert.rejects(running, { message: 'enough' });
    await assert.rejects(waiting, { message: 'enough' });
    await ended;
    assert.deepEqual(await other, await expected(call));
    assert.equal(parts(messages).length, 2, 'the waiting call was never sent');
    await assert.rejects(pool.attention(...call, { signal: AbortSignal.abort() }), {
      name: 'AbortError',
    });
    assert.equal(parts(messages).length, 2);
    assert.equal(workers.length, 2);
    await pool.close();
  });

  test('a signal has one listener, however many parts and calls it may stop, and none at the end', async () => {
    const { pool, messages } = await own({ size: 3 });
    const { signal } = new AbortController();
    const calls = [large(12), large(12)].map((call) => pool.attention(...call, { signal }));
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    await Promise.all(calls);
    assert.ok(parts(messages).length > 10, `only ${parts(messages).length} parts`);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    await pool.close();
  });

  test('heads of an array whose class has a constructor of its own are cut as of any other', async () => {
    class Vector extends Float32Array {
      constructor(...values) {
        super(values.length === 1 ? values[0] : values);
      }
    }
    const { pool } = await own({ size: 2 });
    const call = large(4);
    const classed = call.map(({ data, shape }) => ({ data: new Vector(data), shape }));
    assert.deepEqual(await pool.attention(...classed), await expected(call));
    await pool.close();
  });

  test('shared memory is copied before a call returns, as all arguments are', async () => {
    const { pool } = await own();
    const [x, frequencies, settings] = calls.rotate();
    const expected = (await createRopewalk()).rotate(x, frequencies, settings);
    const data = new Float32Array(new SharedArrayBuffer(x.data.byteLength));
    data.set(x.data);
    const first = pool.attention(...large(4)); // so that the next one waits
    const next = pool.rotate({ ...x, data }, frequencies, settings);
    data.fill(NaN);
    await first;
    assert.deepEqual(await next, expected);
    await pool.close();
  });

  test('of a view, only the view is copied and sent', async () => {
    const { pool, messages } = await own();
    const [x, frequencies, settings] = calls.rotate();
    const expected = (await createRopewalk()).rotate(x, frequencies, settings);
    const large = new Float32Array(2 ** 20);
    const data = large.subarray(7, 7 + x.data.length);
    data.set(x.data);
    const next = pool.rotate({ ...x, data }, frequencies, settings);
    data.fill(NaN);
    assert.deepEqual(await next, expected);
    const { args } = messages.find(({ name }) => name === 'rotate');
    assert.equal(args[0].data.buffer.byteLength, x.data.byteLength);
    assert.equal(large.buffer.byteLength, 2 ** 22); // it was not taken away
    await pool.close();
  });

  test('an abort after the result changes nothing', async () => {
    const { pool, workers } = await own();
    const controller = new AbortController();
    await pool.attention(...large(1), { signal: controller.signal });
    controller.abort();
    assert.deepEqual(await pool.attention(...large(1)), await expected(large(1)));
    assert.equal(workers.length, 1);
    await pool.close();
  });

  test('a worker that dies is replaced, and its work done once more', async () => {
    let deaths = 1;
    const { pool, workers, messages } = await own(
      { size: 2 },
      ({ name }, worker) => name === 'attention' && deaths-- > 0 && worker.terminate(),
    );
    assert.deepEqual(await pool.attention(...large(4)), await expected(large(4)));
    assert.equal(workers.length, 3);
    assert.equal(parts(messages).length, 5);
    await pool.close();
  });

  test('work that kills two workers is given up with an error, and the pool goes on', async () => {
    let deaths = 2;
    const { pool, workers } = await own(
      {},
      ({ name }, worker) => name === 'attention' && deaths-- > 0 && worker.terminate(),
    );
    await assert.rejects(pool.attention(...large(1)), {
      name: 'Error',
      message: /^Two workers of the pool died of this work: it ended with code \d$/,
    });
    assert.deepEqual(await pool.attention(...large(1)), await expected(large(1)));
    assert.equal(workers.length, 3);
    await pool.close();
  });

  test('a worker that runs another script is recognized by its messages, and ends no process', async () => {
    for (const message of ['"ready"', 'undefined', '{}']) {
      const code = `const { parentPort } = require('node:worker_threads'); parentPort.on('message', () => parentPort.postMessage(${message}));`;
      const worker = () => new Worker(code, { eval: true });
      await assert.rejects(createPool({ size: 1, worker }), {
        message:
          'Two workers of the pool died of this work: it posts what ropewalk/worker does not',
      });
    }
  });

  test('`into` is rejected, since a worker could only fill a copy of it', async () => {
    const { pool } = await own();
    const into = new Float32Array(6);
    await assert.rejects(pool.sinusoidal({ positions: 3, dim: 2, into }), {
      name: 'TypeError',
      message: 'into must be left out: what a pool returns is always new',
    });
    await pool.close();
  });

  test('an error of a worker has its parameter, its rule and its value', async () => {
    const { pool } = await own();
    await assert.rejects(pool.rotaryFrequencies({ dim: 7 }), {
      name: 'RangeError',
      message: 'dim must be even, got 7',
      parameter: 'dim',
      rule: 'must be even',
      value: 7,
    });
    // Objects do not cross: their description does.
    await assert.rejects(pool.sinusoidal({ positions: [1, new Float32Array(3)], dim: 2 }), {
      name: 'TypeError',
      parameter: 'positions[1]',
      value: 'a Float32Array',
    });
    await pool.close();
  });

  test('a worker that dies idle is replaced when there is work', async () => {
    const { pool, workers } = await own();
    await workers[0].terminate();
    assert.equal((await pool.alibiSlopes({ heads: 2 })).length, 2);
    assert.equal(workers.length, 2);
    await pool.close();
  });

  test('close ends the workers and rejects running and later calls; a second close does nothing', async () => {
    const { pool, workers } = await own();
    const under = [pool.attention(...large(1)), pool.attention(...large(1))];
    const ended = once(workers[0], 'exit');
    const closing = pool.close();
    for (const call of under) await assert.rejects(call, { message: 'The pool is closed' });
    await Promise.all([closing, ended, pool.close()]);
    await assert.rejects(pool.attention(...large(1)), { message: 'The pool is closed' });
    await assert.rejects(pool.alibiSlopes({ heads: 2 }), { message: 'The pool is closed' });
    const other = await createPool({ size: 1 });
    await other[Symbol.asyncDispose]();
    await assert.rejects(other.alibiSlopes({ heads: 2 }), { message: 'The pool is closed' });
  });

  test('one module is compiled, and every worker gets it', async () => {
    const { compile } = WebAssembly;
    const made = [];
    WebAssembly.compile = async (bytes) => (made.push(await compile(bytes)), made.at(-1));
    const { pool, messages } = await own({ size: 3 }).finally(
      () => (WebAssembly.compile = compile),
    );
    const modules = messages.flatMap(({ module }) => module ?? []);
    assert.equal(made.length, 1);
    assert.deepEqual(modules, [made[0], made[0], made[0]]);
    pool.release();
    assert.equal(messages.filter(({ release }) => release).length, 3);
    assert.equal((await pool.alibiSlopes({ heads: 2 })).length, 2);
    await pool.close();
  });

  test('options are checked, and a worker that cannot start rejects with a descriptive error', async () => {
    const rejects = (options, name, message) =>
      assert.rejects(createPool(options), { name, message });
    await rejects({ size: 0 }, 'RangeError', 'size must be a whole number from 1 to 2^31, got 0');
    await rejects({ size: 1025 }, 'RangeError', 'size must be at most 1024, got 1025');
    await rejects({ size: '2' }, 'TypeError', 'size must be a number, got "2"');
    await rejects(
      { workers: 2 },
      'TypeError',
      'createPool options has no "workers" (did you mean worker?); known names: size, simd, wasm, worker',
    );
    await rejects(
      { worker: workerUrl },
      'TypeError',
      'worker must be a function that returns a Worker, got an URL',
    );
    await rejects(
      { size: 1, worker: () => ({}) },
      'TypeError',
      'worker must return a Worker, got an Object',
    );
    const broken = new URL("data:text/javascript,throw new Error('no such thing')");
    await rejects(
      { size: 1, worker: () => new Worker(broken) },
      'Error',
      'Two workers of the pool died of this work: no such thing',
    );
    const { size, simd } = await createPool().then(async (pool) => (await pool.close(), pool));
    assert.ok(size >= 1);
    assert.equal(simd, (await createRopewalk()).simd);
  });

  test('Node ends by itself with an idle pool, and not before its work is done', () => {
    const code = `
      import { createPool } from 'ropewalk/pool';
      const pool = await createPool({ size: 2 });
      pool.alibiSlopes({ heads: 2 }).then((slopes) => process.stdout.write(String(slopes)));
    `;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: project,
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(output, '0.0625,0.00390625');
  });
});

/**
 * The queue of a pool. So many calls wait here that the tests would not end if settling one of them
 * took a look at all the others.
 */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createPool, installed, workerUrl } from './installed.mjs';

const { WorkerPool } = await import(pathToFileURL(join(installed, 'pool/worker_pool.js')).href);
const count = 300_000;

/**
 * A worker pool whose workers are in this thread. Each answers a turn of the event loop later.
 * @param {number} size
 * @param {(name: unknown) => { value?: unknown, trapped?: string }} [answering] the answer to the work
 *   of a name; by default the name itself
 */
function poolOf(size, answering = (name) => ({ value: name })) {
  const spawn = () => {
    let heard;
    let hasEnded = false;
    const answer = (name) => !hasEnded && heard(answering(name));
    return {
      post: ({ name }) => name !== undefined && setImmediate(answer, name),
      listen: (listener) => (heard = listener),
      busy() {},
      end: () => (hasEnded = true),
    };
  };
  return new WorkerPool(size, spawn);
}

const work = (name) => () => ({ work: { name, args: [] }, transfer: [] });
const many = (workers, signal = (/** @type {number} */ _index) => undefined) =>
  Array.from({ length: count }, (_, i) => workers.run(work(i), signal(i)));
/** Undefined for a call that was fulfilled. */
const reasonOf = (/** @type {PromiseSettledResult<unknown>} */ settled) =>
  settled.status === 'rejected' ? settled.reason : undefined;
const reasons = async (calls) => (await Promise.allSettled(calls)).map(reasonOf);

describe(`${count} calls that wait`, () => {
  for (const size of [1, 64]) {
    test(`are answered in order, by ${size}`, async () => {
      const workers = poolOf(size);
      const order = [];
      const calls = many(workers).map((call) => call.then((value) => order.push(value)));
      await Promise.all(calls);
      assert.ok(order.every((value, i) => value === i));
    });
  }

  test('are answered where one signal may abort all, which has no listener at the end', async () => {
    const { signal } = new AbortController();
    const calls = many(poolOf(2), () => signal);
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    assert.deepEqual(
      (await Promise.all(calls)).filter((value, i) => value !== i),
      [],
    );
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  test('are aborted by one signal, all but the others', async () => {
    const workers = poolOf(2);
    const controller = new AbortController();
    const calls = many(workers, (i) => (i % 3 ? controller.signal : undefined));
    const wrong = new Error('enough');
    controller.abort(wrong);
    const found = await Promise.allSettled(calls);
    assert.ok(
      found.every((settled, i) =>
        i % 3 ? reasonOf(settled) === wrong : settled.status === 'fulfilled' && settled.value === i,
      ),
    );
    assert.equal(await workers.run(work('next')), 'next');
  });

  test('are aborted by a signal each, all of which have aborted before the first listener is called', async () => {
    const workers = poolOf(2);
    let reads = 0;
    const signals = Array.from({ length: count / 20 }, () => new AbortController().signal);
    const calls = signals.map((signal, i) => workers.run(work(i), signal));
    for (const signal of signals)
      Object.defineProperty(signal, 'aborted', { get: () => (reads++, true) });
    for (const signal of signals) signal.dispatchEvent(new Event('abort'));
    assert.equal((await reasons(calls)).length, signals.length);
    assert.ok(reads <= 2 * signals.length, `${reads} looks at ${signals.length} signals`);
    assert.equal(await workers.run(work('next')), 'next');
  });

  test('are rejected when the pool is closed', async () => {
    const workers = poolOf(2);
    const { signal } = new AbortController();
    const calls = many(workers, () => signal);
    await workers.close();
    assert.ok((await reasons(calls)).every(({ message }) => message === 'The pool is closed'));
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  test('are done once more by workers that die of each', async () => {
    const died = new Set();
    const dying = (name) => {
      if (died.has(name)) return { value: name };
      died.add(name);
      return { trapped: 'unreachable' };
    };
    assert.deepEqual(
      (await Promise.all(many(poolOf(2, dying)))).filter((value, i) => value !== i),
      [],
    );
  });
});

test('where no worker can be made any more, every call that waits is rejected', async () => {
  const workers = [];
  const worker = () => {
    if (workers.length > 0) throw new Error('no more workers');
    workers.push(new Worker(workerUrl));
    return workers[0];
  };
  const pool = await createPool({ size: 1, worker });
  // It runs nothing from here on, and the pool learns of its end after the calls.
  const end = workers[0].terminate();
  const calls = Array.from({ length: 3 }, () => pool.alibiSlopes({ heads: 2 }));
  const found = Promise.allSettled(calls);
  await end;
  assert.deepEqual(
    (await found).map((settled) => reasonOf(settled)?.message),
    Array(3).fill('no more workers'),
  );
  await pool.close();
});

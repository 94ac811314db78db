/** The engine's client against a scripted worker: which requests reach it, and what a loss does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFromWeb } from '../support/typescript.mjs';

const { createEngine, Superseded } = await importFromWeb('worker/client.ts');

/** Workers whose requests the test answers by hand. */
function scriptedWorkers() {
  const made = [];
  const spawn = () => {
    const worker = { requests: [], ended: false, terminate: () => (worker.ended = true) };
    worker.postMessage = (request) => worker.requests.push(structuredClone(request));
    worker.reply = (reply) =>
      worker.onmessage({ data: { id: worker.requests.at(-1).id, ...reply } });
    made.push(worker);
    return worker;
  };
  return { made, engine: createEngine(spawn) };
}

test('no worker is made before the first request, and one serves all', async () => {
  const { made, engine } = scriptedWorkers();
  assert.equal(made.length, 0);
  const table = engine.sinusoidal({ positions: 2, dim: 4 });
  const slopes = engine.channel().alibiSlopes({ heads: 8 });
  assert.equal(made.length, 1);
  assert.deepEqual(
    made[0].requests.map(({ name }) => name),
    ['sinusoidal'],
  );
  made[0].reply({ kind: 'done', value: 'table' });
  assert.equal(await table, 'table');
  assert.deepEqual(made[0].requests.at(-1), { id: 2, name: 'alibiSlopes', args: [{ heads: 8 }] });
  made[0].reply({ kind: 'done', value: 'slopes' });
  assert.equal(await slopes, 'slopes');
});

test('the latest request of a channel wins: earlier ones are rejected, and not computed if queued', async () => {
  const { made, engine } = scriptedWorkers();
  const mine = engine.channel();
  const other = engine.channel().lab('other');
  const [first, second, third] = [mine.lab(1), mine.lab(2), mine.lab(3)];
  await assert.rejects(first, Superseded);
  await assert.rejects(second, Superseded);
  made[0].reply({ kind: 'done', value: 'others answer' });
  assert.equal(await other, 'others answer');
  assert.deepEqual(
    made[0].requests.map(({ args }) => args[0]),
    ['other', 3],
  );
  const fourth = mine.lab(4);
  await assert.rejects(third, Superseded);
  made[0].reply({ kind: 'done', value: 'late' });
  made[0].reply({ kind: 'done', value: 'four' });
  assert.equal(await fourth, 'four');
});

test('an error crosses with its name, message and parameter, and the next request is computed', async () => {
  const { made, engine } = scriptedWorkers();
  const bad = engine.sinusoidal({ positions: 2, dim: 3 });
  const about = { parameter: 'dim', rule: 'must be even', value: 3 };
  const error = { name: 'RangeError', message: 'dim must be even, got 3', ...about };
  made[0].reply({ kind: 'failed', ...error });
  await assert.rejects(bad, error);
  await assert.rejects(bad, RangeError);
  const good = engine.sinusoidal({ positions: 2, dim: 4 });
  made[0].reply({ kind: 'done', value: 'table' });
  assert.equal(await good, 'table');
  assert.equal(made.length, 1);
});

test('arguments that cannot be copied to a worker are rejected, and the engine goes on', async () => {
  const { made, engine } = scriptedWorkers();
  await assert.rejects(
    engine.lab(() => {}),
    { name: 'DataCloneError' },
  );
  const good = engine.lab('copied');
  made[0].reply({ kind: 'done', value: 'answer' });
  assert.equal(await good, 'answer');
});

for (const [what, lose] of /** @type {const} */ ([
  ['a trap', (worker) => worker.reply({ kind: 'broken', message: 'memory access out of bounds' })],
  [
    'a dead worker',
    (worker) => worker.onerror({ preventDefault() {}, message: 'memory access out of bounds' }),
  ],
])) {
  test(`${what} costs the worker: it is made again and the request sent once more`, async () => {
    const { made, engine } = scriptedWorkers();
    const result = engine.lab('request');
    lose(made[0]);
    assert.equal(made[0].ended, true);
    assert.deepEqual(
      made[1].requests.map(({ args }) => args[0]),
      ['request'],
    );
    made[1].reply({ kind: 'done', value: 'answer' });
    assert.equal(await result, 'answer');
  });

  test(`${what} twice on one request is a descriptive error, and the next request is computed`, async () => {
    const { made, engine } = scriptedWorkers();
    const result = engine.lab('request');
    const waiting = engine.lab('another');
    lose(made[0]);
    lose(made[1]);
    await assert.rejects(result, /stopped again: memory access out of bounds/);
    assert.deepEqual(
      made[2].requests.map(({ args }) => args[0]),
      ['another'],
    );
    made[2].reply({ kind: 'done', value: 'answer' });
    assert.equal(await waiting, 'answer');
  });
}

test('awaiting the engine itself starts no work', async () => {
  const { made, engine } = scriptedWorkers();
  await engine;
  assert.equal(made.length, 0);
});

/** A model in a worker: of the package, or one that a user makes around `ropewalk/model`. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { createModel, createModelInWorker, installed, readModelFolder } from './installed.mjs';

const stories = join(import.meta.dirname, '..', 'models', 'stories260k');
const weights = new Uint8Array(readFileSync(join(stories, 'stories260K.bin')));
const model = await createModel({ weights });
const tokens = [1, 403, 407, 261, 378, 32, 4];
const frequencies = 'none';

async function written(from, options) {
  const result = [];
  for await (const token of from.generate(tokens, options)) result.push(token);
  return result;
}

describe('a model in a worker of the package', () => {
  test('gives what the model gives here', async () => {
    const shares = [];
    const there = await createModelInWorker({ weights, onProgress: (share) => shares.push(share) });
    assert.equal(shares.at(-1), 1);
    assert.deepEqual([there.options, there.contextLength], [model.options, model.contextLength]);
    const options = { position: { frequencies } };
    assert.deepEqual(await there.logits(tokens), model.logits(tokens));
    assert.deepEqual(await there.loss(tokens, options), model.loss(tokens, options));
    assert.deepEqual(await there.attentionWeights(tokens, 2), model.attentionWeights(tokens, 2));
    assert.deepEqual(await there.dump(tokens), model.dump(tokens));
    assert.deepEqual(await there.parameters(), model.parameters());
    for (let i = 0; i < 2; i++)
      assert.deepEqual(await there.layerPositions(), model.layerPositions());
    const drawn = { maxTokens: 60, temperature: 1, seed: 5, topP: 0.9 };
    const [one, other] = await Promise.all([written(there, drawn), written(there, options)]);
    assert.deepEqual(one, await written(model, drawn));
    assert.deepEqual(other, await written(model, options));
    await there.dispose();
    await assert.rejects(there.loss(tokens), /closed/);
  });
  test('takes what readModelFolder() returns, and its errors name the files', async () => {
    for (const file of [weights, new File([weights], 'stories.bin')]) {
      const folder = await readModelFolder({ 'stories.bin': file });
      const there = await createModelInWorker(folder.model);
      assert.deepEqual(await there.loss(tokens), model.loss(tokens));
      await there.dispose();
    }
    const { model: short } = await readModelFolder({ 'short.bin': weights.subarray(0, 999) });
    await assert.rejects(createModelInWorker(short), {
      name: 'RangeError',
      message: /^short\.bin must have 1056540 bytes/,
    });
  });
  test('stops writing when it is told to, and goes on with other calls', async () => {
    const there = await createModelInWorker({ weights: new Blob([weights]) });
    const stopping = new AbortController();
    const running = there.generate(tokens, { signal: stopping.signal });
    const { value } = await running.next();
    stopping.abort(new Error('enough'));
    await assert.rejects(running.next(), /enough/);
    assert.deepEqual(await written(there, { maxTokens: 1 }), [value]);
    for await (const token of there.generate(tokens)) {
      assert.equal(token, value);
      break;
    }
    await there.dispose();
  });
  test('trains as the model does here', async () => {
    const windows = [tokens, [1, 403, 407, 261, 378, 33, 5]];
    const options = { windows, schedule: { steps: 6, warmupSteps: 1 }, seed: 3 };
    const here = await createModel({ weights });
    const there = await createModelInWorker({ weights });
    const own = here.trainer(options);
    const other = await there.trainer(options);
    await assert.rejects(there.trainer(), /the model has a trainer/);
    assert.deepEqual(await other.step(2), own.step(2));
    assert.deepEqual(await other.stepOn(windows, 1e-3), own.stepOn(windows, 1e-3));
    await assert.rejects(other.stepOn([[1]]), {
      name: 'RangeError',
      message: /windows must have at least two tokens each, got 1/,
    });
    const results = [];
    for await (const result of other.run()) results.push(result);
    const expected = [];
    for await (const result of own.run()) expected.push(result);
    assert.equal(results.length, 3);
    assert.deepEqual(results, expected);
    assert.deepEqual(await there.loss(tokens), here.loss(tokens));
    assert.notDeepEqual(here.loss(tokens), model.loss(tokens));
    await other.dispose();
    await other.dispose();
    await assert.rejects(other.step(), /the trainer has been disposed of/);
    await (await there.trainer()).dispose();
    const stopping = AbortSignal.abort(new Error('enough'));
    await assert.rejects((await there.trainer(options)).run({ signal: stopping }).next(), /enough/);
    await there.dispose();
    here.dispose();
  });
  test('has the errors of the model, and of what cannot be sent', async () => {
    const refused = createModelInWorker({ weights: weights.subarray(0, 1000) });
    await assert.rejects(refused, {
      name: 'RangeError',
      parameter: 'weights',
      message: /must have 1056540 bytes for the sizes in its header, got 1000/,
    });
    const there = await createModelInWorker({ weights });
    await assert.rejects(there.loss([512, 1]), { name: 'RangeError', parameter: 'tokens[0]' });
    await assert.rejects(written(there, { topP: -1 }), { parameter: 'topP' });
    const position = { rowScale: () => 1 };
    await assert.rejects(there.loss(tokens, { position }), {
      name: 'TypeError',
      message: /^loss must be without functions, which a worker cannot take/,
    });
    await assert.rejects(
      createModelInWorker({ weights, signal: AbortSignal.abort(new Error('no more')) }),
      /no more/,
    );
    await there.dispose();
  });
});

test('`ropewalk/model` runs in a worker that a user makes', async () => {
  const code = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { createModel } from '${pathToFileURL(join(installed, 'entries/model.js')).href}';
    const model = await createModel({ weights: workerData });
    const tokens = [];
    for await (const token of model.generate([1], { maxTokens: 5 })) tokens.push(token);
    parentPort.postMessage(tokens);
  `;
  const address = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const worker = new Worker(address, { workerData: weights });
  const found = await new Promise((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
  });
  const expected = [];
  for await (const token of model.generate([1], { maxTokens: 5 })) expected.push(token);
  assert.deepEqual(found, expected);
});

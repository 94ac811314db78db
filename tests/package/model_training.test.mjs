/** The training of a loaded model goes on. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { highWater, memoryIn, withExports } from './heap.mjs';
import { createModel, createModels, createRopewalk, simds } from './installed.mjs';

const stories = join(import.meta.dirname, '..', 'models', 'stories260k');
const file = new Uint8Array(readFileSync(join(stories, 'stories260K.bin')));
const { tokens } = JSON.parse(readFileSync(join(stories, 'expected.json'), 'utf8'));
const rw = await createRopewalk();
const model = await createModel({ weights: file });
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('training goes on', () => {
  const windows = [0, 65, 130].map((first) => tokens.slice(first, first + 65));
  const scaling = { type: 'linear', factor: 4 };
  const position = { frequencies: rw.rotaryFrequencies({ dim: 8, scaling }) };
  const schedule = { steps: 12, warmupSteps: 2, learningRate: 2e-3, weightDecay: 0 };
  const lossOf = (one) => mean(one.loss(windows[0], { position }));

  test('step by step: losses fall, in both binaries alike to rounding', async (context) => {
    const [first, ...others] = await Promise.all(
      simds.map(async (simd) => {
        const own = await (await createModels({ simd })).createModel({ weights: file });
        context.after(() => own.dispose());
        const trainer = own.trainer({ windows, schedule, position, seed: 4 });
        const results = trainer.step(12);
        assert.deepEqual([trainer.steps, results[11].step], [12, 12]);
        assert.ok(Math.abs(results[1].learningRate - 2e-3) < 1e-12);
        return {
          before: lossOf(model),
          after: lossOf(own),
          losses: results.map((one) => one.loss),
        };
      }),
    );
    assert.ok(first.after < 0.6 * first.before, `${first.before} to ${first.after}`);
    for (const other of others)
      other.losses.forEach((loss, i) =>
        assert.ok(Math.abs(loss / first.losses[i] - 1) < 1e-3, `${i}: ${loss}, ${first.losses[i]}`),
      );
  });

  test('the windows of a step and their order come from the seed, or from the caller', async () => {
    const own = await createModel({ weights: file });
    const losses = (options, call) => {
      const trainer = own.trainer({ windows, position, schedule, ...options });
      const result = call(trainer);
      trainer.dispose();
      return result.map(({ loss }) => loss);
    };
    const still = { schedule: { ...schedule, learningRate: 1e-30 } };
    const alone = windows.map((window) => mean(own.loss(window, { position })));
    const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-4, `${a}, not ${b}`);
    const sorted = (list) => list.toSorted((a, b) => a - b);
    const drawn = losses(still, (trainer) => trainer.step(3));
    sorted(drawn).forEach((loss, i) => near(loss, sorted(alone)[i]));
    assert.deepEqual(
      losses(still, (trainer) => trainer.step(3)),
      drawn,
    );
    const [both] = losses(still, (trainer) => [trainer.stepOn([windows[0], windows[2]], 0)]);
    near(both, (alone[0] + alone[2]) / 2);
    const [together] = losses({ ...still, batchSize: 3 }, (trainer) => trainer.step());
    near(together, mean(alone));
    own.dispose();
  });

  test('run() takes the steps that are left, and ends on abort', async () => {
    const own = await createModel({ weights: file });
    const trainer = own.trainer({ windows, schedule, position });
    trainer.step(5);
    const stopping = new AbortController();
    const seen = [];
    const rest = async () => {
      for await (const { step } of trainer.run({ signal: stopping.signal })) {
        seen.push(step);
        // It is called though nothing in the loop waits for it.
        if (step === 6) setImmediate(() => stopping.abort(new Error('enough')));
      }
    };
    await assert.rejects(rest(), /enough/);
    const reached = trainer.steps;
    assert.ok(reached >= 6 && reached < 12, `${reached}`);
    for await (const { step } of trainer.run()) seen.push(step);
    assert.deepEqual(seen, [6, 7, 8, 9, 10, 11, 12]);
    own.dispose();
    assert.throws(() => trainer.step(), /trainer has been disposed of/);
  });

  test('dispose() frees what training took: the next trainer begins anew', async () => {
    const { started, exported } = await withExports(() => createModels());
    const own = await started.createModel({ weights: file });
    const memory = memoryIn(exported);
    const round = () => {
      const trainer = own.trainer({ windows, schedule, position });
      assert.throws(() => own.trainer(), /the model has a trainer/);
      trainer.step(2);
      trainer.dispose();
      trainer.dispose();
    };
    for (let i = 0; i < 3; i++) round();
    const before = highWater(memory);
    for (let i = 0; i < 20; i++) round();
    assert.deepEqual(highWater(memory), before);
    own.dispose();
  });

  test('wrong windows and options are named', async () => {
    const own = await createModel({ weights: file });
    for (const [options, message] of [
      [{ windows: [[1]] }, /windows must have at least two tokens each, got 1/],
      [{ windows: [windows[0], [1, 2]] }, /windows must have 65 tokens each, got 2/],
      [{ windows: [[1, 512]] }, /tokens\[1\] must be .* from 0 to 511, got 512/],
      [{ windows: 5 }, /windows must be a list of lists, got 5/],
      [{ windows, batchSize: 2 ** 31 }, /batchSize × tokens would take 1116691496960 bytes/],
      [{ schedule: { beta2: 1 } }, /schedule\.beta2 must be less than 1, got 1/],
      [{ schedule: { steps: 0 } }, /schedule\.steps must be/],
      [{ batch: 2 }, /trainer options has no "batch"/],
    ])
      assert.throws(() => own.trainer(options), message);
    const trainer = own.trainer({ schedule: { maxGradNorm: 0 } });
    assert.throws(() => trainer.step(), /windows must be at least 1 to draw from, got 0/);
    assert.throws(() => trainer.stepOn([]), /windows must have at least two tokens each/);
    const diverge = () => {
      for (let i = 0; i < 9; i++) trainer.stepOn([windows[0]], 1e38);
    };
    assert.throws(diverge, /the loss is .* at step \d: lower schedule/);
    own.dispose();
  });
});

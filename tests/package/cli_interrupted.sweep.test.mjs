/** `npx ropewalk sweep`, interrupted and started again, ends with the same bits. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { place, printed } from './command.mjs';
import { interrupted, json, lines, never, plan, stepsOf, untimed } from './training_runs.mjs';

test('an interrupted entry continues from its checkpoint', async () => {
  const long = { ...plan, steps: 1500 };
  writeFileSync(place('long.json'), JSON.stringify(long));
  const entry = (name) => `sweep long.json --out ${name} --index 1`;
  const ended = await interrupted(
    'SIGKILL',
    [/step [1-9]/],
    `${entry('cut')} --checkpoint-every 1`,
  );
  assert.equal(ended, process.platform === 'win32' ? 1 : 'SIGKILL');
  assert.ok(existsSync(place('cut/run-1.safetensors')));
  await printed(entry('cut'));
  assert.ok(!existsSync(place('cut/run-1.safetensors')));
  await printed(entry('uncut'));
  assert.deepEqual(untimed(json('cut/run-1.jsonl')), untimed(json('uncut/run-1.jsonl')));
});

for (const [signal, code] of process.platform === 'win32'
  ? []
  : [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ])
  test(`a sweep that ends by ${signal} saves every running entry, and continues with the same bits`, async () => {
    const long = { ...plan, steps: 3000 };
    writeFileSync(place('long.json'), JSON.stringify(long));
    const sweep = (name) => `sweep long.json --out ${name} --jobs 2`;
    const [cut, uncut] = [`cut${signal}`, `uncut${signal}`];
    const begun = [/runs are finished, \S+ left/];
    assert.equal(await interrupted(signal, begun, `${sweep(cut)} ${never}`), code);
    for (const index of [0, 1]) {
      const steps = stepsOf(`${cut}/run-${index}.safetensors`);
      assert.ok(steps > 0 && steps < long.steps, `entry ${index} at ${steps}`);
    }
    await printed(sweep(cut));
    await printed(sweep(uncut));
    assert.deepEqual(
      lines(`${cut}/results.jsonl`).map(untimed),
      lines(`${uncut}/results.jsonl`).map(untimed),
    );
  });

if (process.platform !== 'win32')
  test('a second signal ends a sweep in the middle of a step', async () => {
    // A step takes seconds.
    const trainer = { ...plan.trainer, model: {}, batchSize: 64, length: 1024 };
    const slow = { ...plan, trainer, steps: 3, evaluations: {} };
    writeFileSync(place('slow.json'), JSON.stringify(slow));
    const texts = [/runs are finished/, /saving \d checkpoints/];
    const ended = await interrupted('SIGINT', texts, 'sweep slow.json --out slow --jobs 1');
    assert.equal(ended, 'SIGINT');
    assert.deepEqual(readdirSync(place('slow')), ['plan.json']);
  });

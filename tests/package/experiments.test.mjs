/** Recorded experiments can be repeated: plans give the same losses, kept models the same scores. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { kept, keptModel } from '../experiments/checkpoints.mjs';
import { planNames, recordedOf, roundedCurve } from '../experiments/record.mjs';
import { few } from '../support/sweep.mjs';
import { createTraining, installed, simds } from './installed.mjs';

const files = await import(pathToFileURL(join(installed, 'entries/files.js')).href);

/** Points of the curve that are repeated: as many as take about a second. */
const points = 2;

/** The binaries differ in the last bits of each operation; few steps keep these small. */
const otherBinary = 2e-3;

/** Largest change of an accuracy when weights have 16 bits. */
const narrowWeights = 5e-3;

/** Instances by binary. */
const started = Object.fromEntries(
  await Promise.all(simds.map(async (simd) => [simd, await createTraining({ simd })])),
);

describe('the first steps of the first run of each plan repeat the recorded losses', () => {
  for (const simd of simds)
    for (const name of few(planNames.filter(recordedOf), 3))
      test(`${name}, ${simd}`, (context) => {
        const { plan, binary, results } = recordedOf(name);
        const [{ variant, seed, curve }] = results;
        const expected = curve.slice(0, points);
        const options = { ...plan.trainer, ...plan.variants[variant], seed };
        const trainer = started[simd].createTrainer(options);
        context.after(() => trainer.dispose());
        const again = expected.map(([step]) => {
          const losses = trainer.step(plan.curve).map(({ loss }) => loss);
          return [step, losses.reduce((sum, loss) => sum + loss, 0) / losses.length];
        });
        if (simd === binary) assert.deepEqual(roundedCurve(again), expected);
        again.forEach(([step, loss], i) => {
          const difference = Math.abs(loss / expected[i][1] - 1);
          assert.ok(difference <= otherBinary, `step ${step}: ${loss}, not ${expected[i][1]}`);
        });
      });
});

describe('kept models score as their runs did', () => {
  for (const simd of simds)
    for (const [name, variants] of Object.entries(kept))
      for (const variant of variants)
        test(`${name}, ${variant}, ${simd}`, (context) => {
          const { plan, results } = recordedOf(name);
          const run = results.find((other) => other.variant === variant);
          const trainer = keptModel(started[simd], files, { plan: name, variant });
          context.after(() => trainer.dispose());
          const [[evaluation, options]] = Object.entries(plan.evaluations);
          const [expected] = run.evaluations[evaluation];
          const [scores] = trainer.evaluate({ ...options, lengths: [expected.length] });
          for (const [i, { accuracy, count }] of expected.groups.entries()) {
            assert.equal(scores.groups[i].count, count);
            const difference = Math.abs(scores.groups[i].accuracy - accuracy);
            assert.ok(difference <= narrowWeights, `${scores.groups[i].accuracy}, not ${accuracy}`);
          }
        });
});

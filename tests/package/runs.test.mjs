/**
 * Runs and plans: what a plan.json means, and that a run from it is the same however it is driven.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createRopewalk, createTraining, installed, planEntries } from './installed.mjs';

const own = (name) => import(pathToFileURL(join(installed, name)).href);
const { Run } = await own('training/run.js');
const { withPlanPaths } = await own('training/plan.js');
const { startTrainingCore } = await own('training/training.js');
const { inlineForTraining } = await own('runtime/train_inline.js');
const { core, simd } = await startTrainingCore(undefined, inlineForTraining);
const rw = await createRopewalk();
const train = await createTraining();

const plan = {
  name: 'small',
  trainer: {
    task: { type: 'drawers' },
    model: { width: 16, layers: 1, heads: 2 },
    batchSize: 4,
    length: 12,
  },
  variants: { rope: { position: { type: 'rope', base: 100 } }, none: { length: 8 } },
  seeds: [3, 1],
  steps: 25,
  curve: 10,
  evaluations: { longer: { lengths: [12, 24], sequences: 4 } },
};

/** A run to its end; `at` is called after each step. */
function finished(entry, checkpoint = undefined, at = (_run) => {}) {
  const run = new Run(core, simd, entry, checkpoint);
  try {
    while (run.advance()) at(run);
    return run.result;
  } finally {
    run.dispose();
  }
}

const untimed = ({ seconds, ...result }) => {
  assert.ok(seconds > 0);
  return result;
};

test('entries are the variants in their order, the seeds of each in theirs', () => {
  const entries = planEntries(plan);
  assert.deepEqual(
    entries.map(({ index, variant, trainer }) => [index, variant, trainer.seed, trainer.length]),
    [
      [0, 'rope', 3, 12],
      [1, 'rope', 1, 12],
      [2, 'none', 3, 8],
      [3, 'none', 1, 8],
    ],
  );
  assert.deepEqual(entries[0].trainer.position, { type: 'rope', base: 100 });
  assert.equal(entries[2].trainer.position, undefined);
});

test('a result is what a trainer gives, as plain JSON', (context) => {
  const [entry] = planEntries(plan);
  const result = finished(entry);
  const trainer = train.createTrainer({ ...entry.trainer, schedule: { steps: 25 } });
  context.after(() => trainer.dispose());
  const losses = trainer.step(25).map(({ loss }) => loss);
  const mean = (list) => list.reduce((sum, loss) => sum + loss, 0) / list.length;
  assert.deepEqual(result.curve, [
    [10, mean(losses.slice(0, 10))],
    [20, mean(losses.slice(10, 20))],
    [25, mean(losses.slice(20))],
  ]);
  const evaluations = trainer.evaluate(plan.evaluations.longer);
  assert.deepEqual(
    result.evaluations.longer,
    evaluations.map(({ length, loss, accuracy, wholeSequences, count }) => ({
      length,
      loss,
      accuracy,
      wholeSequences,
      count,
    })),
  );
  const { plan: name, index, variant, seed, version, binary, steps } = result;
  assert.deepEqual(
    { name, index, variant, seed, binary, steps },
    { name: 'small', index: 0, variant: 'rope', seed: 3, binary: train.simd, steps: 25 },
  );
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
});

test('without a plan a point of the curve is the mean of 10 steps', () => {
  const { curve, variant } = finished({ trainer: plan.trainer, steps: 12 });
  assert.deepEqual(
    curve.map(([step]) => step),
    [10, 12],
  );
  assert.equal(variant, undefined);
});

test('places and groups are there where they are wanted and known', () => {
  const task = { type: 'repeats', symbols: 8, minPeriod: 2, maxPeriod: 4 };
  const evaluations = { all: { lengths: [12], sequences: 4, places: true } };
  const { evaluations: found } = finished({ trainer: { task, length: 12 }, steps: 1, evaluations });
  const [{ lossByPlace, accuracyByPlace, groups }] = found.all;
  assert.deepEqual([lossByPlace.length, accuracyByPlace.length, groups.length], [12, 12, 2]);
  assert.equal(groups[0].lossByPlace.length, 12);
});

describe('a run that continues from a checkpoint ends with the same bits', () => {
  const [entry] = planEntries(plan);
  const whole = untimed(finished(entry));
  for (const stop of [1, 10, 17, 25])
    test(`from step ${stop}`, () => {
      let checkpoint;
      finished(entry, undefined, (run) => {
        if (run.progress.step === stop) checkpoint ??= run.checkpoint();
      });
      let first;
      const continued = finished(entry, checkpoint, (run) => (first ??= run.progress.step));
      assert.ok(first >= stop, `continued at ${first}`);
      assert.deepEqual(untimed(continued), whole);
    });
});

test('a checkpoint of another training is an error', () => {
  const [entry, other] = planEntries(plan);
  const run = new Run(core, simd, entry);
  run.advance();
  const checkpoint = run.checkpoint();
  run.dispose();
  assert.throws(
    () => new Run(core, simd, other, checkpoint),
    /^RangeError: checkpoint must be of the same training, got one of \{"task":/,
  );
});

test('a loss that is not finite stops the run with an error', () => {
  const schedule = { learningRate: 1e30, maxGradNorm: 0, warmupSteps: 0 };
  const result = finished({
    ...planEntries(plan)[0],
    ...{ trainer: { ...plan.trainer, schedule } },
  });
  assert.match(result.failed, /^the loss is \S+ at step \d+: lower schedule.learningRate/);
  assert.ok(result.steps < 25);
  assert.deepEqual(result.evaluations, {});
});

describe('an extension by name is that of its numbers', () => {
  const [entry] = planEntries(plan);
  const shared = { lengths: [24], sequences: 8 };
  const trainer = train.createTrainer({ ...entry.trainer, schedule: { steps: 25 } });
  trainer.step(25);
  const pi = { type: 'linear', factor: 2 };
  const yarn = { type: 'yarn', factor: 2, originalLength: 12, temperature: 'logits' };
  const frequenciesOf = (scaling) => rw.rotaryFrequencies({ dim: 8, base: 100, scaling });
  const listOf = ({ inverseFrequencies, attentionFactor }) => ({
    frequencies: { inverseFrequencies, attentionFactor },
  });
  const logN = (form, originalLength) => {
    const factors = rw.logitFactors(24, { type: 'log-n', form, originalLength });
    return { rowScale: (place) => factors[place] };
  };
  const ways = {
    linear: [{ scaling: pi }, listOf(frequenciesOf(pi))],
    'yarn on the logits': [
      { scaling: yarn },
      { ...listOf(frequenciesOf(yarn)), rowScale: () => frequenciesOf(yarn).softmaxScale },
    ],
    'su-mixed': [
      { scaling: { type: 'ntk', form: 'su-mixed', factor: 4 } },
      listOf(frequenciesOf({ type: 'ntk', form: 'su-mixed', factor: 4 })),
    ],
    'log-n': [{ logN: true }, logN('clipped', 12)],
    'log-n of the length': [{ logN: { form: 'length', originalLength: 4 } }, logN('length', 4)],
    rerope: [{ map: { type: 'rerope', window: 6 } }, { map: { type: 'rerope', window: 6 } }],
  };
  const direct = trainer.evaluate(shared)[0].loss;
  for (const [name, [named, numbers]] of Object.entries(ways))
    test(name, () => {
      const { evaluations } = finished({ ...entry, evaluations: { it: { ...shared, ...named } } });
      const [{ loss }] = trainer.evaluate({ ...shared, ...numbers });
      assert.equal(evaluations.it[0].loss, loss);
      assert.notEqual(loss, direct);
    });
});

describe('a wrong plan is an error with the path, the rule and the value', () => {
  /** @type {[object, RegExp][]} */
  const wrong = [
    [{ name: 3 }, /^name must be a text, got 3$/],
    [{ steps: 0 }, /^steps must be a whole number from 1 to 2\^31, got 0$/],
    [{ seeds: [1, 'a'] }, /^seeds\[1\] must be a number, got "a"$/],
    [{ seeds: [1, 1] }, /^seeds\[1\] must differ from the others, got 1 again$/],
    [{ seeds: [] }, /^seeds must be a list of seeds, got an array$/i],
    [{ variants: {} }, /^variants must have at least one, got none$/],
    [{ variants: { a: { seed: 1 } } }, /^variants\.a\.seed must be left out: seeds has them$/],
    [{ trainer: { ...plan.trainer, seed: 1 } }, /^trainer\.seed must be left out: seeds has them$/],
    [{ extra: 1 }, /^plan has no "extra"; known names: name, trainer, variants, seeds,/],
    [
      { trainer: { ...plan.trainer, batchSize: 0 } },
      /^trainer\.batchSize must be a whole number from 1 to 2\^31, got 0$/,
    ],
    [
      { variants: { rope: { position: { type: 'rope', base: -1 } } } },
      /^variants\.rope\.position\.base must be greater than 0, got -1$/,
    ],
    [
      { variants: { a: { model: { width: 16, heads: 3 } } } },
      /^variants\.a: decoder: width must be a multiple of heads, got 16 and 3$/,
    ],
    [
      { evaluations: { far: { lengths: [12, 0] } } },
      /^evaluations\.far\.lengths\[1\] must be a whole number from 1 to 2\^31, got 0$/,
    ],
    [
      { evaluations: { far: { lengths: [12], sequences: -1 } } },
      /^evaluations\.far\.sequences must be a whole number from 1 to 2\^31, got -1$/,
    ],
    [
      { evaluations: { far: { lengths: [12], sequences: 2.5 } } },
      /^evaluations\.far\.sequences must be a whole number from 1 to 2\^31, got 2\.5$/,
    ],
    [
      { evaluations: { far: { lengths: [8], sequences: 2 ** 31 } } },
      /^evaluations\.far: evaluate: sequences x length must be at most 1073741824 tokens, got /,
    ],
    [
      { evaluations: { far: { lengths: [12], scaling: { type: 'llama3' } } } },
      /^evaluations\.far\.scaling\.type must be one of 'none', 'linear', .*got "llama3"$/,
    ],
    [
      { evaluations: { far: { lengths: [12], scaling: { type: 'linear', factor: 0 } } } },
      /^evaluations\.far\.scaling\.factor must be greater than 0, got 0$/,
    ],
    [
      { evaluations: { far: { lengths: [12], logN: { form: 'x' } } } },
      /^evaluations\.far\.logN\.form must be one of 'length', 'position', 'clipped', got "x"$/,
    ],
  ];
  for (const [change, rule] of wrong)
    test(String(rule), () => {
      const changed = { ...plan, ...change };
      assert.throws(
        () => {
          for (const entry of planEntries(changed))
            withPlanPaths(changed, entry, () => Run.check(core, simd, entry));
        },
        (error) => {
          assert.ok(error instanceof TypeError || error instanceof RangeError);
          assert.match(error.message, rule);
          const [path] = /^\S+(?= must )/.exec(error.message) ?? [];
          const { parameter } = /** @type {import('ropewalk').ParameterError} */ (error);
          assert.ok(path === undefined || parameter === path, `the parameter is ${parameter}`);
          return true;
        },
      );
    });
});

/** The pool of `ropewalk/train`: runs on workers are those of this thread, to the bit. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { sweep } from '../support/sweep.mjs';
import { createTrainer, createTrainingPool, installed, planEntries } from './installed.mjs';

const entry = (name) => pathToFileURL(join(installed, 'entries', name));
const { readSafetensors } = await import(entry('files.js').href);

const plan = {
  name: 'pool',
  trainer: {
    task: { type: 'drawers' },
    model: { width: 16, layers: 1, heads: 2 },
    batchSize: 8,
    length: 16,
  },
  // The last needs the larger binary, which the workers get with the run.
  variants: {
    rope: { position: { type: 'rope' } },
    fox: { position: { type: 'fox' } },
    path: { position: { type: 'path' } },
  },
  seeds: [0, 1],
  steps: 60,
  evaluations: { far: { lengths: [16, 32], sequences: 8, places: true } },
};
const entries = planEntries(plan);
const endless = { ...entries[0], steps: 1_000_000 };

const pool = await createTrainingPool({ size: 2 });
after(() => pool.close());

const untimed = ({ seconds, ...result }) => {
  assert.ok(seconds > 0);
  return result;
};

test('runs beside each other are those one after another, bit for bit', async () => {
  const together = await Promise.all(entries.map((entry) => pool.run(entry)));
  const single = await createTrainingPool({ size: 1 });
  for (const [i, entry] of entries.entries()) {
    const alone = await single.run(entry);
    assert.deepEqual(untimed(together[i]), untimed(alone));
    assert.equal(alone.index, i);
  }
  await single.close();
  const curves = new Set(together.map(({ curve }) => JSON.stringify(curve)));
  assert.equal(curves.size, entries.length);
});

test('progress goes up to the last step, and has the curve', async () => {
  const seen = [];
  const { curve } = await pool.run(entries[0], { onProgress: (progress) => seen.push(progress) });
  const steps = seen.map(({ step }) => step);
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => a - b),
  );
  const last = seen.at(-1);
  assert.deepEqual(
    { ...last, stepsPerSecond: 0, tokensPerSecond: 0, secondsLeft: 0 },
    {
      step: 60,
      steps: 60,
      loss: curve.at(-1)[1],
      curve,
      stepsPerSecond: 0,
      tokensPerSecond: 0,
      secondsLeft: 0,
      evaluated: 2,
      toEvaluate: 2,
    },
  );
  assert.ok(last.tokensPerSecond > 0);
});

test('the trained model is kept where it is wanted, and evaluated again', async (context) => {
  const { checkpoint, ...whole } = await pool.run(entries[0], { keepModel: true });
  assert.equal((await pool.run(entries[0])).checkpoint, undefined);
  const again = await pool.run(entries[0], { checkpoint });
  assert.deepEqual(again.evaluations, whole.evaluations);
  const other = { ...entries[0], evaluations: { near: { lengths: [8], lookback: 2 } } };
  const { evaluations } = await pool.run(other, { checkpoint });
  const foreign = runInNewContext('(bytes) => Uint8Array.from(bytes)')(checkpoint);
  const { curve } = await pool.run(entries[0], { checkpoint: foreign });
  assert.deepEqual(curve, again.curve);
  const trainer = await createTrainer(entries[0].trainer);
  context.after(() => trainer.dispose());
  trainer.restore(checkpoint);
  const [{ loss }] = trainer.evaluate({ lengths: [8], lookback: 2 });
  assert.equal(evaluations.near[0].loss, loss);
});

test('a run that continues from a checkpoint ends with the same bits', async () => {
  const checkpoints = [];
  const whole = await pool.run(entries[2], {
    checkpointEvery: 25,
    onCheckpoint: (checkpoint) => checkpoints.push(checkpoint),
  });
  assert.equal(checkpoints.length, 2);
  for (const checkpoint of checkpoints)
    assert.deepEqual(untimed(await pool.run(entries[2], { checkpoint })), untimed(whole));
});

/** A pool of one worker, whose workers and runs are kept. */
async function watchedPool() {
  const workers = [];
  const works = [];
  const worker = () => {
    const made = new Worker(entry('node_worker.js'));
    const { postMessage } = made;
    made.postMessage = (message, transfer) => {
      if (message.name === 'run') works.push(message.args[0]);
      return postMessage.call(made, message, transfer);
    };
    workers.push(made);
    return made;
  };
  return { pool: await createTrainingPool({ size: 1, worker }), workers, works };
}

const stepOf = (checkpoint) => Number(readSafetensors(checkpoint).metadata.get('steps'));
const long = { ...entries[1], steps: 1500 };
let uninterrupted;
/** The long run by itself, once for the tests that compare theirs with it. */
const wholeRun = () => (uninterrupted ??= pool.run(long));

test('a run whose worker dies continues from the checkpoint that the pool keeps', async () => {
  const whole = await wholeRun();
  const { pool: watched, workers, works } = await watchedPool();
  const onProgress = ({ step }) => step >= 10 && workers.length === 1 && workers[0].terminate();
  const result = await watched.run(long, { checkpointEvery: 5, onProgress });
  await watched.close();
  assert.deepEqual(untimed(result), untimed(whole));
  assert.equal(workers.length, 2);
  assert.equal(works[0].checkpoint, undefined);
  const step = stepOf(works[1].checkpoint);
  assert.ok(step >= 5 && step % 5 === 0, String(step));
});

sweep('a run whose worker dies before any checkpoint starts again where it began', async () => {
  const whole = await wholeRun();
  const { pool: watched, workers, works } = await watchedPool();
  const onProgress = () => workers.length === 1 && workers[0].terminate();
  const result = await watched.run(long, { checkpointEvery: 10_000, onProgress });
  await watched.close();
  assert.deepEqual(untimed(result), untimed(whole));
  assert.deepEqual(
    works.map(({ checkpoint }) => checkpoint),
    [undefined, undefined],
  );
});

test('a caller may write to the checkpoint it gets: the pool keeps its own', async () => {
  const { pool: watched, workers } = await watchedPool();
  const onProgress = ({ step }) => step >= 10 && workers.length === 1 && workers[0].terminate();
  const onCheckpoint = (checkpoint) => checkpoint.fill(0);
  const result = await watched.run(long, { checkpointEvery: 5, onProgress, onCheckpoint });
  await watched.close();
  assert.equal(workers.length, 2);
  assert.equal(result.steps, long.steps);
});

test('pause resolves when every run has given its checkpoint, which continues with the same bits', async () => {
  const whole = await wholeRun();
  const schedule = { steps: long.steps };
  const unending = { ...endless, trainer: { ...long.trainer, schedule } };
  const checkpoints = [new Map(), new Map()];
  const stops = checkpoints.map(() => new AbortController());
  const runs = checkpoints.map((own, i) => {
    const started = new Promise((resolve) => {
      const options = {
        checkpointEvery: 1_000_000,
        onCheckpoint: (checkpoint) => own.set(stepOf(checkpoint), checkpoint),
        onProgress: resolve,
        signal: stops[i].signal,
      };
      pool.run(unending, options).catch(() => {});
    });
    return started;
  });
  await Promise.all(runs);
  await pool.pause();
  assert.deepEqual(
    checkpoints.map(({ size }) => size),
    [1, 1],
  );
  pool.resume();
  for (const stop of stops) stop.abort();
  const [[step, checkpoint]] = checkpoints[0];
  assert.ok(step > 0 && step < long.steps, String(step));
  assert.deepEqual(untimed(await pool.run(long, { checkpoint })), untimed(whole));
});

test('a paused pool takes no step until it resumes, and the bits are the same', async () => {
  const seen = [];
  const whole = await pool.run(entries[1]);
  pool.pause();
  assert.ok(pool.isPaused);
  const run = pool.run(entries[1], { onProgress: ({ step }) => seen.push(step) });
  const other = await createTrainingPool({ size: 1 });
  // Longer than the paused run would have taken.
  await other.run(entries[1]);
  await other.close();
  assert.deepEqual(seen, []);
  pool.resume();
  assert.deepEqual(untimed(await run), untimed(whole));
});

sweep('a run is paused in the middle', async () => {
  const controller = new AbortController();
  let last;
  const paused = new Promise((resolve) => {
    const onProgress = ({ step }) => {
      if (last === undefined) pool.pause();
      last = step;
      resolve(undefined);
    };
    pool.run(endless, { onProgress, signal: controller.signal }).catch(() => {});
  });
  await paused;
  // The message takes one report to arrive; runs elsewhere take many times as long.
  const other = await createTrainingPool({ size: 1 });
  const long = { ...entries[1], steps: 2000 };
  await other.run(long);
  const before = last;
  await other.run(long);
  await other.close();
  if (last !== before) controller.abort();
  assert.equal(last, before);
  const goesOn = new Promise((resolve) => {
    const wait = () => (last > before ? resolve(undefined) : setImmediate(wait));
    wait();
  });
  pool.resume();
  await goesOn;
  controller.abort();
});

test('an aborted run rejects with the reason, and its worker is free again', async () => {
  const controller = new AbortController();
  const reason = new Error('seen enough');
  const runs = [0, 1].map(() =>
    pool.run(endless, {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    }),
  );
  const settled = await Promise.allSettled(runs);
  assert.deepEqual(
    settled.map((one) => one.status === 'rejected' && one.reason),
    [reason, reason],
  );
  assert.equal((await pool.run(entries[0])).steps, 60);
});

test('a run that fails leaves the others alone', async () => {
  const schedule = { learningRate: 1e30, maxGradNorm: 0, warmupSteps: 0 };
  const failing = { ...entries[0], trainer: { ...entries[0].trainer, schedule } };
  const [failed, whole] = await Promise.all([pool.run(failing), pool.run(entries[3])]);
  assert.match(failed.failed, /^the loss is \S+ at step \d+: lower schedule\.learningRate/);
  assert.deepEqual(failed.evaluations, {});
  assert.equal(whole.failed, undefined);
  assert.equal(whole.steps, 60);
});

test('an error of onProgress ends its run', async () => {
  const wrong = new Error('no room for the curve');
  const onProgress = () => {
    throw wrong;
  };
  await assert.rejects(pool.run(endless, { onProgress }), wrong);
});

test('a closed pool rejects what runs, what waits and what comes', async () => {
  const short = await createTrainingPool({ size: 1 });
  const started = new Promise((resolve) => {
    const run = short.run(endless, { onProgress: resolve });
    run.catch(() => {});
    short.run(endless).catch(() => {});
  });
  await started;
  const waiting = short.run(endless);
  const found = Promise.allSettled([waiting]);
  await short.close();
  await short.close();
  const [settled] = await found;
  assert.match(
    String(settled.status === 'rejected' && settled.reason),
    /^Error: The pool is closed$/,
  );
  await assert.rejects(short.run(endless), /^Error: The pool is closed$/);
});

describe('wrong options are errors that name them', () => {
  const wrong = [
    [{ trainer: { task: { type: 'sorting' } } }, {}, /task\.type must be one of 'drawers'/],
    [
      { ...entries[0], step: 3 },
      {},
      /run description has no "step".*; known names: trainer, steps,/,
    ],
    [{}, {}, /trainer must be an object, got undefined/],
    [entries[0], { signal: {} }, /signal must be an AbortSignal, got an Object/],
    [entries[0], { onProgress: 3 }, /onProgress must be a function, got 3/],
    [entries[0], { checkpoint: [1] }, /checkpoint must be a Uint8Array, got an Array/i],
    [entries[0], { checkpoint: new Uint8Array(3) }, /safetensors file must have at least 8 bytes/],
    [entries[0], { checkpointEvery: 0 }, /checkpointEvery must be a whole number from 1/],
    [entries[0], { every: 3 }, /run options has no "every"/],
  ];
  for (const [description, options, rule] of wrong)
    test(String(rule), () => assert.rejects(pool.run(description, options), rule));
  test('with the parameter and the value', async () => {
    const trainer = { task: { type: 'copy' }, model: { width: 0 } };
    await assert.rejects(pool.run({ trainer }), { parameter: 'model.width', value: 0 });
  });
  test('of the pool', async () => {
    await assert.rejects(createTrainingPool({ size: 2000 }), /size must be at most 1024, got 2000/);
  });
});

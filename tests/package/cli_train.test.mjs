/** `npx ropewalk train` and `sweep`; interrupted and started again, `train` ends with the same bits. */
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { few } from '../support/sweep.mjs';
import { place, printed, readSafetensors, run } from './command.mjs';
import { createTrainer } from './installed.mjs';
import { interrupted, lines, never, plan, stepsOf, untimed } from './training_runs.mjs';

const small = '--width 16 --layers 1 --heads 2 --batch-size 4';

test('train gives what a trainer gives, and a log of the curve', async (context) => {
  const args = `train --task copy --position rope --seed 1 ${small}`;
  const out = await printed(args, '--steps 25 --out run.safetensors --log run.jsonl');
  const result = JSON.parse(out);
  const trainer = await createTrainer({
    task: { type: 'copy' },
    position: { type: 'rope' },
    seed: 1,
    model: { width: 16, layers: 1, heads: 2 },
    batchSize: 4,
    schedule: { steps: 25 },
  });
  context.after(() => trainer.dispose());
  const losses = trainer.step(25).map(({ loss }) => loss);
  assert.equal(result.curve.at(-1)[1], losses.slice(20).reduce((a, b) => a + b) / 5);
  const { tensors } = readSafetensors(readFileSync(place('run.safetensors')));
  assert.deepEqual(tensors.get('E').data, trainer.parameters().E.data);
  assert.deepEqual(lines('run.jsonl'), [
    ...result.curve.map(([step, loss]) => ({ step, loss })),
    result,
  ]);
});

for (const signal of few(process.platform === 'win32' ? [] : ['SIGINT', 'SIGKILL', 'SIGTERM'], 2))
  test(`train continues after ${signal} and ends with the same bits`, async () => {
    const args = `train --task drawers --position fox ${small} --steps 1500`;
    const [whole, part] = [`whole${signal}.safetensors`, `part${signal}.safetensors`];
    const every = signal === 'SIGKILL' ? '--checkpoint-every 1' : never;
    const ended = await interrupted(signal, [/step [1-9]/], `${args} ${every} --out ${part}`);
    assert.equal(ended, { SIGINT: 130, SIGTERM: 143, SIGKILL: 'SIGKILL' }[signal]);
    const steps = stepsOf(part);
    assert.ok(steps > 0 && steps < 1500, `interrupted at ${steps}`);
    const continued = JSON.parse(await printed(args, '--out', part));
    assert.deepEqual(untimed(continued), untimed(JSON.parse(await printed(args, '--out', whole))));
    const values = (name) => [...readSafetensors(readFileSync(place(name))).tensors];
    assert.deepEqual(values(part), values(whole));
  });

test('train rejects a file of another run, and does not change it', async () => {
  const args = `train --task parity ${small} --steps 2 --out one.safetensors`;
  await printed(args);
  const before = readFileSync(place('one.safetensors'));
  const { status, stderr } = await run(args, '--seed 3');
  assert.equal(status, 1);
  assert.match(stderr, /^ropewalk: one\.safetensors: checkpoint must be of the same training, got/);
  assert.deepEqual(readFileSync(place('one.safetensors')), before);
});

test('a loss that is not finite ends train with exit code 1 and an error', async () => {
  const trainer = { ...plan.trainer, schedule: { maxGradNorm: 0, warmupSteps: 0 } };
  writeFileSync(place('trainer.json'), JSON.stringify(trainer));
  const { status, stderr, stdout } = await run('train --trainer trainer.json --learning-rate 1e30');
  assert.equal(status, 1);
  assert.match(stderr, /^ropewalk: the loss is \S+ at step \d+: lower schedule\.learningRate/);
  assert.equal(JSON.parse(stdout).failed, stderr.slice('ropewalk: '.length).trim());
});

test('sweep runs all entries, joins and draws them, and finds nothing to do the second time', async () => {
  assert.match(await printed('sweep plan.json --out all'), /^4 of 4 entries in all\S+jsonl\n$/);
  const results = lines('all/results.jsonl');
  assert.deepEqual(
    results.map(({ plan: name, index, variant, seed, steps }) => [
      name,
      index,
      variant,
      seed,
      steps,
    ]),
    [
      ['small', 0, 'rope', 0, 40],
      ['small', 1, 'rope', 1, 40],
      ['small', 2, 'none', 0, 40],
      ['small', 3, 'none', 1, 40],
    ],
  );
  assert.deepEqual(
    readdirSync(place('all')).filter((name) => /safetensors|partial/.test(name)),
    [],
  );
  const svg = readFileSync(place('all/results.svg'), 'utf8');
  for (const text of ['training: loss', 'far: loss', 'far: accuracy', '>rope<', '>none<'])
    assert.ok(svg.includes(text), text);
  const before = readFileSync(place('all/results.jsonl'), 'utf8');
  await printed('sweep plan.json --out all');
  assert.equal(readFileSync(place('all/results.jsonl'), 'utf8'), before);
});

test('single entries, by option or by the variable of an engine, are those of the sweep', async () => {
  const sweep = 'sweep plan.json --out parts';
  await printed(sweep, '--index 3');
  for (const [name, value] of [
    ['SLURM_ARRAY_TASK_ID', '0'],
    ['JOB_COMPLETION_INDEX', '2'],
  ]) {
    process.env[name] = value;
    await printed(sweep);
    delete process.env[name];
  }
  const merge = await run('sweep plan.json --merge parts');
  assert.equal(merge.status, 1);
  assert.equal(merge.stderr, 'ropewalk: 1 of 4 entries must still be run: 1 (rope, seed 1)\n');
  copyFileSync(place('parts/run-0.jsonl'), place('parts/run-5.jsonl'));
  const twice = (await run('sweep plan.json --merge parts')).stderr;
  assert.match(twice, /; entry 0 \(rope, seed 0\) must be there once, got \S+ and \S+\n$/);
  rmSync(place('parts/run-5.jsonl'));
  await printed(sweep, '--index 1');
  await printed('sweep plan.json --merge parts');
  await printed('sweep plan.json --out together');
  assert.deepEqual(
    lines('parts/results.jsonl').map(untimed),
    lines('together/results.jsonl').map(untimed),
  );
});

describe('errors have the path, the rule and the value', () => {
  writeFileSync(place('seeds.json'), JSON.stringify({ ...plan, seeds: [0, 'a'] }));
  const variants = { rope: { position: { type: 'rope', base: -1 } } };
  writeFileSync(place('base.json'), JSON.stringify({ ...plan, variants }));
  writeFileSync(place('text.json'), 'plan');
  /** @type {[string, RegExp][]} */
  const wrong = [
    ['train', /^ropewalk: --task must be given, got nothing\n$/],
    ['train --task sort', /^ropewalk: --task must be one of drawers, .*got sort\n$/],
    ['train --task copy --width 3', /must be a multiple of heads/],
    ['train --task copy --lengths 3,x', /^ropewalk: --lengths must be whole numbers/],
    ['sweep plan.json', /^ropewalk: --out or --merge must be given, got neither\n$/],
    ['sweep gone.json --out x', /gone\.json must be a file that can be read/],
    ['sweep text.json --out x', /^ropewalk: text\.json must be JSON/],
    ['sweep seeds.json --out x', /^ropewalk: seeds\.json: seeds\[1\] must be a number, got "a"\n$/],
    [
      'sweep base.json --out y',
      /^ropewalk: base\.json: variants\.rope\.position\.base must be greater than 0, got -1\n$/,
    ],
    ['sweep plan.json --out z --index 4', /^ropewalk: --index must be from 0 to 3, got 4\n$/],
    ['sweep base.json --out y --merge y', /--out or --merge must be given, got both/],
  ];
  for (const [args, rule] of wrong)
    test(args, async () => {
      const { status, stdout, stderr } = await run(args);
      assert.match(stderr, rule);
      assert.equal(stdout, '');
      assert.ok(status === 1 || status === 2);
    });
  test('a folder with results of another plan', async () => {
    await printed('sweep plan.json --out claimed --index 0');
    writeFileSync(place('other.json'), JSON.stringify({ ...plan, seeds: [5] }));
    const { stderr, status } = await run('sweep other.json --out claimed');
    assert.match(
      stderr,
      /^ropewalk: --out must be new or of this plan, got claimed with another\n/,
    );
    assert.equal(status, 2);
  });
});

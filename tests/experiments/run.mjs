/**
 * Runs the plans, records what they find, and writes the tables: `npm run experiments` (--help says
 * how). A run that was finished is kept in build/experiments, so that the command continues where
 * it was stopped.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPackage, buildingAlone } from '../../tools/build.mjs';
import { Failure, main } from '../../tools/setup/failure.mjs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { say, step } from '../../tools/setup/steps.mjs';
import { setup } from '../../tools/setup.mjs';
import { isKept, keptModel, writeModel } from './checkpoints.mjs';
import * as healing from './healing.mjs';
import * as poems from './poems.mjs';
import * as raceInput from './race_input.mjs';
import { planNames, planOf, record } from './record.mjs';
import { reportFile, reportText } from './report.mjs';
import * as ropes from './ropes.mjs';
import * as trainedHeads from './trained_heads.mjs';

/** Experiments that are no plans: each has its own code. */
const others = Object.fromEntries(
  [healing, poems, raceInput, trainedHeads].map((experiment) => [experiment.name, experiment]),
);
const allNames = [...planNames, ...Object.keys(others)];

const help = `npm run experiments -- [options] [plan …]

Plans: ${allNames.join(', ')}. The start of a name is enough: A1. Default: all, which takes about
70 minutes of one core.

  --workers N       trainings at a time (default: one per core)
  --fresh           repeats runs that are finished
  --tables          runs nothing and writes the tables again
  --package FOLDER  uses this package without building one: the folder of its entries/
`;

const spec = /** @type {const} */ ({
  workers: { type: 'string', default: String(availableParallelism()) },
  fresh: { type: 'boolean', default: false },
  tables: { type: 'boolean', default: false },
  package: { type: 'string' },
  help: { type: 'boolean', default: false },
});

function parsed() {
  try {
    return parseArgs({ options: spec, allowPositionals: true });
  } catch (error) {
    throw new Failure(`${error.message}\n\n${help}`);
  }
}

function chosenPlans(given) {
  const starting = (start) => allNames.filter((name) => name.startsWith(start.toLowerCase()));
  const unknown = given.find((start) => starting(start).length === 0);
  if (unknown) throw new Failure(`There is no plan "${unknown}": they are ${allNames.join(', ')}.`);
  return given.length ? [...new Set(given.flatMap(starting))] : allNames;
}

/** Where the finished runs of a plan are; those of another version of the plan are removed. */
function storeOf(plan, isFresh) {
  const folder = inRoot('build/experiments', plan.name);
  const copy = path.join(folder, 'plan.json');
  const text = JSON.stringify(plan);
  const isSame = existsSync(copy) && readFileSync(copy, 'utf8') === text;
  if (isFresh || !isSame) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(copy, text);
  const file = path.join(folder, 'results.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const results = lines.map((line) => JSON.parse(line));
  return {
    results,
    add(result) {
      results.push(result);
      appendFileSync(file, `${JSON.stringify(result)}\n`);
    },
  };
}

/** Trains what is not finished of a plan, on the workers of the pool, and records all of it. */
async function finish(started, plan, store, report) {
  const { pool, planEntries, files } = started;
  const entries = planEntries(plan);
  const isDone = ({ index }) => store.results.some((result) => result.index === index);
  const left = entries.filter((entry) => !isDone(entry));
  const train = async (entry) => {
    const keepModel = isKept(entry);
    const { checkpoint, ...result } = await pool.run(entry, { keepModel });
    if (checkpoint) writeModel(files, entry, checkpoint);
    store.add(result);
    report(`${store.results.length} of ${entries.length}`);
  };
  await Promise.all(left.map(train));
  record(plan.name, store.results);
  if (plan.name === ropes.plan) await lay(plan, store.results, started);
  return `${left.length} of ${entries.length} runs`;
}

/** Lays the front page's ropes with the models of all seeds. */
async function lay({ name, variants, seeds }, [{ version, binary }], { training, files }) {
  const model = (variant, seed) => keptModel(training, files, { plan: name, variant, seed });
  const models = seeds.map((seed) => ({
    seed,
    trainers: Object.fromEntries(
      Object.keys(variants).map((variant) => [variant, model(variant, seed)]),
    ),
  }));
  await ropes.recordRopes(training, models, { version, binary });
}

/** The package that was named, or one that is built now, with a pool of its workers. */
async function startPool(options) {
  if (!options.package) {
    const tools = await setup();
    await buildingAlone(() => buildPackage(tools));
  }
  const entry = (name) =>
    import(
      pathToFileURL(
        path.join(path.resolve(options.package ?? inRoot('dist/package')), 'entries', name),
      ).href
    );
  const { createTraining, createTrainingPool, planEntries } = await entry('node_train.js');
  // The binary that runs everywhere, so that anyone can repeat the bits.
  const binary = 'simd128';
  const pool = await createTrainingPool({ size: Number(options.workers), simd: binary });
  const training = await createTraining({ simd: binary });
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const files = await entry('files.js');
  return { pool, planEntries, training, files, entry, binary, version };
}

await main(async () => {
  const { values: options, positionals } = parsed();
  if (options.help) return say(help);
  const names = chosenPlans(positionals);
  if (!options.tables) {
    const started = await startPool(options);
    for (const name of names) {
      if (Object.hasOwn(others, name)) {
        const storing = (plan) => storeOf(plan, options.fresh);
        await step(name, (report) => others[name].run(started, { storeOf: storing, report }));
        continue;
      }
      const plan = planOf(name);
      const store = storeOf(plan, options.fresh);
      await step(name, (report) => finish(started, plan, store, report));
    }
    await started.pool.close();
  }
  writeFileSync(reportFile, reportText());
  say(`  ${path.relative(inRoot(), reportFile)}`);
});

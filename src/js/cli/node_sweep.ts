/** `npx ropewalk sweep`: the runs of a plan, all of them or one, and their results joined. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { deflateSync } from 'node:zlib';
import { read, readIfThere, readJson, writeWhole } from './node_files.js';
import { ResultFolder } from './node_results.js';
import { clock, Interrupted, onInterrupt, progressLine, runToEnd } from './node_run.js';
import { ruleOf, UsageError, type Given, type Io, type Program } from './rules.js';
import { svgOf } from './sheet.js';
import { sweepSheet } from './sweep_plot.js';
import { complaintOf, merged, titleOf, type ResultFile } from './sweep_results.js';
import { createTrainingPool } from '../entries/node_train.js';
import { inlineForTraining } from '../runtime/train_inline.js';
import * as option from '../runtime/option.js';
import { planEntries, withPlanPaths, type Plan, type PlanEntry } from '../training/plan.js';
import { Run, type RunProgress } from '../training/run.js';
import { startTrainingCore } from '../training/training.js';

/** Environment variables in which schedulers pass the index of an array job. */
const indexVariables = ['SLURM_ARRAY_TASK_ID', 'JOB_COMPLETION_INDEX'];
const joinedName = 'results.jsonl';

const textOf = (path: string) => new TextDecoder().decode(read(path));

/** The folder of a sweep: the plan, a result per finished run, checkpoints of the others. */
class SweepFolder extends ResultFolder {
  checkpoint = ({ index }: PlanEntry) => join(this.path, `run-${index}.safetensors`);
  result = ({ index }: PlanEntry) => join(this.path, `run-${index}.jsonl`);

  has(entry: PlanEntry): boolean {
    return existsSync(this.result(entry));
  }

  finish(entry: PlanEntry, result: object): void {
    writeWhole(this.result(entry), `${JSON.stringify(result)}\n`);
    rmSync(this.checkpoint(entry), { force: true });
  }

  files(): ResultFile[] {
    const names = readdirSync(this.path).filter(
      (name) => name.endsWith('.jsonl') && name !== joinedName,
    );
    return names
      .sort()
      .map((name) => join(this.path, name))
      .map((path) => ({ path, text: textOf(path) }));
  }
}

interface Sweep {
  plan: Plan;
  entries: PlanEntry[];
  folder: SweepFolder;
  given: Given;
  io: Io;
}

/** Joins the existing results into results.jsonl and results.svg. */
function joined({ plan, entries, folder }: Sweep) {
  const all = merged(entries, folder.files());
  const lines = all.results.map((result) => `${JSON.stringify(result)}\n`);
  writeWhole(join(folder.path, joinedName), lines.join(''));
  const sheet = sweepSheet(plan.name, all.results);
  writeWhole(join(folder.path, 'results.svg'), svgOf(sheet, deflateSync));
  const failed = all.results.filter((result) => result.failed !== undefined);
  const printed = [
    `${all.results.length} of ${entries.length} entries in ${join(folder.path, joinedName)}`,
    ...failed.map(({ index, failed }) => `${titleOf(entries[index!]!)} failed: ${failed}`),
  ];
  const failure = complaintOf(all, entries.length);
  return { printed: `${printed.join('\n')}\n`, ...(failure !== undefined && { failure }) };
}

const numberOf = (value: unknown, fallback: number) => Number(value ?? fallback);

const startCore = () => startTrainingCore(undefined, inlineForTraining);

async function runOne(sweep: Sweep, index: number) {
  const { plan, entries, folder, given, io } = sweep;
  const entry = entries[index];
  if (!entry) throw new UsageError(`--index must be from 0 to ${entries.length - 1}, got ${index}`);
  if (folder.has(entry)) return { printed: `${titleOf(entry)} is finished already\n` };
  const { core, simd } = await startCore();
  withPlanPaths(plan, entry, () => Run.check(core, simd, entry));
  const result = await runToEnd({
    core,
    simd,
    description: entry,
    file: folder.checkpoint(entry),
    checkpointEvery: numberOf(given['checkpointEvery'], 100),
    show: progressLine(given, io),
  });
  folder.finish(entry, result);
  return { printed: `${JSON.stringify(result)}\n` };
}

/** The exit code of a signal that comes before the runs have ended. */
async function signalBefore(ended: Promise<unknown>): Promise<number | undefined> {
  let stopListening = () => {};
  const signal = new Promise<number>((resolve) => (stopListening = onInterrupt(resolve)));
  const code = await Promise.race([ended.then(() => undefined), signal]);
  stopListening();
  return code;
}

/** Everything that is not finished, spread over workers. */
async function runAll(sweep: Sweep) {
  const { plan, entries, folder, given, io } = sweep;
  const open = entries.filter((entry) => !folder.has(entry));
  const { core, simd } = await startCore();
  const firsts = open.filter(
    ({ variant }, i) => open.findIndex((other) => other.variant === variant) === i,
  );
  for (const entry of firsts) withPlanPaths(plan, entry, () => Run.check(core, simd, entry));
  const jobs = given['jobs'] as number | undefined;
  const pool = await createTrainingPool(jobs === undefined ? {} : { size: jobs });
  const show = progressLine(given, io);
  const running = new Map<number, RunProgress>();
  let unfinished = open.length;
  const report = () => {
    const now = [...running.values()];
    const speed = now.reduce((sum, { stepsPerSecond }) => sum + stepsPerSecond, 0);
    const taken = now.reduce((sum, { step }) => sum + step, 0);
    const steps = unfinished * open[0]!.steps! - taken;
    const time = speed > 0 ? `, ${clock(steps / speed)} left` : '';
    show(`${entries.length - unfinished} of ${entries.length} runs are finished${time}`);
  };
  const all = Promise.allSettled(
    open.map(async (entry) => {
      const file = folder.checkpoint(entry);
      const { checkpoint: _, ...result } = await pool.run(entry, {
        checkpoint: readIfThere(file),
        checkpointEvery: numberOf(given['checkpointEvery'], 100),
        onCheckpoint: (checkpoint) => writeWhole(file, checkpoint),
        onProgress(progress) {
          running.set(entry.index, progress);
          report();
        },
      });
      folder.finish(entry, result);
      running.delete(entry.index);
      unfinished--;
    }),
  );
  const code = await signalBefore(all);
  if (code !== undefined) {
    show(`saving ${running.size} checkpoints; a second signal ends the sweep at once`);
    await pool.pause();
  }
  show('');
  await pool.close();
  const settled = await all;
  if (code !== undefined && unfinished > 0) {
    const finished = `${entries.length - unfinished} of ${entries.length} runs are finished`;
    const message = `the sweep was interrupted, ${finished}; the same command continues it`;
    throw new Interrupted(code, message);
  }
  for (const [i, one] of settled.entries())
    if (one.status === 'rejected')
      throw new Error(`entry ${titleOf(open[i]!)}: ${(one.reason as Error).message}`);
  return joined(sweep);
}

function indexOf({ index }: Given): number | undefined {
  if (index !== undefined) return Number(index);
  const name = indexVariables.find((each) => env[each] !== undefined);
  if (name === undefined) return undefined;
  const number = Number(env[name]);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new UsageError(`${name} must be a whole number of at least 0, got ${env[name]}`);
}

export const sweep: Program = {
  says: 'runs every entry of a plan (variants × seeds) on all cores, joins the results and draws them; run again, it goes on where it stopped',
  operands: 'PLAN.json',
  count: [1, 1],
  options: {
    out: {
      kind: 'file',
      short: 'o',
      says: 'the folder of results, checkpoints and the drawing results.svg',
    },
    index: {
      kind: 'count',
      says: `only this entry, from 0. Default: ${indexVariables.join(' or ')}, where one is set`,
    },
    merge: {
      kind: 'file',
      says: 'runs nothing: joins the results of this folder, and says what is missing or twice',
    },
    jobs: { kind: 'whole', says: 'runs beside each other; default: one per core' },
    checkpointEvery: ruleOf(option.whole.default(100), 'steps after which a checkpoint is written'),
  },
  example: 'ropewalk sweep plan.json --out results',
  async perform([path], given, io) {
    const value = readJson(path!);
    const { out, merge } = given as { out?: string; merge?: string };
    if ((out === undefined) === (merge === undefined))
      throw new UsageError(
        `--out or --merge must be given, got ${out === undefined ? 'neither' : 'both'}`,
      );
    try {
      const entries = planEntries(value);
      const folder = new SweepFolder((out ?? merge)!);
      const all: Sweep = { plan: value as Plan, entries, folder, given, io };
      if (merge !== undefined) return joined(all);
      folder.claim('plan', value);
      const index = indexOf(given);
      return await (index === undefined ? runAll(all) : runOne(all, index));
    } catch (error) {
      // What is wrong with the plan, as its path in the file.
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      throw new UsageError(`${path}: ${error.message}`);
    }
  },
};

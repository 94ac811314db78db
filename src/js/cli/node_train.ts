/** `npx ropewalk train`: one run, whose model is a file that continues it. */
import { read, readJson, writeWhole } from './node_files.js';
import { progressLine, runToEnd } from './node_run.js';
import { ruleOf, UsageError, type Given, type OptionRule, type Program } from './rules.js';
import { inlineForTraining } from '../runtime/train_inline.js';
import * as option from '../runtime/option.js';
import { scheduleSchema } from '../model/schedule.js';
import { modelSchema, positionSchemas, taskSchemas } from '../training/options.js';
import type { RunDescription, RunResult } from '../training/run.js';
import { startTrainingCore, type TrainerOptions } from '../training/training.js';

/** An option, and the option of the trainer that it is. */
const placed: Record<string, OptionRule & { at: string }> = {
  task: { kind: Object.keys(taskSchemas), says: 'what is learned', at: 'task.type' },
  text: { kind: 'file', says: 'of the task characters: the text', at: 'task.text' },
  position: {
    kind: Object.keys(positionSchemas),
    says: 'the position scheme; default none',
    at: 'position.type',
  },
  width: { ...ruleOf(modelSchema.width), at: 'model.width' },
  layers: { ...ruleOf(modelSchema.layers), at: 'model.layers' },
  heads: { ...ruleOf(modelSchema.heads), at: 'model.heads' },
  learningRate: { ...ruleOf(scheduleSchema.learningRate), at: 'schedule.learningRate' },
  warmupSteps: { ...ruleOf(scheduleSchema.warmupSteps), at: 'schedule.warmupSteps' },
  batchSize: { ...ruleOf(option.whole.default(32), 'sequences per step'), at: 'batchSize' },
  length: { ...ruleOf(option.whole.default(32), 'of a training sequence'), at: 'length' },
  seed: { ...ruleOf(option.wholeFrom(0).default(0), 'of weights and data'), at: 'seed' },
};

const options: Record<string, OptionRule> = {
  ...placed,
  trainer: {
    kind: 'file',
    says: 'more options of createTrainer(), as JSON; what is typed beside it wins',
  },
  steps: ruleOf(option.whole.default(1000), 'how many to take'),
  lengths: { kind: 'text', says: 'lengths to evaluate at afterwards, with commas' },
  out: {
    kind: 'file',
    short: 'o',
    says: 'the model, .safetensors; where it is there already, the run continues from it',
  },
  log: { kind: 'file', says: 'the loss curve, a line of JSON each; at last the result' },
  checkpointEvery: ruleOf(option.whole.default(100), 'steps after which --out is written'),
};

/** The options of the trainer: those of the file, and what is typed. */
function trainerOf(given: Given): TrainerOptions {
  const { trainer: file } = given as { trainer?: string };
  const all = (file === undefined ? {} : readJson(file)) as Record<string, unknown>;
  for (const [name, { at }] of Object.entries(placed)) {
    const value = given[name];
    if (value === undefined) continue;
    const [first, second] = at.split('.') as [string, string?];
    const text = name === 'text' ? new TextDecoder().decode(read(String(value))) : value;
    const before = all[first] as { type?: unknown } | undefined;
    // Options of another task or scheme do not belong to the typed one.
    const kept = second === 'type' && before?.type !== value ? {} : before;
    all[first] = second === undefined ? text : { ...kept, [second]: text };
  }
  if (all['task'] === undefined) throw new UsageError('--task must be given, got nothing');
  return all as unknown as TrainerOptions;
}

function lengthsOf(text: unknown): number[] {
  return String(text)
    .split(',')
    .map((part) => {
      const length = Number(part);
      if (Number.isInteger(length) && length > 0) return length;
      throw new UsageError(`--lengths must be whole numbers with commas, got ${text}`);
    });
}

const logOf = (result: RunResult, isFinished: boolean): string =>
  [...result.curve.map(([step, loss]) => ({ step, loss })), ...(isFinished ? [result] : [])]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

export const train: Program = {
  says: 'trains a small decoder on a task, and prints the loss curve and the evaluations as one line of JSON',
  operands: '',
  count: [0, 0],
  options,
  example:
    'ropewalk train --task copy --position rope --seed 1 --out run.safetensors --log run.jsonl',
  async perform(_, given, io) {
    const { out, log, steps = 1000, lengths, checkpointEvery = 100 } = given;
    const description: RunDescription = {
      trainer: trainerOf(given),
      steps: Number(steps),
      ...(lengths !== undefined && {
        evaluations: { lengths: { lengths: lengthsOf(lengths) } },
      }),
    };
    const writeLog = (result: RunResult, isFinished = false) => {
      if (log !== undefined) writeWhole(String(log), logOf(result, isFinished));
    };
    const result = await runToEnd({
      ...(await startTrainingCore(undefined, inlineForTraining)),
      description,
      file: out as string | undefined,
      checkpointEvery: Number(checkpointEvery),
      show: progressLine(given, io),
      onCheckpoint: (made) => writeLog(made),
    });
    writeLog(result, true);
    const printed = `${JSON.stringify(result)}\n`;
    return { printed, ...(result.failed !== undefined && { failure: result.failed }) };
  },
};

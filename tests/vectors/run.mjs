// Runs vectors through the built package:   npm run vectors -- [FOLDER] [--suite NAME]... [--simd KIND]
//
// Each suite has an adapter, suites/NAME.mjs, whose default export takes the package, a case
// { id, feature, attrs, inputs, outputs, shapes } (names of the outputs, and their shapes) and all
// instances { rw, train }, and returns an array or a number for each. What has no adapter, throws or leaves an output out has failed.
// Exit code 1 if anything required failed.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { readSuite, suiteNames } from './read.mjs';
import { isOptionalSuite, isRequired, requirement } from './tolerances.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
export const committedData = path.join(here, 'data');

/** How far `got` is from `expected` in units of its tolerance: 1 or less has passed. */
function distance(got, expected, bound) {
  if (got === expected || (Number.isNaN(got) && Number.isNaN(expected))) return 0;
  const error = Math.abs(got - expected);
  return Number.isFinite(error) ? error / bound : Infinity;
}

/** @returns {ArrayLike<number>} */
function asNumbers(value) {
  if (typeof value === 'number') return [value];
  if (Array.isArray(value)) return value;
  if (ArrayBuffer.isView(value)) return /** @type {Float32Array} */ (value);
  throw new Error('the adapter gave neither a number nor an array');
}

/** The worst element of one output: { worst, text }. */
function compared(suite, one, name, answers) {
  const asked = requirement(suite.suite, name);
  if (asked.reference) return { worst: 0 };
  if (answers[asked.answer] === undefined) throw new Error(`the adapter gave no ${asked.answer}`);
  const got = asNumbers(answers[asked.answer]);
  const expected = one.expected[name];
  const { length } = expected.num;
  if (got.length !== length)
    throw new Error(`${name} has ${got.length} values, expected ${length}`);
  const bound = asked.bound({ suite, one, expected, got });
  let worst = 0,
    at = 0;
  for (let i = 0; i < length; i++) {
    const far = distance(Number(got[i]), expected.num[i], bound(expected.num[i], i));
    if (far > worst) [worst, at] = [far, i];
  }
  const text = `${name}[${at}] is ${got[at]}, expected ${expected.num[at]}: ${factor(worst)} times its tolerance`;
  return { worst, text };
}

async function judged(instances, adapter, suite, one) {
  const { id, feature, attrs, inputs, expected } = one;
  const names = Object.keys(expected);
  let required = true;
  try {
    required = isRequired(suite.suite, one);
    if (!adapter) throw new Error('the suite has no adapter');
    const shapes = Object.fromEntries(names.map((name) => [name, expected[name].shape]));
    const call = { id, feature, attrs, inputs, outputs: names, shapes };
    const answers = await adapter(instances.rw, call, instances);
    const results = names.map((name) => compared(suite, one, name, answers));
    const { worst, text } = results.reduce((most, next) => (next.worst > most.worst ? next : most));
    return { id, feature, required, passed: worst <= 1, worst, text };
  } catch (error) {
    return { id, feature, required, passed: false, worst: Infinity, text: error.message };
  }
}

async function adapterOf(suite) {
  const file = path.join(here, 'suites', `${suite}.mjs`);
  return existsSync(file) ? (await import(pathToFileURL(file).href)).default : undefined;
}

async function judgedSuite(instances, adapter, folder, name) {
  let suite;
  try {
    suite = readSuite(folder, name);
  } catch (error) {
    const unread = { id: '(all)', feature: '-', required: true, passed: false, worst: Infinity };
    return [{ ...unread, text: error.message }];
  }
  const results = [];
  for (const one of suite.cases)
    results.push(await judged({ ...instances, suite: name }, adapter, suite, one));
  return results;
}

/** Those of a folder that are named, or all. */
function chosenSuites(folder, suites) {
  const present = suiteNames(folder);
  const unknown = suites.filter((name) => !present.includes(name));
  if (unknown.length)
    throw new Error(`${folder} has no suite ${unknown.join(', ')}; it has ${present.join(', ')}`);
  return suites.length ? suites : present;
}

/**
 * Runs the suites of a folder one after another: [{ name, skipped, results }].
 * @param {{ folder?: string, suites?: string[], simd?: 'auto' | import('ropewalk').Simd }} [options]
 */
export async function runSuites({ folder = committedData, suites = [], simd = 'auto' } = {}) {
  const chosen = chosenSuites(folder, suites);
  const { createRopewalk } = await import('ropewalk');
  const { createTraining } = await import('ropewalk/train');
  const instances = {
    rw: await createRopewalk({ simd }),
    train: await createTraining({ simd }),
  };
  const runs = [];
  for (const name of chosen) {
    const adapter = await adapterOf(name);
    const skipped = isOptionalSuite(name) && !adapter;
    const results = skipped ? [] : await judgedSuite(instances, adapter, folder, name);
    runs.push({ name, skipped, results });
  }
  return runs;
}

const factor = (times) => (Number.isFinite(times) ? times.toPrecision(2) : 'infinitely many');
const count = (results) => results.filter(({ passed }) => passed).length;

function table(runs) {
  const lines = [];
  const row = (name, passed, failed, worst) =>
    lines.push(
      `${name.padEnd(44)} ${String(passed).padStart(6)} ${String(failed).padStart(6)}  ${worst}`,
    );
  row('suite', 'passed', 'failed', 'worst error / its tolerance');
  for (const { name, results } of runs) {
    for (const feature of new Set(results.map((result) => result.feature))) {
      const group = results.filter((result) => result.feature === feature);
      const worst = Math.max(...group.map((result) => result.worst));
      const passed = count(group);
      row(
        `${name} ${feature.slice(feature.indexOf('/') + 1)}`,
        passed,
        group.length - passed,
        factor(worst),
      );
    }
  }
  return lines;
}

/** The report as lines, the last one `N passed, N failed`, and how many failed. */
export function report(runs) {
  const part = (required) =>
    runs
      .map(({ name, results }) => ({
        name,
        results: results.filter((result) => result.required === required),
      }))
      .filter(({ results }) => results.length > 0);
  const failures = (some) =>
    some.flatMap(({ name, results }) =>
      results
        .filter(({ passed }) => !passed)
        .map(({ id, text }) => `FAILED ${name} ${id}: ${text}`),
    );
  const [asked, extra] = [part(true), part(false)];
  const lines = [...table(asked), ...failures(asked)];
  if (extra.length) lines.push('', 'Not required:', ...table(extra), ...failures(extra), '');
  for (const { name, skipped } of runs)
    if (skipped) lines.push(`Not required and without adapter: ${name}`);
  const all = asked.flatMap(({ results }) => results);
  const failed = all.length - count(all);
  lines.push(`${all.length - failed} passed, ${failed} failed`);
  return { lines, failed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { suite: { type: 'string', multiple: true }, simd: { type: 'string' } },
  });
  const simd = /** @type {import('ropewalk').Simd} */ (values.simd);
  const settings = { folder: positionals[0], suites: values.suite, simd };
  const { lines, failed } = report(await runSuites(settings));
  console.log(lines.join('\n'));
  if (failed > 0) process.exitCode = 1;
}

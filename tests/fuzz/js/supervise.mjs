/**
 * Fuzzers in processes of their own. A call that does not return is ended, one that takes the process with
 * it is noticed, and both are faults; another process goes on after them.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { drawnCombination } from './combinations/combination_fuzzer.mjs';
import { describedProblem } from './combinations/description.mjs';
import { schemas } from './combinations/instances.mjs';
import { drawnCase, sourceOf } from './fuzzer.mjs';
import { describedLaw, drawnLaw } from './law_fuzzer.mjs';
import { describedModel, drawnModel } from './model_fuzzer.mjs';

/** Seconds of processor time; a call that takes more is a fault. The largest results take half of it. */
export const longest = 30;

/** What a case is, without running it. */
const caseOf = {
  calls(seed, index) {
    const drawn = drawnCase(seed, index);
    return { name: drawn.name, text: sourceOf(drawn) };
  },
  laws(seed, index) {
    const law = drawnLaw(seed, index, schemas);
    return { name: law.name, text: describedLaw(law) };
  },
  combinations(seed, index) {
    const problem = drawnCombination(seed, index, schemas);
    return { name: problem.settings.position?.type ?? 'none', text: describedProblem(problem) };
  },
  models(seed, index) {
    const model = drawnModel(seed, index);
    return { name: model.type, text: describedModel(model) };
  },
  endless: () => ({ name: 'endless', text: '' }),
};

/** Node 20 has relaxed SIMD behind a flag, which does not reach other processes by itself. */
const engineFlags = process.execArgv.filter((flag) => flag.startsWith('--experimental-wasm'));

/** One process until it ends. Returns its last line and how it ended. */
function life(settings, heard) {
  const child = spawn(
    process.execPath,
    [...engineFlags, new URL('child.mjs', import.meta.url).pathname, JSON.stringify(settings)],
    {
      stdio: ['ignore', 'inherit', 'pipe', 'pipe'],
    },
  );
  let last = {};
  let words = '';
  child.stderr.on('data', (text) => (words = (words + text).slice(-2000)));
  const lines = /** @type {import('node:stream').Readable} */ (child.stdio[3]);
  createInterface({ input: lines }).on('line', (line) => heard((last = JSON.parse(line))));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ last, end: signal ?? `code ${code}`, words }));
  });
}

/** @typedef {{ seed: number, index: number, key: string, fault: string, text: string }} Report */

/**
 * Runs the cases `first` … `past` − 1 of a seed, and returns each different fault once.
 * @param {string} what a fuzzer of child.mjs
 * @param {object} options
 * @param {number} options.seed
 * @param {string} [options.simd]
 * @param {number} [options.seconds] most time for all cases
 * @param {number} [options.first]
 * @param {number} [options.past]
 * @param {number} [options.limit] most seconds of processor time for one call
 * @param {(report: Report) => void} [options.found] is called with each fault as it is found
 * @param {(cases: number) => void} [options.alive] is called with the count of cases so far
 */
export async function fuzz(
  what,
  {
    seed,
    simd,
    seconds = 1e6,
    first = 0,
    past,
    limit = longest,
    found = () => {},
    alive = () => {},
  },
) {
  const until = performance.now() + 1000 * seconds;
  const faults = new Map();
  const total = { cases: 0, ok: 0, refused: 0 };
  for (let next = first; ;) {
    let current;
    const counts = { ok: 0, refused: 0 };
    const note = (report) => {
      if (faults.has(report.key)) return;
      faults.set(report.key, report);
      found(report);
    };
    const left = Math.max(0, (until - performance.now()) / 1000);
    const { last, end, words } = await life(
      { what, seed, simd, first: next, past, seconds: left, limit },
      (line) => {
        if ('begun' in line) current = line.begun;
        if ('ok' in line) Object.assign(counts, { ok: line.ok, refused: line.refused });
        if (line.found) note(line.found);
        alive(total.cases + (current ?? next) - next);
      },
    );
    total.ok += counts.ok;
    total.refused += counts.refused;
    if ('done' in last) {
      total.cases += last.done;
      return { ...total, faults: [...faults.values()] };
    }
    if (current === undefined) throw new Error(`the fuzzer did not start: ${end}\n${words}`);
    const fault = last.endless
      ? `no answer within ${limit} s of processor time`
      : `the process ended with ${end}: ${words}`;
    const { name, text } = caseOf[what](seed, current);
    note({ seed, index: current, key: `${name}: ${fault}`, fault: `${name}: ${fault}`, text });
    total.cases += current + 1 - next;
    next = current + 1;
    if (next >= past || performance.now() >= until)
      return { ...total, faults: [...faults.values()] };
  }
}

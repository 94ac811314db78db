/** One life of a fuzzer: `node child.mjs JSON`, which reports on descriptor 3, a line each; see supervise.mjs. */
import { writeSync } from 'node:fs';
import { createRopewalk } from '../../package/installed.mjs';
import { CombinationFuzzer } from './combinations/combination_fuzzer.mjs';
import { schemas, startInstances } from './combinations/instances.mjs';
import { createCrowded } from './crowded.mjs';
import { Endless } from './endless.mjs';
import { Fuzzer } from './fuzzer.mjs';
import { LawFuzzer } from './law_fuzzer.mjs';
import { ModelFuzzer } from './model_fuzzer.mjs';
import { watched } from './watchdog.mjs';

const { what, seed, simd, first, past = Infinity, seconds, limit } = JSON.parse(process.argv[2]);
const report = (line) => writeSync(3, `${JSON.stringify(line)}\n`);

/**
 * @typedef {object} Fault
 * @property {string} key faults of one key are reported once
 * @property {string} fault
 * @property {() => Promise<string> | string} text shows it on as little as still goes wrong
 */

/**
 * @typedef {object} CaseFuzzer
 * @property {number} ok cases that were answered
 * @property {number} refused
 * @property {(seed: number, first: number) => Promise<void>} start comes before the first case
 * @property {(seed: number, index: number, beat: () => void) => Promise<Fault | undefined>} caseAt
 *   calls `beat` before each call but the first
 */

/** @type {Record<string, () => CaseFuzzer>} */
const fuzzers = {
  calls: () =>
    new Fuzzer(
      () => createRopewalk({ simd }),
      () => createCrowded({ simd }),
    ),
  laws: () => new LawFuzzer(() => startInstances({ simd }), schemas),
  combinations: () => new CombinationFuzzer(() => startInstances({ simd }), schemas),
  models: () => new ModelFuzzer({ simd }),
  endless: () => new Endless(),
};

const fuzzer = fuzzers[what]();
const tick = watched(limit);
const until = performance.now() + 1000 * seconds;
await fuzzer.start(seed, first);
const known = new Set();
let index = first;
for (; index < past && performance.now() < until; index++) {
  const beat = () => {
    tick();
    report({ begun: index, ok: fuzzer.ok, refused: fuzzer.refused });
  };
  beat();
  const found = await fuzzer.caseAt(seed, index, beat);
  if (!found || known.has(found.key)) continue;
  known.add(found.key);
  const { key, fault } = found;
  report({ found: { seed, index, key, fault, text: await found.text() } });
}
report({ done: index - first, ok: fuzzer.ok, refused: fuzzer.refused });
process.exit();

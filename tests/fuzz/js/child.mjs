/** One life of a fuzzer: `node child.mjs JSON`, which reports on descriptor 3, a line each; see supervise.mjs. */
import { writeSync } from 'node:fs';
import { createPool, createRopewalk } from '../../package/installed.mjs';
import { CombinationFuzzer } from './combinations/combination_fuzzer.mjs';
import { schemas, startInstances } from './combinations/instances.mjs';
import { createCrowded } from './crowded.mjs';
import { Endless } from './endless.mjs';
import { Fuzzer } from './fuzzer.mjs';
import { LawFuzzer } from './law_fuzzer.mjs';
import { watched } from './watchdog.mjs';

const { what, seed, simd, first, past, seconds, limit } = JSON.parse(process.argv[2]);
const report = (line) => writeSync(3, `${JSON.stringify(line)}\n`);

const make = () => createRopewalk({ simd });
const fuzzers = {
  calls: () => new Fuzzer(make, () => createCrowded({ simd })),
  laws: () => new LawFuzzer({ rw: make, pool: () => createPool({ simd, size: 2 }) }),
  combinations: () => new CombinationFuzzer(() => startInstances({ simd }), schemas),
  endless: () => new Endless(),
};

const fuzzer = fuzzers[what]();
const beat = watched(limit);
const until = performance.now() + 1000 * seconds;
const { cases } = await fuzzer.run(seed, {
  first,
  past: past ?? Infinity,
  goOn: () => performance.now() < until,
  begin(index) {
    beat();
    report({ begun: index, ok: fuzzer.ok, refused: fuzzer.refused });
  },
  found: (found) => report({ found }),
});
report({ done: cases, ok: fuzzer.ok, refused: fuzzer.refused });
process.exit();

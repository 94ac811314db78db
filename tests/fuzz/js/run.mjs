/** `node run.mjs MINUTES [SEED [FIRST [PAST]]]`: the fuzzer on the package as it is built. */
import { createRopewalk, simds } from '../../package/installed.mjs';
import { Fuzzer } from './fuzzer.mjs';

const [minutes, seed = Date.now() % 2 ** 31, first = 0, past = Infinity] = process.argv.slice(2).map(Number);
const simd = simds.at(-1);
const until = performance.now() + minutes * 60_000;
const fuzzer = new Fuzzer(() => createRopewalk({ simd }));
let said = performance.now();

console.log(`js fuzzer: seed ${seed}, ${simd}, ${minutes} minutes`);
const { cases, faults } = await fuzzer.run(seed, {
  first,
  past,
  goOn() {
    const now = performance.now();
    if (now > said + 60_000) {
      said = now;
      console.log(`${fuzzer.ok + fuzzer.refused} calls, ${fuzzer.ok} answered, ${fuzzer.refused} refused`);
    }
    return now < until;
  },
  found({ index, fault, text }) {
    console.log(`\nFOUND seed ${seed} case ${index}: ${fault}\n  ${text}\n`);
  },
});
console.log(`js fuzzer: seed ${seed}, ${cases} calls, ${fuzzer.ok} answered, ${fuzzer.refused} refused, ${faults.length} different faults`);
process.exitCode = faults.length > 0 ? 1 : 0;

/** `node run.mjs MINUTES SEED [FIRST PAST]`: the fuzzer on the package as it is built; see tools/fuzz.mjs. */
import { createRopewalk, simds } from '../../package/installed.mjs';
import { createCrowded } from './crowded.mjs';
import { Fuzzer } from './fuzzer.mjs';

const [minutes, seed, first = 0, past = Infinity] = process.argv.slice(2).map(Number);
const simd = simds.at(-1);
const until = performance.now() + minutes * 60_000;
const fuzzer = new Fuzzer(() => createRopewalk({ simd }), () => createCrowded({ simd }));
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
    console.log(`\nFOUND ${fault}\n  ${text}\n  again: npm run fuzz -- 1 js ${seed} ${index}\n`);
  },
});
console.log(`js fuzzer: seed ${seed}, ${cases} calls, ${fuzzer.ok} answered, ${fuzzer.refused} refused, ${faults.length} different faults`);
process.exitCode = faults.length > 0 ? 1 : 0;

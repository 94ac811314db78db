/** `node run.mjs calls|laws|combinations|models MINUTES SEED [FIRST PAST]`: a fuzzer on the package as it is built; see tools/fuzz.mjs. */
import { simds } from '../../package/installed.mjs';
import { fuzz } from './supervise.mjs';

const [what, ...numbers] = process.argv.slice(2);
const [minutes, seed, first, past] = numbers.map(Number);
const simd = simds.at(-1);
const part = what === 'calls' ? 'js' : what;
let said = performance.now();

console.log(`${part} fuzzer: seed ${seed}, ${simd}, ${minutes} minutes`);
const { cases, ok, refused, faults } = await fuzz(what, {
  seed,
  simd,
  first,
  past,
  seconds: 60 * minutes,
  alive(count) {
    const now = performance.now();
    if (now < said + 60_000) return;
    said = now;
    console.log(`${count} cases`);
  },
  found({ index, fault, text }) {
    console.log(
      `\nFOUND ${fault}\n  ${text}\n  again: npm run fuzz -- 1 ${part} ${seed} ${index}\n`,
    );
  },
});
console.log(
  `${part} fuzzer: seed ${seed}, ${cases} cases, ${ok} answered, ${refused} refused, ${faults.length} different faults`,
);
process.exitCode = faults.length > 0 ? 1 : 0;

import { CombinationFuzzer } from './combination_fuzzer.mjs';
import { schemas, startInstances } from './instances.mjs';
const [seed, first, past] = process.argv.slice(2).map(Number);
const fuzzer = new CombinationFuzzer(() => startInstances({ simd: 'simd128' }), schemas);
await fuzzer.start();
const t = performance.now();
const { cases } = await fuzzer.run(seed, {
  first,
  past,
  found: ({ index, fault, text }) =>
    console.log(
      `${index}\t${((performance.now() - t) / 1000).toFixed(1)}s\t${fault}\n\t${text.slice(0, 700)}`,
    ),
});
console.log(
  cases,
  'cases',
  fuzzer.ok,
  fuzzer.refused,
  ((performance.now() - t) / 1000).toFixed(1),
  's',
);
await fuzzer.close();
process.exit();

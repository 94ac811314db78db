/** The next cases of the fuzzers, after those of fuzz.test.mjs. */
import { describe } from 'node:test';
import { testSlices } from './fuzz_slices.mjs';
import { simds } from './installed.mjs';

for (const simd of simds)
  describe(simd, () => testSlices(simd, { first: 60, past: 1000 }, { first: 16, past: 120 }));

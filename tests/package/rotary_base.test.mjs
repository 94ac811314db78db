/**
 * How far a base keeps a similar key above a random one: the sum of cosines, by the installed package.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { importFromWeb } from '../support/typescript.mjs';
import { createRopewalk, simds } from './installed.mjs';

const { smallestBases } = await importFromWeb('chapters/models_of_today/base_records.ts');

for (const simd of simds) {
  const rw = await createRopewalk({ simd });

  describe(simd, () => {
    test('C46 a larger base keeps the mean cosine positive up to a larger distance', () => {
      for (const [base, first] of [
        [10_000, 1_707],
        [500_000, 18_438],
      ]) {
        const offsets = Array.from({ length: first + 1 }, (_, o) => o);
        const { meanCosine } = rw.rotaryDecay(rw.rotaryFrequencies({ dim: 128, base }), {
          offsets,
        });
        assert.equal(
          meanCosine.findIndex((mean) => mean < 0),
          first,
        );
      }
    });

    test('C46 the smallest bases serve their lengths, and are those that others found', () => {
      const found = (dim, base, length) =>
        rw.rotaryDecay(rw.rotaryFrequencies({ dim, base }), { offsets: length }).meanCosine;
      // The row "this post" of kexue.fm/archives/10122, two digits each.
      const published = {
        1024: 4.3e3,
        2048: 1.2e4,
        4096: 2.7e4,
        8192: 8.4e4,
        16384: 2.3e5,
        32768: 6.3e5,
        65536: 2.1e6,
        131072: 4.9e6,
      };
      for (const [length, base] of smallestBases) {
        if (published[length])
          assert.equal(Number(base.toPrecision(2)), published[length], `${length}`);
        if (length > 16_384) continue;
        assert.ok(
          found(128, base, length).every((mean) => mean >= 0),
          `${base} serves ${length}`,
        );
        for (const smaller of [0.999, 0.99, 0.9])
          assert.ok(
            found(128, base * smaller, length).some((mean) => mean < 0),
            `${base} times ${smaller} does not serve ${length}`,
          );
      }
    });
  });
}

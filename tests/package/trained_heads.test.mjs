/** The weights of trained heads that the page draws first are what the kept models compute. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { kept, keptModel } from '../experiments/checkpoints.mjs';
import { layersOf, pageCode, plan, recordedHeads } from '../experiments/trained_heads.mjs';
import { few } from '../support/sweep.mjs';
import { createTraining, installed, simds } from './installed.mjs';

const files = await import(pathToFileURL(join(installed, 'entries/files.js')).href);
const page = await pageCode();

/** Rounding of what was recorded, and what the binaries differ by. */
const bound = { simd128: 5.01e-4, relaxed: 2e-3 };

for (const simd of simds) {
  const training = await createTraining({ simd });
  describe(`the recorded weights, ${simd}`, () => {
    for (const variant of kept[plan])
      test(variant, (context) => {
        const model = keptModel(training, files, { plan, variant });
        context.after(() => model.dispose());
        const recorded = recordedHeads(variant);
        if (simd === recorded.binary) assert.deepEqual(layersOf(model, page), recorded.layers);
        for (const length of few([96, 32, 64, page.recordedLength], 2))
          page.unpacked(recorded, length).forEach(({ data, heads }, layer) => {
            const tokens = page.symbolsOf(page.recordedPeriod, length);
            const live = model.attentionWeights(tokens, layer);
            assert.deepEqual(live.shape, [heads, length, length]);
            const apart = data.map((weight, i) => Math.abs(weight - live.data[i]));
            const most = Math.max(...apart);
            assert.ok(most <= bound[simd], `layer ${layer}, length ${length}: ${most}`);
          });
      });
  });
}

/** The recorded experiments: plans and tables are those that the results were made with. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { planNames, planOf, recordedOf } from '../experiments/record.mjs';
import { reportFile, reportText } from '../experiments/report.mjs';

test('recorded results are those of the current plans, for each variant and seed', () => {
  for (const name of planNames) {
    const recorded = recordedOf(name);
    // results.md says which plans were not run.
    if (!recorded) continue;
    assert.deepEqual(recorded.plan, planOf(name), name);
    assert.deepEqual(recorded.seeds, recorded.plan.seeds, name);
    const entries = Object.keys(recorded.plan.variants).flatMap((variant) =>
      recorded.seeds.map((seed) => ({ variant, seed })),
    );
    assert.deepEqual(
      recorded.results.map(({ variant, seed }) => ({ variant, seed })),
      entries,
      name,
    );
  }
});

test('results.md has the tables of the recorded results', () => {
  assert.equal(readFileSync(reportFile, 'utf8'), reportText());
});

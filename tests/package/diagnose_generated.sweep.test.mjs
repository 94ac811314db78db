/** Dumps with known faults, drawn at random. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';

import { faults } from '../../dist/package/diagnose/faults.js';
import { generatedDumps, matrixDumps } from '../dumps/generated/generate.mjs';
import { generatedIds } from '../dumps/generated/faults.mjs';
import { judgedDump, readPackedDumps } from '../dumps/judge.mjs';
import { createRopewalk } from './installed.mjs';

const rw = await createRopewalk();
const dumps = readPackedDumps(join(import.meta.dirname, '../dumps/data'));
/** One of each fault, and correct ones. */
const generated = generatedDumps({ faulty: generatedIds.length, correct: 20, seed: 5 });

test('every fault has a dump', () => {
  const ids = [...dumps, ...generated].flatMap(({ expect }) => expect.faults);
  assert.deepEqual(
    faults.filter(({ id }) => !ids.includes(id)).map(({ id }) => id),
    [],
  );
});

const nameOf = ({ expect }) => expect.faults.join(' + ') || 'correct';

test('generated dumps: each kind of fault is named first, and none where nothing is wrong', async () => {
  const results = [];
  for (const dump of generated) results.push({ dump, ...(await judgedDump(rw, dump)) });
  const failed = results.filter(({ credit }) => credit < 1);
  assert.deepEqual(
    failed.map(({ dump, got, expected }) => `${dump.name}: ${got}, expected ${expected}`),
    [],
  );
  assert.equal(results.length, new Set(generated.map(nameOf)).size - 1 + 20);
});

/** Faults in families where another way of reading the model has hidden them. */
const matrix = {
  rounded_frequencies_bf16: { names: ['qwen2_vl', 'qwen3_vl', 'ernie', 'glm4v', 'qwen3_5'] },
  dim_head_instead_of_rotary: { names: ['phi4_mini', 'minicpm3'] },
  cache_rotated_by_other_table: { names: ['yarn', 'gemma3', 'olmo3'], seed: 13 },
  // Of layers whose rotations differ by a scaling alone, and of one that states its factor.
  scaling_missing: { names: ['olmo3'], seed: 1 },
  local_base_used_globally: { names: ['olmo3'], seed: 1 },
  scaling_wrong_factor: { names: ['olmo3'], seed: 1 },
  // Of a long text, of few queries in bfloat16, of scores alone.
  positions_restart_after_cache: { names: ['nemotron', 'glm4', 'gemma3', 'gemma2'], seed: 1 },
  // Of scores behind a softcap, and far from the positions of the config.
  evicted_positions_lag: { names: ['gemma2', 'qwen3_yarn'], seed: 2 },
  // Of a table with several axes.
  inv_freq_uninitialised: { names: ['qwen3_vl'], seed: 2 },
  // Of axes of which the first has the slowest pairs.
  positions_frozen: { names: ['ernie'], seed: 2 },
  // Of texts that begin behind a cache.
  positions_shifted: { names: ['llama', 'mimo', 'gemma4'], seed: 1 },
};
for (const [id, { names, seed = 3 }] of Object.entries(matrix)) {
  test(`${id} is named first in ${names.join(', ')}`, async () => {
    const failed = [];
    for (const dump of matrixDumps({ each: 2, seed, ids: [id], names })) {
      const { credit, got } = await judgedDump(rw, dump);
      if (credit < 1) failed.push(`${dump.name}: ${got}`);
    }
    assert.deepEqual(failed, []);
  });
}

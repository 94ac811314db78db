// Runs a plan as an array job of a real Slurm, kills one task half-way: `npm run cluster`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { buildPackage } from '../../tools/build.mjs';
import { Failure, main } from '../../tools/setup/failure.mjs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { setUpSlurm, sharedFolder } from '../../tools/setup/slurm.mjs';
import { say, step } from '../../tools/setup/steps.mjs';
import { setup } from '../../tools/setup.mjs';
import { startSlurm, until } from './slurm.mjs';

const plan = {
  name: 'cluster',
  trainer: {
    task: { type: 'drawers' },
    model: { width: 32, layers: 1, heads: 4 },
    length: 32,
  },
  variants: { rope: { position: { type: 'rope' } }, alibi: { position: { type: 'alibi' } } },
  seeds: [0, 1, 2],
  steps: 1000,
  evaluations: { length: { lengths: [32, 64], sequences: 16 } },
};
const killed = 4;

/** The script of the guide, as it stands there. */
function sbatchScript() {
  const guide = readFileSync(inRoot('web/guides/cluster/en.md'), 'utf8');
  const script = /```sh sweep\.sbatch\n([^]*?)```/.exec(guide)?.[1];
  if (!script) throw new Failure('The guide must have a block of code called sweep.sbatch.');
  return script;
}

/** The result of the task that was killed, without its time. */
const resultIn = (folder) => ({
  ...JSON.parse(readFileSync(path.join(folder, `run-${killed}.jsonl`), 'utf8')),
  seconds: 0,
});

async function tried(work, slurm, command) {
  const inWork = (...parts) => path.join(work, ...parts);
  const results = inWork('results');
  const ropewalk = [inWork('node'), inWork('package', command)];
  writeFileSync(inWork('plan.json'), JSON.stringify(plan));
  const script = sbatchScript().replaceAll('npx ropewalk', ropewalk.join(' '));
  assert.match(script, /#SBATCH --array=0-5\n/);
  writeFileSync(inWork('sweep.sbatch'), script);
  const { stdout, stderr } = slurm.call(
    'sbatch',
    '--parsable',
    `--chdir=${work}`,
    inWork('sweep.sbatch'),
  );
  const job = stdout.trim();
  assert.match(job, /^\d+$/, stderr);
  const task = `${job}_${killed}`;
  await step('half of a task', () =>
    until('a checkpoint', () => existsSync(path.join(results, `run-${killed}.safetensors`)), 300),
  );
  const { status, stderr: refused } = slurm.call('scontrol', 'requeue', task);
  assert.equal(status, 0, refused);
  assert.ok(!existsSync(path.join(results, `run-${killed}.jsonl`)), 'the task was killed too late');
  // Slurm lets a requeued task wait for two minutes.
  slurm.call('scontrol', 'update', `JobId=${task}`, 'StartTime=now');
  await step('the rest of the array', () =>
    until('the end of the array', () => slurm.call('squeue', '-h').stdout.trim() === '', 600),
  );
  const told = slurm.call('scontrol', 'show', 'job', task).stdout;
  assert.match(told, /\bRestarts=1\b/, told);
  const run = (...args) =>
    spawnSync(process.execPath, [ropewalk[1], ...args], { encoding: 'utf8' });
  const merged = run('sweep', inWork('plan.json'), '--merge', results);
  assert.deepEqual([merged.status, merged.stderr], [0, '']);
  const alone = run('sweep', inWork('plan.json'), '--out', inWork('alone'), '--index', `${killed}`);
  assert.deepEqual([alone.status, alone.stderr], [0, '']);
  assert.deepEqual(resultIn(inWork('alone')), resultIn(results), 'the bits of a run by itself');
}

await main(async () => {
  let inside;
  try {
    inside = await setUpSlurm();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return say(`skipped: ${error.message}`);
  }
  if (!process.argv.includes('--built')) await buildPackage(await setup());
  const work = mkdtempSync(path.join(sharedFolder, 'ropewalk-cluster-'));
  chmodSync(work, 0o755); // so that munge lets everyone to its socket
  copyFileSync(process.execPath, path.join(work, 'node'));
  const { manifest, packageFolder } = await import('../package/installed.mjs');
  cpSync(packageFolder, path.join(work, 'package'), { recursive: true });
  const slurm = await startSlurm(work, inside);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void slurm.close().finally(() => process.exit(1)));
  try {
    await tried(work, slurm, manifest.bin.ropewalk);
  } finally {
    await slurm.close();
  }
  rmSync(work, { recursive: true });
  say('Slurm: an array of 6, one task killed half-way and requeued: complete, bit for bit.');
});

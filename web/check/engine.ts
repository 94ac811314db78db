/** The engine of the pages that read files: its worker runs the diagnosis and the notebook. */
import { createEngine, type Engine } from '../worker/client.ts';
import { scriptOf, spawner } from '../worker/spawn.ts';
import address from './check_worker.ts?worker&url';

type Jobs = typeof import('./jobs.ts') & typeof import('../notebook/jobs.ts');

export function createFileEngine(): Engine<Jobs> {
  const jobs = async () => (await import('./all_jobs.ts')).jobs;
  return createEngine<Jobs>(spawner(scriptOf(address, jobs)));
}

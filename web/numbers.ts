/** The page that checks a model: the verdict on a dump, and the notebook below it. */
import './documents.ts';
import { Check } from './check/check.ts';
import { onChoice, onDrop } from './check/files.ts';
import { Notebook } from './notebook/notebook.ts';
import { createEngine } from './worker/client.ts';
import { scriptOf, spawner } from './worker/spawn.ts';
import address from './check/check_worker.ts?worker&url';

type AllJobs = typeof import('./check/jobs.ts') & typeof import('./notebook/jobs.ts');

const jobs = async () => (await import('./check/all_jobs.ts')).jobs;
const engine = createEngine<AllJobs>(spawner(scriptOf(address, jobs)));
const [check, notebook] = [new Check(engine), new Notebook(engine)];
notebook.start();
check.start();

const isConfig = ({ name }: File) => name.endsWith('.json');
const take = (files: File[]) =>
  Promise.all([check.take(files), notebook.take(files.filter((file) => !isConfig(file)))]);
onChoice('files', take);
onChoice('reference-files', (files) => check.takeReference(files));
onDrop('drop', take);

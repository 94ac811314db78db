import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { inRoot } from '../setup/paths.mjs';

/** No file of ours takes this long, however busy the machine is: one that hangs must fail. */
const timeout = 1_800_000;

/** These start first: a long file that starts last would leave the other cores idle. */
const longest = [
  ...['gallery', 'links', 'pages', 'relaxed', 'columns', 'labels'].map((name) => `${name}.sweep`),
  ...['check', 'ropes', 'sinusoid', 'diagnose', 'model', 'training_pool'],
];

/**
 * Runs the files tests/FOLDER/*.test.mjs with Node's own runner, each file in its own process.
 * @param {string} folder
 * @param {(file: string) => boolean} [isChosen]
 */
export async function nodeTests(folder, isChosen = () => true) {
  const place = inRoot('tests', folder);
  const names = existsSync(place) ? await readdir(place, { recursive: true }) : [];
  const isLong = (name) => longest.includes(path.basename(name, '.test.mjs'));
  const chosen = names.filter((name) => name.endsWith('.test.mjs') && isChosen(name)).sort();
  const files = [...chosen.filter(isLong), ...chosen.filter((name) => !isLong(name))].map((name) =>
    path.join(place, name),
  );
  const counts = { passed: 0, failed: 0 };
  if (files.length === 0) return counts;
  if (folder === 'package') {
    const { project } = await import('../../tests/package/installed.mjs');
    process.env.ROPEWALK_INSTALLED = project;
  }
  // Files that drive browsers wait for much of their time: for processes, frames and answers.
  const drives = folder === 'browser';
  const concurrency = availableParallelism() + (drives ? 2 : 0);
  // Loaded here: there are no npm packages when the command starts in a new checkout.
  const shared = drives && (await (await import('./shared_browsers.mjs')).shareBrowsers());
  if (shared) process.env.ROPEWALK_BROWSER_PORT = String(shared.port);
  const events = run({ files, concurrency, timeout });
  events.on('test:pass', (event) => {
    if (event.details.type === 'suite' || event.skip !== undefined || event.todo !== undefined)
      return;
    // Node reports a file without tests as a test that passed.
    if (files.includes(path.resolve(event.name))) console.error(`${event.name} has no tests`);
    ++counts[files.includes(path.resolve(event.name)) ? 'failed' : 'passed'];
  });
  events.on('test:fail', (event) => {
    if (event.details.type !== 'suite' && event.todo === undefined) ++counts.failed;
  });
  const shown = events.compose(new spec());
  for await (const text of shown) process.stdout.write(text);
  if (shared) shared.close();
  return counts;
}

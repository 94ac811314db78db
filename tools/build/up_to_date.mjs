// Skips the steps of a build whose inputs and outputs have not changed since they last ran.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inRoot } from '../setup/paths.mjs';
import { step } from '../setup/steps.mjs';

/** The paths of the files in a folder and in its folders, sorted. */
export async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => path.join(entry.parentPath, entry.name)).sort();
}

/** A file alone, the files in a folder, or the path of what does not exist. */
async function filesOf(place) {
  const status = await stat(place).catch(() => undefined);
  return status?.isDirectory() ? filesIn(place) : [place];
}

/** The SHA-256 of the paths and contents of files and folders; what is missing counts as such. */
async function fingerprint(places) {
  const files = (await Promise.all(places.map(filesOf))).flat();
  const contents = await Promise.all(files.map((file) => readFile(file).catch(() => undefined)));
  const hash = createHash('sha256');
  for (const [i, file] of files.entries())
    hash.update(`${file}\0${contents[i]?.length ?? 'missing'}\0`).update(contents[i] ?? '');
  return hash.digest('hex');
}

/** A step's record stands beside what the steps make. */
export const recordOf = (name) => inRoot('build/records', `${name}.json`);

/**
 * Runs `make` unless the record shows that the inputs, the settings and the outputs are as the last
 * run left them. Times do not matter, only contents.
 * @param {string} record the JSON file that holds the fingerprints, see `recordOf`
 * @param {object} step
 * @param {string[]} step.inputs files and folders that `make` reads
 * @param {unknown} [step.settings] what else decides the outputs, as JSON
 * @param {string[]} step.outputs files and folders that `make` writes
 * @param {() => Promise<string | void>} make may return a note
 * @returns {Promise<string | void>} the note of `make`, or "unchanged"
 */
export async function bringUpToDate(record, { inputs, settings, outputs }, make) {
  const last = await readFile(record, 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  const current = {
    settings: JSON.stringify(settings),
    inputs: await fingerprint(inputs),
    outputs: await fingerprint(outputs),
  };
  const isSame = (key) => last?.[key] === current[key];
  if (isSame('settings') && isSame('inputs') && isSame('outputs')) return 'unchanged';
  // Ninja goes by times, and would keep an output that something else has written.
  if (!isSame('outputs'))
    for (const output of outputs) await rm(output, { recursive: true, force: true });
  // A run that fails or is stopped leaves no record.
  await rm(record, { force: true });
  const note = await make();
  await mkdir(path.dirname(record), { recursive: true });
  const made = { ...current, outputs: await fingerprint(outputs) };
  await writeFile(record, `${JSON.stringify(made, null, 1)}\n`);
  return note;
}

/** What every step runs by, beside its own inputs. */
const common = ['tools/build', 'tools/build.mjs', 'node_modules/.package-lock.json'];

/**
 * The same as a step with its line; `make` may report progress through the function it is given.
 * @param {string} title
 * @param {Parameters<typeof bringUpToDate>[1]} files
 * @param {(report: (text: string) => void) => Promise<string | void>} make
 */
export const recordedStep = (title, { inputs, ...rest }, make) =>
  step(title, (report) =>
    bringUpToDate(
      recordOf(title.replace(', ', '-')),
      { inputs: [...common.map((name) => inRoot(name)), ...inputs], ...rest },
      () => make(report),
    ),
  );

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './paths.mjs';
import { run } from './processes.mjs';
import { skip, step } from './steps.mjs';

/**
 * Installs what the package-lock.json of a folder names, unless it is installed. `ci` refuses a
 * lock that leaves out what other machines would have; `install` adds to it: give it a copy.
 */
export async function setUpNpmPackages(options = {}) {
  const { title = 'npm packages', folder = root, verb = 'ci', flags = [] } = options;
  if (isInstalled(folder)) return skip(title, 'ready');
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  await step(title, () =>
    run(command, [...first, verb, '--no-fund', '--no-audit', ...flags], { cwd: folder }),
  );
}

/**
 * npm removes everything before it installs, and writes what it installed at its end: the same
 * versions, without the optional ones for other machines.
 */
function isInstalled(folder) {
  const record = path.join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = packagesIn(record);
  const wanted = Object.entries(packagesIn(path.join(folder, 'package-lock.json'))).filter(
    ([place]) => place !== '',
  );
  return wanted.every(([place, { version, optional }]) =>
    installed[place]
      ? installed[place].version === version && existsSync(path.join(folder, place))
      : optional,
  );
}

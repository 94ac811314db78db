/** Where the fixtures run: a project with others' tools and our package, in the user's cache. */
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setUpNpmPackages } from '../../tools/setup/npm_packages.mjs';
import { inCache } from '../../tools/setup/paths.mjs';

const own = import.meta.dirname;
const home = inCache('matrix');

export const inHome = (...parts) => path.join(home, ...parts);
export const fromHome = createRequire(inHome('package.json'));

/** A folder for an environment: its fixture, and beside it what all fixtures share. */
export async function placed(fixtures, { name, fixture }) {
  const source = path.join(own, 'fixtures');
  const folder = path.join(fixtures, name);
  const shared = await readdir(source, { withFileTypes: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const file of shared.filter((entry) => entry.isFile()))
    await cp(path.join(source, file.name), path.join(folder, file.name));
  await cp(path.join(source, fixture), folder, { recursive: true });
  return folder;
}

/** Installs the tools on first use. */
export async function setUpTools() {
  await mkdir(home, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    await cp(path.join(own, file), inHome(file));
  const how = { verb: 'install', flags: ['--ignore-scripts'] };
  await setUpNpmPackages({ title: 'bundlers and engines', folder: home, ...how });
}

/** The folder for fixtures, with the tools and the package as npm installed it elsewhere. */
export async function setUpHome(packageFolder) {
  await setUpTools();
  const ropewalk = inHome('node_modules/ropewalk');
  await rm(ropewalk, { recursive: true, force: true });
  await cp(packageFolder, ropewalk, { recursive: true });
  return inHome('fixtures');
}

/** The systems that publish, installed on first use into the user's cache. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { archiveSources } from '../../tools/setup/apt.mjs';
import { inChroot } from '../../tools/setup/chroot.mjs';
import { debianFolder } from '../../tools/setup/debian_folder.mjs';
import { Failure } from '../../tools/setup/failure.mjs';
import { inCache } from '../../tools/setup/paths.mjs';
import { run } from '../../tools/setup/processes.mjs';
import { makeFolder, recipeOf, skip, step } from '../../tools/setup/steps.mjs';
import * as packages from './packages.mjs';

/** What a root of Debian packages has in common with that of the machine. */
const shared = '/tmp';

/** Switches off telemetry, prompts and colors. */
const quiet = {
  CI: '1',
  DO_NOT_TRACK: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NO_UPDATE_NOTIFIER: '1',
  OBSERVABLE_TELEMETRY_DISABLE: 'true',
  // Python compiles its files once.
  PYTHONDONTWRITEBYTECODE: '',
  FORCE_COLOR: '0',
};

/**
 * @typedef {object} Installed
 * @property {(name: string) => Promise<string>} project an empty folder for a project
 * @property {(folder: string, command: string[]) => Promise<string[]>} run runs a program of the
 *   installed packages in a folder and returns the lines that it printed
 * @property {string} [version] of the first npm package
 * @property {string} [modules] the node_modules of npm packages
 */

async function lines(command, options) {
  const printed = [];
  const [first, ...rest] = command;
  await run(first, rest, { ...options, onLine: (line) => printed.push(line) });
  return printed;
}

async function emptied(folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** @returns {Promise<Installed>} */
export const installed = (name) =>
  name in packages.npm ? fromNpm(name) : fromDebian(name, packages.debian[name]);

/** @returns {Promise<Installed>} */
async function fromNpm(name) {
  const dependencies = packages.npm[name];
  const folder = inCache('hosts', name);
  const title = `${name} from npm`;
  if (isDeepStrictEqual((await recipeOf(folder))?.dependencies, dependencies)) skip(title, 'ready');
  else await step(title, () => makeFolder(folder, { dependencies }, installTo(dependencies)));
  const modules = path.join(folder, 'node_modules');
  const [first] = Object.keys(dependencies);
  const manifest = await readFile(path.join(modules, first, 'package.json'), 'utf8');
  const bin = path.join(modules, '.bin');
  // Some need a newer Node than the package.
  const own = 'node' in dependencies ? [path.join(modules, 'node/bin')] : [];
  const programs = [...own, bin, path.dirname(process.execPath), process.env.PATH];
  const PATH = programs.join(path.delimiter);
  return {
    modules,
    version: JSON.parse(manifest).version,
    project: (project) => emptied(path.join(folder, 'projects', project)),
    run: (cwd, command) =>
      lines(command, { cwd, env: { ...quiet, PATH, NODE_TEST_CONTEXT: undefined } }),
  };
}

const installTo = (dependencies) => async (folder) => {
  const manifest = { private: true, type: 'module', dependencies };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  const flags = ['--no-package-lock', '--ignore-scripts', '--no-fund', '--no-audit'];
  await run('npm', ['install', ...flags], { cwd: folder });
};

/** @returns {Promise<Installed>} */
async function fromDebian(name, wanted) {
  const folder = inCache('hosts', name);
  const isThere = await debianFolder(folder, {
    title: `${name} from Debian`,
    packages: [...wanted, 'dash', 'coreutils'],
    sources: archiveSources,
    finish,
  });
  if (!isThere) throw new Failure(`${name} is taken from Debian's archive.`);
  const inside = inChroot(path.join(folder, 'root'));
  return {
    project: (project) => mkdtemp(path.join(shared, `ropewalk-${project}-`)),
    run: (cwd, command) =>
      lines([...inside, '/bin/sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command], {
        cwd,
        env: { ...quiet, PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: cwd, LC_ALL: 'C.UTF-8' },
      }),
  };
}

/** What the packages' install scripts would make. */
async function finish(partial) {
  const root = path.join(partial, 'root');
  await mkdir(path.join(root, 'tmp'), { recursive: true });
  await mkdir(path.join(root, 'etc'), { recursive: true });
  await writeFile(path.join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  await writeFile(path.join(root, 'etc/group'), 'root:x:0:\n');
  await writeFile(path.join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
}

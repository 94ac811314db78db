/**
 * How an environment is tried. Each way takes { folder, tools } and returns what ran there:
 * { version, answers }. `folder` holds the fixture, `tools` what only some environments need.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../../tools/setup/failure.mjs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { outputOf, run, versionIn } from '../../tools/setup/processes.mjs';
import { patience } from '../browser/support/browser.mjs';
import { serve } from '../browser/support/server.mjs';
import { visit } from './browsers.mjs';
import { freePort } from './ports.mjs';
import { inHome } from './home.mjs';

/** Path in the matrix's own node_modules. */
export const modules = (...parts) => inHome('node_modules', ...parts);
const env = { NEXT_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', NODE_TEST_CONTEXT: undefined };

async function outputLines(command, args, cwd) {
  const lines = [];
  await run(command, args, { cwd, env, onLine: (line) => lines.push(line) });
  return lines;
}

/** The answers of a script: the last line that it prints as JSON. */
async function printed(command, args, folder) {
  const lines = await outputLines(command, args, folder);
  const line = lines.findLast((text) => text.startsWith('{'));
  if (!line) throw new Failure(`${path.basename(command)} printed no answer: ${lines.join('\n')}`);
  return JSON.parse(line);
}

const versionOf = (command) => /\d[\d.]+/.exec(outputOf(command, ['--version']))?.[0];

/** This Node when it is of that line, else the one that npm has for this machine. */
function nodeOf(major) {
  if (versionIn(process.versions.node)[0] === major) return process.execPath;
  const installed = modules(`node-${major}`, 'bin/node');
  if (existsSync(installed)) return installed;
  throw new Failure(`npm has no Node ${major} for ${process.platform}-${process.arch}.`);
}

/** Node of a line, or whichever runs this. */
export const node =
  (major, ...flags) =>
  async ({ folder }) => {
    const command = major ? nodeOf(major) : process.execPath;
    const answers = await printed(command, [...flags, 'main.mjs'], folder);
    return { version: versionOf(command), answers };
  };

/** A program that npm has as one package per kind of machine: the one that fits is installed. */
export const program =
  (scope, file, ...args) =>
  async ({ folder }) => {
    const [kind] = existsSync(modules(scope)) ? await readdir(modules(scope)) : [];
    if (!kind) throw new Failure(`npm has no ${scope} for ${process.platform}-${process.arch}.`);
    const command = modules(scope, kind, file);
    const answers = await printed(command, [...args, 'main.mjs'], folder);
    return { version: versionOf(command), answers };
  };

/** A folder served from a sub-path, under the strict policy unless that is off. */
async function served(folder, browser, tools, policy = true) {
  const { address, close } = await serve(folder, policy ? undefined : {});
  try {
    return await visit(browser, address, tools);
  } finally {
    await close();
  }
}

/** The package's own files beside a page, without any tool. */
export const files =
  (browser) =>
  async ({ folder, tools }) => {
    await cp(tools.installed, path.join(folder, 'ropewalk'), { recursive: true });
    return served(folder, browser, tools);
  };

const manifestVersion = async (folder) =>
  JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')).version;

/**
 * Builds with a tool's command line; what is in dist/ then runs in Chromium. `beside` is a folder of
 * the package whose files the tool does not copy by itself.
 */
export const bundled =
  (tool, script, args, options = {}) =>
  async ({ folder, tools }) => {
    const { from = modules, product = tool, policy, beside } = options;
    await outputLines(process.execPath, [from(tool, script), ...args], folder);
    const dist = path.join(folder, 'dist');
    if (beside) await cp(path.join(tools.installed, beside), dist, { recursive: true });
    if (!existsSync(path.join(dist, 'index.html')))
      await cp(path.join(folder, 'index.html'), path.join(dist, 'index.html'));
    const { answers } = await served(dist, 'chromium', tools, policy);
    return { version: await manifestVersion(from(product)), answers };
  };

/** Path in the checkout's own node_modules. */
export const ofCheckout = (...parts) => inRoot('node_modules', ...parts);

/** What Chromium finds at a server of the tool's own, as long as that runs. */
async function ownServer(args, port, folder, tools) {
  const server = spawn(process.execPath, [...args, '--port', String(port)], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  try {
    const url = `http://localhost:${port}/`;
    await answering(url, server);
    return await visit('chromium', url, tools);
  } finally {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, 'close');
  }
}

async function answering(url, server) {
  const limit = AbortSignal.timeout(patience);
  while (!limit.aborted && server.exitCode === null) {
    if (await fetch(url).catch(() => undefined)) return;
    await wait(100);
  }
  throw new Failure('The server does not answer.');
}

/** The server of Vite that people develop with, which prepares packages before it serves them. */
export const viteDev =
  (vite, ...flags) =>
  async ({ folder, tools }) => {
    const args = [path.join(vite, 'bin/vite.js'), '--host', 'localhost', '--strictPort', ...flags];
    const { answers } = await ownServer(args, await freePort(), folder, tools);
    return { version: await manifestVersion(vite), answers };
  };

/** A production build, served, and its page rendered by the server and then in Chromium. */
export const next =
  (...flags) =>
  async ({ folder, tools }) => {
    const script = modules('next/dist/bin/next');
    await outputLines(process.execPath, [script, 'build', ...flags], folder);
    const args = [script, 'start', '--hostname', 'localhost'];
    const { answers } = await ownServer(args, await freePort(), folder, tools);
    return { version: await manifestVersion(modules('next')), answers };
  };

/** A checker of packages, on the tarball: it fails by its exit code. */
export const checker =
  (tool, script, args) =>
  async ({ folder, tools }) => {
    await outputLines(process.execPath, [modules(tool, script), ...args, tools.tarball], folder);
    return { version: await manifestVersion(modules(tool)), answers: { tarball: {} } };
  };

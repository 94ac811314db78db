import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { platform, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { digest } from './paths.mjs';

const onTerminal = process.stdout.isTTY && !process.env.CI;

export const say = (line) => process.stdout.write(`${line}\n`);

export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** One line for a step that needs no work. */
export const skip = (title, note) => say(`  ${title}: ${note}`);

/** The steps under way. On a terminal, the first of them has the line. */
const underWay = [];

/** A line rewritten in place on a terminal; elsewhere a line at the start and every 10 seconds. */
function progressLine(title) {
  const start = performance.now();
  let note = '';
  underWay.push(title);
  const draw = () => {
    if (onTerminal && underWay[0] !== title) return;
    const text = `  ${title} ... ${[note, seconds(start)].filter(Boolean).join(', ')}`;
    if (onTerminal)
      process.stdout.write(`\r\x1b[K${text.slice(0, (process.stdout.columns ?? 80) - 1)}`);
    else say(text);
  };
  if (onTerminal) draw();
  else say(`  ${title} ...`);
  const timer = setInterval(draw, onTerminal ? 200 : 10_000);
  return {
    update: (text) => {
      note = text;
    },
    end(line) {
      clearInterval(timer);
      underWay.splice(underWay.indexOf(title), 1);
      if (onTerminal) process.stdout.write('\r\x1b[K');
      if (line) say(line);
    },
  };
}

/**
 * Runs one step and says on one line how long it took. `work` may report progress through the
 * function it is given, and may return a note for the line.
 */
export async function step(title, work) {
  const start = performance.now();
  const line = progressLine(title);
  try {
    const note = await work(line.update);
    line.end(
      `  ${title}: ${[note, seconds(start)].filter((part) => typeof part === 'string').join(', ')}`,
    );
  } catch (error) {
    line.end(`  ${title}: failed after ${seconds(start)}`);
    throw error;
  }
}

/** What the finished folder was made from, or undefined when it is not finished. */
export async function recipeOf(folder) {
  const stamp = path.join(folder, '.done');
  return existsSync(stamp) ? JSON.parse(await readFile(stamp, 'utf8')) : undefined;
}

/**
 * Makes a folder as a whole or not at all: `fill` gets a temporary name beside the final one, which
 * takes its place, with a stamp saying what it was made from, only when it is complete.
 */
export async function makeFolder(folder, recipe, fill) {
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  const note = await fill(partial);
  await writeFile(path.join(partial, '.done'), JSON.stringify(recipe));
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  return note;
}

/**
 * Lets only one process at a time do `work` under this name. The lock is a listening socket without
 * a file, so the kernel frees it whichever way the process ends; other systems than Linux have no
 * such sockets, and go without.
 */
export async function alone(name, work) {
  if (platform() !== 'linux') return work();
  const server = createServer();
  const address = `\0ropewalk-${userInfo().uid}-${digest(name)}`;
  const taken = () =>
    new Promise((resolve, reject) => {
      server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
        error.code === 'EADDRINUSE' ? resolve(true) : reject(error),
      );
      server.listen(address, () => resolve(false));
    });
  let waiting = false;
  while (await taken()) {
    server.removeAllListeners();
    if (!waiting) say('  waiting for another Ropewalk command to finish ...');
    waiting = true;
    await wait(300);
  }
  try {
    return await work();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Failure } from './failure.mjs';

/** The full path of a command on PATH, or undefined. */
export function onPath(command) {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder || '.', command);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** What a quick command prints, or undefined when it does not run or fails. */
export function outputOf(command, args, env = {}) {
  const { status, stdout } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : undefined;
}

/** The first version number in the text as [major, minor], or undefined. */
export function versionIn(text) {
  const found = /(\d+)\.(\d+)/.exec(text ?? '');
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

const shown = (command, args) => [path.basename(command), ...args].join(' ').slice(0, 200);

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {Record<string, string>} [env] variables beside those of this process
 * @property {(line: string) => void} [onLine] receives each line of output in place of the terminal
 * @property {(line: string) => void} [onStatus] receives each line on descriptor 3
 */

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<number | string>} the exit code, or the signal that ended the command
 */
export function exitCode(command, args, { cwd, env = {}, onLine, onStatus } = {}) {
  const output = onLine ? 'pipe' : 'inherit';
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output, onStatus ? 'pipe' : 'ignore'],
  });
  const listen = (stream, listener) => createInterface({ input: stream }).on('line', listener);
  if (onLine) for (const stream of [child.stdout, child.stderr]) listen(stream, onLine);
  if (onStatus) listen(child.stdio[3], onStatus);
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Failure(`Cannot run ${command}: ${error.message}`)));
    child.on('close', (code, signal) => resolve(code ?? `signal ${signal}`));
  });
}

/**
 * Runs a command without output; when it fails, its last lines are part of the Failure.
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 */
export async function run(command, args, options = {}) {
  const last = [];
  const onLine = (line) => {
    last.push(line);
    if (last.length > 40) last.shift();
    options.onLine?.(line);
  };
  const code = await exitCode(command, args, { ...options, onLine });
  if (code === 0) return;
  throw new Failure(`${last.join('\n')}\n\n${shown(command, args)}\nfailed with ${code}.`);
}

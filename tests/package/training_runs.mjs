/** A small plan of trainings, and commands that are interrupted while they run it. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, place, readSafetensors } from './command.mjs';
import { installed } from './installed.mjs';

const main = join(installed, 'cli', 'node_bin.js');
export const json = (name) => JSON.parse(readFileSync(place(name), 'utf8'));
export const lines = (name) =>
  readFileSync(place(name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
export const untimed = (result) => ({ ...result, seconds: 0 });

export const plan = {
  name: 'small',
  trainer: {
    task: { type: 'drawers' },
    model: { width: 16, layers: 1, heads: 2 },
    batchSize: 4,
    length: 12,
  },
  variants: { rope: { position: { type: 'rope' } }, none: {} },
  seeds: [0, 1],
  steps: 40,
  evaluations: { far: { lengths: [12, 24], sequences: 4 } },
};
writeFileSync(place('plan.json'), JSON.stringify(plan));

/**
 * Sends the command a signal when it has said each of the texts in turn; resolves with its exit
 * code, or the signal that killed it.
 */
export function interrupted(signal, texts, args) {
  const child = spawn(process.execPath, [main, ...args.split(' '), '--progress', 'always'], {
    cwd: folder,
  });
  const [...left] = texts;
  child.stderr.on('data', (text) => {
    if (!left[0]?.test(String(text))) return;
    left.shift();
    child.kill(signal);
  });
  return new Promise((resolve) =>
    child.on('exit', (code, killedBy) => resolve([code, killedBy].find((each) => each !== null))),
  );
}

export const stepsOf = (name) =>
  Number(readSafetensors(readFileSync(place(name))).metadata.get('steps'));
export const never = '--checkpoint-every 1000000';

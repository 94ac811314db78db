/** `npx ropewalk`, as a process of its own, in a folder of its own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installed, project } from './installed.mjs';

export const { readNpy, readSafetensors, toFloats, writeNpy, writeSafetensors } = await import(
  pathToFileURL(join(installed, 'entries/files.js')).href
);
export const folder = mkdtempSync(join(tmpdir(), 'ropewalk-cli-'));
after(() => rmSync(folder, { recursive: true }));
export const place = (name) => join(folder, name);
export const numpy = (name) => join(import.meta.dirname, 'numpy', `${name}.npy`);
export const [q, k, v] = ['q', 'k', 'v'].map(numpy);
export const tensors = [q, k, v].map((path) => toFloats(readNpy(readFileSync(path))));
export const command = join(project, 'node_modules', '.bin', 'ropewalk');

export const run = (...args) =>
  spawnSync(command, args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });

/** What a sound call prints; it says nothing beside that. */
export function printed(...args) {
  const { status, stdout, stderr } = run(...args);
  assert.deepEqual([status, stderr], [0, ''], args.join(' '));
  return stdout;
}

/** What config.json in the folder says. */
export const config = {
  model_type: 'llama',
  hidden_size: 64,
  num_attention_heads: 4,
  rope_theta: 500000,
  max_position_embeddings: 8192,
  rope_scaling: { rope_type: 'linear', factor: 4 },
};
writeFileSync(place('config.json'), JSON.stringify(config));

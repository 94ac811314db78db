/** `npx ropewalk` in this process, or as one of its own; in a folder of its own. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chdir } from 'node:process';
import { Writable } from 'node:stream';
import { after } from 'node:test';
import { inside, project } from './installed.mjs';

export const { readNpy, readSafetensors, toFloats, writeNpy, writeSafetensors } =
  await inside('entries/files');
const main = await inside('cli/main');

export const folder = mkdtempSync(join(tmpdir(), 'ropewalk-cli-'));
chdir(folder);
after(() => {
  chdir(tmpdir());
  rmSync(folder, { recursive: true });
});
export const place = (name) => join(folder, name);
export const numpy = (name) => join(import.meta.dirname, 'numpy', `${name}.npy`);
export const [q, k, v] = ['q', 'k', 'v'].map((name) => `${name}.npy`);
for (const name of ['q', 'k', 'v', 'rotary', 'b1_C'])
  copyFileSync(numpy(name), place(`${name}.npy`));
export const tensors = [q, k, v].map((path) => toFloats(readNpy(readFileSync(place(path)))));

/** The program, to be run as a process. */
export const command = join(project, 'node_modules', '.bin', 'ropewalk');

/** A standard stream that keeps what is written to it. */
function stream(isTTY) {
  const pieces = [];
  const write = (piece, _, done) => (pieces.push(piece), done());
  return { pieces, stream: Object.assign(new Writable({ write }), { isTTY }) };
}

const running =
  (isTTY) =>
  async (...args) => {
    const [stdout, stderr] = [stream(isTTY), stream(isTTY)];
    const words = args.join(' ').match(/\S+/g) ?? [];
    const status = await main.run(words, { stdout: stdout.stream, stderr: stderr.stream });
    const bytes = Buffer.concat(stdout.pieces);
    return { status, bytes, stdout: String(bytes), stderr: String(Buffer.concat(stderr.pieces)) };
  };

/** Runs a command line, given in words or in texts of several, and returns its exit code and output. */
export const run = running(false);
/** The same where both outputs are a terminal. */
export const runInTerminal = running(true);

/** What a sound call prints; it says nothing beside that. */
export async function printed(...args) {
  const { status, stdout, stderr } = await run(...args);
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

/** llama2.c (Karpathy 2023), compiled natively: the program that a Llama of its format is measured beside. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const stories = path.join(import.meta.dirname, '..', 'models', 'stories260k');
export const storiesFile = path.join(stories, 'stories260K.bin');

const builds = {
  '-O3': ['-O3'],
  'fast mathematics': ['-O3', '-march=native', '-ffast-math'],
};
const rounds = 15;

/** Compiles run.c of a folder. Returns what makeLlama2c() takes. */
export async function buildLlama2c(folder, into) {
  await mkdir(into, { recursive: true });
  const programs = [];
  for (const [name, flags] of Object.entries(builds)) {
    const program = path.join(into, `llama2c_${programs.length}`);
    await run(process.env.CC ?? 'cc', [...flags, '-o', program, path.join(folder, 'run.c'), '-lm']);
    programs.push({ name: `llama2.c, ${name}`, program });
  }
  return programs;
}

/** The programs as contestants, which report their own rates: these leave out start and loading. */
export const makeLlama2c = (programs) =>
  programs.map(({ name, program }) => ({
    name,
    async run(tokens) {
      const samples = [];
      for (let i = 0; i < rounds; i++) {
        const tokenizer = path.join(stories, 'tok512.bin');
        const options = ['-z', tokenizer, '-t', '0', '-n', String(tokens)];
        const { stderr } = await run(program, [storiesFile, ...options], { encoding: 'latin1' });
        const perSecond = Number(/tok\/s: ([\d.]+)/.exec(stderr)[1]);
        samples.push((1000 * tokens) / perSecond);
      }
      // Its clock counts whole milliseconds: the mean is finer than the median.
      const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
      return { tokens, median: mean, samples };
    },
  }));

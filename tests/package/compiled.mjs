/** TypeScript as a user of the installed package has it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './installed.mjs';

const compiler = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');

/** What the compiler says about a file of a user's project; '' when it is content. */
export function compiled(source, settings) {
  const folder = mkdtempSync(join(project, 'consumer-'));
  try {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      ...settings,
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    );
    writeFileSync(join(folder, 'consumer.ts'), source);
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder], {
      encoding: 'utf8',
    });
    return status === 0 ? '' : stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

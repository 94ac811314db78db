// Reads the docstrings of the built package into build/reference.json, from which the site's API
// page is made (web/assembly/reference.ts). `npm run build` does this by itself.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn, recordedStep } from './build/up_to_date.mjs';
import { main } from './setup/failure.mjs';
import { setUpNpmPackages } from './setup/npm_packages.mjs';
import { inRoot } from './setup/paths.mjs';

const folder = inRoot('tools/reference');
const file = inRoot('build/reference.json');

/** TypeDoc needs a compiler with a programming interface, so both are in a folder of their own. */
export const setUpReference = () => setUpNpmPackages({ title: 'npm packages, reference', folder });

/** Brings build/reference.json up to date with the declarations in dist/package. */
export async function buildReference() {
  const files = await filesIn(inRoot('dist/package'));
  const inputs = [
    ...files.filter((name) => name.endsWith('.d.ts')),
    ...['extract.mjs', 'tsconfig.json', 'package-lock.json'].map((name) => path.join(folder, name)),
    fileURLToPath(import.meta.url),
  ];
  await recordedStep('reference', { inputs, outputs: [file] }, async () => {
    const { extract } = await import('./reference/extract.mjs');
    const topics = await extract();
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(topics, null, 1)}\n`);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await setUpReference();
    await buildReference();
  });
}

// Reads the docstrings of the built package into build/reference.json, from which the site's API
// page is made (web/assembly/reference.ts). `npm run build` does this by itself.
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from './setup/failure.mjs';
import { setUpNpmPackages } from './setup/npm_packages.mjs';
import { inRoot } from './setup/paths.mjs';

const folder = inRoot('tools/reference');
const file = inRoot('build/reference.json');

/** TypeDoc asks for a compiler that has an interface for tools, so both live in a folder of their own. */
export const setUpReference = () => setUpNpmPackages({ title: 'npm packages, reference', folder });

const changed = async (name) => (await stat(name).catch(() => undefined))?.mtimeMs ?? 0;

async function isFresh() {
  const types = inRoot('dist/package');
  const declarations = (await readdir(types, { recursive: true })).filter((name) =>
    name.endsWith('.d.ts'),
  );
  const sources = [
    ...declarations.map((name) => path.join(types, name)),
    path.join(folder, 'extract.mjs'),
    path.join(folder, 'package-lock.json'),
  ];
  return (await changed(file)) > Math.max(...(await Promise.all(sources.map(changed))));
}

/** Writes build/reference.json, unless nothing that it comes from is newer. */
export async function buildReference() {
  if (await isFresh()) return;
  const { extract } = await import('./reference/extract.mjs');
  const topics = await extract();
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(topics, null, 1)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await setUpReference();
    await buildReference();
  });
}

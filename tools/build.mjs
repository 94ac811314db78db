// Builds the wasm module twice, the package and the page: `npm run build`. What did not change is
// not built again.
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWasm } from './build/cmake.mjs';
import { bytesOf, firstLoad, firstLoadLimit } from './build/first_load.mjs';
import { buildReference } from './reference.mjs';
import { main } from './setup/failure.mjs';
import { inRoot } from './setup/paths.mjs';
import { run } from './setup/processes.mjs';
import { alone, say, step } from './setup/steps.mjs';
import { setup } from './setup.mjs';

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const nodeModules = (...parts) => inRoot('node_modules', ...parts);

const vite = (...options) => {
  const config = ['--config', inRoot('web/vite.config.ts')];
  const command = [nodeModules('vite/bin/vite.js'), 'build', ...config, ...options];
  return run(process.execPath, command, { cwd: inRoot() });
};

export const kinds = ['simd128', 'relaxed'];

export const buildBinary = (tools, kind) =>
  step(`wasm, ${kind}`, async (report) => {
    // At once, so that the two links share the machine's cores.
    await buildWasm(tools, kind, ['ropewalk_wasm', 'ropewalk_train_wasm'], report);
    return kilobytes((await stat(inRoot('build', kind, 'ropewalk.wasm'))).size);
  });

/** The wasm binaries, and from them the npm package in dist/package. */
export async function buildPackage(tools, chosen = kinds) {
  say('Build');
  for (const kind of chosen) await buildBinary(tools, kind);
  await step('package', async () => {
    await run(process.execPath, [inRoot('tools/package.mjs'), ...chosen], { cwd: inRoot() });
    await vite('--mode', 'package');
    return kilobytes(await sizeOf(inRoot('dist/package')));
  });
}

/** The page, as static files in dist/site. */
export async function buildSite() {
  await step('reference', buildReference);
  await step('page', async () => {
    await vite();
    return kilobytes(await sizeOf(inRoot('dist/site')));
  });
  for (const document of ['index.html', 'zh/index.html']) {
    const files = await firstLoad(inRoot('dist/site'), document);
    const largest = files.sort((a, b) => b.bytes - a.bytes).slice(0, 4);
    const parts = largest.map(({ file, bytes }) => `${file} ${kilobytes(bytes)}`).join(', ');
    say(
      `  first load of ${document}, brotli: ${kilobytes(bytesOf(files))} in ${files.length} files`,
    );
    say(`    of at most ${kilobytes(firstLoadLimit)}; most of it ${parts}`);
  }
}

async function sizeOf(folder) {
  if (!existsSync(folder)) return 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(path.join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Runs `work` when no other command builds in this checkout. */
export const buildingAlone = (work) => alone(`build ${inRoot()}`, work);

export async function build({ kinds: chosen = kinds, ...options } = {}) {
  const tools = await setup(options);
  await buildingAlone(async () => {
    await buildPackage(tools, chosen);
    await buildSite();
  });
  return tools;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(() => build());

// Builds the wasm module twice, the package and the page: `npm run build`. What did not change is
// not built again.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWasm } from './build/cmake.mjs';
import { bytesOf, firstLoad, firstLoadLimit } from './build/first_load.mjs';
import { textPages } from './build/text_pages.mjs';
import { filesIn, recordedStep } from './build/up_to_date.mjs';
import { buildReference } from './reference.mjs';
import { main } from './setup/failure.mjs';
import { inRoot } from './setup/paths.mjs';
import { run } from './setup/processes.mjs';
import { alone, say } from './setup/steps.mjs';
import { setup } from './setup.mjs';

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const nodeModules = (...parts) => inRoot('node_modules', ...parts);

const vite = (...options) => {
  const config = ['--config', inRoot('web/vite.config.ts')];
  const command = [nodeModules('vite/bin/vite.js'), 'build', ...config, ...options];
  return run(process.execPath, command, { cwd: inRoot() });
};

export const kinds = ['simd128', 'relaxed'];

const modules = ['ropewalk', 'ropewalk_train'];
/** It prints the same fields for both kinds. */
const printsFields = (kind) => kind === kinds[0];

/** What CMake builds of this kind for the package. */
const wasmFiles = (kind) =>
  [
    ...modules.flatMap((name) => ['wasm', 'mjs', 'd.ts'].map((ending) => `${name}.${ending}`)),
    ...(printsFields(kind) ? ['ropewalk_fields.mjs'] : []),
  ].map((file) => inRoot('build', kind, file));

export const buildBinary = ({ emscripten, cmake, ninja, xsimd, catch2 }, kind) =>
  recordedStep(
    `wasm, ${kind}`,
    {
      inputs: [
        ...['CMakeLists.txt', 'package.json', 'src/core', 'src/bindings'].map((at) => inRoot(at)),
        path.join(emscripten.root, 'emscripten-version.txt'),
        ...(xsimd ? [path.join(xsimd, 'xsimd')] : []),
      ],
      settings: { emscripten, cmake, ninja, xsimd },
      outputs: wasmFiles(kind),
    },
    async (report) => {
      const targets = modules.map((name) => `${name}_wasm`);
      if (printsFields(kind)) targets.push('ropewalk_fields');
      // At once, so that the two links share the machine's cores.
      await buildWasm({ emscripten, cmake, ninja, xsimd, catch2 }, kind, targets, report);
      return kilobytes((await stat(inRoot('build', kind, 'ropewalk.wasm'))).size);
    },
  );

/** The wasm binaries, and from them the npm package in dist/package; of one kind without elements. */
export async function buildPackage(tools, chosen = kinds) {
  say('Build');
  for (const kind of chosen) await buildBinary(tools, kind);
  const settings = ['package.json', 'tsconfig.json', 'tools/package.mjs'];
  const sources = [...settings, 'src/js', 'web', 'tests/vectors/data'];
  await recordedStep(
    'package',
    {
      inputs: [...sources.map((at) => inRoot(at)), ...chosen.flatMap(wasmFiles)],
      settings: chosen,
      outputs: [inRoot('build/glue'), inRoot('dist/package')],
    },
    async () => {
      await run(process.execPath, [inRoot('tools/package.mjs'), ...chosen], { cwd: inRoot() });
      // The site has the figures for other pages in a file of its own.
      if (chosen.length === kinds.length) await vite('--mode', 'package');
      return kilobytes(await sizeOf(inRoot('dist/package')));
    },
  );
}

/** The page, as static files in dist/site. */
export async function buildSite() {
  await buildReference();
  const ofElements = inRoot('dist/package/elements') + path.sep;
  const ofPackage = (await filesIn(inRoot('dist/package'))).filter(
    (file) => !file.startsWith(ofElements),
  );
  let isNew = false;
  await recordedStep(
    'page',
    {
      inputs: [
        ...ofPackage,
        ...['web', 'tests/package/numpy', 'build/reference.json'].map((at) => inRoot(at)),
      ],
      settings: process.env.ROPEWALK_SITE,
      outputs: [inRoot('dist/site')],
    },
    async () => {
      isNew = true;
      await vite();
      return kilobytes(await sizeOf(inRoot('dist/site')));
    },
  );
  if (isNew) await sayFirstLoad();
  if (!process.env.ROPEWALK_SITE) {
    say(
      '  Links to the site will show no picture, figures have no oEmbed, and the guides name no address: ROPEWALK_SITE is not set. For a build to publish:',
    );
    say('    ROPEWALK_SITE=https://… npm run build');
  }
}

/** Says what the browser loads before the first figure is drawn: on the front page, and at most. */
async function sayFirstLoad() {
  const site = inRoot('dist/site');
  const [front, ...chapters] = await Promise.all(
    ['', 'zh/'].flatMap((folder) =>
      textPages(site).map(async ({ path: page }) => {
        const document = `${folder}${page || 'index.html'}`;
        const files = await firstLoad(site, document);
        return { document, files, bytes: bytesOf(files) };
      }),
    ),
  );
  const [largest] = chapters.sort((a, b) => b.bytes - a.bytes);
  for (const { document, files, bytes } of [front, largest]) {
    const parts = files
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, 4)
      .map(({ file, bytes: size }) => `${file} ${kilobytes(size)}`);
    say(`  first load of ${document}, brotli: ${kilobytes(bytes)} in ${files.length} files`);
    say(`    of at most ${kilobytes(firstLoadLimit(document))}; most of it ${parts.join(', ')}`);
  }
}

async function sizeOf(folder) {
  const sizes = (await filesIn(folder)).map(async (file) => (await stat(file)).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
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

/**
 * The package as its users get it: packed, and installed from the tarball into an empty folder with
 * no network. Made once per content of the package and shared by the files of this folder: `npm test`
 * names it in ROPEWALK_INSTALLED, so that not each of them has to look through the whole package.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..', '..');
const built = join(root, 'dist', 'package');
const beside = ['package.json', 'README.md', 'README.zh.md', 'CHANGELOG.md', 'LICENSE'];

function contentHash() {
  const hash = createHash('sha256');
  const entries = readdirSync(built, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = entries.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
  for (const file of [...beside.map((name) => join(root, name)), ...files])
    hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

function install() {
  if (!existsSync(built)) throw new Error('dist/package is missing: npm run build makes it');
  const folder = join(tmpdir(), `ropewalk-installed-${contentHash()}`);
  if (existsSync(folder)) return folder;
  const made = mkdtempSync(join(tmpdir(), 'ropewalk-installing-'));
  const npm = (...args) =>
    execFileSync('npm', args, { cwd: made, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  writeFileSync(join(made, 'package.json'), '{ "private": true, "type": "module" }\n');
  const [{ filename }] = JSON.parse(npm('pack', root, '--json', '--ignore-scripts'));
  npm('install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
  for (const peer of ['jinja', 'tokenizers']) {
    const place = join('node_modules', '@huggingface', peer);
    cpSync(join(root, place), join(made, place), { recursive: true });
  }
  writeFileSync(
    join(made, 'entry.js'),
    `
    export { createRopewalk } from 'ropewalk';
    export * as slim from 'ropewalk/slim';
    export { createPool } from 'ropewalk/pool';
    export * from 'ropewalk/config';
    export * from 'ropewalk/diagnose';
    export { createModel, createModels, decodeStream, estimateModel, readLlama2cTokenizer, readModelFolder } from 'ropewalk/model';
    export { createModelInWorker } from 'ropewalk/model/worker';
    export { createTokenizer } from 'ropewalk/tokenizer';
    export { createTrainer, createTraining, createTrainingPool, planEntries } from 'ropewalk/train';
    export const workerUrl = new URL(import.meta.resolve('ropewalk/worker'));
  `,
  );
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true }); // another test file was faster
  }
  return folder;
}

/** The folder of a user's project, the package in it, and what was built for the package. */
export const project = process.env.ROPEWALK_INSTALLED ?? install();
export const packageFolder = join(project, 'node_modules', 'ropewalk');
export const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
export const installed = join(packageFolder, 'dist', 'package');
/** A file of the package that is no entry of it. */
export const inside = (file) => import(pathToFileURL(join(installed, `${file}.js`)).href);
export const binary = (simd) => readFileSync(join(installed, 'entries', `ropewalk_${simd}.wasm`));
export const {
  createRopewalk,
  slim,
  createPool,
  createModel,
  createModels,
  decodeStream,
  estimateModel,
  readLlama2cTokenizer,
  readModelFolder,
  createTokenizer,
  createModelInWorker,
  createTrainer,
  diagnose,
  createTraining,
  createTrainingPool,
  planEntries,
  workerUrl,
  describeNote,
  frequenciesFromConfig,
  layerPlanFromConfig,
  positionFromConfig,
} = await import(pathToFileURL(join(project, 'entry.js')).href);
/** What browsers get of the small entry: Node gets the whole one. */
export const slimOfBrowsers = await import(pathToFileURL(join(installed, 'entries/slim.js')).href);

/** The binaries that this engine runs; ROPEWALK_SIMD narrows them down. */
export const simds = ['simd128', 'relaxed'].filter(
  (simd) => WebAssembly.validate(binary(simd)) && (process.env.ROPEWALK_SIMD ?? simd) === simd,
);

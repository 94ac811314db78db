/**
 * One process of measurements, started by run.mjs in a Node with relaxed SIMD. It sends its progress
 * and its result as messages. Started with a `task` it measures that alone.
 */
import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { makeLlama2c, storiesFile } from './llama2c.mjs';
import { inBuild } from './wasm.mjs';

const given = JSON.parse(process.argv[2]);
const inPackage = (label, file) => path.join(given.packages[label], file);
const entriesOf = async (label) =>
  JSON.parse(await readFile(inPackage(label, 'package.json'), 'utf8')).exports;

const load = async (label, entry = '.') => {
  const { node, default: file } = (await entriesOf(label))[entry] ?? { default: inBuild(entry) };
  return import(pathToFileURL(inPackage(label, node?.default ?? file)).href);
};

/** The same program in a process of its own, for one task. */
function fresh(task) {
  const child = fork(import.meta.filename, [JSON.stringify({ ...task, packages: given.packages })]);
  return new Promise((resolve, reject) => {
    child.on('message', (/** @type {{ result: unknown }} */ { result }) => resolve(result));
    child.on('error', reject);
    child.on('close', (code) => reject(new Error(`${task.who}, ${task.task}: ended with ${code}`)));
  });
}

/** TensorFlow.js has its gradients in modules that import each other without an extension. */
async function registerGradients() {
  const hooks = registerHooks({
    resolve(name, context, next) {
      if (!context.parentURL?.includes('/tfjs-core/dist/') || !name.startsWith('.'))
        return next(name, context);
      return { ...next(`${name}.js`, context), format: 'module' };
    },
    load: (url, context, next) =>
      next(url, url.includes('/tfjs-core/dist/reg') ? { ...context, format: 'module' } : context),
  });
  await import('@tensorflow/tfjs-core/dist/register_all_gradients.js');
  hooks.deregister();
}

async function measured() {
  const { groups } = await import('./groups/all.mjs');
  const { makeWorld } = await import('./world.mjs');
  const peak = (kind) => readFile(given.peakFiles[kind]);
  const entries = await entriesOf('ropewalk');
  const binary = (kind) => readFile(inPackage('ropewalk', entries[`./ropewalk_${kind}.wasm`]));
  const world = await makeWorld({
    ...given,
    load,
    fresh,
    peak,
    binary,
    stories: () => readFile(storiesFile),
    llama2c: given.llama2c && makeLlama2c(given.llama2c),
    registerGradients,
  });
  const results = {};
  for (const name of given.names) {
    const say = (text) => process.send({ progress: `${name}: ${text}` });
    results[name] = await groups[name].measure({ ...world, say });
  }
  return results;
}

async function answer() {
  if (!given.task) return measured();
  const { measureOnce } = await import('./fresh.mjs');
  return measureOnce({ ...given, load, assets: {} });
}

process.send({ result: await answer() }, () => process.exit(0));

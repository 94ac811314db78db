/** One process of measurements, started by run.mjs in a Node with relaxed SIMD; speaks by messages. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { groups } from './groups/all.mjs';
import { makeWorld } from './world.mjs';

const { names, packages, peakFiles, ...rest } = JSON.parse(process.argv[2]);
const world = await makeWorld({
  ...rest,
  packages: Object.keys(packages),
  load: (label, file = 'index.js') => import(pathToFileURL(path.join(packages[label], file))),
  peak: (kind) => readFile(peakFiles[kind]),
});
const results = {};
for (const name of names) {
  const say = (text) => process.send({ progress: `${name}: ${text}` });
  results[name] = await groups[name].measure({ ...world, say });
}
process.send({ results }, () => process.exit(0));

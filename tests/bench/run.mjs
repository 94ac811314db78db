// Measures Ropewalk beside the machine's limits and its peers: `npm run bench` (--help says how).
import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildPackage, buildingAlone } from '../../tools/build.mjs';
import { buildWasm } from '../../tools/build/cmake.mjs';
import { Failure, main } from '../../tools/setup/failure.mjs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { say, step } from '../../tools/setup/steps.mjs';
import { setup } from '../../tools/setup.mjs';
import { groups } from './groups/all.mjs';
import { machineOf } from './machine.mjs';
import { help, parsed } from './options.mjs';
import { setUpPeers } from './peers.mjs';
import { shown } from './tables.mjs';
import { headlineTable } from './headlines.mjs';

const kinds = ['relaxed', 'simd128'];
const peakFiles = Object.fromEntries(kinds.map((kind) => [kind, inRoot('build', kind, 'tests/bench/peak.wasm')]));

/** Builds what is measured; the limits always, the package unless a folder was named. */
async function build(tools, options) {
  await buildingAlone(async () => {
    if (!options.package) await buildPackage(tools);
    for (const kind of kinds) {
      await step(`limits, ${kind}`, (report) => buildWasm(tools, kind, 'ropewalk_peak', report));
    }
  });
  const packages = { ropewalk: options.package ?? inRoot('dist/package') };
  return options.before ? { ...packages, before: options.before } : packages;
}

/** Runs the groups in one fresh process and returns their results. */
function inFreshProcess(node, settings) {
  const child = fork(path.join(import.meta.dirname, 'measure.mjs'), [JSON.stringify(settings)], {
    execPath: node.path,
    execArgv: ['--expose-gc', ...node.flags],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.on('message', ({ progress, result }) => {
      if (progress) say(`  ${progress}`);
      if (result) resolve(result);
    });
    child.on('error', reject);
    child.on('close', (code) => reject(new Failure(`A process of measurements ended with ${code}.`)));
  });
}

await main(async () => {
  const names = Object.keys(groups);
  const options = parsed(process.argv.slice(2), names);
  if (options.help) return say(help.replace('%', names.join(', ')));
  const tools = await setup({ browsers: options.browser });
  const node = await setUpPeers();
  const packages = await build(tools, options);
  const { lengths, quick } = options;
  const settings = { names: options.names, packages, peakFiles, lengths, quick, withPeers: !options.alone };
  const machine = machineOf(node);
  const processes = [];
  for (let i = 0; i < options.processes; i++) {
    say(`\nProcess ${i + 1} of ${options.processes}, ${machine.engine}`);
    processes.push(await inFreshProcess(node, settings));
  }
  say(`\n${machine.cpu}, ${machine.engine}; medians, in one process, by turns\n`);
  for (const name of options.names) {
    for (const table of groups[name].tables(processes[0][name])) say(shown(table));
  }
  say(shown(headlineTable(groups, options.names, processes)));
  if (options.json) {
    await writeFile(options.json, `${JSON.stringify({ machine, processes }, undefined, 1)}\n`);
  }
});

// Measures Ropewalk beside the machine's limits and its peers: `npm run bench` (--help says how).
import { fork } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildPackage, buildingAlone } from '../../tools/build.mjs';
import { buildWasm } from '../../tools/build/cmake.mjs';
import { Failure, main } from '../../tools/setup/failure.mjs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { say, step } from '../../tools/setup/steps.mjs';
import { setup } from '../../tools/setup.mjs';
import { groups } from './groups/all.mjs';
import { buildLlama2c } from './llama2c.mjs';
import { machine } from './machine.mjs';
import { help, parsed } from './options.mjs';
import { setUpPeers } from './peers.mjs';
import { writeReadme } from './readme.mjs';
import { shown } from './tables.mjs';
import { headlineTable, headlinesOf } from './headlines.mjs';

const kinds = ['relaxed', 'simd128'];
const peakFiles = Object.fromEntries(
  kinds.map((kind) => [kind, inRoot('build', kind, 'tests/bench/peak.wasm')]),
);

/** Builds the limits, and the package unless a folder was named. Returns the folders of packages by name. */
async function build(tools, options) {
  await buildingAlone(async () => {
    if (!options.package) await buildPackage(tools);
    for (const kind of kinds) {
      await step(`limits, ${kind}`, (report) => buildWasm(tools, kind, ['ropewalk_peak'], report));
    }
  });
  const ropewalk = options.package ?? (await import('../package/installed.mjs')).packageFolder;
  return options.before ? { ropewalk, before: options.before } : { ropewalk };
}

/** Runs the groups in one fresh process of Node and returns their results. */
function inNode(node, settings, onProgress) {
  const child = fork(path.join(import.meta.dirname, 'measure.mjs'), [JSON.stringify(settings)], {
    execPath: node.path,
    execArgv: ['--expose-gc', ...node.flags],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.on('message', (/** @type {{ progress?: string, result?: object }} */ message) => {
      const { progress, result } = message;
      if (progress) onProgress(progress);
      if (result) resolve(result);
    });
    child.on('error', reject);
    child.on('close', (code) =>
      reject(new Failure(`A process of measurements ended with ${code}.`)),
    );
  });
}

/** Repeats everything `count` times, in fresh processes: { engine, processes }. */
async function measured(tools, node, settings, { browser, processes: count }) {
  const onProgress = (text) => say(`  ${text}`);
  const processes = [];
  const repeat = async (measure) => {
    for (let i = 0; i < count; i++) {
      say(`\nProcess ${i + 1} of ${count}`);
      processes.push(await measure());
    }
  };
  if (!browser) {
    await repeat(() => inNode(node, settings, onProgress));
    return { engine: `Node ${node.version}`, processes };
  }
  process.env.ROPEWALK_CHROMIUM ??= tools.chromium;
  const { withBrowser } = await import('./browser.mjs');
  let version;
  await withBrowser(settings, (inPage) =>
    repeat(async () => {
      const { results, engine } = await inPage(onProgress);
      version = engine;
      return results;
    }),
  );
  return { engine: version, processes };
}

const measuredNames = (processes) => Object.keys(groups).filter((name) => processes[0][name]);

function show({ machine: { cpu, engine }, processes, headlines }) {
  say(`\n${cpu}, ${engine}; medians, in one process, by turns\n`);
  for (const name of measuredNames(processes)) {
    for (const table of groups[name].tables(processes[0][name])) say(shown(table));
  }
  say(shown(headlineTable(headlines, processes.length)));
}

/** Joins reports of different groups into one, process by process; they must have equally many. */
async function earlierReport(files) {
  const reports = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))),
  );
  const [{ machine: measuredOn, processes }, ...others] = reports;
  if (others.some((other) => other.processes.length !== processes.length))
    throw new Failure('--from needs reports of equally many processes.');
  const together = processes.map((results, i) =>
    Object.assign({}, results, ...others.map((other) => other.processes[i])),
  );
  return { machine: measuredOn, processes: together };
}

async function measuredReport(options) {
  const tools = await setup({ browsers: options.browser });
  const node = await setUpPeers();
  const packages = await build(tools, options);
  const { names, lengths, quick, alone, llama2c: folder } = options;
  const llama2c = folder && (await buildLlama2c(folder, inRoot('build/bench-peers')));
  const settings = { names, packages, peakFiles, lengths, quick, withPeers: !alone, llama2c };
  const { engine, processes } = await measured(tools, node, settings, options);
  return { machine: { ...machine(), engine }, processes };
}

await main(async () => {
  const names = Object.keys(groups);
  const options = parsed(process.argv.slice(2), names);
  if (options.help) return say(help.replace('%', names.join(', ')));
  const { from, json, readme } = options;
  const report = from ? await earlierReport(from) : await measuredReport(options);
  const headlines = headlinesOf(groups, measuredNames(report.processes), report.processes);
  show({ ...report, headlines });
  if (json) await writeFile(json, `${JSON.stringify({ ...report, headlines }, undefined, 1)}\n`);
  if (readme) await writeReadme(report);
});

// Sets up what is missing and runs tests. `npm test` runs the parts that a change needs, `npm test -- all`
// every part, as CI does, and `npm test -- core browser` the parts named. The part `sanitize`, the core's
// tests under the sanitizers, only runs when it is named.
import { readFileSync } from 'node:fs';
import { buildingAlone, buildPackage, buildSite } from './build.mjs';
import { Failure, main } from './setup/failure.mjs';
import { inRoot } from './setup/paths.mjs';
import { say, seconds } from './setup/steps.mjs';
import { setup } from './setup.mjs';
import { nativeParts, sanitizedPart, wasmParts } from './test/core_tests.mjs';
import { nodeTests } from './test/node_tests.mjs';

const usual = ['structure', 'core', 'package', 'browser'];
// The native compilers and the other binary; Firefox; what goes through every figure at every setting
// or width, or through very many calls. With the sweeps, the other parts have theirs, too
// (tests/support/sweep.mjs).
const all = [...usual, 'compilers', 'firefox', 'sweeps'];
const names = [...all, 'sanitize'];
const driven = ['browser', 'firefox', 'sweeps'];

const isSweep = (file) => file.endsWith('.sweep.test.mjs');
/** Others run in Node or in Chromium whatever the part, and have run in the part `browser`. */
const drivesAnyBrowser = (file) =>
  /\b(describeInBrowsers|browserNames)\b/.test(readFileSync(inRoot('tests/browser', file), 'utf8'));

/** The parts in their order, each with what it runs: () => { passed, failed }. */
function partsOf(chosen, tools) {
  const parts = [];
  const ofPackage = (isOurs) => async () => {
    await buildingAlone(() => buildPackage(tools));
    return nodeTests('package', isOurs);
  };
  if (chosen.includes('structure'))
    parts.push({ name: 'structure', run: () => nodeTests('structure') });
  const [simd128, relaxed] = wasmParts(tools);
  if (chosen.includes('core')) parts.push(simd128);
  if (chosen.includes('compilers')) parts.push(...nativeParts(tools), relaxed);
  if (chosen.includes('sanitize')) parts.push(sanitizedPart(tools));
  if (chosen.includes('package'))
    parts.push({ name: 'package', run: ofPackage((file) => !isSweep(file)) });
  if (chosen.includes('compilers'))
    parts.push({ name: 'package, relaxed and long', run: ofPackage(isSweep) });
  const buildPages = async () => {
    await buildPackage(tools);
    await buildSite();
  };
  const inBrowsers = (name, browsers, isOurs) => ({
    name,
    async run() {
      process.env.ROPEWALK_BROWSERS = browsers;
      await buildingAlone(buildPages);
      return nodeTests('browser', isOurs);
    },
  });
  if (chosen.includes('browser'))
    parts.push(inBrowsers('browser', 'chromium', (file) => !isSweep(file)));
  if (chosen.includes('firefox'))
    parts.push(
      inBrowsers('firefox', 'firefox', (file) => !isSweep(file) && drivesAnyBrowser(file)),
    );
  if (chosen.includes('sweeps')) parts.push(inBrowsers('sweeps', 'chromium,firefox', isSweep));
  return parts;
}

/** A part that dies, or that runs no test, counts as one failure. */
async function runPart({ name, run }) {
  say(`\n== ${name}`);
  const start = performance.now();
  let result;
  try {
    result = await run();
    if (result.passed + result.failed === 0) throw new Failure('No test ran.');
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    result = { passed: result?.passed ?? 0, failed: (result?.failed ?? 0) + 1 };
  }
  return { name, ...result, time: seconds(start) };
}

function table(rows) {
  const lines = [
    ['part', 'passed', 'failed', 'seconds'],
    ...rows.map(({ name, passed, failed, time }) => [
      name,
      String(passed),
      String(failed),
      time.replace(' s', ''),
    ]),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines
    .map(
      ([name, ...numbers]) =>
        `${name.padEnd(width)}${numbers.map((text) => text.padStart(9)).join('')}`,
    )
    .join('\n');
}

await main(async () => {
  const asked = process.argv.slice(2).flatMap((name) => (name === 'all' ? all : [name]));
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown)
    throw new Failure(
      `There is no part "${unknown}" of the tests: the parts are ${names.join(', ')}, and all.`,
    );
  const chosen = asked.length > 0 ? asked : usual;
  const tools = await setup({
    native: ['compilers', 'sanitize'].some((name) => chosen.includes(name)),
    browsers: driven.some((name) => chosen.includes(name)),
    numpy: ['package', 'compilers'].some((name) => chosen.includes(name)),
  });
  if (!chosen.includes('sweeps')) process.env.ROPEWALK_SWEEPS = 'no';
  // What the browser tests drive.
  if (tools.chromium) process.env.ROPEWALK_CHROMIUM = tools.chromium;
  if (tools.firefox) process.env.ROPEWALK_FIREFOX = tools.firefox;
  // What runs the page's Python code.
  if (tools.python) process.env.ROPEWALK_PYTHON = tools.python;

  const rows = [];
  for (const part of partsOf(chosen, tools)) rows.push(await runPart(part));
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  say(`\n${table(rows)}\n\n${sum('passed')} passed, ${sum('failed')} failed`);
  // Not left to the event loop: a test that leaves something open must not keep the command alive.
  process.exit(sum('failed') > 0 ? 1 : 0);
});

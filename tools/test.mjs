// Sets up and runs every test: `npm test`, or some parts of them: `npm test -- core browser`. The
// part `sanitize`, the core's tests under the sanitizers, only runs when it is asked for.
import { buildingAlone, buildPackage, buildSite } from './build.mjs';
import { Failure, main } from './setup/failure.mjs';
import { say, seconds } from './setup/steps.mjs';
import { setup } from './setup.mjs';
import { coreParts, sanitizedPart } from './test/core_tests.mjs';
import { nodeTests } from './test/node_tests.mjs';

const usual = ['structure', 'core', 'package', 'browser'];
const names = [...usual, 'sanitize'];

/** The parts in their order, each with what it runs: () => { passed, failed }. */
function partsOf(chosen, tools) {
  const parts = [];
  if (chosen.includes('structure'))
    parts.push({ name: 'structure', run: () => nodeTests('structure') });
  if (chosen.includes('core')) parts.push(...coreParts(tools));
  if (chosen.includes('sanitize')) parts.push(sanitizedPart(tools));
  if (chosen.includes('package'))
    parts.push({ name: 'package', run: afterBuilding(() => buildPackage(tools), 'package') });
  if (chosen.includes('browser')) {
    const build = async () => {
      await buildPackage(tools);
      await buildSite();
    };
    parts.push({ name: 'browser', run: afterBuilding(build, 'browser') });
  }
  return parts;
}

const afterBuilding = (build, folder) => async () => {
  await buildingAlone(build);
  return nodeTests(folder);
};

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
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown)
    throw new Failure(
      `There is no part "${unknown}" of the tests: the parts are ${names.join(', ')}.`,
    );
  const chosen = asked.length > 0 ? asked : usual;
  const tools = await setup({
    native: chosen.includes('core') || chosen.includes('sanitize'),
    browsers: chosen.includes('browser'),
  });
  // What the browser tests drive.
  if (tools.chromium) process.env.ROPEWALK_CHROMIUM = tools.chromium;
  if (tools.firefox) process.env.ROPEWALK_FIREFOX = tools.firefox;

  const rows = [];
  for (const part of partsOf(chosen, tools)) rows.push(await runPart(part));
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  say(`\n${table(rows)}\n\n${sum('passed')} passed, ${sum('failed')} failed`);
  // Not left to the event loop: a test that leaves something open must not keep the command alive.
  process.exit(sum('failed') > 0 ? 1 : 0);
});

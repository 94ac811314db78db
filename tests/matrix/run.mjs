// Tries the package wherever it has to run: `npm run matrix` (--help says how).
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackage, buildingAlone } from '../../tools/build.mjs';
import { Failure, main } from '../../tools/setup/failure.mjs';
import { alone, say, step } from '../../tools/setup/steps.mjs';
import { setUpWebKit } from '../../tools/setup/webkit.mjs';
import { setup } from '../../tools/setup.mjs';
import { shown } from '../bench/tables.mjs';
import { environments } from './environments.mjs';
import { placed, setUpHome } from './home.mjs';
import { rowsOf } from './rows.mjs';

const names = environments.map(({ name }) => name);
const help = `npm run matrix -- [options]

  --only NAMES   environments, separated by commas
  --built        takes dist/package as it is, without building

${environments.map(({ name, proves }) => `  ${name.padEnd(17)}${proves}`).join('\n')}
`;

function parsed(args) {
  const options = /** @type {const} */ ({
    only: { type: 'string' },
    built: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  });
  let values;
  try {
    ({ values } = parseArgs({ args, options }));
  } catch (error) {
    throw new Failure(`${error.message}\n\n${help}`);
  }
  const only = values.only?.split(',') ?? names;
  const unknown = only.find((name) => !names.includes(name));
  if (unknown) throw new Failure(`There is no environment "${unknown}": ${names.join(', ')}.`);
  return { ...values, chosen: environments.filter(({ name }) => only.includes(name)) };
}

/** What is missing is an error in the rows of the environments that need it. */
const orReason = (work) => work().catch((error) => ({ missing: error.message }));

async function setUp({ chosen, built }) {
  const tools = await setup({ browsers: true });
  process.env.ROPEWALK_CHROMIUM ??= tools.chromium;
  process.env.ROPEWALK_FIREFOX ??= tools.firefox;
  const needsWebKit = chosen.some(({ name }) => name === 'webkit');
  const webkit = needsWebKit ? await orReason(setUpWebKit) : undefined;
  if (!built) await buildingAlone(() => buildPackage(tools));
  const { installed, packageFolder, project } = await import('../package/installed.mjs');
  const tarball = (await readdir(project)).find((name) => name.endsWith('.tgz'));
  return { webkit, installed, packageFolder, tarball: path.join(project, tarball) };
}

const columns = ['environment', 'version', 'entry', 'binary', 'time', 'result'];

await main(async () => {
  const options = parsed(process.argv.slice(2));
  if (options.help) return say(help);
  const tools = await setUp(options);
  const rows = [];
  await alone('matrix', async () => {
    const fixtures = await setUpHome(tools.packageFolder);
    say('Environments');
    for (const environment of options.chosen) {
      await step(environment.name, async () => {
        const folder = await placed(fixtures, environment);
        const own = await rowsOf(environment, { folder, tools });
        rows.push(...own);
        return own.every(({ wrong }) => !wrong) ? undefined : 'failed';
      });
    }
  });
  const cells = ({ name, version, entry, binary, time, wrong }) => [
    name,
    version,
    entry,
    binary,
    time,
    wrong ? 'FAILED' : 'passed',
  ];
  say(`\n${shown({ title: 'Where the package runs', columns, rows: rows.map(cells) })}`);
  const failed = rows.filter(({ wrong }) => wrong);
  for (const text of new Set(failed.map(({ name, wrong }) => `${name}: ${wrong}\n`))) say(text);
  say(`${rows.length - failed.length} passed, ${failed.length} failed`);
  process.exit(failed.length > 0 ? 1 : 0);
});

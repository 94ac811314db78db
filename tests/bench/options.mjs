/** The command line of `npm run bench`. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from '../../tools/setup/failure.mjs';

export const help = `npm run bench -- [options]

  --only NAMES        groups to run, separated by commas: %
  --lengths N,N,…     lengths of attention
  --quick             fewer lengths and rounds
  --alone             without the peers
  --processes N       repeats everything in N fresh processes and prints the spread (default 1)
  --browser           in headless Chromium in place of Node
  --json FILE         writes every figure
  --from FILE         measures nothing and shows what --json wrote; more than one are put together
  --readme            writes the table of the guide "Speed", its row in the README, and the roofline picture
  --package FOLDER    measures this package, as npm installs it, without building one
  --before FOLDER     a package of an earlier build, the same way, as one more contestant
  --llama2c FOLDER    the folder with run.c of llama2.c, a peer of the group "model"
`;

const spec = /** @type {const} */ ({
  only: { type: 'string' },
  lengths: { type: 'string' },
  quick: { type: 'boolean', default: false },
  alone: { type: 'boolean', default: false },
  processes: { type: 'string', default: '1' },
  browser: { type: 'boolean', default: false },
  json: { type: 'string' },
  from: { type: 'string', multiple: true },
  readme: { type: 'boolean', default: false },
  package: { type: 'string' },
  before: { type: 'string' },
  llama2c: { type: 'string' },
  help: { type: 'boolean', default: false },
});

const folder = (given) => given && path.resolve(given);

export function parsed(args, groupNames) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: spec }));
  } catch (error) {
    throw new Failure(`${error.message}\n\n${help.replace('%', groupNames.join(', '))}`);
  }
  const names = values.only?.split(',') ?? groupNames;
  const unknown = names.find((name) => !groupNames.includes(name));
  if (unknown)
    throw new Failure(`There is no group "${unknown}": they are ${groupNames.join(', ')}.`);
  const lengths = values.lengths?.split(',').map(Number);
  if (lengths?.some((length) => !(Number.isInteger(length) && length > 0))) {
    throw new Failure(`--lengths must be whole numbers, got ${values.lengths}.`);
  }
  return {
    ...values,
    names,
    lengths,
    processes: Math.max(1, Number(values.processes) || 1),
    package: folder(values.package),
    before: folder(values.before),
    llama2c: folder(values.llama2c),
  };
}

// Prints which lines of src/core and src/js the tests run: `npm run coverage`, or one of the two with
// `npm run coverage -- core` or `js`. The core's lines are counted by clang in its native tests, the
// package's by V8 in the tests of tests/package.
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { buildNative } from './build/cmake.mjs';
import { buildingAlone, buildPackage } from './build.mjs';
import { linesRun } from './coverage/script_lines.mjs';
import { Failure, main } from './setup/failure.mjs';
import { inRoot } from './setup/paths.mjs';
import { outputOf, run } from './setup/processes.mjs';
import { say, step } from './setup/steps.mjs';
import { setup } from './setup.mjs';

/** [name, lines, lines that ran, numbers of those that did not] of one file. */
const row = (name, lines, missing) => [name, lines, lines - missing.length, missing];

const percent = (ran, lines) => `${((100 * ran) / lines).toFixed(1)} %`;

/** 3, 4, 5 and 9 as 3-5, 9. */
function spans(numbers) {
  const ends = [];
  for (const number of numbers) {
    if (ends.at(-1)?.[1] === number - 1) ends.at(-1)[1] = number;
    else ends.push([number, number]);
  }
  return ends.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ');
}

function table(title, rows) {
  const width = Math.max(...rows.map(([name]) => name.length), title.length);
  const line = (name, lines, ran, missing) =>
    `${name.padEnd(width)} ${String(lines).padStart(6)} ${percent(ran, lines).padStart(8)}  ${spans(missing)}`;
  const sum = (at) => rows.reduce((total, entry) => total + entry[at], 0);
  const texts = rows.filter(([, , , missing]) => missing.length > 0).map((entry) => line(...entry));
  const full = rows.length - texts.length;
  return [
    `${title.padEnd(width)}  lines      ran  not run`,
    ...texts,
    `${full} other files: every line`,
    line(`all of ${title}`, sum(1), sum(2), []),
  ].join('\n');
}

async function core(tools) {
  const clang = tools.nativeCompilers.find(({ name }) => name.startsWith('clang'));
  const beside = clang && path.dirname(realpathSync(clang.path));
  if (!clang || !existsSync(path.join(beside, 'llvm-cov'))) {
    throw new Failure(
      'The lines of the core are counted by clang++ with llvm-cov, not found here.',
    );
  }
  const counting = {
    ...clang,
    name: 'coverage',
    options: [...clang.options, '-DROPEWALK_COVERAGE=ON', '-DCMAKE_BUILD_TYPE=RelWithDebInfo'],
  };
  const target = 'ropewalk_tests';
  await buildingAlone(() =>
    step('build with counters', (report) => buildNative(tools, counting, target, report)),
  );
  const folder = inRoot('build/native-coverage');
  const [program, raw, merged] = [`tests/core/${target}`, 'core.profraw', 'core.profdata'].map(
    (name) => path.join(folder, name),
  );
  await step('tests of the core', () => run(program, [], { env: { LLVM_PROFILE_FILE: raw } }));
  await run(path.join(beside, 'llvm-profdata'), ['merge', '-sparse', raw, '-o', merged]);
  const report = outputOf(path.join(beside, 'llvm-cov'), [
    'export',
    '-format=lcov',
    program,
    `-instr-profile=${merged}`,
  ]);
  if (report === undefined) throw new Failure('llvm-cov failed.');
  return table('src/core', coreRows(report));
}

/** Returns a row per shipped file. lcov has one record per file, with a line per line of code. */
function coreRows(report) {
  return report.split('end_of_record').flatMap((record) => {
    const file = /^SF:(.*)$/m.exec(record)?.[1];
    const name = file && path.relative(inRoot('src/core'), file);
    if (!name || name.startsWith('..') || name.startsWith('reference')) return [];
    const lines = Array.from(record.matchAll(/^DA:(\d+),(\d+)/gm), ([, line, count]) => [
      line,
      count,
    ]);
    const missing = lines.filter(([, count]) => count === '0').map(([line]) => Number(line));
    return [row(name, lines.length, missing)];
  });
}

/** What only runs in browsers; tests/browser has its tests. */
const ofBrowsers = ['entries/pool.js', 'entries/worker.js'];

async function js(tools) {
  await buildingAlone(() => buildPackage(tools));
  const counted = inRoot('build/js-coverage');
  await rm(counted, { recursive: true, force: true });
  await mkdir(counted, { recursive: true });
  const tests = inRoot('tests/package');
  const files = (await readdir(tests)).filter((name) => name.endsWith('.test.mjs'));
  await step('tests of the package', () =>
    run(process.execPath, ['--test', ...files.map((name) => path.join(tests, name))], {
      env: { NODE_V8_COVERAGE: counted },
    }),
  );
  const built = inRoot('dist/package');
  const scripts = (await readdir(built, { recursive: true })).filter(
    (name) => existsSync(path.join(built, `${name}.map`)) && !ofBrowsers.includes(name),
  );
  const installed = '/node_modules/ropewalk/dist/package/';
  const nameOf = (file) =>
    file.startsWith(built) ? path.relative(built, file) : file.split(installed)[1];
  const found = await linesRun(
    counted,
    scripts.map((name) => path.join(built, name)),
    nameOf,
  );
  const rows = Array.from(found, ([name, lines]) => {
    const missing = Array.from(lines)
      .filter(([, ran]) => !ran)
      .map(([line]) => line + 1);
    return row(
      name.replace(/js$/, 'ts'),
      lines.size,
      missing.sort((a, b) => a - b),
    );
  });
  // A file of types leaves one line, which no one loads.
  return table(
    'src/js',
    rows.filter(([, lines]) => lines > 1),
  );
}

const parts = { core, js };

await main(async () => {
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !(name in parts));
  if (unknown) throw new Failure(`There is no part "${unknown}": the parts are core and js.`);
  const chosen = asked.length > 0 ? asked : Object.keys(parts);
  const tools = await setup({ native: chosen.includes('core') });
  const tables = [];
  for (const name of chosen) tables.push(await parts[name](tools));
  say(`\n${tables.join('\n\n')}`);
});

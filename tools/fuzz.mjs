// Looks for calls that go wrong: `npm run fuzz -- MINUTES [core|js|laws|combinations|models] [SEED]`,
// each of them for as long when none is named. `core` is libFuzzer on the native core, under sanitizers,
// against the reference in double; `js` makes hostile calls of the package; `laws` compares ways to
// make one call that must give the same bits; `combinations` draws every scheme and option of attention
// from the package's schemas, and compares results and gradients with a reference in double; `models`
// draws small models of every family, and compares ways to read them that must agree. A fault is
// printed with the command that repeats it: for the package `npm run fuzz -- 1 js SEED CASE`, for the
// core a file to give to its program.
import { mkdir } from 'node:fs/promises';
import { buildNative } from './build/cmake.mjs';
import { buildingAlone, buildPackage } from './build.mjs';
import { Failure, main } from './setup/failure.mjs';
import { inRoot } from './setup/paths.mjs';
import { exitCode } from './setup/processes.mjs';
import { say, step } from './setup/steps.mjs';
import { setup } from './setup.mjs';

const target = 'ropewalk_fuzz';

async function core(tools, minutes, seed) {
  const clang = tools.nativeCompilers.find(({ name }) => name.startsWith('clang'));
  if (!clang) throw new Failure('The fuzzer of the core is made by clang++, which is not on PATH.');
  const options = ['TESTS', 'FUZZ', 'SANITIZE'].map((name) => `-DROPEWALK_${name}=ON`);
  const sanitized = {
    ...clang,
    name: 'fuzz',
    options: [...clang.options, ...options, '-DCMAKE_BUILD_TYPE=Debug'],
  };
  await buildingAlone(() =>
    step('build the fuzzer', (report) => buildNative(tools, sanitized, target, report)),
  );
  const folder = inRoot('build/native-fuzz');
  const corpus = `${folder}/corpus`;
  await mkdir(corpus, { recursive: true });
  return exitCode(`${folder}/tests/core/${target}`, [
    `-seed=${seed}`,
    `-max_total_time=${Math.round(60 * minutes)}`,
    '-max_len=256',
    '-len_control=20',
    '-timeout=300',
    '-print_final_stats=1',
    `-artifact_prefix=${folder}/found-`,
    corpus,
  ]);
}

const ofPackage = (what) => async (tools, minutes, seed, one) => {
  await buildingAlone(() => buildPackage(tools));
  const past = one === undefined ? [] : [one, one + 1];
  const cases = [minutes, seed, ...past].map(String);
  const program = inRoot('tests/fuzz/js/run.mjs');
  return exitCode(process.execPath, [program, what, ...cases], { cwd: inRoot() });
};

const parts = {
  core,
  js: ofPackage('calls'),
  laws: ofPackage('laws'),
  combinations: ofPackage('combinations'),
  models: ofPackage('models'),
};

await main(async () => {
  const [given, name, ...numbers] = process.argv.slice(2);
  const minutes = Number(given);
  const [seed = 1 + (Date.now() % 2 ** 31), one] = numbers.map(Number);
  if (!(minutes > 0) || (name !== undefined && !(name in parts))) {
    throw new Failure(
      'How long, and which: npm run fuzz -- MINUTES [core|js|laws|combinations|models] [SEED [CASE]]',
    );
  }
  const chosen = name === undefined ? Object.keys(parts) : [name];
  const tools = await setup({ native: chosen.includes('core') });
  const failed = [];
  for (const part of chosen) {
    say(`\n== ${part}, ${minutes} minutes, seed ${seed}`);
    if ((await parts[part](tools, minutes, seed, one)) !== 0) failed.push(part);
  }
  if (failed.length > 0) throw new Failure(`Found something: ${failed.join(' and ')}.`);
  say('\nNothing was found.');
});

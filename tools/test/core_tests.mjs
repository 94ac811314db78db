import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { buildNative, buildWasm } from '../build/cmake.mjs';
import { buildingAlone } from '../build.mjs';
import { Failure } from '../setup/failure.mjs';
import { inRoot } from '../setup/paths.mjs';
import { exitCode } from '../setup/processes.mjs';
import { step } from '../setup/steps.mjs';

const target = 'ropewalk_tests';

/** The Catch2 tests of the core by each native compiler. */
export const nativeParts = (tools) =>
  (tools.nativeCompilers ?? []).map((compiler) => ({
    name: `core, native ${compiler.name}`,
    run: () =>
      catch2(`native-${compiler.name}`, (report) => buildNative(tools, compiler, target, report)),
  }));

/** The same as both kinds of wasm, in Node. */
export const wasmParts = (tools) =>
  ['simd128', 'relaxed'].map((kind) => ({
    name: `core, wasm ${kind}`,
    run: () => catch2(kind, (report) => buildWasm(tools, kind, [target], report), nodeFor(kind)),
  }));

/** The same under the address and undefined-behavior sanitizers, and with every assertion. */
export function sanitizedPart({ nativeCompilers: [compiler], ...tools }) {
  const sanitized = {
    ...compiler,
    name: `${compiler.name}-sanitized`,
    options: [...compiler.options, '-DROPEWALK_SANITIZE=ON', '-DCMAKE_BUILD_TYPE=Debug'],
  };
  return {
    name: `core, ${compiler.name} with sanitizers`,
    run: () =>
      catch2(`native-${sanitized.name}`, (report) => buildNative(tools, sanitized, target, report)),
  };
}

/** Node 20 has relaxed SIMD behind a flag, which later ones do not know. */
function nodeFor(kind) {
  const needsFlag = kind === 'relaxed' && Number.parseInt(process.versions.node, 10) < 21;
  return [process.execPath, ...(needsFlag ? ['--experimental-wasm-relaxed-simd'] : [])];
}

/** Runs the tests in as many processes as there are cores, in one order whose parts they share. */
async function catch2(kind, build, node) {
  await buildingAlone(() => step(`build ${kind}`, build));
  const program = inRoot('build', kind, 'tests/core', node ? `${target}.cjs` : target);
  const count = availableParallelism();
  const shards = Array.from({ length: count }, async (_, index) => {
    const [report, log] = ['xml', 'txt'].map((ending) =>
      inRoot('build', kind, `test_report_${index}.${ending}`),
    );
    await rm(report, { force: true });
    const [command, ...args] = [
      ...(node ?? []),
      program,
      ...['--reporter', `xml::out=${report}`, '--reporter', `console::out=${log}`],
      ...['--colour-mode', 'none', '--rng-seed', '1', '--order', 'rand'],
      ...['--shard-count', String(count), '--shard-index', String(index)],
    ];
    const code = await exitCode(command, args, { cwd: inRoot() });
    if (existsSync(log)) console.log(await readFile(log, 'utf8'));
    return countsIn(report, code);
  });
  const counts = await Promise.all(shards);
  const sum = (name) => counts.reduce((total, each) => total + each[name], 0);
  return { passed: sum('passed'), failed: sum('failed') };
}

/** The sums at the end of the report; a run that died did not write them. */
async function countsIn(report, code) {
  const text = existsSync(report) ? await readFile(report, 'utf8') : '';
  const counts = /<OverallResultsCases successes="(\d+)" failures="(\d+)"/.exec(text);
  if (!counts) throw new Failure(`The tests died before their end (${code}).`);
  const [passed, failed] = [Number(counts[1]), Number(counts[2])];
  if (code !== 0 && failed === 0)
    throw new Failure(`The tests ended with ${code}, though none failed.`);
  return { passed, failed };
}

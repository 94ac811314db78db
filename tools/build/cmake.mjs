import path from 'node:path';
import { inRoot } from '../setup/paths.mjs';
import { run } from '../setup/processes.mjs';
import { bringUpToDate, recordOf } from './up_to_date.mjs';

/** Configures and builds targets as wasm, in build/KIND, as far as they are out of date. */
export async function buildWasm(tools, kind, targets, report) {
  const { root, env } = tools.emscripten;
  await build(tools, kind, targets, report, env, [
    `-DCMAKE_TOOLCHAIN_FILE=${path.join(root, 'cmake/Modules/Platform/Emscripten.cmake')}`,
    `-DROPEWALK_SIMD=${kind}`,
  ]);
}

/** The same for the machine itself, with one of the native compilers, in build/native-NAME. */
export async function buildNative(tools, compiler, target, report) {
  await build(tools, `native-${compiler.name}`, [target], report, {}, [
    `-DCMAKE_CXX_COMPILER=${compiler.path}`,
    ...compiler.options,
  ]);
}

async function build(tools, kind, targets, report, env, options) {
  const folder = inRoot('build', kind);
  const withTests = targets.includes('ropewalk_tests');
  const settings = [
    ...['-G', 'Ninja', '-S', inRoot(), '-B', folder],
    `-DCMAKE_MAKE_PROGRAM=${tools.ninja}`,
    `-DROPEWALK_XSIMD=${tools.xsimd}`,
    `-DROPEWALK_CATCH2=${tools.catch2}`,
    ...(withTests ? ['-DROPEWALK_TESTS=ON'] : []),
    ...options,
  ];
  const environment = {
    ...env,
    PATH: [inRoot('node_modules/.bin'), process.env.PATH].join(path.delimiter),
  };
  const configure = (...how) => run(tools.cmake, [...how, ...settings], { env: environment });
  await bringUpToDate(
    recordOf(`configure-${kind}${withTests ? '-tests' : ''}`),
    {
      inputs: ['', 'tests/core', 'tests/bench'].map((at) => inRoot(at, 'CMakeLists.txt')),
      settings: [tools.cmake, settings],
      outputs: [path.join(folder, 'build.ninja')],
    },
    // A checkout that was moved, or tools that lie elsewhere now: from the beginning.
    () => configure().catch(() => configure('--fresh')),
  );
  await run(tools.ninja, ['-C', folder, ...targets], {
    env: environment,
    onLine: (line) => {
      const step = /^\[(\d+\/\d+)\]/.exec(line)?.[1];
      if (step) report(step);
    },
  });
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './processes.mjs';
import { makeFolder, recipeOf, skip, step } from './steps.mjs';

/** The options of the links that choose among variants of the libraries. */
const flags =
  '-msimd128 -fwasm-exceptions -lembind -sALLOW_MEMORY_GROWTH -Oz -flto --no-entry ' +
  '-sMALLOC=emmalloc -sAUTO_NATIVE_LIBRARIES=0';

/**
 * Emscripten compiles its C and C++ libraries when a program first needs them. It is done here,
 * so that a build which is stopped half-way leaves no half-made library behind. The tests link the
 * same variants as the package's modules.
 */
export async function makeSystemLibraries(emscripten) {
  const title = 'system libraries of Emscripten';
  if (await recipeOf(emscripten.cache)) return skip(title, 'ready');
  await step(title, (report) =>
    makeFolder(emscripten.cache, {}, (partial) => compile(emscripten, partial, report)),
  );
}

async function compile({ root, env }, cache, report) {
  const scratch = await mkdtemp(path.join(tmpdir(), 'ropewalk-'));
  try {
    const source = path.join(scratch, 'program.cpp');
    // The flags decide what is compiled, whatever the program calls.
    await writeFile(source, 'int main() {}');
    const args = [...flags.split(' '), source, '-o', path.join(scratch, 'program.mjs')];
    await run(path.join(root, 'em++'), args, {
      // Emscripten divides a library into few long tasks: the cores end at once if they take more.
      env: { ...env, EM_CACHE: cache, EMCC_CORES: String(2 * availableParallelism()) },
      onLine: (line) => {
        const library = /generating system \w+: (\S+?)\.\.\./.exec(line)?.[1];
        if (library) report(path.basename(library));
      },
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

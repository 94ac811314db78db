import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './processes.mjs';
import { makeFolder, recipeOf, skip, step } from './steps.mjs';

/** The options of the links that choose among variants of the libraries. */
const flags =
  '-msimd128 -fwasm-exceptions -lembind -sALLOW_MEMORY_GROWTH -Oz -flto --no-entry -sMALLOC=emmalloc';

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

const program = `#include <emscripten/bind.h>
#include <iostream>
#include <stdexcept>
int count() { return 1; }
EMSCRIPTEN_BINDINGS(program) { emscripten::function("count", &count); }
int main() try { throw std::runtime_error("1"); } catch (...) { std::cout << count() << std::endl; }
`;

async function compile({ root, env }, cache, report) {
  const scratch = await mkdtemp(path.join(tmpdir(), 'ropewalk-'));
  try {
    const source = path.join(scratch, 'program.cpp');
    await writeFile(source, program);
    const args = [...flags.split(' '), source, '-o', path.join(scratch, 'program.mjs')];
    await run(path.join(root, 'em++'), args, {
      env: { ...env, EM_CACHE: cache },
      onLine: (line) => {
        const library = /generating system \w+: (\S+?)\.\.\./.exec(line)?.[1];
        if (library) report(path.basename(library));
      },
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

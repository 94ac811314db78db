import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './processes.mjs';
import { makeFolder, recipeOf, skip, step } from './steps.mjs';

/** The options of the links that choose among variants of the libraries. */
const common = '-msimd128 -fwasm-exceptions -lembind -sALLOW_MEMORY_GROWTH';
const moduleLink = `${common} -Oz -flto --no-entry -sMALLOC=emmalloc`;
const testLink = `${common} -O1 -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME`;

/**
 * Emscripten compiles its C and C++ libraries when a program first asks for them. It is done here,
 * so that a build which is stopped half-way leaves no half-made library behind. The tests link
 * other variants than the package's modules, which a page does not wait for.
 */
export async function makeSystemLibraries(emscripten, { forTests }) {
  const title = 'system libraries of Emscripten';
  if (await recipeOf(emscripten.cache)) skip(title, 'ready');
  else
    await step(title, (report) =>
      makeFolder(emscripten.cache, {}, (partial) =>
        compile(emscripten, moduleLink, partial, report),
      ),
    );
  const done = path.join(emscripten.cache, '.tests');
  if (!forTests || existsSync(done)) return;
  // Each library takes its place when it is complete, and the headers are there.
  await step(`${title}, for tests`, (report) =>
    compile(emscripten, testLink, emscripten.cache, report),
  );
  await writeFile(done, '');
}

const program = `#include <emscripten/bind.h>
#include <iostream>
#include <stdexcept>
int count() { return 1; }
EMSCRIPTEN_BINDINGS(program) { emscripten::function("count", &count); }
int main() try { throw std::runtime_error("1"); } catch (...) { std::cout << count() << std::endl; }
`;

async function compile({ root, env }, flags, cache, report) {
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

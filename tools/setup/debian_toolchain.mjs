import { readdirSync } from 'node:fs';
import { mkdir, open, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { debianMirror } from './apt.mjs';
import { debianFolder, libraries } from './debian_folder.mjs';
import { inCache } from './paths.mjs';
import { run } from './processes.mjs';

/** The release of Debian whose packages are new enough; it is named, so it stays the same. */
const suite = 'forky';
const folder = inCache('toolchain');
const inFolder = (...parts) => path.join(folder, ...parts);

/**
 * Makes the folder with these packages from Debian's archive, runnable in place. Returns whether it
 * is there: not every machine can use the archive.
 */
export function makeDebianToolchain(packages) {
  return debianFolder(folder, {
    title: 'tools from Debian',
    packages: ['libxsimd-dev', 'patchelf', ...packages],
    sourcePackage: 'catch2',
    sources: async () => {
      const uri = await debianMirror();
      return uri ? [{ uri, suite }] : undefined;
    },
    finish: async (partial, source) => {
      await mergeUsr(partial);
      await makeRunnable(partial);
      await wrapPython(partial);
      await wrapClang(partial);
      await pickHeaders(partial, source);
      await configureEmscripten(partial);
    },
  });
}

/** Paths in the folder; those of tools that were not requested are absent. */
export function debianToolchain() {
  const bin = (name) => inFolder('root/usr/bin', name);
  return {
    emscripten: {
      root: inFolder('root/usr/share/emscripten'),
      // The Node that runs us: Debian's own reads parts of itself from where it is not installed.
      env: {
        EM_CONFIG: inFolder('emscripten.config'),
        EM_NODE_JS: process.execPath,
        EMSDK_PYTHON: bin('python3'),
      },
      cache: inFolder('emscripten_cache'),
    },
    cmake: bin('cmake'),
    ninja: bin('ninja'),
    clang: {
      name: 'clang++',
      path: inFolder('clang++'),
      options: [`-DCMAKE_AR=${llvm(folder)}/llvm-ar`, `-DCMAKE_RANLIB=${llvm(folder)}/llvm-ranlib`],
    },
    xsimd: inFolder('include'),
    catch2: inFolder('catch2'),
  };
}

/** The bin folder of the one LLVM in the folder, whatever its version; undefined without one. */
function llvm(place) {
  const lib = path.join(place, 'root/usr/lib');
  const found = readdirSync(lib).find((name) => /^llvm-\d+$/.test(name));
  return found && path.join(lib, found, 'bin');
}

/** The links that Debian's installer makes first: the C library names its files by them. */
async function mergeUsr(partial) {
  for (const name of ['lib', 'lib64'])
    await symlink(`usr/${name}`, path.join(partial, 'root', name));
}

/**
 * Names the folder's own loader and libraries in its programs, by their final paths, since the
 * host's C library is older. patchelf itself is not patched yet: the loader starts it.
 */
async function makeRunnable(partial) {
  const final = libraries(folder);
  const here = libraries(partial);
  const patch = (args, files) =>
    files.length &&
    run(here.loader, [
      '--library-path',
      here.path,
      path.join(partial, 'root/usr/bin/patchelf'),
      '--force-rpath',
      ...args,
      ...files,
    ]);
  const programs = await elfFiles(
    path.join(partial, 'root/usr/bin'),
    /^(wasm-.*|cmake|ctest|ninja)$/,
  );
  const llvmBin = llvm(partial);
  if (llvmBin) programs.push(...(await elfFiles(llvmBin, /./)));
  await patch(['--set-interpreter', final.loader, '--set-rpath', final.path], programs);
  await patch(['--set-rpath', final.path], await elfFiles(here.path, /^lib(LLVM|clang-cpp)\.so\./));
}

async function elfFiles(place, pattern) {
  const entries = await readdir(place, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && pattern.test(entry.name));
  const elf = [];
  for (const file of files.map(({ name }) => path.join(place, name))) {
    const handle = await open(file);
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    await handle.close();
    if (buffer.toString('latin1') === '\x7fELF') elf.push(file);
  }
  return elf;
}

const script = (file, lines) => writeFile(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });

/** A patched Python crashes at its start, so the loader starts it instead. */
async function wrapPython(partial) {
  const bin = path.join(partial, 'root/usr/bin');
  const python = (await readdir(bin)).find((name) => /^python3\.\d+$/.test(name));
  if (!python) return;
  const { loader, path: libraryPath } = libraries(folder);
  const final = (name) => inFolder('root/usr/bin', name);
  await rm(path.join(bin, 'python3'), { force: true });
  await script(
    path.join(bin, 'python3'),
    `exec '${loader}' --library-path '${libraryPath}' --argv0 '${final('python3')}' \\\n` +
      `  '${final(python)}' "$@"`,
  );
}

/** A C++ compiler whose programs run on the host, with the folder's loader and libraries. */
async function wrapClang(partial) {
  const bin = llvm(partial);
  if (!bin) return;
  const { loader, path: libraryPath } = libraries(folder);
  const clang = path.join(llvmFinal(bin, partial), 'clang++');
  await script(
    path.join(partial, 'clang++'),
    `exec '${clang}' --sysroot='${inFolder('root')}' \\\n` +
      `  -fuse-ld=lld -Wno-unused-command-line-argument \\\n` +
      `  -Wl,--dynamic-linker='${loader}' -Wl,-rpath,'${libraryPath}' "$@"`,
  );
}

const llvmFinal = (bin, partial) => path.join(folder, path.relative(partial, bin));

/** The two libraries of headers and sources, each alone in a folder that any compiler can take. */
async function pickHeaders(partial, source) {
  await mkdir(path.join(partial, 'include'));
  await symlink('../root/usr/include/xsimd', path.join(partial, 'include/xsimd'));
  const archive = (await readdir(source)).find((name) => /\.orig\.tar\.\w+$/.test(name));
  const catch2 = path.join(partial, 'catch2');
  await mkdir(catch2);
  await run('tar', [
    '-x',
    '-f',
    path.join(source, archive),
    '-C',
    catch2,
    '--strip-components=2',
    '--no-same-owner',
    '--wildcards',
    '*/extras/catch_amalgamated.*',
  ]);
}

/** Names where Emscripten finds what it runs; its cache lies inside, since it fits this version. */
async function configureEmscripten(partial) {
  const bin = llvm(partial);
  if (!bin) return;
  const settings = {
    LLVM_ROOT: llvmFinal(bin, partial),
    BINARYEN_ROOT: inFolder('root/usr'),
    CACHE: inFolder('emscripten_cache'),
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = ${JSON.stringify(value)}\n`,
  );
  await writeFile(path.join(partial, 'emscripten.config'), lines.join(''));
}

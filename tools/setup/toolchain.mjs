import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { debianToolchain, makeDebianToolchain } from './debian_toolchain.mjs';
import { Failure } from './failure.mjs';
import { onPath, outputOf, versionIn } from './processes.mjs';
import { skip } from './steps.mjs';
import { makeSystemLibraries } from './system_libraries.mjs';

const leastEmscripten = 4;
const leastCmake = [3, 24];

/**
 * What builds Ropewalk: { emscripten: { root, env }, cmake, ninja, nativeCompilers, xsimd,
 * catch2 }. The machine's own programs come first; Debian's archive has the rest. Compilers are only
 * looked for when native programs are built.
 */
export async function setUpToolchain({ native }) {
  const host = {
    emscripten: hostEmscripten(),
    cmake: hostCmake(),
    ninja: onPath('ninja'),
    compilers: native ? ['g++', 'clang++'].flatMap(hostCompiler) : [],
  };
  const missing = [
    !host.emscripten && 'emscripten',
    !host.cmake && 'cmake',
    !host.ninja && 'ninja-build',
    native && host.compilers.length === 0 && ['clang', 'lld'],
  ];
  const isThere = await makeDebianToolchain(missing.filter(Boolean).flat());
  if (!isThere) return hostOnly(host, native);
  const debian = debianToolchain();
  if (!host.emscripten) await makeSystemLibraries(debian.emscripten);
  return {
    emscripten: host.emscripten ?? debian.emscripten,
    cmake: host.cmake ?? debian.cmake,
    ninja: host.ninja ?? debian.ninja,
    nativeCompilers: native && host.compilers.length === 0 ? [debian.clang] : host.compilers,
    xsimd: debian.xsimd,
    catch2: debian.catch2,
  };
}

/** Without Debian's archive: what is on PATH; CMake finds or fetches xsimd and Catch2. */
function hostOnly({ emscripten, cmake, ninja, compilers }, native) {
  const missing = [
    !emscripten &&
      `Emscripten ${leastEmscripten} or newer (emcc on PATH, or EMSDK naming its folder)`,
    !cmake && `CMake ${leastCmake.join('.')} or newer`,
    !ninja && 'Ninja',
    native && compilers.length === 0 && 'a C++20 compiler (g++ or clang++)',
  ].filter(Boolean);
  if (missing.length === 0)
    return { emscripten, cmake, ninja, nativeCompilers: compilers, xsimd: '', catch2: '' };
  throw new Failure(
    `Ropewalk needs ${missing.join(', and ')}: please install ` +
      `${missing.length > 1 ? 'them' : 'it'} and run the command again (set-up fetches tools ` +
      'by itself only where apt gets packages of Debian, or where ROPEWALK_DEBIAN_MIRROR says so).',
  );
}

function hostEmscripten() {
  const inSdk = process.env.EMSDK && path.join(process.env.EMSDK, 'upstream/emscripten/emcc');
  const emcc = inSdk && existsSync(inSdk) ? inSdk : onPath('emcc');
  if (!emcc) return undefined;
  const version = versionIn(outputOf(emcc, ['--version']));
  if (!version || version[0] < leastEmscripten) {
    const what = version ? `version ${version.join('.')}` : 'does not run';
    skip(emcc, `${what}, left aside: Ropewalk needs ${leastEmscripten} or newer`);
    return undefined;
  }
  const root = emscriptenRoot(emcc);
  if (!root) {
    skip(emcc, 'left aside, as the folder of its CMake toolchain was not found');
    return undefined;
  }
  skip('Emscripten', `${version.join('.')}, already installed (${emcc})`);
  return { root, env: {} };
}

/** The folder with Emscripten's CMake toolchain: as it says, or where the link on PATH leads. */
function emscriptenRoot(emcc) {
  const config = path.join(path.dirname(emcc), 'em-config');
  const asked = existsSync(config) && outputOf(config, ['EMSCRIPTEN_ROOT'])?.trim();
  const folders = [asked, path.dirname(realpathSync(emcc))].filter(Boolean);
  return folders.find((folder) =>
    existsSync(path.join(folder, 'cmake/Modules/Platform/Emscripten.cmake')),
  );
}

function hostCmake() {
  const cmake = onPath('cmake');
  const version = cmake && versionIn(outputOf(cmake, ['--version']));
  if (!version) return undefined;
  const [major, minor] = version;
  return major > leastCmake[0] || (major === leastCmake[0] && minor >= leastCmake[1])
    ? cmake
    : undefined;
}

/** A compiler on PATH counts when it makes a C++20 program; it may be there without its library. */
function hostCompiler(name) {
  const file = onPath(name);
  const compile = 'echo "#include <span>" | "$0" -std=c++20 -x c++ -fsyntax-only -';
  const works = file && outputOf('sh', ['-c', compile, file]) !== undefined;
  return works ? [{ name, path: file, options: [] }] : [];
}

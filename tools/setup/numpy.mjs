import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { archiveSources } from './apt.mjs';
import { debianFolder, libraries } from './debian_folder.mjs';
import { Failure } from './failure.mjs';
import { inCache } from './paths.mjs';
import { onPath, outputOf } from './processes.mjs';
import { skip } from './steps.mjs';

const folder = inCache('numpy');
const root = path.join(folder, 'root');

/** Returns a Python that has NumPy, for the tests of the page's Python code. */
export async function setUpNumPy() {
  const python = process.env.ROPEWALK_PYTHON || onPath('python3');
  if (python && outputOf(python, ['-c', 'import numpy']) !== undefined) {
    skip('NumPy', `already installed (${python})`);
    return python;
  }
  const isThere = await debianFolder(folder, {
    title: 'NumPy from Debian',
    packages: ['python3-minimal', 'python3-numpy'],
    sources: archiveSources,
    // It shares the host's loader, which works with the host's C library alone.
    omit: ['libc6', 'libc-bin'],
    finish: wrap,
  });
  if (!isThere)
    throw new Failure(
      'The tests of the Python code need a python3 with NumPy on PATH: please install it, or run ' +
        'the tests without them (npm test -- structure core).',
    );
  return path.join(folder, 'python3');
}

/** A script that starts the folder's Python with the folder's libraries. */
async function wrap(partial) {
  const paths = ['usr/lib', 'lib'].map((lib) => `${root}/${lib}/${libraries(folder).triplet}`);
  const all = [...paths, `${paths[0]}/blas`, `${paths[0]}/lapack`].join(':');
  const script = `#!/bin/sh
LD_LIBRARY_PATH='${all}' PYTHONHOME='${root}/usr' exec '${root}/usr/bin/python3' "$@"
`;
  await writeFile(path.join(partial, 'python3'), script, { mode: 0o755 });
}

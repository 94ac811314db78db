import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { PrivateApt } from './apt.mjs';
import { run } from './processes.mjs';
import { makeFolder, megabytes, recipeOf, skip, step } from './steps.mjs';

const byArchitecture = {
  x64: { triplet: 'x86_64-linux-gnu', loader: 'usr/lib64/ld-linux-x86-64.so.2' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'usr/lib/ld-linux-aarch64.so.1' },
};

/** Where the loader and the libraries of a folder are. */
export function libraries(folder) {
  const { triplet, loader } = byArchitecture[process.arch];
  return {
    triplet,
    loader: path.join(folder, 'root', loader),
    path: path.join(folder, 'root/usr/lib', triplet),
  };
}

/**
 * Makes a folder of Debian packages and all that they need, without root and without installing
 * anything: `folder/root` holds what would be `/`. Returns whether the folder is there.
 * @param {string} folder
 * @param {object} recipe
 * @param {string} recipe.title the name of the step
 * @param {string[]} recipe.packages
 * @param {string} [recipe.sourcePackage] a package whose source is downloaded as well
 * @param {() => Promise<{ uri: string, suite: string }[] | undefined>} recipe.sources the archives
 *   to take them from, unless this machine cannot use them; called only when packages are missing
 * @param {string[]} [recipe.omit] packages that are left out
 * @param {(partial: string, source: string) => Promise<void>} [recipe.finish] makes the files
 *   runnable before the folder gets its final name; `source` is the folder of the source package
 */
export async function debianFolder(
  folder,
  { title, packages, sourcePackage, sources, omit = [], finish },
) {
  const had = await recipeOf(folder);
  if (had && packages.every((name) => had.packages.includes(name))) {
    skip(title, 'ready');
    return true;
  }
  const archives = await sources();
  if (!archives) return false;
  const wanted = [...new Set([...(had?.packages ?? []), ...packages])];
  const apt = new PrivateApt(`${folder}.apt`);
  const source = path.join(apt.folder, 'source');
  let debs = [];
  await step(`${title}, list of packages`, async () => {
    await apt.update(archives, { withSource: sourcePackage !== undefined });
    debs = apt
      .closure(wanted)
      .filter(({ file }) => !omit.includes(path.basename(file).split('_')[0]));
    return `${debs.length} packages`;
  });
  await step(`${title}, download`, async (report) => {
    await apt.download(wanted, report);
    if (sourcePackage) await apt.downloadSource(sourcePackage, source);
    return megabytes(debs.reduce((sum, { bytes }) => sum + bytes, 0));
  });
  await step(`${title}, unpack`, (report) =>
    makeFolder(folder, { packages: wanted }, async (partial) => {
      // The largest first: alone at the end, it would leave the other cores idle.
      const queue = debs.toSorted((a, b) => b.bytes - a.bytes).entries();
      const unpack = async () => {
        for (const [i, { file }] of queue) {
          report(`${i + 1} of ${debs.length}`);
          await run('dpkg-deb', ['--extract', file, path.join(partial, 'root')]);
        }
      };
      await Promise.all(Array.from({ length: availableParallelism() }, unpack));
      await finish?.(partial, source);
    }),
  );
  await rm(apt.folder, { recursive: true, force: true });
  return true;
}

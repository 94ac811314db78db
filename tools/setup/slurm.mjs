import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { archiveSources } from './apt.mjs';
import { inChroot } from './chroot.mjs';
import { debianFolder } from './debian_folder.mjs';
import { Failure } from './failure.mjs';
import { inCache } from './paths.mjs';
import { outputOf } from './processes.mjs';

const folder = inCache('slurm');

/** What Slurm's root has in common with that of the machine. */
export const sharedFolder = '/tmp';

/** Jobs start a shell, and Node needs the library of C++. */
const packages = ['slurm-wlm', 'munge', 'bash', 'coreutils', 'dash', 'libstdc++6'];

/**
 * Unpacks Slurm and munge from Debian, without installing them.
 * @returns {Promise<(command: string) => string[]>} the command that starts one of them
 */
export async function setUpSlurm() {
  if (process.getuid?.() !== 0) throw new Failure("Slurm's daemon must be started by root.");
  const isThere = await debianFolder(folder, {
    title: 'Slurm from Debian',
    packages,
    sources: archiveSources,
    finish,
  });
  if (!isThere) throw new Failure("Slurm is taken from Debian's archive.");
  const inside = inChroot(path.join(folder, 'root'), { asUser: false });
  const [first, ...rest] = inside;
  if (outputOf(first, [...rest, '/bin/sh', '-c', 'exit']) === undefined)
    throw new Failure('Slurm needs unshare and chroot, which do not work here.');
  return (command) => [...inside, command];
}

/** Makes what the packages' install scripts would make. */
async function finish(partial) {
  const inPartial = (...parts) => path.join(partial, 'root', ...parts);
  for (const name of ['slurmctld', 'slurmd', 'slurmstepd'])
    await symlink(`${name}-wlm`, inPartial('usr/sbin', name));
  await writeFile(inPartial('etc/passwd'), 'root:x:0:0:root:/root:/bin/bash\n');
  await writeFile(inPartial('etc/group'), 'root:x:0:\n');
  await writeFile(inPartial('etc/hosts'), '127.0.0.1 localhost\n');
}

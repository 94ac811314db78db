import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { archiveSources } from './apt.mjs';
import { inChroot } from './chroot.mjs';
import { debianFolder, libraries } from './debian_folder.mjs';
import { Failure } from './failure.mjs';
import { inCache } from './paths.mjs';
import { onPath, outputOf, run } from './processes.mjs';
import { skip } from './steps.mjs';

const folder = inCache('webkit');
const root = path.join(folder, 'root');

/** Xvfb starts a shell (dash); GTK needs a font to draw its window. */
const packages = ['webkit2gtk-driver', 'xvfb', 'dash', 'fonts-dejavu-core'];
const advice = 'please run: apt-get install webkit2gtk-driver xvfb';

/** WebKitGTK starts its processes by absolute paths. */
const inside = (command) => [...inChroot(root), command];

/** Returns the commands that start WebKitGTK's driver and Xvfb, each as a list of arguments. */
export async function setUpWebKit() {
  const installed = { driver: onPath('WebKitWebDriver'), display: onPath('Xvfb') };
  if (installed.driver && installed.display) {
    skip('webkit', `already installed (${installed.driver})`);
    return { driver: [installed.driver], display: [installed.display] };
  }
  const isThere = await debianFolder(folder, {
    title: 'WebKitGTK from Debian',
    packages,
    sources: archiveSources,
    finish,
  });
  if (!isThere) throw new Failure(`WebKitGTK is missing: ${advice}.`);
  const [first, ...rest] = inside('/bin/sh');
  if (outputOf(first, [...rest, '-c', 'exit']) === undefined)
    throw new Failure(`unshare and chroot to ${root} do not work here: ${advice}.`);
  return { driver: inside('/usr/bin/WebKitWebDriver'), display: inside('/usr/bin/Xvfb') };
}

/** Builds the indexes that the packages' install scripts would build. Without them GTK aborts. */
async function finish(partial) {
  const partialRoot = path.join(partial, 'root');
  const { triplet } = libraries(folder);
  await mkdir(path.join(partialRoot, 'tmp'), { recursive: true });
  const commands = [
    [`/usr/lib/${triplet}/glib-2.0/glib-compile-schemas`, '/usr/share/glib-2.0/schemas'],
    [`/usr/lib/${triplet}/gdk-pixbuf-2.0/gdk-pixbuf-query-loaders`, '--update-cache'],
    ['/usr/bin/update-mime-database', '/usr/share/mime'],
  ];
  for (const command of commands) {
    const [first, ...rest] = [...inChroot(partialRoot), ...command];
    await run(first, rest);
  }
}

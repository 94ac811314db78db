import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { archiveSources, debianMirror } from './apt.mjs';
import { debianFolder, libraries } from './debian_folder.mjs';
import { Failure } from './failure.mjs';
import { inCache } from './paths.mjs';
import { onPath, outputOf, run } from './processes.mjs';
import { skip } from './steps.mjs';

const folder = inCache('webkit');
const root = path.join(folder, 'root');

/** With the shell that Xvfb starts, and what a GTK program needs to draw its own window. */
const packages = ['webkit2gtk-driver', 'xvfb', 'dash', 'fonts-dejavu-core'];
const advice = 'please run: apt-get install webkit2gtk-driver xvfb';

/**
 * WebKitGTK looks for its processes at fixed places, so the folder has to be the root of what it
 * sees: in a namespace of its own, which an ordinary user may make, with the machine's own devices
 * and temporary files.
 */
const entering = `for shared in proc dev sys tmp; do
  mkdir -p "$0/$shared" && mount --rbind "/$shared" "$0/$shared" || exit 1
done
exec chroot "$0" "$@"`;

const entered = (place) => ['unshare', '--map-root-user', '--mount', 'sh', '-c', entering, place];

/** WebKitGTK's driver and a display to draw on, each as the words of a command. */
export async function setUpWebKit() {
  const own = { driver: onPath('WebKitWebDriver'), display: onPath('Xvfb') };
  if (own.driver && own.display) {
    skip('webkit', `of this machine (${own.driver})`);
    return { driver: [own.driver], display: [own.display] };
  }
  if (!(await debianMirror())) throw new Failure(`WebKitGTK is missing: ${advice}.`);
  await debianFolder(folder, {
    title: 'WebKitGTK from Debian',
    packages,
    sources: await archiveSources(),
    finish,
  });
  const inside = (command) => [...entered(root), command];
  const [first, ...rest] = inside('/bin/sh');
  if (outputOf(first, [...rest, '-c', 'exit']) === undefined)
    throw new Failure(`This machine lets nobody enter ${root}: ${advice}.`);
  return { driver: inside('/usr/bin/WebKitWebDriver'), display: inside('/usr/bin/Xvfb') };
}

/** What the packages' own scripts would have done: indexes without which GTK gives up. */
async function finish(partial) {
  const place = path.join(partial, 'root');
  const { triplet } = libraries(folder);
  await mkdir(path.join(place, 'tmp'), { recursive: true });
  const commands = [
    [`/usr/lib/${triplet}/glib-2.0/glib-compile-schemas`, '/usr/share/glib-2.0/schemas'],
    [`/usr/lib/${triplet}/gdk-pixbuf-2.0/gdk-pixbuf-query-loaders`, '--update-cache'],
    ['/usr/bin/update-mime-database', '/usr/share/mime'],
  ];
  for (const command of commands) {
    const [first, ...rest] = [...entered(place), ...command];
    await run(first, rest);
  }
}

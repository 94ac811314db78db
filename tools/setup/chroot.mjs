/**
 * What starts others by absolute paths runs with a folder of Debian packages as its root. /proc,
 * /dev, /sys and /tmp are those of the machine.
 */
const chrootScript = `for shared in proc dev sys tmp; do
  mkdir -p "$0/$shared" && mount --rbind "/$shared" "$0/$shared" || exit 1
done
exec chroot "$0" "$@"`;

/**
 * The command that runs another one in a folder, to be followed by that one.
 * @param {string} folder
 * @param {{ asUser?: boolean }} [how] without root rights, by a user namespace (the default);
 *   otherwise by those of the caller
 */
export const inChroot = (folder, { asUser = true } = {}) => [
  'unshare',
  ...(asUser ? ['--map-root-user'] : []),
  '--mount',
  'sh',
  '-c',
  chrootScript,
  folder,
];

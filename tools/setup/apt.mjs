import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from './failure.mjs';
import { onPath, outputOf, run } from './processes.mjs';

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const english = { LC_ALL: 'C.UTF-8' };

/**
 * The archive of the machine's own release, as its apt is configured: [{ uri, suite }]. Works
 * before the first `apt-get update`, when apt knows no more than its list of sources.
 */
async function listedSources() {
  const format = '$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(ARCHITECTURE)';
  const listed = outputOf(
    'apt-get',
    [
      '-o',
      'APT::Get::IndexTargets::ReleaseInfo=false',
      'indextargets',
      '--format',
      format,
      'Created-By: Packages',
    ],
    english,
  );
  const { codename } = await release();
  const sources = (listed ?? '')
    .split('\n')
    .map((line) => line.split('|'))
    .filter(
      ([, suite, component, architecture]) =>
        component === 'main' && architecture !== 'all' && isOfRelease(suite, codename),
    )
    .map(([uri, suite]) => ({ uri, suite }));
  return sources.filter(
    ({ uri, suite }, i) => sources.findIndex((s) => s.uri === uri && s.suite === suite) === i,
  );
}

/** Third parties name their suites otherwise, or after the release with a suffix of their own. */
function isOfRelease(suite, codename) {
  const base = suite.replace(/(-updates|-security|-proposed-updates|\/updates)$/, '');
  return [codename, 'stable', 'oldstable', 'testing', 'unstable', 'sid'].includes(base);
}

/**
 * Where Debian's archive is: as the environment says, or where the machine's apt gets Debian from;
 * undefined on a machine that cannot use it.
 */
export async function debianMirror() {
  const canOpen =
    onPath('apt-get') && onPath('dpkg-deb') && ['x64', 'arm64'].includes(process.arch);
  if (!canOpen) return undefined;
  if (process.env.ROPEWALK_DEBIAN_MIRROR) return process.env.ROPEWALK_DEBIAN_MIRROR;
  if ((await release()).id !== 'debian') return undefined;
  return (await listedSources()).find(({ suite }) => !suite.includes('security'))?.uri;
}

/** The archive of the machine's own release; undefined on a machine that cannot use Debian's. */
export const archiveSources = async () =>
  (await debianMirror()) ? await listedSources() : undefined;

/** Which system this is, by the file that every Linux has for it: { id, codename }. */
async function release() {
  const text = existsSync('/etc/os-release') ? await readFile('/etc/os-release', 'utf8') : '';
  const field = (name) => new RegExp(`^${name}="?([\\w.-]+)`, 'm').exec(text)?.[1];
  return { id: field('ID'), codename: field('VERSION_CODENAME') };
}

/**
 * An apt of our own in `folder`: own lists, own archives, and an empty list of installed packages,
 * so that it downloads whatever a package needs. It reads the machine's proxies and touches nothing
 * of the system. A download goes on where an interrupted one stopped.
 */
export class PrivateApt {
  constructor(folder) {
    this.folder = folder;
    this.archives = path.join(folder, 'archives');
    this.lists = path.join(folder, 'lists');
    this.config = path.join(folder, 'apt.conf');
  }

  /**
   * Takes the list of packages from these sources ([{ uri, suite }]), on request with that of source
   * packages, which is as long.
   */
  async update(sources, { withSource = false } = {}) {
    for (const kept of [this.archives, this.lists])
      await mkdir(path.join(kept, 'partial'), { recursive: true });
    const signed = existsSync(keyring) ? `[signed-by=${keyring}] ` : '';
    const lines = sources.flatMap(({ uri, suite }) =>
      ['deb', ...(withSource ? ['deb-src'] : [])].map(
        (kind) => `${kind} ${signed}${uri} ${suite} main\n`,
      ),
    );
    await writeFile(path.join(this.folder, 'sources.list'), lines.join(''));
    await writeFile(path.join(this.folder, 'status'), '');
    await writeFile(this.config, this.#settings());
    await this.#apt(['update']).catch((error) => {
      throw new Failure(
        `${error.message}\n\nThe archive of Debian cannot be read from ${sources[0].uri}: please ` +
          "check the network, and the machine's sources and proxy of apt.",
      );
    });
  }

  /** The .deb files of the packages and of all that they need: [{ file, bytes }]. */
  closure(packages) {
    // With an archive folder that does not exist, apt lists what is already downloaded as well.
    const args = [
      '-c',
      this.config,
      '-o',
      'Dir::Cache::archives=none/',
      '--print-uris',
      '-y',
      'install',
    ];
    const listed = outputOf('apt-get', [...args, ...packages], english);
    if (!listed)
      throw new Failure(`The archive lacks some of these packages: ${packages.join(' ')}.`);
    return [...listed.matchAll(/^'[^']*' (\S+) (\d+)/gm)].map(([, name, bytes]) => ({
      file: path.join(this.archives, name),
      bytes: Number(bytes),
    }));
  }

  async download(packages, onPercent) {
    await this.#apt(['--download-only', '-y', 'install', ...packages], onPercent);
  }

  /** Downloads the source of a package into `folder`, without unpacking it. */
  async downloadSource(name, folder) {
    await mkdir(folder, { recursive: true });
    await this.#apt(['--download-only', 'source', name], undefined, folder);
  }

  #settings() {
    const settings = {
      'Dir::State': this.folder,
      'Dir::State::lists': this.lists,
      'Dir::State::status': path.join(this.folder, 'status'),
      'Dir::State::extended_states': path.join(this.folder, 'extended_states'),
      'Dir::Cache': this.folder,
      'Dir::Cache::archives': this.archives,
      'Dir::Cache::pkgcache': '',
      'Dir::Cache::srcpkgcache': '',
      'Dir::Etc::SourceList': path.join(this.folder, 'sources.list'),
      'Dir::Etc::SourceParts': '/dev/null',
      'Dir::Etc::Preferences': '/dev/null',
      'Dir::Etc::PreferencesParts': '/dev/null',
      'Acquire::Check-Valid-Until': 'false',
      'Acquire::Languages': 'none',
      'Acquire::Retries': '3',
      'APT::Sandbox::User': 'root',
      'APT::Update::Error-Mode': 'any',
      'APT::Install-Recommends': 'false',
    };
    const lines = Object.entries(settings).map(([key, value]) => `${key} "${value}";\n`);
    // Container images clean the system's own archives after each command: not our business.
    const hooks = [
      'APT::Update::Post-Invoke',
      'APT::Update::Post-Invoke-Success',
      'DPkg::Post-Invoke',
    ];
    return `${lines.join('')}${hooks.map((hook) => `#clear ${hook};\n`).join('')}`;
  }

  async #apt(args, onPercent, cwd = this.folder) {
    const command = ['-c', this.config, '-q', '-o', 'APT::Status-Fd=3', ...args];
    const onStatus = (line) => {
      const percent = /^dlstatus:\d+:([\d.]+)/.exec(line)?.[1];
      if (percent) onPercent?.(`${Math.round(Number(percent))} %`);
    };
    // An apt whose parent was killed still holds its lock for the rest of its download.
    for (let attempt = 0; ; ++attempt) {
      try {
        return await run('apt-get', command, { cwd, env: english, onStatus });
      } catch (error) {
        if (!/Could not get lock|Unable to lock/.test(error.message) || attempt === 120)
          throw error;
        await wait(1000);
      }
    }
  }
}

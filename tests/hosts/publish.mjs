/** Publishes posts by a system: writes them, builds, and serves what the build wrote. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serve } from '../../tools/serve.mjs';
import { installed } from './install.mjs';

/** Where a blog stands on its server. */
const base = '/deep/blog/';
const all = /** @type {const} */ (['element', 'frame', 'import']);

/** Systems that are only files need no program. */
const none = {
  modules: undefined,
  version: undefined,
  project: (name) => mkdtemp(path.join(tmpdir(), `ropewalk-${name}-`)),
  run: async () => [],
};

/**
 * The posts of a system, with those in its dark theme where posts choose it.
 * @param {import('./systems.mjs').System} system
 * @param {Record<string, string[]>} snippets by the kinds of the gallery's tabs
 * @returns {import('./posts.mjs').Post[]}
 */
function postsOf({ forms, dark }, snippets) {
  return all
    .filter((form) => forms[form])
    .flatMap((form) =>
      (dark === 'posts' ? [false, true] : [false]).map((isDark) => ({
        name: isDark ? `${form}-dark` : form,
        form,
        isDark,
        snippets: snippets[String(forms[form])] ?? [],
      })),
    );
}

async function writeAll(folder, files) {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
}

/** The package as npm installs it, where the project finds it. */
async function addPackage(folder, packageFolder) {
  const place = path.join(folder, 'node_modules/ropewalk');
  await mkdir(path.dirname(place), { recursive: true });
  await cp(packageFolder, place, { recursive: true });
}

/**
 * @typedef {object} Published
 * @property {string} [version] of the system
 * @property {Record<string, string>} failed what the build said, by form
 * @property {string[]} warnings of the package's scripts
 * @property {(post: import('./posts.mjs').Post) => string} urlOf
 * @property {(post: import('./posts.mjs').Post) => string | undefined} homeUrlOf
 * @property {import('./posts.mjs').Post[]} posts those that were built
 * @property {() => Promise<void>} close
 */

/**
 * Builds all posts at once; where that fails, those of each form alone, to say which ones fail.
 * @param {import('./systems.mjs').System} system
 * @param {{ snippets: Record<string, string[]>, script: string, site: string,
 *   packageFolder: string }} given
 * @returns {Promise<Published>}
 */
export async function publish(system, { snippets, script, site, packageFolder }) {
  const place = system.from ? await installed(system.from) : none;
  const version = system.version
    ? /\d+(\.\d+)+/.exec((await place.run('/tmp', system.version)).join('\n'))?.[0]
    : place.version;
  const servers = [];
  const folders = [];
  const failed = {};
  const warnings = new Set();
  const places = new Map();
  const build = async (posts, name) => {
    const folder = await place.project(name);
    folders.push(folder);
    await writeAll(folder, { ...system.common, ...system.config?.(posts) });
    for (const post of posts) await writeAll(folder, system.files(post, { ...place, script }));
    if (posts.some(({ form }) => form === 'import')) await addPackage(folder, packageFolder);
    for (const command of system.commands?.(posts) ?? [])
      for (const line of await place.run(folder, command))
        if (line.includes('ropewalk/dist/')) warnings.add(line);
    const headers = system.headers?.(new URL(site).origin) ?? {};
    const server = await serve(path.join(folder, system.out), { base, headers });
    servers.push(server);
    for (const post of posts) places.set(post, server.url);
  };
  const posts = postsOf(system, snippets);
  try {
    await build(posts, system.name);
  } catch {
    for (const form of all.filter((one) => system.forms[one])) {
      const own = posts.filter((post) => post.form === form);
      await build(own, `${system.name}-${form}`).catch(({ message }) => (failed[form] = message));
    }
  }
  return {
    version,
    failed,
    warnings: [...warnings],
    posts: posts.filter((post) => places.has(post)),
    urlOf: (post) => places.get(post) + system.address(post),
    homeUrlOf: (post) => (system.hasLinks ? places.get(post) : undefined),
    async close() {
      for (const server of servers) await server.close();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}

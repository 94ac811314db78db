// What a browser requests until the first figure of a page is drawn, and its size.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { inRoot } from '../setup/paths.mjs';

/** Bytes by brotli at its best, as hosts of static files serve them: of the front page, of others. */
const limits = { front: 180_000, chapter: 250_000 };

/** @param {string} document its path in the site */
export const firstLoadLimit = (document) =>
  path.posix.basename(document) === 'index.html' ? limits.front : limits.chapter;

const shrunk = promisify(brotliCompress);

/** What a document or a file of this kind names that is loaded with it. */
const names = {
  '.html':
    /<(?:script|link rel="(?:stylesheet|icon|modulepreload|preload)")[^>]*?\b(?:src|href)="([^"]+)"/g,
  '.js': /(?:\bfrom|\bimport)\s*["'`](\.[^"'`]+)["'`]/g,
  '.css': /url\(["']?([^"')]+)["']?\)/g,
};

/** Figures that draw recorded numbers first: nothing is computed for them. */
const recorded = {
  ropes: /^first_ropes-.*\.js$/,
  'break-a-llama': /^stories260k-.*\.js$/,
};

/**
 * The files by their place in the built site, with their bytes by brotli: the document and what it
 * names, the chunk of its first figure, and its recorded numbers, or the worker with the jobs of that
 * figure and the binary of a browser of today.
 */
export async function firstLoad(site, document) {
  const text = (file) => readFile(path.join(site, file), 'utf8');
  const page = await text(document);
  const files = new Set();
  const isPreloaded = (file) => page.includes(path.posix.basename(file));
  const add = async (file) => {
    // A browser loads a font for text that needs it: the front page has none for those of formulas.
    const isFont = file.endsWith('.woff2');
    if (files.has(file) || (isFont && !page.includes('<math') && !isPreloaded(file))) return;
    files.add(file);
    const named = names[path.extname(file)];
    if (!named) return;
    for (const [, name] of (await text(file)).matchAll(named))
      await add(path.posix.join(path.posix.dirname(file), name));
  };
  await add(document);
  const [, figure] = /<ropewalk-figure [^>]*?\bname="([^"]+)"/.exec(page) ?? [];
  if (figure) {
    const chunk = await chunkOf(figure, site);
    await add(chunk);
    if (recorded[figure]) await add(await only('recorded numbers', recorded[figure], site));
    else await addWorker(chunk);
  }
  return Promise.all(
    [...files].map(async (file) => ({ file, bytes: await sizeOf(path.join(site, file)) })),
  );

  async function addWorker(chunk) {
    // Pools of the package have a worker of that name too.
    const computes = async (file) => (await readFile(file, 'utf8')).includes('ropewalk_relaxed');
    const worker = await only('the worker', /^worker-.*\.js$/, site, computes);
    await add(worker);
    for (const jobs of await jobsOf(await text(chunk), await text(worker), text)) await add(jobs);
    await add(await only('the binary', /^ropewalk_relaxed-.*\.wasm$/, site));
  }
}

/** Shrunk sizes by path: most files are loaded by every page. */
const sizes = new Map();

/** The same by content, of every build so far: to shrink all files of a site takes 15 seconds. */
const known = inRoot('build/brotli_sizes');

/** Bytes of a file by brotli. */
export function sizeOf(file) {
  if (!sizes.has(file)) sizes.set(file, shrunkSize(file));
  return sizes.get(file);
}

async function shrunkSize(file) {
  const content = await readFile(file);
  const place = path.join(known, createHash('sha256').update(content).digest('hex'));
  const text = await readFile(place, 'utf8').catch(() => '');
  if (text !== '') return Number(text);
  const { length } = await shrunk(content);
  await mkdir(known, { recursive: true });
  // Whole or not at all: tests may read it meanwhile.
  const made = `${place}.${process.pid}`;
  await writeFile(made, String(length));
  await rename(made, place);
  return length;
}

/**
 * Returns the one asset whose name matches and that passes `isIt`.
 * @param {string} what its description, for the error
 * @param {RegExp} pattern
 * @param {string} site
 * @param {(file: string) => boolean | Promise<boolean>} [isIt]
 */
async function only(what, pattern, site, isIt = () => true) {
  const found = [];
  for (const name of await readdir(path.join(site, 'assets'))) {
    if (pattern.test(name) && (await isIt(path.join(site, 'assets', name)))) found.push(name);
  }
  if (found.length === 1) return `assets/${found[0]}`;
  throw new Error(`The built site has ${found.length} files that look like ${what}.`);
}

/** The registry of figures, which every page loads, imports the file of a figure by its name. */
async function chunkOf(figure, site) {
  const entry = new RegExp(`[{,]["'\`]?${figure}["'\`]?:[^{}]*?\\bimport\\(["'\`]\\./([^"'\`]+)`);
  for (const name of await readdir(path.join(site, 'assets'))) {
    if (!name.endsWith('.js')) continue;
    const [, file] = entry.exec(await readFile(path.join(site, 'assets', name), 'utf8')) ?? [];
    if (file) return `assets/${file}`;
  }
  throw new Error(`The built site has no file that loads the figure ${figure}.`);
}

/** The files with the jobs that a figure calls: the worker imports them, and they export the jobs. */
async function jobsOf(figure, worker, text) {
  const found = [];
  for (const [, file] of worker.matchAll(/\bimport\(["'`]\.\/([^"'`]+)["'`]\)/g)) {
    const [, exported] = /\bexport\{([^}]*)\}/.exec(await text(`assets/${file}`)) ?? [];
    const jobs = [...(exported ?? '').matchAll(/\bas (\w+)/g)];
    if (jobs.some(([, job]) => figure.includes(`.${job}(`))) found.push(`assets/${file}`);
  }
  return found;
}

export const bytesOf = (files) => files.reduce((sum, { bytes }) => sum + bytes, 0);

// What a browser requests until the first figure of the page is drawn, and its size.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

/** Bytes by brotli at its best, as hosts of static files serve them. */
export const firstLoadLimit = 250_000;

const shrunk = promisify(brotliCompress);

/** What a document or a file of this kind names that is loaded with it. */
const names = {
  '.html':
    /<(?:script|link rel="(?:stylesheet|icon|modulepreload)")[^>]*?\b(?:src|href)="([^"]+)"/g,
  '.js': /(?:\bfrom|\bimport)\s*["'`](\.[^"'`]+)["'`]/g,
  '.css': /url\(["']?([^"')]+)["']?\)/g,
};

/**
 * The files by their place in the built site, with their bytes by brotli: the document and what it
 * names, the chunk of its first figure, the worker, and the binary of a browser of today.
 */
export async function firstLoad(site, document = 'index.html') {
  const text = (file) => readFile(path.join(site, file), 'utf8');
  const files = new Set();
  const add = async (file) => {
    if (files.has(file)) return;
    files.add(file);
    const named = names[path.extname(file)];
    if (!named) return;
    for (const [, name] of (await text(file)).matchAll(named))
      await add(path.posix.join(path.posix.dirname(file), name));
  };
  await add(document);
  const [, figure] = /<ropewalk-figure [^>]*?\bname="([^"]+)"/.exec(await text(document));
  await add(await chunkOf(figure, site));
  await add(await only('the worker', /^worker-.*\.js$/, site));
  await add(await only('the binary', /^ropewalk_relaxed-.*\.wasm$/, site));
  return Promise.all(
    [...files].map(async (file) => {
      const { length } = await shrunk(await readFile(path.join(site, file)));
      return { file, bytes: length };
    }),
  );
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

/** A figure's definition says its name. */
function chunkOf(figure, site) {
  const definition = new RegExp(`\\bname:\\s*["'\`]${figure}["'\`]`);
  const defines = async (file) => definition.test(await readFile(file, 'utf8'));
  return only(`the figure ${figure}`, /\.js$/, site, defines);
}

export const bytesOf = (files) => files.reduce((sum, { bytes }) => sum + bytes, 0);

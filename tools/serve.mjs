// A small server of static files, for this machine only: `node tools/serve.mjs FOLDER [PORT]`.
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Failure, main } from './setup/failure.mjs';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

/** The content security policy under which the page works on any host. */
export const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
].join('; ');

/** Module scripts and binaries are loaded by pages of other origins too, if the host allows it. */
const usual = {
  'Access-Control-Allow-Origin': '*',
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
};

/** Pictures and fonts of these kinds are compressed already. */
const isCompressed = /\.(ico|jpg|png|webp|woff2?)$/i;

/** By their names in the header, the one that makes less first. */
const encodings = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};

/** Vite's names change with what the files hold. */
const isHashed = /\/assets\/[^/]+-[\w-]{8}\.\w+$/;

/**
 * Serves a folder on this machine's loopback addresses, as a good host of static files does.
 * @param {string} folder
 * @param {object} [options]
 * @param {number} [options.port] 0 takes any free port
 * @param {Record<string, string>} [options.headers] are sent with every response in place of the
 *   usual ones: the strict policy, and access for other origins
 * @param {string} [options.base] the sub-path that stands for the folder
 */
export async function serve(folder, { port = 0, headers = usual, base = '/' } = {}) {
  const site = { folder: path.resolve(folder), headers, base, compressed: new Map() };
  const answer = (request, response) =>
    respond(site, request, response).catch((error) => response.destroy(error));
  const servers = [await listening(answer, '127.0.0.1', port)];
  const taken = servers[0].address().port;
  try {
    servers.push(await listening(answer, '::1', taken));
  } catch (error) {
    // A machine without IPv6 is served by the first one alone.
    if (error.code === 'EADDRINUSE') {
      servers[0].close();
      throw error;
    }
  }
  const close = () =>
    Promise.all(
      servers.map(
        (server) =>
          new Promise((resolve) => {
            server.close(resolve);
            server.closeAllConnections();
          }),
      ),
    );
  return { url: `http://localhost:${taken}${base}`, port: taken, close };
}

/** The same on this port, or on the next one that is free. */
export async function serveNear(folder, port, options) {
  for (let next = port; next < port + 100; ++next) {
    try {
      return await serve(folder, { ...options, port: next });
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Failure(
    `No port from ${port} to ${port + 99} is free: name another one (PORT=8000 npm start).`,
  );
}

function listening(answer, host, port) {
  const server = createServer(answer);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

async function respond(site, request, response) {
  const send = (status, fields, body) => {
    response.writeHead(status, { 'Cache-Control': 'no-cache', ...fields, ...site.headers });
    response.end(request.method === 'GET' ? body : undefined);
  };
  const sendFile = async (status, found) => {
    const fields = fieldsOf(found);
    if (status === 200 && isKnown(request.headers, found)) return send(304, fields);
    const body = await bodyOf(site, request.headers['accept-encoding'], found);
    return send(status, { ...fields, ...body.fields }, body.bytes);
  };
  if (!['GET', 'HEAD'].includes(request.method)) return send(405, { Allow: 'GET, HEAD' });
  const { pathname, search } = new URL(request.url, 'http://localhost');
  const found = await find(site.folder, site.base, pathname);
  if (found?.isFolder) return send(301, { Location: `${pathname.replace(/^\/+/, '/')}/${search}` });
  if (found) return sendFile(200, found);
  const page = await find(site.folder, '/', '/404.html');
  if (page?.file) return sendFile(404, page);
  return send(404, { 'Content-Type': types['.txt'], 'Content-Length': 0 });
}

/** In whole seconds, as the header has it: `mtime` rounds to milliseconds, at times to the next second. */
const lastModified = ({ status }) => Math.floor(status.mtimeMs / 1000) * 1000;

/** Weak, since the bytes differ by their compression. */
const tagOf = ({ status }) => `W/"${status.size.toString(36)}-${status.mtimeMs.toString(36)}"`;

const fieldsOf = (found) => ({
  ETag: tagOf(found),
  'Last-Modified': new Date(lastModified(found)).toUTCString(),
  ...(isCompressed.test(found.file) ? {} : { Vary: 'Accept-Encoding' }),
  ...(isHashed.test(found.file.replaceAll(path.sep, '/'))
    ? { 'Cache-Control': 'public, max-age=31536000, immutable' }
    : {}),
});

/**
 * Whether the browser has this version. A tag decides alone where there is one (RFC 9110, 13.2.2).
 */
function isKnown(headers, found) {
  const tags = headers['if-none-match'];
  if (tags !== undefined)
    return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim() === tagOf(found));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return lastModified(found) <= since;
}

/** The bytes that are sent, and what is said of them; compressed once per version of a file. */
async function bodyOf({ compressed }, accepted, found) {
  const { file } = found;
  const type = types[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
  const fields = (bytes) => ({ 'Content-Type': type, 'Content-Length': bytes.length });
  const encoding = isCompressed.test(file) ? undefined : encodingFor(accepted);
  if (!encoding) {
    const bytes = await readFile(file);
    return { bytes, fields: fields(bytes) };
  }
  const [key, tag] = [`${encoding} ${file}`, tagOf(found)];
  if (compressed.get(key)?.tag !== tag)
    compressed.set(key, { tag, bytes: readFile(file).then(encodings[encoding]) });
  const bytes = await compressed.get(key).bytes;
  return { bytes, fields: { ...fields(bytes), 'Content-Encoding': encoding } };
}

/** Returns the first supported encoding that Accept-Encoding names with a weight above 0. */
function encodingFor(accepted = '') {
  const named = accepted.split(',').map((part) => part.replaceAll(/\s/g, '').toLowerCase());
  const wanted = named
    .filter((part) => !/;q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]);
  return Object.keys(encodings).find((name) => wanted.includes(name));
}

/** What a path means: { file, status }, { isFolder } when only its slash is missing, or nothing. */
async function find(folder, base, pathname) {
  if (!pathname.startsWith(base)) return `${pathname}/` === base ? { isFolder: true } : undefined;
  const inside = decoded(pathname.slice(base.length));
  if (inside === undefined || inside.includes('\0')) return undefined;
  const file = path.join(folder, inside);
  if (file !== folder && !file.startsWith(folder + path.sep)) return undefined;
  const status = await stat(file).catch(() => undefined);
  if (status?.isFile()) return { file, status };
  if (!status?.isDirectory()) return undefined;
  const index = path.join(file, 'index.html');
  const ofIndex = await stat(index).catch(() => undefined);
  if (!ofIndex) return undefined;
  return pathname.endsWith('/') ? { file: index, status: ofIndex } : { isFolder: true };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const [folder = 'dist/site', port = '5173'] = process.argv.slice(2);
    console.log((await serveNear(folder, Number(port))).url);
  });
}

// A small server of static files, for this machine only: `node tools/serve.mjs FOLDER [PORT]`.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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

/**
 * Serves a folder on this machine's loopback addresses. `port` 0 takes any free port, `headers` go
 * with every answer, and `base` is the sub-path that stands for the folder.
 */
export async function serve(folder, { port = 0, headers = {}, base = '/' } = {}) {
  const answer = (request, response) =>
    respond(path.resolve(folder), { headers, base }, request, response).catch((error) =>
      response.destroy(error),
    );
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

async function respond(folder, { headers, base }, request, response) {
  const send = (status, fields, file) => {
    response.writeHead(status, { 'Cache-Control': 'no-cache', ...fields, ...headers });
    if (file && request.method === 'GET')
      createReadStream(file)
        .on('error', () => response.destroy())
        .pipe(response);
    else response.end();
  };
  if (!['GET', 'HEAD'].includes(request.method)) return send(405, { Allow: 'GET, HEAD' });
  const { pathname, search } = new URL(request.url, 'http://localhost');
  const found = await find(folder, base, pathname);
  if (found?.isFolder) return send(301, { Location: `${pathname.replace(/^\/+/, '/')}/${search}` });
  if (found) return send(200, contentOf(found), found.file);
  const page = await find(folder, '/', '/404.html');
  if (page?.file) return send(404, contentOf(page), page.file);
  return send(404, { 'Content-Type': types['.txt'], 'Content-Length': 0 });
}

const contentOf = ({ file, size }) => ({
  'Content-Type': types[path.extname(file).toLowerCase()] ?? 'application/octet-stream',
  'Content-Length': size,
});

/** What a path means: { file, size }, { isFolder } when only its slash is missing, or nothing. */
async function find(folder, base, pathname) {
  if (!pathname.startsWith(base)) return `${pathname}/` === base ? { isFolder: true } : undefined;
  const inside = decoded(pathname.slice(base.length));
  if (inside === undefined || inside.includes('\0')) return undefined;
  const file = path.join(folder, inside);
  if (file !== folder && !file.startsWith(folder + path.sep)) return undefined;
  const status = await stat(file).catch(() => undefined);
  if (status?.isFile()) return { file, size: status.size };
  if (!status?.isDirectory()) return undefined;
  const index = path.join(file, 'index.html');
  const size = (await stat(index).catch(() => undefined))?.size;
  if (size === undefined) return undefined;
  return pathname.endsWith('/') ? { file: index, size } : { isFolder: true };
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

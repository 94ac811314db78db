// Sets up, builds, and serves the page until Ctrl-C: `npm start`.
import { existsSync } from 'node:fs';
import { build, buildBinary, buildingAlone, kinds } from './build.mjs';
import { serve, serveNear } from './serve.mjs';
import { Failure, main } from './setup/failure.mjs';
import { inRoot } from './setup/paths.mjs';

/** The port that PORT names, or undefined for the first free one from 5173 on. */
function wantedPort() {
  const { PORT } = process.env;
  if (!PORT) return undefined;
  const port = Number(PORT);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new Failure(`PORT must be a port number, got "${PORT}".`);
}

async function serveAt(folder, port) {
  try {
    return await serve(folder, { port });
  } catch (error) {
    if (!['EADDRINUSE', 'EACCES'].includes(error.code)) throw error;
    const why = error.code === 'EACCES' ? 'is not open to this user' : 'is taken';
    throw new Failure(`Port ${port} ${why}: name another one in PORT, or none.`);
  }
}

await main(async () => {
  const port = wantedPort();
  // The first page does not wait for the second binary, whose place the first one takes.
  const [first, second] = kinds;
  const isFirstPage = !existsSync(inRoot('build', second, 'ropewalk.wasm'));
  const tools = await build({ kinds: isFirstPage ? [first] : kinds });
  const site = inRoot('dist/site');
  const { url } = await (port ? serveAt(site, port) : serveNear(site, 5173));
  console.log(`Ropewalk: ${url}`);
  if (!isFirstPage) return;
  await buildingAlone(() => buildBinary(tools, second));
  console.log(`The page has the faster binary, ${second}, from the next start on.`);
});

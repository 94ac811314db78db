// Sets up, builds, and serves the page until Ctrl-C: `npm start`.
import { build } from './build.mjs';
import { serve, serveNear } from './serve.mjs';
import { Failure, main } from './setup/failure.mjs';
import { inRoot } from './setup/paths.mjs';

/** The port that PORT names and no other, or the first free one from 5173 on. */
async function servePage(folder) {
  const { PORT } = process.env;
  if (!PORT) return serveNear(folder, 5173);
  const port = Number(PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Failure(`PORT must be a port number, got "${PORT}".`);
  try {
    return await serve(folder, { port });
  } catch (error) {
    if (!['EADDRINUSE', 'EACCES'].includes(error.code)) throw error;
    const why = error.code === 'EACCES' ? 'is not open to this user' : 'is taken';
    throw new Failure(`Port ${PORT} ${why}: name another one in PORT, or none.`);
  }
}

await main(async () => {
  await build();
  const { url } = await servePage(inRoot('dist/site'));
  console.log(`Ropewalk: ${url}`);
});

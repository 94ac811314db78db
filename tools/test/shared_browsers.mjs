// Browsers that the files of the tests use one after another: to start and end Firefox takes seven
// seconds of each file, Chromium one and a half.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { launch } from '../../tests/browser/support/browser.mjs';

/**
 * Serves running browsers at a port. A client writes the name of a browser and reads its address. The
 * browser is its own until it writes that it is done with it; one that died may have left anything,
 * so its browser is ended.
 */
export async function shareBrowsers() {
  /** @type {Record<string, { endpoint: string, child: import('node:child_process').ChildProcess }[]>} */
  const idle = {};
  const all = new Set();
  async function started(name) {
    const browser = await launch(name);
    const one = { endpoint: browser.wsEndpoint(), child: browser.process() };
    all.add(one.child);
    // Firefox serves one client at a time.
    await browser.disconnect();
    return one;
  }
  const server = createServer(async (socket) => {
    socket.on('error', () => {});
    const [request] = await once(socket, 'data');
    const name = String(request).trim();
    const one = idle[name]?.pop() ?? (await started(name));
    let isDone = false;
    socket.on('data', () => (isDone = true));
    socket.on('close', () => {
      if (isDone && one.child.exitCode === null) (idle[name] ??= []).push(one);
      else one.child.kill();
    });
    socket.write(one.endpoint);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    port,
    close() {
      server.close();
      for (const child of all) child.kill();
    },
  };
}

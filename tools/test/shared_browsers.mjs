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
  /** The browsers that run. */
  const running = new Set();
  async function started(name) {
    const browser = await launch(name);
    const one = { endpoint: browser.wsEndpoint(), child: browser.process() };
    running.add(one.child);
    one.child.once('exit', () => running.delete(one.child));
    // Firefox serves one client at a time.
    await browser.disconnect();
    return one;
  }
  const server = createServer(async (socket) => {
    // A client that died is noticed by the end of its connection.
    socket.on('error', () => {});
    const [request] = await once(socket, 'data');
    const name = String(request).trim();
    let one = idle[name]?.pop();
    while (one && !running.has(one.child)) one = idle[name].pop();
    one ??= await started(name);
    let isDone = false;
    socket.on('data', () => (isDone = true));
    socket.on('close', () => {
      if (isDone && running.has(one.child)) (idle[name] ??= []).push(one);
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
      for (const child of running) child.kill();
    },
  };
}

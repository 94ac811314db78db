/** Workers of browsers, for every pool. */
import type { Reply } from '../pool/protocol.js';
import type { Threads } from '../pool/start.js';
import { wrongKind } from '../runtime/errors.js';

/**
 * @param packageWorker makes the package's worker; in the entry itself, since bundlers look for
 * `new Worker(new URL(...))`
 */
export const threadsOf = (packageWorker: () => Worker): Threads => ({
  cores() {
    const { hardwareConcurrency = 1 } = globalThis.navigator ?? {};
    return hardwareConcurrency;
  },
  spawn(make: () => object = packageWorker) {
    const worker = make();
    if (!(worker instanceof Worker)) {
      throw wrongKind('worker', 'must return a Worker', worker);
    }
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      listen(onReply, onDeath) {
        worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => onReply(data));
        worker.addEventListener('messageerror', () => onDeath('its answer could not be read'));
        worker.addEventListener('error', (event) => {
          event.preventDefault();
          onDeath(event.message ?? 'its script could not be loaded');
        });
      },
      busy() {},
      end: () => worker.terminate(),
    };
  },
});

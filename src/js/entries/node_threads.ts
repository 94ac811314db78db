/// <reference types="node" />
/** Workers of Node, for every pool. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Threads } from '../pool/start.js';
import { wrongKind } from '../runtime/errors.js';

/**
 * @param packageWorker makes the package's worker; in the entry itself, since bundlers look for
 * `new Worker(new URL(...))`; without the options of this process, since `--input-type` does not
 * work with files
 */
export const threadsOf = (packageWorker: () => Worker): Threads => ({
  cores: availableParallelism,
  spawn(make: () => object = packageWorker) {
    const worker = make();
    if (!(worker instanceof Worker)) {
      throw wrongKind('worker', 'must return a Worker', worker);
    }
    worker.unref();
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      listen(onReply, onDeath) {
        worker.on('message', onReply);
        worker.on('messageerror', () => onDeath('its answer could not be read'));
        worker.on('error', (error) => onDeath(error.message));
        worker.on('exit', (code) => onDeath(`it ended with code ${code}`));
      },
      busy: (hasWork) => (hasWork ? worker.ref() : worker.unref()),
      end: () => worker.terminate(),
    };
  },
});

/**
 * The entry `ropewalk/pool`, for browsers. It is none of `.`, since bundlers that see a worker make
 * a file of it for everyone who imports the module.
 */
import type { Reply } from '../pool/protocol.js';
import { described } from '../runtime/checks.js';
import type { Thread } from '../pool/worker_pool.js';
import { startPool, type Pool, type PoolOptions } from '../pool/pool.js';

const packageWorker = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

function spawn(make: () => object = packageWorker): Thread {
  const worker = make();
  if (!(worker instanceof Worker)) {
    throw new TypeError(`worker must return a Worker, got ${described(worker)}`);
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
}

function cores(): number {
  const { hardwareConcurrency = 1 } = globalThis.navigator ?? {};
  return hardwareConcurrency;
}

/**
 * Starts the workers, which share one compiled module; each has an instance of its own.
 * @param options how many workers and who makes them; by default one of the package's per core
 * @returns the functions of an instance as promises
 * @throws TypeError, RangeError on a wrong option, naming it; Error where a worker does not start
 * @see HTML Living Standard, Web workers; Node.js, worker_threads
 */
export function createPool(options?: PoolOptions): Promise<Pool> {
  return startPool(options, { cores, spawn });
}

export type * from '../pool/pool.js';

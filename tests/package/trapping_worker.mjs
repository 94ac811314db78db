/**
 * A worker of the pool whose instance traps, as one with a bug would, at the work numbered
 * `workerData.fatal`: the functions that it calls through pointers are gone.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { breakTables } from './heap.mjs';

const { instantiate } = WebAssembly;
let exported,
  isDue = false;

/** Now, or as soon as there is an instance. */
function trap() {
  isDue = true;
  if (exported) breakTables(exported);
}

const noting = async (/** @type {WebAssembly.Module} */ module, imports) => {
  const instance = await instantiate(module, imports);
  exported = Object.values(instance.exports);
  if (isDue) trap();
  return instance;
};
WebAssembly.instantiate = /** @type {typeof instantiate} */ (noting);

let works = 0;
const { on } = parentPort;
parentPort.on = (event, listener) =>
  on.call(parentPort, event, (message) => {
    // Work without a name only asks whether the worker has started.
    if (event === 'message' && message.name && works++ === workerData.fatal) trap();
    return listener(message);
  });

await import(workerData.worker);
